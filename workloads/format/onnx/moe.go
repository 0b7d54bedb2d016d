package onnx

import (
	"fmt"

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
		bits := n.int("expert_weight_bits", 4)
		if bits != 4 && bits != 8 {
			return n.fail("expert_weight_bits is %d (want 4 or 8)", bits)
		}
		return n.mixture([3]int{2, 5, 8}, [3]int{4, 7, 10}, int(bits))
	}}
}

// An expertLayer is a matrix of all experts.
type expertLayer struct {
	weight, bias *onnxValue
	in, out      int
	name         string
}

// mixture: tokens of hidden elements, logits of the router, then the matrices of all
// experts: hidden to inner (twice that for swiglu, which multiplies both halves), inner to
// hidden, and hidden to inner for a gate. weights and biases are where those stand; bits are
// those of packed weights, 0 for plain ones. Whether a matrix lies row by row or column by
// column is not looked at.
func (n *onnxNode) mixture(weights, biases [3]int, bits int) error {
	x, logits := n.in[0], n.in[1]
	if x.rank() < 2 || logits.rank() != 2 || x.elements() == 0 || logits.elements() == 0 {
		return n.fail("shapes %v and %v (want tokens of elements, and tokens x experts)", x.shape, logits.shape)
	}
	hidden, experts := x.shape[x.rank()-1], logits.shape[1]
	tokens, k := int(x.elements())/hidden, int(n.int("k", 1))
	if logits.shape[0] != tokens || k < 1 || k > experts {
		return n.fail("%d tokens, logits of shape %v, k is %d (want a row per token, and k from 1 to the experts)", tokens, logits.shape, k)
	}
	if !n.has(weights[0]) || !n.has(weights[1]) {
		return n.fail("the first or the second matrix of the experts is left out")
	}
	layers, err := n.expertLayers(weights, biases, hidden, experts, bits)
	if err != nil {
		return err
	}
	if inner := layers[1].in; layers[0].out != inner && layers[0].out != 2*inner || len(layers) == 3 && layers[2].out != inner {
		return n.fail("experts of %d, %d elements inside (want as many, or twice as many in the first matrix)", layers[0].out, inner)
	}
	out, err := n.result(0, x.elem, x.shape...)
	if err != nil {
		return err
	}
	return n.expertsOf(x, logits, out, layers, tokens, k, bits)
}

// expertLayers are the matrices of all experts that the inputs have.
func (n *onnxNode) expertLayers(weights, biases [3]int, hidden, experts, bits int) (layers []expertLayer, err error) {
	for i, at := range weights {
		if !n.has(at) {
			continue
		}
		l := expertLayer{weight: n.in[at], bias: n.get(biases[i]), in: hidden, name: fmt.Sprintf("fc%d", i+1)}
		other := n.in[at].elements() / int64(experts*hidden)
		if bits > 0 {
			other *= int64(8 / bits)
		}
		if other < 1 || other > format.MaxDim {
			return nil, n.fail("weights of shape %v for %d experts of %d elements", n.in[at].shape, experts, hidden)
		}
		if l.out = int(other); i == 1 {
			l.in, l.out = int(other), hidden
		}
		layers = append(layers, l)
	}
	return layers, nil
}

// expertsOf emits router, experts and their sum.
func (n *onnxNode) expertsOf(x, logits, out *onnxValue, layers []expertLayer, tokens, k, bits int) error {
	experts, hidden := logits.shape[1], layers[0].in
	scores, top := n.temp("scores", x.elem, tokens, experts), n.temp("top", x.elem, tokens*k, 1)
	if err := n.emitStep("router.softmax", graph.Softmax{Rows: int64(tokens), Cols: int64(experts)}, []*onnxValue{logits}, scores); err != nil {
		return err
	}
	if err := n.emitStep("router.top", graph.Reduce{Func: "topk", Elements: scores.elements(), Out: int64(tokens * k)}, []*onnxValue{scores}, top); err != nil {
		return err
	}
	var busy []int
	var in, done []*onnxValue
	for e, rows := range n.m.o.Experts.Picks(n.m.mixtures, experts, tokens, k) {
		if rows > 0 {
			busy, in = append(busy, e), append(in, n.temp(fmt.Sprintf("E%d.in", e), x.elem, rows, hidden))
			continue
		}
		for i := range layers { // an expert without tokens has weights
			n.m.tensor(n.expertWeight(&layers[i], e, bits), true)
		}
	}
	n.m.mixtures++
	if err := n.emitStep("dispatch", graph.Move{Func: "dispatch", Elements: int64(tokens * k * hidden)}, []*onnxValue{x, top}, in...); err != nil {
		return err
	}
	for i, e := range busy {
		y, err := n.expert(in[i], layers, e, bits)
		if err != nil {
			return err
		}
		done = append(done, y)
	}
	all := n.temp("collect", x.elem, tokens*k, hidden)
	if err := n.emitStep("collect", graph.Move{Func: "collect", Elements: all.elements()}, done, all); err != nil {
		return err
	}
	weighted := n.temp("weighted", x.elem, tokens*k, hidden)
	if err := n.elementwise("weight", onnxMap{fn: "mul"}, []*onnxValue{all, top}, nil, weighted); err != nil {
		return err
	}
	return n.emit(graph.Reduce{Func: "sum", Elements: weighted.elements(), Out: out.elements()}, []*onnxValue{weighted}, out)
}

// expert is one expert's result for its rows.
func (n *onnxNode) expert(x *onnxValue, layers []expertLayer, e, bits int) (*onnxValue, error) {
	step := func(name string) string { return fmt.Sprintf("E%d.%s", e, name) }
	product := func(x *onnxValue, l *expertLayer) (*onnxValue, error) {
		y := n.temp(step(l.name), x.elem, x.shape[0], l.out)
		var bias *onnxValue
		if l.bias != nil {
			bias = newConst(l.bias.name+"."+step("bias"), x.elem, l.out)
		}
		kind := graph.MatMul{Batch: 1, M: x.shape[0], N: l.out, K: l.in, SharedB: 1}
		return y, n.emitStep(step(l.name), kind, []*onnxValue{x, n.expertWeight(l, e, bits), bias}, y)
	}
	rows, inner := x.shape[0], layers[1].in
	first, err := product(x, &layers[0])
	if err != nil {
		return nil, err
	}
	fn := n.text("activation_type", "relu")
	gated := layers[0].out == 2*inner
	if fn == "swiglu" {
		fn = "silu"
	}
	inside := n.temp(step("inside"), x.elem, rows, inner)
	switch {
	case gated: // one half of a row times the function of the other
		a, b, c := n.temp(step("a"), x.elem, rows, inner), n.temp(step("b"), x.elem, rows, inner), n.temp(step("c"), x.elem, rows, inner)
		if err = n.emitStep(step("halves"), graph.Move{Func: "split"}, []*onnxValue{first}, a, b); err != nil {
			return nil, err
		}
		if err = n.elementwise(step(fn), onnxMap{fn: fn, ops: 1}, []*onnxValue{a}, nil, c); err != nil {
			return nil, err
		}
		err = n.elementwise(step("gate"), onnxMap{fn: "mul"}, []*onnxValue{c, b}, nil, inside)
	case fn == "identity":
		inside = first
	default:
		err = n.elementwise(step(fn), onnxMap{fn: fn, ops: 1}, []*onnxValue{first}, nil, inside)
	}
	if err == nil && len(layers) == 3 {
		var third *onnxValue
		if third, err = product(x, &layers[2]); err == nil {
			both := n.temp(step("both"), x.elem, rows, inner)
			err, inside = n.elementwise(step("both"), onnxMap{fn: "mul"}, []*onnxValue{inside, third}, nil, both), both
		}
	}
	if err != nil {
		return nil, err
	}
	return product(inside, &layers[1])
}

// expertWeight is the matrix of one expert.
func (n *onnxNode) expertWeight(l *expertLayer, e, bits int) *onnxValue {
	elem := l.weight.elem
	if bits > 0 {
		elem = onnxpb.TensorProto_INT8
	}
	w := newConst(fmt.Sprintf("%s.E%d", l.weight.name, e), elem, l.in, l.out)
	if block := n.int("block_size", 0); bits > 0 {
		d := graph.Int8
		if bits == 4 {
			d = graph.Int4
		}
		if block > 0 {
			d = *n.grouped(bits, int(min(block, format.MaxDim)))
		}
		w.dtype = &d
	}
	return w
}
