package experiment

import (
	"github.com/causeway-sim/causeway/accelerators/scalesim"
	"github.com/causeway-sim/causeway/workloads/format"
)

// rowLoader is a worker that counts as SCALE-Sim does and takes the rows of a
// topology file as they stand: a graph has no place for windows that hang over
// the edge, nor for sparsity.
type rowLoader interface {
	LoadRows(workload string, layers []scalesim.Layer, repeats []uint64) error
}

// loadRows gives a topology file to such a worker; ok is false if either is
// something else.
func (w *workload) loadRows(to worker) (ok bool, err error) {
	r, isLoader := to.(rowLoader)
	if !isLoader || w.format != "scalesim" {
		return false, nil
	}
	rows, err := format.ScaleSimLayers(w.path, format.Options{Symbols: w.spec.Symbols})
	if err != nil {
		return true, err
	}
	layers, repeats := make([]scalesim.Layer, len(rows)), make([]uint64, len(rows))
	for i, l := range rows {
		layers[i] = scalesim.Layer{
			Name: l.Name, H: l.H, W: l.W, R: l.R, S: l.S, C: l.C, N: l.Filters,
			StrideH: l.StrideH, StrideW: l.StrideW, SparseN: l.SparseN, SparseM: l.SparseM,
		}
		repeats[i] = uint64(max(l.Batch, 1))
		if w.spec.Batch > 0 {
			repeats[i] *= uint64(w.spec.Batch)
		}
	}
	w.graph.Notes = nil // of what a graph has no place for
	return true, r.LoadRows(w.name(), layers, repeats)
}
