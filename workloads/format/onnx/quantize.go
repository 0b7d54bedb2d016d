package onnx

import (
	"math"

	"github.com/causeway-sim/causeway/workloads/format/onnx/node"
	"github.com/causeway-sim/causeway/workloads/format/onnx/onnxpb"
	"github.com/causeway-sim/causeway/workloads/graph"
)

func onnxCast(n *onnxNode) error {
	if a := n.Attrs["to"]; a != nil && len(a.S) > 0 { // before operator set 6 the type was a word
		to, ok := onnxpb.TensorProto_DataType_value[string(a.S)]
		if !ok {
			return n.Fail("unknown type %q", a.S)
		}
		return n.cast(node.ElemType(to))
	}
	to := node.ElemType(n.Int("to", 0))
	if _, ok := onnxpb.TensorProto_DataType_name[int32(to)]; !ok || to == 0 {
		return n.Fail("it casts to the unknown type %d", to)
	}
	return n.cast(to)
}

func (n *onnxNode) cast(to node.ElemType) error {
	v := n.In[0]
	if v.Elem == to {
		n.Set(0, v)
		return nil
	}
	out, err := n.Result(0, to, v.Shape...)
	if err != nil {
		return err
	}
	if n.Constant() {
		out.Const, out.Role, out.Origin = true, graph.Weight, v.Root()
	}
	if d := v.Data; d != nil {
		switch {
		case node.IsFloat(to) && d.Floats == nil:
			out.Data = &node.Constant{Floats: make([]float64, len(d.Ints))}
			for i, x := range d.Ints {
				out.Data.Floats[i] = float64(x)
			}
		case !node.IsFloat(to) && d.Floats != nil:
			out.Data = &node.Constant{Ints: make([]int64, len(d.Floats))}
			for i, x := range d.Floats {
				if out.Data.Ints[i] = wholeNumber(x); to == onnxpb.TensorProto_BOOL {
					out.Data.Ints[i] = truth(x != 0)
				}
			}
		default:
			out.Data = d
		}
	}
	return n.elementwise("", onnxMap{fn: "cast"}, n.In[:1], nil, out)
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
	to := node.ElemType(onnxpb.TensorProto_UINT8)
	if n.Has(2) {
		to = n.In[2].Elem
	} else if t := n.Int("output_dtype", 0); t != 0 {
		to = node.ElemType(t)
	}
	return n.unary(onnxMap{fn: "quantize", ops: 5, elem: to})
}

// onnxDequantize: subtract the zero point, multiply. A constant stays the
// stored array: weights are read as they are stored.
func onnxDequantize(n *onnxNode) error {
	v := n.In[0]
	if v.Const {
		out := node.NewConstant(v.Name, n.In[1].Elem, v.Shape...)
		out.Elem, out.Origin = v.Elem, v.Root()
		n.Set(0, out)
		return nil
	}
	return n.unary(onnxMap{fn: "dequantize", ops: 2, elem: n.In[1].Elem})
}

// onnxDynamicQuantize also finds the range: a maximum and a minimum per element.
func onnxDynamicQuantize(n *onnxNode) error {
	if err := n.unary(onnxMap{fn: "quantize", ops: 7, elem: onnxpb.TensorProto_UINT8}); err != nil {
		return err
	}
	// Scale and zero point stay in registers of the vector unit.
	n.Set(1, node.NewConstant(n.Name+".scale", onnxpb.TensorProto_FLOAT))
	n.Set(2, node.NewConstant(n.Name+".zero_point", onnxpb.TensorProto_UINT8))
	return nil
}
