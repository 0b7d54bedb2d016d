package onnx

import (
	"slices"

	"github.com/causeway-sim/causeway/workloads/graph"
)

func init() {
	for name, f := range unaryMaps {
		least, most := 1, 1
		switch name {
		case "RotaryEmbedding":
			least, most = 1, 4
		case "Trilu", "CumSum":
			most = 2
		}
		onnxOps[name] = onnxOp{least, most, func(n *onnxNode) error { return n.unary(f) }}
	}
	for name, f := range binaryMaps {
		onnxOps[name] = onnxOp{2, 2, func(n *onnxNode) error { return n.mapped(f, n.in) }}
	}
	for name, f := range manyMaps {
		onnxOps[name] = onnxOp{1, many, func(n *onnxNode) error { return n.mapped(f, n.in) }}
	}
	onnxOps["Clip"] = onnxOp{1, 3, func(n *onnxNode) error { return n.unary(onnxMap{fn: "clip"}) }}
	onnxOps["Gelu"] = onnxOp{1, 1, func(n *onnxNode) error {
		if n.text("approximate", "none") == "tanh" {
			return n.unary(onnxMap{fn: "gelu_tanh"})
		}
		return n.unary(onnxMap{fn: "gelu"})
	}}
	onnxOps["BiasGelu"] = onnxOp{2, 2, func(n *onnxNode) error { return n.mapped(onnxMap{fn: "bias_gelu", ops: 9}, n.in) }}
	onnxOps["Pow"] = onnxOp{2, 2, onnxPow}
	onnxOps["PRelu"] = onnxOp{2, 2, onnxPRelu}
	onnxOps["Where"] = onnxOp{3, 3, onnxWhere}
	onnxOps["Cast"] = onnxOp{1, 1, onnxCast}
	onnxOps["CastLike"] = onnxOp{2, 2, func(n *onnxNode) error { return n.cast(n.in[1].elem) }}
	onnxOps["QuantizeLinear"] = onnxOp{2, 3, onnxQuantize}
	onnxOps["DequantizeLinear"] = onnxOp{2, 3, onnxDequantize}
	onnxOps["DynamicQuantizeLinear"] = onnxOp{1, 1, onnxDynamicQuantize}
	for _, name := range []string{"QLinearAdd", "QLinearMul"} {
		onnxOps[name] = onnxOp{7, 8, func(n *onnxNode) error {
			// dequantise both (2 each), add or multiply, quantise (5)
			return n.mapped(onnxMap{fn: "quantized_" + name[len("QLinear"):], ops: 10, elem: n.in[0].elem}, []*onnxValue{n.in[0], n.in[3]})
		}}
	}
}

// unary maps input 0; the others are parameters.
func (n *onnxNode) unary(f onnxMap) error { return n.mapped(f, n.in[:1]) }

// mapped applies f to operands that broadcast to each other.
func (n *onnxNode) mapped(f onnxMap, in []*onnxValue) error {
	shapes := make([][]int, len(in))
	for i, v := range in {
		if v == nil {
			return n.fail("input %d is left out", i)
		}
		shapes[i] = v.shape
	}
	if n.opset < 7 && len(in) == 2 { // the old way to say at which axis the second operand stands
		shapes[1] = n.oldBroadcast(in[0], in[1])
	}
	shape, ok := broadcast(shapes...)
	if !ok {
		return n.fail("inputs of shapes %v do not broadcast", shapes)
	}
	elem := in[0].elem
	if f.elem != 0 {
		elem = f.elem
	}
	out, err := n.result(0, elem, shape...)
	if err != nil {
		return err
	}
	n.foldMap(f, in, shapes, out)
	return n.elementwise("", f, in, shapes, out)
}

// elementwise emits f. A constant of one element is an immediate of the vector
// unit and no operand.
func (n *onnxNode) elementwise(step string, f onnxMap, in []*onnxValue, shapes [][]int, out *onnxValue) error {
	ops, ok := graph.OpsPerElement(f.fn)
	if !ok {
		ops = f.ops
	}
	ops *= max(len(in)-1, 1)
	var operands []*onnxValue
	for i, v := range in {
		if v.konst && v.scalar() {
			continue
		}
		if shapes != nil && len(shapes[i]) != v.rank() {
			w, err := n.reshaped("operand", v, shapes[i]...)
			if err != nil {
				return err
			}
			v = w
		}
		operands = append(operands, v)
	}
	if len(operands) == 0 { // all constant: no operator
		return n.emit(nil, in, out)
	}
	// The main input is one that has the shape of the result, if there is one.
	for i, v := range operands {
		if v.elements() == out.elements() && !v.konst {
			operands[0], operands[i] = operands[i], operands[0]
			break
		}
	}
	k := graph.Elementwise{Func: f.fn, Elements: out.elements(), Inputs: len(operands), OpsPer: ops}
	if step != "" {
		return n.emitStep(step, k, operands, out)
	}
	return n.emit(k, operands, out)
}

// oldBroadcast is the shape of b as it stands at attribute axis of a, in
// operator sets before 7.
func (n *onnxNode) oldBroadcast(a, b *onnxValue) []int {
	axis := int(n.int("axis", int64(a.rank()-b.rank())))
	if n.attrs["axis"] == nil || axis < 0 || axis > a.rank()-b.rank() {
		return b.shape
	}
	shape := append([]int(nil), b.shape...)
	for len(shape)+axis < a.rank() {
		shape = append(shape, 1)
	}
	return shape
}

// foldMap computes the values of out if those of the inputs are known.
func (n *onnxNode) foldMap(f onnxMap, in []*onnxValue, shapes [][]int, out *onnxValue) {
	if !out.konst || out.elements() > maxConst {
		return
	}
	floats := false
	for _, v := range in {
		if v.data == nil {
			return
		}
		floats = floats || v.data.floats != nil
	}
	if floats && (f.floats == nil || f.elem != 0) || !floats && f.ints == nil {
		return
	}
	step := make([][]int, len(in))
	for i := range in {
		step[i] = broadcastStep(shapes[i], out.shape)
	}
	if floats {
		out.data = f.foldFloats(in, step, out)
		return
	}
	if c, ok := f.foldInts(in, step, out); ok {
		out.data = c
	}
}

// foldFloats computes f of known numbers; step is how each operand is walked.
func (f onnxMap) foldFloats(in []*onnxValue, step [][]int, out *onnxValue) *constant {
	c := &constant{floats: make([]float64, out.elements())}
	number := func(v *onnxValue, at int) float64 {
		if v.data.floats != nil {
			return v.data.floats[at]
		}
		return float64(v.data.ints[at])
	}
	walk(out.shape, nil, step, func(i int, at []int) {
		x := number(in[0], at[0])
		if len(in) == 1 {
			x = f.floats(x, 0)
		}
		for k := 1; k < len(in); k++ {
			x = f.floats(x, number(in[k], at[k]))
		}
		c.floats[i] = x
	})
	return c
}

// foldInts is foldFloats of whole numbers; ok is false where f has no value for some of them.
func (f onnxMap) foldInts(in []*onnxValue, step [][]int, out *onnxValue) (c *constant, good bool) {
	c, good = &constant{ints: make([]int64, out.elements())}, true
	walk(out.shape, nil, step, func(i int, at []int) {
		x, ok := in[0].data.ints[at[0]], true
		if len(in) == 1 {
			x, ok = f.ints(x, 0)
		}
		for k := 1; k < len(in) && ok; k++ {
			x, ok = f.ints(x, in[k].data.ints[at[k]])
		}
		c.ints[i] = x
		good = good && ok
	})
	return c, good
}

// onnxPRelu: before operator set 7 a slope per channel stands at axis 1.
func onnxPRelu(n *onnxNode) error {
	in := slices.Clone(n.in)
	if x, slope := in[0], in[1]; n.opset < 7 && x.rank() > 2 && slope.rank() == 1 && slope.shape[0] == x.shape[1] {
		shape := []int{slope.shape[0]}
		for range x.rank() - 2 {
			shape = append(shape, 1)
		}
		var err error
		if in[1], err = n.reshaped("slope", slope, shape...); err != nil {
			return err
		}
	}
	return n.mapped(binaryMaps["PRelu"], in)
}

// onnxPow: small constant exponents are cheaper functions.
func onnxPow(n *onnxNode) error {
	if e := n.in[1]; e.data != nil && e.scalar() && !n.in[0].konst {
		x, err := n.knownFloats(1, "the exponent")
		if err == nil && len(x) == 1 {
			switch x[0] {
			case 2:
				return n.unary(onnxMap{fn: "square"})
			case 0.5:
				return n.unary(onnxMap{fn: "sqrt"})
			case -0.5:
				return n.unary(onnxMap{fn: "rsqrt"})
			}
		}
	}
	return n.mapped(binaryMaps["Pow"], n.in)
}

func onnxWhere(n *onnxNode) error {
	if err := n.mapped(onnxMap{fn: "where", elem: n.in[1].elem}, n.in); err != nil {
		return err
	}
	out := n.out[0]
	c, a, b := n.in[0].data, n.in[1].data, n.in[2].data
	if !out.konst || out.elements() > maxConst || c == nil || a == nil || b == nil || (a.floats == nil) != (b.floats == nil) || c.ints == nil {
		return nil
	}
	step := [][]int{broadcastStep(n.in[0].shape, out.shape), broadcastStep(n.in[1].shape, out.shape), broadcastStep(n.in[2].shape, out.shape)}
	joined := &constant{}
	if a.floats != nil {
		joined.floats = append(append([]float64{}, a.floats...), b.floats...)
	} else {
		joined.ints = append(append([]int64{}, a.ints...), b.ints...)
	}
	at := make([]int, out.elements())
	walk(out.shape, nil, step, func(i int, p []int) {
		if at[i] = p[1]; c.ints[p[0]] == 0 {
			at[i] = a.len() + p[2]
		}
	})
	out.data = joined.pick(at)
	return nil
}
