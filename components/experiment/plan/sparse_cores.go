package plan

import (
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// Skips returns an error unless the worker can skip the zeros of the workload's sparse weights.
func (w *Workload) Skips(x worker) error {
	var have graph.Pattern
	if s, ok := x.(work.Sparse); ok {
		have = s.Sparsity()
	}
	some, _ := x.(work.Skipper)
	for i := range w.Graph.Ops {
		op := &w.Graph.Ops[i]
		if p := w.Graph.Sparsity(op); !p.Within(have) {
			if have.On() {
				return w.At.Get("sparsity").Errorf(nil, "%s skips weights of %s, those of %s are %s", x.Name(), have, op.Name, p)
			}
			return w.At.Get("sparsity").Errorf(nil, "%s cannot skip weights of %s (want a node with the key sparsity, as kinds systolic and gpu have it)", x.Name(), p)
		} else if p.On() && some != nil {
			if err := some.Skips(w.Graph, op); err != nil {
				return w.At.Get("sparsity").Errorf(nil, "%s: %s: %v", x.Name(), op.Name, err)
			}
		}
	}
	return nil
}

// Skipped returns an error unless all workers in idx can skip the zeros of the workload's sparse
// weights.
func (w *Workload) Skipped(a *Assignment, idx []int) error {
	for _, k := range idx {
		if err := w.Skips(a.Workers[k]); err != nil {
			return err
		}
	}
	return nil
}
