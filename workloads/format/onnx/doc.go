// Package onnx reads ONNX models of operator sets 1 to 24. Import it to register the format in
// format.All; format.Open then reads such files.
//
// Shapes are inferred from those of the inputs: shape arithmetic is folded, value_info is not
// needed, and values of weights are not read. A result that does not depend on the inputs of the
// model (ConstantOfShape, a transposed or dequantised weight) is a weight and no operator.
// Functions of the model are expanded in place. An If with a known condition is replaced by its
// branch.
//
// Options.Symbols sets symbolic dimensions by name; Batch, Sequence and Context set those with the
// usual names. The first dimension of an input is always the batch. A model exported for a batch
// of 1 can have a larger batch: the first dimension of its inputs changes, and so do reshapes to
// it.
//
// Of domain com.microsoft the fused attentions, products with weights of few bits and quantised
// operators are supported; of QONNX its quantisers. Any other operator is an error with its place,
// unless Options.Unknown allows it. A model may have 2^20 operators.
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
