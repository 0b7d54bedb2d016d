package onnx

import (
	"math"

	"github.com/causeway-sim/causeway/workloads/format/onnx/node"
	"github.com/causeway-sim/causeway/workloads/format/onnx/onnxpb"
)

// An onnxMap is an elementwise operator: its function in the graph, and its arithmetic if shapes
// are computed with it.
type onnxMap struct {
	fn     string // of graph.Elementwise; operations from graph.OpsPerElement
	ops    int    // operations per element where the graph has no count; assumption, see below
	elem   node.ElemType
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
