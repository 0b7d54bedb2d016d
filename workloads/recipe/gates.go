package recipe

import (
	"slices"

	"github.com/causeway-sim/causeway/workloads/graph"
)

// Gate is the end of the name of an activation of one operand, multiplied by another, as one
// function: silu_gate.
const Gate = "_gate"

// Gates makes each activation that only one product of elements reads, and that product, one
// operator, with what the product is weighed by (Weigh). g is not changed.
func Gates(g *graph.Graph) *graph.Graph {
	readers, maker := make([]int, len(g.Tensors)), make([]int, len(g.Tensors))
	for i := range g.Ops {
		for _, id := range g.Ops[i].In {
			if id != graph.None {
				readers[id]++
			}
		}
		for _, id := range g.Ops[i].Out {
			maker[id] = i
		}
	}
	gone := make([]bool, len(g.Ops))
	out := *g
	out.Ops = slices.Clone(g.Ops)
	for i := range out.Ops {
		op := &out.Ops[i]
		mul, ok := op.Kind.(graph.Elementwise)
		if !ok || mul.Func != "mul" || len(op.In) < 2 {
			continue
		}
		j := maker[op.In[0]]
		act, ok := g.Ops[j].Kind.(graph.Elementwise)
		if !ok || !slices.Contains(g.Ops[j].Out, op.In[0]) || act.Elements != mul.Elements || len(g.Ops[j].In) != 1 || readers[op.In[0]] != 1 || act.OpsPer < 2 || act.Inside {
			continue
		}
		gone[j] = true
		op.In = append([]graph.TensorID{g.Ops[j].In[0]}, op.In[1:]...)
		op.Kind = graph.Elementwise{Func: act.Func + Gate, Elements: mul.Elements, Inputs: len(op.In), OpsPer: act.OpsPer + mul.OpsPer}
	}
	all := out.Ops
	out.Ops = nil
	for i := range all {
		if !gone[i] {
			out.Ops = append(out.Ops, all[i])
		}
	}
	return &out
}
