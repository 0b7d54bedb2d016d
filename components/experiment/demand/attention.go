package demand

import (
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/workloads/graph"
)

// Values of the key attention.
const (
	Fused   = "fused"
	Unfused = "unfused"

	defaultAttention = Fused
)

// Attention returns Fused or Unfused.
func (w *Workload) Attention() string {
	switch {
	case w.Spec.Attention != "":
		return w.Spec.Attention
	case w.Trains() || w.Spec.Parallel.Context > 1 && w.Spec.Parallel.Ring == "":
		return Unfused
	}
	return defaultAttention
}

// FuseAttention makes each attention of the graph one operator unless fits returns an error for
// it. With attention: fused that error is returned; otherwise it becomes a note of the graph.
func (w *Workload) FuseAttention(fits func(op *graph.Op, g *graph.Graph) error) error {
	chains := w.Unfused.Chains()
	all := w.Unfused.FuseAttention(chains)
	why := map[string]error{}
	for i := range all.Ops {
		op := &all.Ops[i]
		if _, ok := op.Kind.(graph.Attention); !ok {
			continue
		}
		if err := fits(op, all); err != nil {
			why[op.Name] = err
		}
	}
	if len(why) == 0 {
		w.Graph = all
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
	if w.Spec.Attention == Fused {
		return w.At.Get("attention").Errorf(nil, "%s", notes[0])
	}
	g := *w.Unfused.FuseAttention(chains)
	g.Notes = append(slices.Clone(g.Notes), notes...)
	w.Graph = &g
	return nil
}
