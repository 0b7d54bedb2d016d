package parallel

import (
	"fmt"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/workloads/graph"
)

// Vector-unit operations per element of backward operators; an operation is as in package
// graph.
const (
	// assumption: dx = y (dy - sum(y dy)): multiply, sum, subtract, multiply.
	softmaxBack = 4
)

// differentiable refuses operators that have no backward one here. withStatistics has refused
// attentions that have none.
func differentiable(op *graph.Op) error {
	switch k := op.Kind.(type) {
	case graph.MatMul, graph.Elementwise, graph.Softmax, graph.Gather, graph.Move, graph.Transfer, graph.Reduce, graph.Attention:
		return nil
	case graph.Norm:
		if k.Rule().Backward > 0 {
			return nil
		}
		return fmt.Errorf("norm %s has no backward operator (want one of: %s)", k.Func, strings.Join(backwardNorms(), ", "))
	}
	return fmt.Errorf("%s has no backward operator (want a model of products, norms and elementwise functions)", op.Kind.Type())
}

// backwardNorms lists the normalisations that have a backward operator.
func backwardNorms() []string {
	return slices.DeleteFunc(graph.Norms(), func(name string) bool { return graph.Norm{Func: name}.Rule().Backward == 0 })
}

// adjoint adds the backward operators of one.
func (b *back) adjoint(op *graph.Op) {
	switch k := op.Kind.(type) {
	case graph.Transfer:
		b.transfer(op, k)
		return
	case graph.Move:
		b.move(op, k)
		return
	}
	d, partial := b.gradient(op.Out[0])
	if d == graph.None {
		return
	}
	switch k := op.Kind.(type) {
	case graph.MatMul:
		b.product(op, k, d, partial)
	case graph.Attention:
		b.attention(op, k, d, partial)
	case graph.Elementwise:
		b.elementwise(op, k, d, partial)
	case graph.Softmax:
		dx := b.like(op, 0)
		b.append(op.Name+".dx", graph.Elementwise{Func: "softmax_back", Elements: k.Rows * k.Cols, Inputs: 2, OpsPer: softmaxBack}, []graph.TensorID{b.saved(op.Out[0]), d}, dx)
		b.give(op, 0, dx, partial)
	case graph.Norm:
		b.norm(op, k, d, partial)
	case graph.Gather:
		b.accumulate(op.Name+".dw", graph.Move{Func: "scatter", Elements: min(k.Rows, k.Table) * k.Cols}, []graph.TensorID{d}, partial, op, op.In[0])
	case graph.Reduce:
		dx := b.like(op, 0)
		b.append(op.Name+".dx", graph.Move{Func: "broadcast", Elements: k.Elements}, []graph.TensorID{d}, dx)
		b.give(op, 0, dx, partial)
	}
}

// like is a new gradient of an operand.
func (b *back) like(op *graph.Op, i int) graph.TensorID {
	x := b.Graph.Tensor(op.In[i])
	name := op.Name + ".dx"
	if i > 0 {
		name = fmt.Sprintf("%s%d", name, i)
	}
	return b.activation(name, x)
}

// product is that of a matrix product C = A B: dA = dC B^T and dB = A^T dC, of as many
// multiply-accumulates each.
func (b *back) product(op *graph.Op, k graph.MatMul, d graph.TensorID, partial bool) {
	if b.wants(op, 0) {
		dx := b.like(op, 0)
		b.append(op.Name+".dx", graph.MatMul{Batch: k.Batch, M: k.M, N: k.K, K: k.N, SharedB: k.SharedB}, []graph.TensorID{d, b.saved(op.In[1])}, dx)
		b.give(op, 0, dx, partial)
	}
	shared := max(k.SharedB, 1)
	back := graph.MatMul{Batch: k.Batch / shared, M: k.K, N: k.N, K: k.M * shared, SharedB: 1}
	switch {
	case b.weighs(op, 1):
		b.accumulate(op.Name+".dw", back, []graph.TensorID{b.saved(op.In[0]), d}, partial, op, op.In[1])
	case b.wants(op, 1):
		dx := b.like(op, 1)
		b.append(op.Name+".dx1", back, []graph.TensorID{b.saved(op.In[0]), d}, dx)
		b.give(op, 1, dx, partial)
	}
	if b.weighs(op, 2) {
		n := b.Graph.Tensor(op.In[2]).Elements()
		b.accumulate(op.Name+".db", graph.Reduce{Func: "sum", Elements: int64(k.Batch) * int64(k.M) * int64(k.N), Out: n}, []graph.TensorID{d}, partial, op, op.In[2])
	}
}

// linear functions need nothing of the pass forward for the gradient of each operand: how
// many vector operations it takes; 0: the gradient is that of the result.
var linear = map[string]int{"add": 0, "identity": 0, "cast": 0, "sub": 0, "neg": 1}

func (b *back) elementwise(op *graph.Op, k graph.Elementwise, d graph.TensorID, partial bool) {
	if gated(k.Func) {
		b.gate(op, k, d, partial)
		return
	}
	for i := range op.In {
		if !b.wants(op, i) {
			continue
		}
		x, out := b.Graph.Tensor(op.In[i]), b.Graph.Tensor(op.Out[0])
		g := d
		if ops, ok := linear[k.Func]; !ok || ops > 0 {
			in, per := b.factors(op, k, i, d)
			g = b.activation(fmt.Sprintf("%s.d%d", op.Name, i), out)
			b.append(fmt.Sprintf("%s.d%d", op.Name, i), graph.Elementwise{Func: k.Func + "_back", Elements: k.Elements, Inputs: len(in), OpsPer: per}, in, g)
		}
		sum := graph.Reduce{Func: "sum", Elements: k.Elements, Out: x.Elements()}
		switch {
		case b.weighs(op, i) && x.Elements() == k.Elements:
			b.accumulate(op.Name+".dw", graph.Move{Func: "copy", Elements: k.Elements}, []graph.TensorID{g}, partial, op, op.In[i])
		case b.weighs(op, i):
			b.accumulate(op.Name+".dw", sum, []graph.TensorID{g}, partial, op, op.In[i])
		case x.Elements() < k.Elements:
			dx := b.like(op, i)
			b.append(op.Name+".dsum", sum, []graph.TensorID{g}, dx)
			b.give(op, i, dx, partial)
		default:
			b.give(op, i, g, partial)
		}
	}
}

// factors are what the gradient of operand i of a function is made of, and in how many
// vector operations: of a product the other operands, of a scale nothing, of others all
// operands and as many operations as the function, and a product.
func (b *back) factors(op *graph.Op, k graph.Elementwise, i int, d graph.TensorID) (in []graph.TensorID, per int) {
	in = []graph.TensorID{d}
	for j, id := range op.In {
		if id != graph.None && (k.Func != "mul" && k.Func != "rope" && k.Func != "neg" || j != i && k.Func != "neg") {
			in = append(in, b.saved(id))
		}
	}
	switch k.Func {
	case "mul":
		return in, max(1, len(in)-1)
	case "rope", "neg":
		return in, k.OpsPer
	}
	return in, k.OpsPer + 1
}

func (b *back) norm(op *graph.Op, k graph.Norm, d graph.TensorID, partial bool) {
	if b.Fused && b.wants(op, 0) && b.weighs(op, 1) {
		b.normAtOnce(op, k, d, partial)
		return
	}
	if b.wants(op, 0) {
		dx := b.like(op, 0)
		in := []graph.TensorID{d, b.saved(op.In[0])}
		if len(op.In) > 1 && op.In[1] != graph.None {
			in = append(in, b.saved(op.In[1]))
		}
		b.append(op.Name+".dx", graph.Elementwise{Func: "norm_back", Elements: k.Rows * k.Cols, Inputs: len(in), OpsPer: int(k.Rule().Backward)}, in, dx)
		b.give(op, 0, dx, partial)
	}
	if b.weighs(op, 1) {
		weights := op.In[1:]
		b.accumulate(op.Name+".dw", graph.Reduce{Func: "sum", Elements: k.Rows * k.Cols, Out: k.Cols}, []graph.TensorID{d, b.saved(op.In[0])}, partial, op, weights...)
	}
}

// move goes back: a view as a view, several views of one tensor as one of them all, parts
// of a tensor with nothing around.
func (b *back) move(op *graph.Op, k graph.Move) {
	if len(op.In) > 1 && k.Func != "dispatch" {
		b.apart(op, k)
		return
	}
	var all []graph.TensorID
	elements, partial := int64(0), false
	for _, id := range op.Out {
		d, p := b.gradient(id)
		if d == graph.None {
			continue
		}
		all, partial = append(all, d), partial || p
		elements += b.Graph.Tensor(id).Elements()
	}
	if len(all) == 0 || !b.wants(op, 0) {
		return
	}
	x := b.Graph.Tensor(op.In[0])
	in, out := b.Cuts[op.In[0]], b.Cuts[op.Out[0]]
	dx := b.like(op, 0)
	switch {
	case k.Func == "dispatch": // of tokens to experts: what they got of each token is added up
		b.append(op.Name+".dx", graph.Move{Func: "combine", Elements: min(k.Elements, x.Elements())}, all, dx)
	case in.Of == out.Of && b.partsOf(op.In[0]) < b.partsOf(op.Out[0]): // each rank's own part of what all have
		b.append(op.Name+".d.all_gather", graph.Transfer{Func: "all_gather", Bytes: b.Graph.Tensor(op.Out[0]).Bytes(), Among: b.sharing(op.In[0])}, all, dx)
		b.of[op.In[0]].whole = append(b.of[op.In[0]].whole, dx)
		return
	case elements < x.Elements():
		b.append(op.Name+".dx", graph.Move{Func: "pad", Elements: x.Elements()}, all, dx)
	case k.Elements > 0:
		b.append(op.Name+".dx", graph.Move{Func: k.Func, Elements: min(k.Elements, x.Elements())}, all, dx)
	case len(all) > 1:
		b.append(op.Name+".dx", graph.Move{Func: "concat"}, all, dx)
	default:
		b.append(op.Name+".dx", graph.Move{Func: "reshape"}, all, dx)
	}
	b.give(op, 0, dx, partial)
}

// apart gives each operand of what was put together its part of the gradient.
func (b *back) apart(op *graph.Op, k graph.Move) {
	d, partial := b.gradient(op.Out[0])
	if d == graph.None {
		return
	}
	for i := range op.In {
		if b.wants(op, i) {
			dx := b.like(op, i)
			b.append(fmt.Sprintf("%s.dx%d", op.Name, i), graph.Move{Func: "slice"}, []graph.TensorID{d}, dx)
			b.give(op, i, dx, partial)
		}
	}
}

// transfer goes the other way: what was added up is the gradient of each, what was gathered
// is added up where each rank has made something else of it, what was sent comes back.
func (b *back) transfer(op *graph.Op, k graph.Transfer) {
	if k.Func == "send" {
		x := b.Graph.Tensor(op.In[0])
		d := b.activation(op.Name+".d", x)
		k = b.sent(k, b.turn, false)
		k.Func = "recv"
		b.waits = int32(len(b.out.Ops))
		b.append(op.Name+".d", k, nil, d)
		b.of[op.In[0]].whole = append(b.of[op.In[0]].whole, d)
		return
	}
	out := op.Out[0]
	if k.Func == "all_gather" {
		b.ungather(op, k)
		return
	}
	d, _ := b.gradient(out)
	if d == graph.None {
		return
	}
	switch k.Func {
	case "recv":
		k = b.sent(k, b.turn, false)
		k.Func = "send"
		b.append(op.Name+".d", k, []graph.TensorID{d})
	case "all_to_all":
		all, back := []graph.TensorID{d}, []graph.TensorID{b.like(op, 0)}
		for i := 1; i < len(op.Out); i++ { // weights of picks go with them
			if w, _ := b.gradient(op.Out[i]); w != graph.None {
				all, back = append(all, w), append(back, b.like(op, i))
			}
		}
		b.append(op.Name+".d", k, all, back...)
		for i, dx := range back {
			b.of[op.In[i]].whole = append(b.of[op.In[i]].whole, dx)
		}
	case "all_reduce":
		b.of[op.In[0]].whole = append(b.of[op.In[0]].whole, d)
	case "reduce_scatter":
		dx := b.like(op, 0)
		b.append(op.Name+".d.all_gather", graph.Transfer{Func: "all_gather", Bytes: b.Graph.Tensor(out).Bytes(), Among: k.Among}, []graph.TensorID{d}, dx)
		b.of[op.In[0]].whole = append(b.of[op.In[0]].whole, dx)
	}
}

// ungather is the adjoint of an all_gather.
func (b *back) ungather(op *graph.Op, k graph.Transfer) {
	x, c := b.Graph.Tensor(op.Out[0]), b.of[op.Out[0]]
	b.of[op.Out[0]] = cotangents{}
	if k.Among != b.grid.Tensors(b.number) { // of tokens: each rank has made something else of them
		partial := len(c.parts) > 0
		if all := b.sum(x.Name+".dsum", x, append(c.parts, c.whole...)); all != graph.None {
			dx := b.activation(x.Name+".dpart", b.Graph.Tensor(op.In[0]))
			b.append(x.Name+".d.reduce_scatter", graph.Transfer{Func: "reduce_scatter", Bytes: x.Bytes(), Among: k.Among}, []graph.TensorID{all}, dx)
			b.give(op, 0, dx, partial)
		}
		return
	}
	to := &b.of[op.In[0]].whole
	if parts := b.sum(x.Name+".dsum", x, c.parts); parts != graph.None {
		dx := b.activation(x.Name+".dpart", b.Graph.Tensor(op.In[0]))
		b.append(x.Name+".d.reduce_scatter", graph.Transfer{Func: "reduce_scatter", Bytes: x.Bytes(), Among: k.Among}, []graph.TensorID{parts}, dx)
		*to = append(*to, dx)
	}
	if whole := b.sum(x.Name+".dadd", x, c.whole); whole != graph.None {
		dx := b.activation(x.Name+".dslice", b.Graph.Tensor(op.In[0]))
		b.append(x.Name+".dslice", graph.Move{Func: "slice"}, []graph.TensorID{whole}, dx)
		*to = append(*to, dx)
	}
}
