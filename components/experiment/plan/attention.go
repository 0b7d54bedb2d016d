package plan

import (
	"slices"

	"github.com/causeway-sim/causeway/accelerators/mapping"
	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/experiment/demand"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/graph/fuse"
)

// Fuse makes each attention of the workload one operator, by its key attention, for the workers in
// idx: if the tile loop fits the buffers of all cores. Workers with the timing of another program
// have no such operator.
func (w *Workload) Fuse(a *Assignment, mapper *mapping.Mapper, idx []int) error {
	if err := w.exchanged(a, idx); err != nil {
		return err
	}
	if w.Attention() == demand.Unfused || w.Unfused == nil {
		w.fuseEpilogues(a, idx)
		return nil
	}
	var cores []machine.Core
	for _, k := range idx {
		if _, ok := a.Workers[k].(work.Trainer); w.Trains() && !ok {
			return w.At.Get("attention").Errorf([]string{demand.Unfused}, "%s has no backward pass of attention as one operator", a.Workers[k].Name())
		}
		if _, own := a.Workers[k].(work.Peer); own {
			if w.Spec.Attention != "" && len(w.Unfused.Chains()) > 0 {
				return w.At.Get("attention").Errorf(nil, "%s counts layer by layer and has no attention as one operator (want one of: %s)", a.Workers[k].Name(), demand.Unfused)
			}
			return nil
		}
		if c, ok := a.Workers[k].(work.Mappable); ok {
			cores = append(cores, c.Core(w.Spec.DType.DTypes))
		}
	}
	err := w.FuseAttention(func(op *graph.Op, g *graph.Graph) error {
		for _, c := range cores {
			if err := mapper.AttentionFits(op, g, c); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		w.fuseEpilogues(a, idx)
		w.fusePrologues(a, idx)
	}
	return err
}

// fuseEpilogues leaves what follows a convolution or a product to its kernel, where all workers in
// idx do so.
func (w *Workload) fuseEpilogues(a *Assignment, idx []int) {
	if w.Spec.Training.Fuse { // activations are kernels of their own, whose operands the pass back reads
		return
	}
	for _, k := range idx {
		if x, ok := a.Workers[k].(work.Fuser); !ok || !x.Fuses() {
			return
		}
	}
	w.Graph, _ = fuse.Epilogues(w.Graph)
}

// fusePrologues leaves rotary embeddings and writes into the cache to the kernels of attention, where
// all workers in idx have such. Chips that share keys by tokens, and steps of training, have other kernels.
func (w *Workload) fusePrologues(a *Assignment, idx []int) {
	if p := w.Spec.Parallel; p.Context > 1 || p.KV > 1 || w.Trains() {
		return
	}
	var all []work.Preparer
	for _, k := range idx {
		x, ok := a.Workers[k].(work.Preparer)
		if !ok {
			return
		}
		all = append(all, x)
	}
	w.Graph, _ = fuse.Prologues(w.Graph, func(op *graph.Op) bool {
		return !slices.ContainsFunc(all, func(x work.Preparer) bool { return !x.Prepares(w.Graph, op) })
	})
}

// exchanged reports transfers between the chips of a machine, and backward passes of attention, that
// a worker cannot carry out.
func (w *Workload) exchanged(a *Assignment, idx []int) error {
	if w.Graph == nil {
		return nil
	}
	for i := range w.Graph.Ops {
		if _, ok := w.Graph.Ops[i].Kind.(graph.AttentionBackward); ok {
			for _, k := range idx {
				if _, ok := a.Workers[k].(work.Trainer); !ok {
					return w.At.Errorf(nil, "%s cannot carry out %s, the backward pass of attention as one operator (want a node of kind gpu or roofline)", a.Workers[k].Name(), w.Graph.Ops[i].Name)
				}
			}
		}
		if _, ok := w.Graph.Ops[i].Kind.(graph.Exchange); !ok {
			continue
		}
		for _, k := range idx {
			if _, ok := a.Workers[k].(work.Exchanger); !ok {
				return w.At.Errorf(nil, "%s cannot carry out %s, a transfer between the chips of a machine (want a node of kind gpu at fidelity analytic with the key link)", a.Workers[k].Name(), w.Graph.Ops[i].Name)
			}
		}
		return nil
	}
	return nil
}
