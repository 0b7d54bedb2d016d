package onnx

import (
	"github.com/causeway-sim/causeway/workloads/format/onnx/node"
	"github.com/causeway-sim/causeway/workloads/format/onnx/onnxpb"
)

// Quantised operators: those of domain com.microsoft that take and give integers with
// their scales, and QONNX's (domain qonnx.custom_op.general). What they do between is that
// of the operator whose name they carry.
func init() {
	// X, its scale and zero point, scale and zero point of the result.
	for _, name := range []string{"AveragePool", "GlobalAveragePool", "ReduceMean", "Softmax"} {
		onnxOps["QLinear"+name] = onnxOp{4, 5, func(n *onnxNode) error {
			if n.Flag("channels_last") {
				return n.Fail("channels_last is not supported (want 0)")
			}
			n.In = n.In[:1]
			return onnxOps[name].rule(n)
		}}
	}
	for name, ops := range map[string]int{"Sigmoid": 4, "LeakyRelu": 2} {
		onnxOps["QLinear"+name] = onnxOp{4, 5, func(n *onnxNode) error {
			// dequantise (2), the function, quantise (5)
			return n.unary(onnxMap{fn: "quantized_" + name, ops: 7 + ops, elem: n.In[0].Elem})
		}}
	}
	onnxOps["QLinearConcat"] = onnxOp{5, many, onnxQLinearConcat}
	onnxOps["QGemm"] = onnxOp{6, 9, onnxQGemm}
	onnxOps["Quant"] = onnxOp{4, 4, func(n *onnxNode) error { return n.fakeQuantized(3) }}
	onnxOps["IntQuant"] = onnxOps["Quant"]
	onnxOps["Trunc"] = onnxOp{5, 7, func(n *onnxNode) error { return n.fakeQuantized(4) }}
	onnxOps["BipolarQuant"] = onnxOp{2, 2, func(n *onnxNode) error { return n.quantized(1) }}
}

// onnxQLinearConcat: scale and zero point of the result, then each input with its own.
func onnxQLinearConcat(n *onnxNode) error {
	if len(n.In)%3 != 2 {
		return n.Fail("%d inputs (want 2 and 3 for each operand)", len(n.In))
	}
	var in []*node.Value
	for i := 2; i < len(n.In); i += 3 {
		if n.In[i] == nil {
			return n.Fail("input %d is left out", i)
		}
		in = append(in, n.In[i])
	}
	n.In = in
	return onnxOps["Concat"].rule(n)
}

// onnxQGemm: A, scale, zero point, B, scale, zero point, C, scale and zero point of the
// result, which is of 32 bits without them.
func onnxQGemm(n *onnxNode) error {
	if !n.Has(3) {
		return n.Fail("input 3 is left out")
	}
	n.In = []*node.Value{n.In[0], n.In[3], n.Get(6)}
	return onnxGemm(n)
}

// fakeQuantized is Quant: values go on as floats of few values, which accelerators hold as
// integers of the bits that an input says.
func (n *onnxNode) fakeQuantized(input int) error {
	bits, err := n.KnownFloats(input, "the number of bits")
	if err != nil {
		return err
	}
	if len(bits) != 1 || bits[0] < 1 || bits[0] > 32 {
		return n.Fail("bits %v (want one number from 1 to 32)", bits)
	}
	return n.quantized(bits[0])
}

func (n *onnxNode) quantized(bits float64) error {
	to := node.ElemType(onnxpb.TensorProto_INT32)
	switch {
	case bits <= 4:
		to = onnxpb.TensorProto_INT4
	case bits <= 8:
		to = onnxpb.TensorProto_INT8
	case bits <= 16:
		to = onnxpb.TensorProto_INT16
	}
	v := n.In[0]
	if !v.Const {
		return n.unary(onnxMap{fn: "quantize", ops: 5, elem: to})
	}
	out := node.NewConstant(v.Name, to, v.Shape...)
	n.Set(0, out) // an array of its own: it is stored in this type
	return nil
}
