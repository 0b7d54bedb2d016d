package format

import (
	"math"

	"github.com/causeway-sim/causeway/workloads/format/onnxpb"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// An onnxMap is an elementwise operator: the function of the graph it becomes
// and, where shapes are computed with it, what it does to numbers.
type onnxMap struct {
	fn     string // of graph.Elementwise; operations from graph.OpsPerElement
	ops    int    // operations per element where the graph has no count; assumption, see below
	elem   elemType
	ints   func(a, b int64) (int64, bool)
	floats func(a, b float64) float64
}

// Operation counts of functions that package graph does not know, composed of
// those it knows (assumption, as there): a hyperbolic or inverse function is two
// exponentials or a logarithm with a root, 12 operations.
var unaryMaps = map[string]onnxMap{
	"Abs":   {fn: "abs", ints: func(a, _ int64) (int64, bool) { return max(a, -a), true }, floats: func(a, _ float64) float64 { return math.Abs(a) }},
	"Neg":   {fn: "neg", ints: func(a, _ int64) (int64, bool) { return -a, true }, floats: func(a, _ float64) float64 { return -a }},
	"Ceil":  {fn: "ceil", floats: func(a, _ float64) float64 { return math.Ceil(a) }},
	"Floor": {fn: "floor", floats: func(a, _ float64) float64 { return math.Floor(a) }},
	"Round": {fn: "round", floats: func(a, _ float64) float64 { return math.RoundToEven(a) }},
	"Sqrt":  {fn: "sqrt", floats: func(a, _ float64) float64 { return math.Sqrt(a) }},
	"Exp":   {fn: "exp", floats: func(a, _ float64) float64 { return math.Exp(a) }},
	"Log":   {fn: "log", floats: func(a, _ float64) float64 { return math.Log(a) }},
	"Sign":  {fn: "sign"}, "Reciprocal": {fn: "reciprocal", floats: func(a, _ float64) float64 { return 1 / a }},
	"Not": {fn: "not", elem: onnxpb.TensorProto_BOOL, ints: func(a, _ int64) (int64, bool) { return truth(a == 0), true }},
	"Erf": {fn: "erf"}, "Sin": {fn: "sin"}, "Cos": {fn: "cos"}, "Tan": {fn: "tan", ops: 12},
	"Relu": {fn: "relu"}, "Sigmoid": {fn: "sigmoid"}, "Tanh": {fn: "tanh"}, "Softplus": {fn: "softplus"},
	"Softsign": {fn: "softsign"}, "Elu": {fn: "elu"}, "Celu": {fn: "elu"},
	"Selu": {fn: "selu", ops: 8}, "LeakyRelu": {fn: "leaky_relu"}, "ThresholdedRelu": {fn: "thresholded_relu", ops: 2},
	"Shrink": {fn: "shrink", ops: 3}, "HardSigmoid": {fn: "hard_sigmoid"}, "HardSwish": {fn: "hard_swish"},
	"Silu": {fn: "silu"}, "SiLU": {fn: "silu"}, "Swish": {fn: "swish"}, "FastGelu": {fn: "gelu_tanh"}, "QuickGelu": {fn: "silu"},
	"Mish": {fn: "mish", ops: 22}, // softplus, tanh, multiply
	"Acos": {fn: "acos", ops: 12}, "Asin": {fn: "asin", ops: 12}, "Atan": {fn: "atan", ops: 12},
	"Sinh": {fn: "sinh", ops: 12}, "Cosh": {fn: "cosh", ops: 12},
	"Asinh": {fn: "asinh", ops: 12}, "Acosh": {fn: "acosh", ops: 12}, "Atanh": {fn: "atanh", ops: 12},
	"IsNaN": {fn: "is_nan", ops: 1, elem: onnxpb.TensorProto_BOOL}, "IsInf": {fn: "is_inf", ops: 1, elem: onnxpb.TensorProto_BOOL},
	"BitwiseNot": {fn: "not"}, "RotaryEmbedding": {fn: "rope"}, "Trilu": {fn: "where"}, "CumSum": {fn: "add"},
}

var binaryMaps = map[string]onnxMap{
	"Add": {fn: "add", ints: func(a, b int64) (int64, bool) { return a + b, true }, floats: func(a, b float64) float64 { return a + b }},
	"Sub": {fn: "sub", ints: func(a, b int64) (int64, bool) { return a - b, true }, floats: func(a, b float64) float64 { return a - b }},
	"Mul": {fn: "mul", ints: func(a, b int64) (int64, bool) { return a * b, true }, floats: func(a, b float64) float64 { return a * b }},
	"Div": {fn: "div", ints: func(a, b int64) (int64, bool) {
		if b == 0 {
			return 0, false
		}
		return a / b, true
	}, floats: func(a, b float64) float64 { return a / b }},
	"Mod": {fn: "mod", ops: 6, ints: func(a, b int64) (int64, bool) { // divide, floor, multiply and subtract in one
		if b == 0 {
			return 0, false
		}
		if r := a % b; r != 0 && (r < 0) != (b < 0) {
			return r + b, true
		} else {
			return r, true
		}
	}},
	"Pow":            {fn: "pow", floats: math.Pow},
	"PRelu":          {fn: "prelu"},
	"And":            {fn: "and", elem: onnxpb.TensorProto_BOOL, ints: func(a, b int64) (int64, bool) { return truth(a != 0 && b != 0), true }},
	"Or":             {fn: "or", elem: onnxpb.TensorProto_BOOL, ints: func(a, b int64) (int64, bool) { return truth(a != 0 || b != 0), true }},
	"Xor":            {fn: "xor", ops: 1, elem: onnxpb.TensorProto_BOOL, ints: func(a, b int64) (int64, bool) { return truth((a != 0) != (b != 0)), true }},
	"Equal":          {fn: "equal", elem: onnxpb.TensorProto_BOOL, ints: func(a, b int64) (int64, bool) { return truth(a == b), true }},
	"Less":           {fn: "less", elem: onnxpb.TensorProto_BOOL, ints: func(a, b int64) (int64, bool) { return truth(a < b), true }},
	"LessOrEqual":    {fn: "less", elem: onnxpb.TensorProto_BOOL, ints: func(a, b int64) (int64, bool) { return truth(a <= b), true }},
	"Greater":        {fn: "greater", elem: onnxpb.TensorProto_BOOL, ints: func(a, b int64) (int64, bool) { return truth(a > b), true }},
	"GreaterOrEqual": {fn: "greater", elem: onnxpb.TensorProto_BOOL, ints: func(a, b int64) (int64, bool) { return truth(a >= b), true }},
	"BitwiseAnd":     {fn: "and"}, "BitwiseOr": {fn: "or"}, "BitwiseXor": {fn: "xor", ops: 1}, "BitShift": {fn: "shift", ops: 1},
}

// manyMaps take any number of inputs.
var manyMaps = map[string]onnxMap{
	"Sum": {fn: "add"}, "Mean": {fn: "add"},
	"Max": {fn: "max", ints: func(a, b int64) (int64, bool) { return max(a, b), true }, floats: math.Max},
	"Min": {fn: "min", ints: func(a, b int64) (int64, bool) { return min(a, b), true }, floats: math.Min},
}

func truth(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

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
	c, good := &constant{}, true
	if floats {
		c.floats = make([]float64, out.elements())
	} else {
		c.ints = make([]int64, out.elements())
	}
	number := func(v *onnxValue, at int) float64 {
		if v.data.floats != nil {
			return v.data.floats[at]
		}
		return float64(v.data.ints[at])
	}
	walk(out.shape, nil, step, func(i int, at []int) {
		if floats {
			x := number(in[0], at[0])
			if len(in) == 1 {
				x = f.floats(x, 0)
			}
			for k := 1; k < len(in); k++ {
				x = f.floats(x, number(in[k], at[k]))
			}
			c.floats[i] = x
			return
		}
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
	if good {
		out.data = c
	}
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

func onnxCast(n *onnxNode) error {
	if a := n.attrs["to"]; a != nil && len(a.S) > 0 { // before operator set 6 the type was a word
		to, ok := onnxpb.TensorProto_DataType_value[string(a.S)]
		if !ok {
			return n.fail("unknown type %q", a.S)
		}
		return n.cast(elemType(to))
	}
	to := elemType(n.int("to", 0))
	if _, ok := onnxpb.TensorProto_DataType_name[int32(to)]; !ok || to == 0 {
		return n.fail("it casts to the unknown type %d", to)
	}
	return n.cast(to)
}

func (n *onnxNode) cast(to elemType) error {
	v := n.in[0]
	if v.elem == to {
		n.set(0, v)
		return nil
	}
	out, err := n.result(0, to, v.shape...)
	if err != nil {
		return err
	}
	if n.konst() {
		out.konst, out.role, out.origin = true, graph.Weight, v.root()
	}
	if d := v.data; d != nil {
		switch {
		case isFloat(to) && d.floats == nil:
			out.data = &constant{floats: make([]float64, len(d.ints))}
			for i, x := range d.ints {
				out.data.floats[i] = float64(x)
			}
		case !isFloat(to) && d.floats != nil:
			out.data = &constant{ints: make([]int64, len(d.floats))}
			for i, x := range d.floats {
				if out.data.ints[i] = wholeNumber(x); to == onnxpb.TensorProto_BOOL {
					out.data.ints[i] = truth(x != 0)
				}
			}
		default:
			out.data = d
		}
	}
	return n.elementwise("", onnxMap{fn: "cast"}, n.in[:1], nil, out)
}

// wholeNumber truncates x and clamps it into an int64.
func wholeNumber(x float64) int64 {
	switch {
	case math.IsNaN(x):
		return 0
	case x >= math.MaxInt64:
		return math.MaxInt64
	case x <= math.MinInt64:
		return math.MinInt64
	}
	return int64(x)
}

// onnxQuantize: multiply by the reciprocal scale, round, add the zero point,
// clip (2).
func onnxQuantize(n *onnxNode) error {
	to := elemType(onnxpb.TensorProto_UINT8)
	if n.has(2) {
		to = n.in[2].elem
	} else if t := n.int("output_dtype", 0); t != 0 {
		to = elemType(t)
	}
	return n.unary(onnxMap{fn: "quantize", ops: 5, elem: to})
}

// onnxDequantize: subtract the zero point, multiply. A constant stays the
// stored array: weights are read as they are stored.
func onnxDequantize(n *onnxNode) error {
	v := n.in[0]
	if v.konst {
		out := newConst(v.name, n.in[1].elem, v.shape...)
		out.elem, out.origin = v.elem, v.root()
		n.set(0, out)
		return nil
	}
	return n.unary(onnxMap{fn: "dequantize", ops: 2, elem: n.in[1].elem})
}

// onnxDynamicQuantize also finds the range: a maximum and a minimum per element.
func onnxDynamicQuantize(n *onnxNode) error {
	if err := n.unary(onnxMap{fn: "quantize", ops: 7, elem: onnxpb.TensorProto_UINT8}); err != nil {
		return err
	}
	// Scale and zero point stay in registers of the vector unit.
	n.set(1, newConst(n.name+".scale", onnxpb.TensorProto_FLOAT))
	n.set(2, newConst(n.name+".zero_point", onnxpb.TensorProto_UINT8))
	return nil
}
