package onnx

import (
	"math"

	"github.com/causeway-sim/causeway/workloads/format/onnx/onnxpb"
	"github.com/causeway-sim/causeway/workloads/graph"
)

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
