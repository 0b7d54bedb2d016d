package plan

import (
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/workloads/format"
	"github.com/causeway-sim/causeway/workloads/format/table"
)

// Topology returns the rows of a topology file for an executor that reads them; nil if the file or
// the executor is of another kind.
func (w *Workload) Topology(to worker) ([]work.Row, error) {
	p, ok := to.(work.Peer)
	if !ok || w.Format != "scalesim" {
		return nil, nil
	}
	if !p.TakesRows() {
		return []work.Row{}, nil // the executor reports the error
	}
	layers, err := table.ScaleSimLayers(w.Path, format.Options{Symbols: w.Spec.Symbols})
	if err != nil {
		return nil, err
	}
	rows := make([]work.Row, len(layers))
	for i, l := range layers {
		rows[i] = work.Row{
			Name: l.Name, H: l.H, W: l.W, R: l.R, S: l.S, C: l.C, N: l.Filters,
			StrideH: l.StrideH, StrideW: l.StrideW, SparseN: l.SparseN, SparseM: l.SparseM,
			Repeats: uint64(max(l.Batch, 1)),
		}
		if w.Spec.Batch > 0 {
			rows[i].Repeats *= uint64(w.Spec.Batch)
		}
	}
	w.Graph.Notes = nil // of what a graph has no place for
	return rows, nil
}
