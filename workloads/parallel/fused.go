package parallel

import (
	"strings"

	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/recipe"
)

// gated reports whether a function is an activation of one operand, multiplied by another
// (recipe.Gates).
func gated(function string) bool { return strings.HasSuffix(function, recipe.Gate) }

// gate is the backward operator of a gated activation: the gradients of both operands at once, and of the
// weights of its rows, if it has any.
func (b *back) gate(op *graph.Op, k graph.Elementwise, d graph.TensorID, partial bool) {
	in, out := []graph.TensorID{d}, []graph.TensorID(nil)
	for i, id := range op.In {
		in, out = append(in, b.saved(id)), append(out, b.like(op, i))
	}
	b.append(op.Name+".dx", graph.Elementwise{Func: k.Func + "_back", Elements: k.Elements, Inputs: len(in), OpsPer: 2*k.OpsPer + 1}, in, out...)
	for i, dx := range out {
		if b.wants(op, i) {
			b.give(op, i, dx, partial)
		}
	}
}

// normAtOnce is the backward operator of a norm: the gradients of its operand and of its weights,
// which are sums over the rows.
func (b *back) normAtOnce(op *graph.Op, k graph.Norm, d graph.TensorID, partial bool) {
	dx := b.like(op, 0)
	in := []graph.TensorID{d, b.saved(op.In[0]), b.saved(op.In[1])}
	kind := graph.Elementwise{Func: "norm_back", Elements: k.Rows * k.Cols, Inputs: len(in), OpsPer: int(k.Rule().Backward) + 2}
	b.also = dx
	b.accumulate(op.Name+".dx", kind, in, partial, op, op.In[1:]...)
	b.give(op, 0, dx, partial)
}
