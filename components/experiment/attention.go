package experiment

import (
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/accelerators/mapping"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// How a workload carries out attention.
const (
	fused   = "fused"
	unfused = "unfused"

	defaultAttention = fused
)

// fuse makes each attention of the workload one operator, as its key attention says, for
// the workers in idx. What cannot be is an error where the key asks for it, else a note:
// the tile loop does not fit the buffers of a core. Workers that count layers as another
// program does have no such operator.
func (w *workload) fuse(a *assembly, mapper *mapping.Mapper, idx []int) error {
	how := w.spec.Attention
	if how == "" {
		how = defaultAttention
		if w.trains() || w.spec.Parallel.Context > 1 && w.spec.Parallel.Ring == "" {
			how = unfused
		}
	}
	if how == unfused || w.parts == nil {
		return nil
	}
	var cores []mapping.Core
	for _, k := range idx {
		if _, own := a.workers[k].(work.Peer); own {
			if w.spec.Attention != "" && len(w.parts.Chains()) > 0 {
				return w.at.Get("attention").Errorf(nil, "%s counts layer by layer and has no attention as one operator (want one of: %s)", a.workers[k].Name(), unfused)
			}
			return nil
		}
		if c, ok := a.workers[k].(work.Mappable); ok {
			cores = append(cores, c.Core(w.spec.DType.DTypes))
		}
	}
	chains := w.parts.Chains()
	all := w.parts.FuseAttention(chains)
	why := map[string]error{}
	for i := range all.Ops {
		op := &all.Ops[i]
		if _, ok := op.Kind.(graph.Attention); !ok {
			continue
		}
		for _, c := range cores {
			if err := mapper.AttentionFits(op, all, c); err != nil {
				why[op.Name] = err
				break
			}
		}
	}
	if len(why) == 0 {
		w.graph = all
		return nil
	}
	var notes []string
	chains = slices.DeleteFunc(chains, func(c graph.Chain) bool {
		err, bad := why[c.Fused.Name]
		if bad {
			notes = append(notes, fmt.Sprintf("attention is not one operator: %v", err))
		}
		return bad
	})
	if w.spec.Attention == fused {
		return w.at.Get("attention").Errorf(nil, "%s", notes[0])
	}
	g := *w.parts.FuseAttention(chains)
	g.Notes = append(slices.Clone(g.Notes), notes...)
	w.graph = &g
	return nil
}
