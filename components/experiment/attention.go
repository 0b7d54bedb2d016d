package experiment

import (
	"github.com/causeway-sim/causeway/accelerators/mapping"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/experiment/demand"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// fuse makes each attention of the workload one operator, as its key attention says, for
// the workers in idx: where the tile loop fits the buffers of all cores. Workers that count
// layers as another program does have no such operator.
func (w *workload) fuse(a *assembly, mapper *mapping.Mapper, idx []int) error {
	if w.Attention() == demand.Unfused || w.Unfused == nil {
		return nil
	}
	var cores []mapping.Core
	for _, k := range idx {
		if _, own := a.workers[k].(work.Peer); own {
			if w.Spec.Attention != "" && len(w.Unfused.Chains()) > 0 {
				return w.At.Get("attention").Errorf(nil, "%s counts layer by layer and has no attention as one operator (want one of: %s)", a.workers[k].Name(), demand.Unfused)
			}
			return nil
		}
		if c, ok := a.workers[k].(work.Mappable); ok {
			cores = append(cores, c.Core(w.Spec.DType.DTypes))
		}
	}
	return w.FuseAttention(func(op *graph.Op, g *graph.Graph) error {
		for _, c := range cores {
			if err := mapper.AttentionFits(op, g, c); err != nil {
				return err
			}
		}
		return nil
	})
}
