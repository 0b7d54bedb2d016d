package plan

import (
	"github.com/causeway-sim/causeway/accelerators/mapping"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/experiment/demand"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// Fuse makes each attention of the workload one operator, as its key attention says, for
// the workers in idx: where the tile loop fits the buffers of all cores. Workers that count
// layers as another program does have no such operator.
func (w *Workload) Fuse(a *Assignment, mapper *mapping.Mapper, idx []int) error {
	if w.Attention() == demand.Unfused || w.Unfused == nil {
		return nil
	}
	var cores []mapping.Core
	for _, k := range idx {
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
	return w.FuseAttention(func(op *graph.Op, g *graph.Graph) error {
		for _, c := range cores {
			if err := mapper.AttentionFits(op, g, c); err != nil {
				return err
			}
		}
		return nil
	})
}
