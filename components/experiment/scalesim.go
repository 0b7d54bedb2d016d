package experiment

import (
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/workloads/format"
)

// loadRows gives a topology file to a worker that takes its rows; ok is false if
// either is something else.
func (w *workload) loadRows(to worker) (ok bool, err error) {
	r, isLoader := to.(work.RowLoader)
	if !isLoader || w.format != "scalesim" {
		return false, nil
	}
	layers, err := format.ScaleSimLayers(w.path, format.Options{Symbols: w.spec.Symbols})
	if err != nil {
		return true, err
	}
	rows := make([]work.Row, len(layers))
	for i, l := range layers {
		rows[i] = work.Row{
			Name: l.Name, H: l.H, W: l.W, R: l.R, S: l.S, C: l.C, N: l.Filters,
			StrideH: l.StrideH, StrideW: l.StrideW, SparseN: l.SparseN, SparseM: l.SparseM,
			Repeats: uint64(max(l.Batch, 1)),
		}
		if w.spec.Batch > 0 {
			rows[i].Repeats *= uint64(w.spec.Batch)
		}
	}
	w.graph.Notes = nil // of what a graph has no place for
	return true, r.LoadRows(w.name(), rows)
}
