// Package onnx reads ONNX models of operator sets 1 to 24. Import it for its effect on
// format.All; format.Open then reads such files.
//
// Shapes follow from those of the inputs: shape arithmetic is folded, value_info is not
// needed, and values of weights are not read. What does not depend on the inputs of the
// model (ConstantOfShape, a transposed or dequantised weight) is a weight and no operator.
// Functions of the model are expanded in place. An If whose condition is known is replaced
// by its branch. Symbolic dimensions get a value by name from Options.Symbols; the usual
// names of batch, sequence and context dimensions get it from Batch, Sequence and Context.
// The first dimension of an input is the batch whatever its name. A model that was exported
// for a batch of 1 runs with more: the first dimension of its inputs changes, and so do
// reshapes to it. Of domain com.microsoft the fused attentions, products with weights of
// few bits and quantised operators are known; of QONNX its quantisers. Options.Unknown says
// how any other operator is treated. A model may have 2^20 operators.
//
// # Left out
//
// Values of weights and external data. Loop, Scan, sequences, and operators whose result
// shape depends on data (NonZero of an activation; NonMaxSuppression counts as many boxes as
// it may keep). Zero points of the weights of MatMulNBits and QMoE, three-dimensional
// transposed convolution, einsum with traces. The interpolation of Resize and the factors of
// Gemm are not counted.
//
// # Source
//
// onnx.proto3 and the operator documentation, release 1.20.
//
// # Deviations
//
//  1. Transposes and concatenations of activations are moves that write their whole result;
//     a reshape moves nothing. The zoo's attention takes its transposes as views that
//     strided reads undo, so a transformer from ONNX moves more than the same one from the
//     zoo.
//  2. Products that share an operand are merged: rows of many A with one B, columns of many
//     B with one A. A weight on the left changes sides. The multiply-accumulates stay.
//  3. Three-dimensional convolutions and poolings, and dilated poolings, are lowered to
//     images by a move that repeats overlapping windows.
package onnx
