package onnx

import (
	"fmt"

	"github.com/causeway-sim/causeway/workloads/format/onnx/node"
	"github.com/causeway-sim/causeway/workloads/format/onnx/onnxpb"
	"github.com/causeway-sim/causeway/workloads/graph"

	"github.com/causeway-sim/causeway/workloads/format"
)

// Mixtures of experts as fused by runtimes (domain com.microsoft). Options.Experts is the
// distribution of tokens.
func init() {
	onnxOps["MoE"] = onnxOp{2, 8, func(n *onnxNode) error {
		return n.mixture([3]int{2, 4, 6}, [3]int{3, 5, 7}, 0)
	}}
	onnxOps["QMoE"] = onnxOp{2, 14, func(n *onnxNode) error {
		bits := n.Int("expert_weight_bits", 4)
		if bits != 4 && bits != 8 {
			return n.Fail("expert_weight_bits is %d (want 4 or 8)", bits)
		}
		return n.mixture([3]int{2, 5, 8}, [3]int{4, 7, 10}, int(bits))
	}}
}

// An expertLayer is a matrix of all experts.
type expertLayer struct {
	weight, bias *node.Value
	in, out      int
	name         string
}

// mixture: tokens of hidden elements, logits of the router, then the matrices of all
// experts: hidden to inner (twice that for swiglu, which multiplies both halves), inner to
// hidden, and hidden to inner for a gate. weights and biases are where those stand; bits are
// those of packed weights, 0 for plain ones. Whether a matrix lies row by row or column by
// column is not looked at.
func (n *onnxNode) mixture(weights, biases [3]int, bits int) error {
	x, logits := n.In[0], n.In[1]
	if x.Rank() < 2 || logits.Rank() != 2 || x.Elements() == 0 || logits.Elements() == 0 {
		return n.Fail("shapes %v and %v (want tokens of elements, and tokens x experts)", x.Shape, logits.Shape)
	}
	hidden, experts := x.Shape[x.Rank()-1], logits.Shape[1]
	tokens, k := int(x.Elements())/hidden, int(n.Int("k", 1))
	if logits.Shape[0] != tokens || k < 1 || k > experts {
		return n.Fail("%d tokens, logits of shape %v, k is %d (want a row per token, and k from 1 to the experts)", tokens, logits.Shape, k)
	}
	if !n.Has(weights[0]) || !n.Has(weights[1]) {
		return n.Fail("the first or the second matrix of the experts is left out")
	}
	layers, err := n.expertLayers(weights, biases, hidden, experts, bits)
	if err != nil {
		return err
	}
	if inner := layers[1].in; layers[0].out != inner && layers[0].out != 2*inner || len(layers) == 3 && layers[2].out != inner {
		return n.Fail("experts of %d, %d elements inside (want as many, or twice as many in the first matrix)", layers[0].out, inner)
	}
	out, err := n.Result(0, x.Elem, x.Shape...)
	if err != nil {
		return err
	}
	return n.expertsOf(x, logits, out, layers, tokens, k, bits)
}

// expertLayers are the matrices of all experts that the inputs have.
func (n *onnxNode) expertLayers(weights, biases [3]int, hidden, experts, bits int) (layers []expertLayer, err error) {
	for i, at := range weights {
		if !n.Has(at) {
			continue
		}
		l := expertLayer{weight: n.In[at], bias: n.Get(biases[i]), in: hidden, name: fmt.Sprintf("fc%d", i+1)}
		other := n.In[at].Elements() / int64(experts*hidden)
		if bits > 0 {
			other *= int64(8 / bits)
		}
		if other < 1 || other > format.MaxDim {
			return nil, n.Fail("weights of shape %v for %d experts of %d elements", n.In[at].Shape, experts, hidden)
		}
		if l.out = int(other); i == 1 {
			l.in, l.out = int(other), hidden
		}
		layers = append(layers, l)
	}
	return layers, nil
}

// expertsOf emits router, experts and their sum.
func (n *onnxNode) expertsOf(x, logits, out *node.Value, layers []expertLayer, tokens, k, bits int) error {
	experts, hidden := logits.Shape[1], layers[0].in
	scores, top := n.Temp("scores", x.Elem, tokens, experts), n.Temp("top", x.Elem, tokens*k, 1)
	if err := n.EmitStep("router.softmax", graph.Softmax{Rows: int64(tokens), Cols: int64(experts)}, []*node.Value{logits}, scores); err != nil {
		return err
	}
	if err := n.EmitStep("router.top", graph.Reduce{Func: "topk", Elements: scores.Elements(), Out: int64(tokens * k)}, []*node.Value{scores}, top); err != nil {
		return err
	}
	var busy []int
	var in, done []*node.Value
	for e, rows := range n.Model.Options.Experts.Picks(n.Model.Mixtures, experts, tokens, k) {
		if rows > 0 {
			busy, in = append(busy, e), append(in, n.Temp(fmt.Sprintf("E%d.in", e), x.Elem, rows, hidden))
			continue
		}
		for i := range layers { // an expert without tokens has weights
			n.Model.Tensor(n.expertWeight(&layers[i], e, bits), true)
		}
	}
	n.Model.Mixtures++
	if err := n.EmitStep("dispatch", graph.Move{Func: "dispatch", Elements: int64(tokens * k * hidden)}, []*node.Value{x, top}, in...); err != nil {
		return err
	}
	for i, e := range busy {
		y, err := n.expert(in[i], layers, e, bits)
		if err != nil {
			return err
		}
		done = append(done, y)
	}
	all := n.Temp("collect", x.Elem, tokens*k, hidden)
	if err := n.EmitStep("collect", graph.Move{Func: "collect", Elements: all.Elements()}, done, all); err != nil {
		return err
	}
	weighted := n.Temp("weighted", x.Elem, tokens*k, hidden)
	if err := n.elementwise("weight", onnxMap{fn: "mul"}, []*node.Value{all, top}, nil, weighted); err != nil {
		return err
	}
	return n.Emit(graph.Reduce{Func: "sum", Elements: weighted.Elements(), Out: out.Elements()}, []*node.Value{weighted}, out)
}

// expert is one expert's result for its rows.
func (n *onnxNode) expert(x *node.Value, layers []expertLayer, e, bits int) (*node.Value, error) {
	step := func(name string) string { return fmt.Sprintf("E%d.%s", e, name) }
	product := func(x *node.Value, l *expertLayer) (*node.Value, error) {
		y := n.Temp(step(l.name), x.Elem, x.Shape[0], l.out)
		var bias *node.Value
		if l.bias != nil {
			bias = node.NewConstant(l.bias.Name+"."+step("bias"), x.Elem, l.out)
		}
		kind := graph.MatMul{Batch: 1, M: x.Shape[0], N: l.out, K: l.in, SharedB: 1}
		return y, n.EmitStep(step(l.name), kind, []*node.Value{x, n.expertWeight(l, e, bits), bias}, y)
	}
	rows, inner := x.Shape[0], layers[1].in
	first, err := product(x, &layers[0])
	if err != nil {
		return nil, err
	}
	fn := n.Text("activation_type", "relu")
	gated := layers[0].out == 2*inner
	if fn == "swiglu" {
		fn = "silu"
	}
	inside := n.Temp(step("inside"), x.Elem, rows, inner)
	switch {
	case gated: // one half of a row times the function of the other
		a, b, c := n.Temp(step("a"), x.Elem, rows, inner), n.Temp(step("b"), x.Elem, rows, inner), n.Temp(step("c"), x.Elem, rows, inner)
		if err = n.EmitStep(step("halves"), graph.Move{Func: "split"}, []*node.Value{first}, a, b); err != nil {
			return nil, err
		}
		if err = n.elementwise(step(fn), onnxMap{fn: fn, ops: 1}, []*node.Value{a}, nil, c); err != nil {
			return nil, err
		}
		err = n.elementwise(step("gate"), onnxMap{fn: "mul"}, []*node.Value{c, b}, nil, inside)
	case fn == "identity":
		inside = first
	default:
		err = n.elementwise(step(fn), onnxMap{fn: fn, ops: 1}, []*node.Value{first}, nil, inside)
	}
	if err == nil && len(layers) == 3 {
		var third *node.Value
		if third, err = product(x, &layers[2]); err == nil {
			both := n.Temp(step("both"), x.Elem, rows, inner)
			err, inside = n.elementwise(step("both"), onnxMap{fn: "mul"}, []*node.Value{inside, third}, nil, both), both
		}
	}
	if err != nil {
		return nil, err
	}
	return product(inside, &layers[1])
}

// expertWeight is the matrix of one expert.
func (n *onnxNode) expertWeight(l *expertLayer, e, bits int) *node.Value {
	elem := l.weight.Elem
	if bits > 0 {
		elem = onnxpb.TensorProto_INT8
	}
	w := node.NewConstant(fmt.Sprintf("%s.E%d", l.weight.Name, e), elem, l.in, l.out)
	if block := n.Int("block_size", 0); bits > 0 {
		d := graph.Int8
		if bits == 4 {
			d = graph.Int4
		}
		if block > 0 {
			d = *n.grouped(bits, int(min(block, format.MaxDim)))
		}
		w.DType = &d
	}
	return w
}
