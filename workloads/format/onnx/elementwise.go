package onnx

import (
	"slices"

	"github.com/causeway-sim/causeway/workloads/format/onnx/node"
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
		onnxOps[name] = onnxOp{2, 2, func(n *onnxNode) error { return n.mapped(f, n.In) }}
	}
	for name, f := range manyMaps {
		onnxOps[name] = onnxOp{1, many, func(n *onnxNode) error { return n.mapped(f, n.In) }}
	}
	onnxOps["Clip"] = onnxOp{1, 3, func(n *onnxNode) error { return n.unary(onnxMap{fn: "clip"}) }}
	onnxOps["Gelu"] = onnxOp{1, 1, func(n *onnxNode) error {
		if n.Text("approximate", "none") == "tanh" {
			return n.unary(onnxMap{fn: "gelu_tanh"})
		}
		return n.unary(onnxMap{fn: "gelu"})
	}}
	onnxOps["BiasGelu"] = onnxOp{2, 2, func(n *onnxNode) error { return n.mapped(onnxMap{fn: "bias_gelu", ops: 9}, n.In) }}
	onnxOps["Pow"] = onnxOp{2, 2, onnxPow}
	onnxOps["PRelu"] = onnxOp{2, 2, onnxPRelu}
	onnxOps["Where"] = onnxOp{3, 3, onnxWhere}
	onnxOps["Cast"] = onnxOp{1, 1, onnxCast}
	onnxOps["CastLike"] = onnxOp{2, 2, func(n *onnxNode) error { return n.cast(n.In[1].Elem) }}
	onnxOps["QuantizeLinear"] = onnxOp{2, 3, onnxQuantize}
	onnxOps["DequantizeLinear"] = onnxOp{2, 3, onnxDequantize}
	onnxOps["DynamicQuantizeLinear"] = onnxOp{1, 1, onnxDynamicQuantize}
	for _, name := range []string{"QLinearAdd", "QLinearMul"} {
		onnxOps[name] = onnxOp{7, 8, func(n *onnxNode) error {
			// dequantise both (2 each), add or multiply, quantise (5)
			return n.mapped(onnxMap{fn: "quantized_" + name[len("QLinear"):], ops: 10, elem: n.In[0].Elem}, []*node.Value{n.In[0], n.In[3]})
		}}
	}
}

// unary maps input 0; the others are parameters.
func (n *onnxNode) unary(f onnxMap) error { return n.mapped(f, n.In[:1]) }

// mapped applies f to operands that broadcast to each other.
func (n *onnxNode) mapped(f onnxMap, in []*node.Value) error {
	shapes := make([][]int, len(in))
	for i, v := range in {
		if v == nil {
			return n.Fail("input %d is left out", i)
		}
		shapes[i] = v.Shape
	}
	if n.Opset < 7 && len(in) == 2 { // the old way to say at which axis the second operand stands
		shapes[1] = n.oldBroadcast(in[0], in[1])
	}
	shape, ok := node.Broadcast(shapes...)
	if !ok {
		return n.Fail("inputs of shapes %v do not broadcast", shapes)
	}
	elem := in[0].Elem
	if f.elem != 0 {
		elem = f.elem
	}
	out, err := n.Result(0, elem, shape...)
	if err != nil {
		return err
	}
	n.foldMap(f, in, shapes, out)
	return n.elementwise("", f, in, shapes, out)
}

// elementwise emits f. A constant of one element is an immediate of the vector
// unit and no operand.
func (n *onnxNode) elementwise(step string, f onnxMap, in []*node.Value, shapes [][]int, out *node.Value) error {
	ops, ok := graph.OpsPerElement(f.fn)
	if !ok {
		ops = f.ops
	}
	ops *= max(len(in)-1, 1)
	var operands []*node.Value
	for i, v := range in {
		if v.Const && v.Scalar() {
			continue
		}
		if shapes != nil && len(shapes[i]) != v.Rank() {
			w, err := n.Reshaped("operand", v, shapes[i]...)
			if err != nil {
				return err
			}
			v = w
		}
		operands = append(operands, v)
	}
	if len(operands) == 0 { // all constant: no operator
		return n.Emit(nil, in, out)
	}
	// The main input is one that has the shape of the result, if there is one.
	for i, v := range operands {
		if v.Elements() == out.Elements() && !v.Const {
			operands[0], operands[i] = operands[i], operands[0]
			break
		}
	}
	k := graph.Elementwise{Func: f.fn, Elements: out.Elements(), Inputs: len(operands), OpsPer: ops}
	if step != "" {
		return n.EmitStep(step, k, operands, out)
	}
	return n.Emit(k, operands, out)
}

// oldBroadcast is the shape of b as it stands at attribute axis of a, in
// operator sets before 7.
func (n *onnxNode) oldBroadcast(a, b *node.Value) []int {
	axis := int(n.Int("axis", int64(a.Rank()-b.Rank())))
	if n.Attrs["axis"] == nil || axis < 0 || axis > a.Rank()-b.Rank() {
		return b.Shape
	}
	shape := append([]int(nil), b.Shape...)
	for len(shape)+axis < a.Rank() {
		shape = append(shape, 1)
	}
	return shape
}

// foldMap computes the values of out if those of the inputs are known.
func (n *onnxNode) foldMap(f onnxMap, in []*node.Value, shapes [][]int, out *node.Value) {
	if !out.Const || out.Elements() > node.MaxConstant {
		return
	}
	floats := false
	for _, v := range in {
		if v.Data == nil {
			return
		}
		floats = floats || v.Data.Floats != nil
	}
	if floats && (f.floats == nil || f.elem != 0) || !floats && f.ints == nil {
		return
	}
	step := make([][]int, len(in))
	for i := range in {
		step[i] = node.BroadcastStep(shapes[i], out.Shape)
	}
	if floats {
		out.Data = f.foldFloats(in, step, out)
		return
	}
	if c, ok := f.foldInts(in, step, out); ok {
		out.Data = c
	}
}

// foldFloats computes f of known numbers; step is how each operand is walked.
func (f onnxMap) foldFloats(in []*node.Value, step [][]int, out *node.Value) *node.Constant {
	c := &node.Constant{Floats: make([]float64, out.Elements())}
	number := func(v *node.Value, at int) float64 {
		if v.Data.Floats != nil {
			return v.Data.Floats[at]
		}
		return float64(v.Data.Ints[at])
	}
	node.Walk(out.Shape, nil, step, func(i int, at []int) {
		x := number(in[0], at[0])
		if len(in) == 1 {
			x = f.floats(x, 0)
		}
		for k := 1; k < len(in); k++ {
			x = f.floats(x, number(in[k], at[k]))
		}
		c.Floats[i] = x
	})
	return c
}

// foldInts is foldFloats of whole numbers; ok is false where f has no value for some of them.
func (f onnxMap) foldInts(in []*node.Value, step [][]int, out *node.Value) (c *node.Constant, good bool) {
	c, good = &node.Constant{Ints: make([]int64, out.Elements())}, true
	node.Walk(out.Shape, nil, step, func(i int, at []int) {
		x, ok := in[0].Data.Ints[at[0]], true
		if len(in) == 1 {
			x, ok = f.ints(x, 0)
		}
		for k := 1; k < len(in) && ok; k++ {
			x, ok = f.ints(x, in[k].Data.Ints[at[k]])
		}
		c.Ints[i] = x
		good = good && ok
	})
	return c, good
}

// onnxPRelu: before operator set 7 a slope per channel stands at axis 1.
func onnxPRelu(n *onnxNode) error {
	in := slices.Clone(n.In)
	if x, slope := in[0], in[1]; n.Opset < 7 && x.Rank() > 2 && slope.Rank() == 1 && slope.Shape[0] == x.Shape[1] {
		shape := []int{slope.Shape[0]}
		for range x.Rank() - 2 {
			shape = append(shape, 1)
		}
		var err error
		if in[1], err = n.Reshaped("slope", slope, shape...); err != nil {
			return err
		}
	}
	return n.mapped(binaryMaps["PRelu"], in)
}

// onnxPow: small constant exponents are cheaper functions.
func onnxPow(n *onnxNode) error {
	if e := n.In[1]; e.Data != nil && e.Scalar() && !n.In[0].Const {
		x, err := n.KnownFloats(1, "the exponent")
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
	return n.mapped(binaryMaps["Pow"], n.In)
}

func onnxWhere(n *onnxNode) error {
	if err := n.mapped(onnxMap{fn: "where", elem: n.In[1].Elem}, n.In); err != nil {
		return err
	}
	out := n.Out[0]
	c, a, b := n.In[0].Data, n.In[1].Data, n.In[2].Data
	if !out.Const || out.Elements() > node.MaxConstant || c == nil || a == nil || b == nil || (a.Floats == nil) != (b.Floats == nil) || c.Ints == nil {
		return nil
	}
	step := [][]int{node.BroadcastStep(n.In[0].Shape, out.Shape), node.BroadcastStep(n.In[1].Shape, out.Shape), node.BroadcastStep(n.In[2].Shape, out.Shape)}
	joined := &node.Constant{}
	if a.Floats != nil {
		joined.Floats = append(append([]float64{}, a.Floats...), b.Floats...)
	} else {
		joined.Ints = append(append([]int64{}, a.Ints...), b.Ints...)
	}
	at := make([]int, out.Elements())
	node.Walk(out.Shape, nil, step, func(i int, p []int) {
		if at[i] = p[1]; c.Ints[p[0]] == 0 {
			at[i] = a.Len() + p[2]
		}
	})
	out.Data = joined.Pick(at)
	return nil
}
