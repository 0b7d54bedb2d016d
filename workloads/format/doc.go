// Package format reads models that other tools wrote and turns them into
// graphs (workloads/graph). Each format is one entry of All and one set of
// files here; Open finds the format by looking at the content.
//
//	g, name, err := format.Open("resnet50.onnx", format.Options{Batch: 4})
//
// Errors are *Error, joined when there are several: file:line:col for text,
// the byte for binary files. No input makes a reader panic, and what one input
// can become is bounded: 2^16 layers of a topology file, 2^20 operators, 2^52
// elements of a tensor, 2^60 multiply-accumulates.
//
// # scalesim
//
// The topology files of SCALE-Sim, one layer per line: convolutions (layer name,
// ifmap height and width, filter height and width, channels, filters, stride,
// and optionally a second stride, a batch or an N:M sparsity) or matrix products
// (layer, M, N, K, and optionally batch or sparsity). Columns are found by their
// titles, so their order is free. A dimension may be a symbol that
// Options.Symbols binds. The rows themselves are available from ScaleSimLayers;
// row i is operator i of the graph. Options.Batch multiplies the images of every
// convolution and the rows of every product.
//
// # onnx
//
// ONNX models of operator sets 1 to 24. Shapes follow from those of the inputs:
// shape arithmetic is folded, value_info is not needed, values of weights are
// not read. What does not depend on the inputs of the model (ConstantOfShape, a
// transposed or dequantised weight) is a weight and no operator. Functions of
// the model are put in place, and so is the branch of an If whose condition is
// known. Symbolic dimensions get a value by name from Options.Symbols; usual
// names of batch, sequence and context dimensions from Batch, Sequence and
// Context; the first dimension of an input is the batch whatever its name. A
// model that was exported for a batch of 1 runs with more: the first dimension
// of its inputs gives way, and so do reshapes to it. Of domain com.microsoft the fused
// attentions, products with weights of few bits and quantised operators are known, of QONNX
// its quantisers. Options.Unknown says what any other operator is taken for.
//
// # config.json
//
// Configurations of language models as model hubs keep them, by model_type:
// LLaMA, Mistral, Mixtral, Qwen 1 to 3, Gemma 1 and 2, Phi-3, GPT-2, OPT; also
// the model descriptions of LLM serving simulators, which use the same keys. They
// become the graphs of workloads/zoo (Decoder, GPT) at Batch, Sequence, Context
// and Phase. Sizes of layers and vocabulary are required; other keys have the
// defaults of the type's configuration class (hubFamilies).
//
// # What is left out
//
// Values of weights and external data. Sparsity of a SCALE-Sim row is kept in
// the row and not in the graph, which is dense. Of ONNX: Loop, Scan, sequences,
// operators whose result shape depends on data (NonZero of an activation; the boxes of
// NonMaxSuppression are as many as it may keep), zero points of the weights of
// MatMulNBits and QMoE, three-dimensional transposed convolution, einsum with
// traces. What interpolation computes in Resize is not counted, nor are the
// factors of Gemm.
//
// # Sources
//
// SCALE-Sim: A. Samajdar et al., "A systematic methodology for characterizing
// scalability of DNN accelerators using SCALE-Sim", ISPASS 2020; the file rules
// are those of scalesim/topology_utils.py of version 3. ONNX: onnx.proto3 and the
// operator documentation, release 1.20. Hub configurations: config.json of the
// published checkpoints and the configuration classes of the transformers
// library.
//
// # Deviations
//
//  1. SCALE-Sim drops what stands after the last comma of a line, so a line
//     without a trailing comma loses its stride there. Here it keeps it.
//  2. SCALE-Sim stops at a line of commas, at a heading inside the file, at a
//     batch column and at a comment such as "#dw". Here empty lines and
//     comments are skipped, a heading becomes the prefix of the following
//     layers, and the batch is the N of the convolution.
//  3. A SCALE-Sim convolution has ceil((H-R+s)/s) output rows, one more than
//     the usual floor((H-R)/s)+1 when the stride does not divide. The graph
//     carries this as padding below and to the right, so that its MACs are
//     those of SCALE-Sim.
//  4. A row whose name contains DP is a depthwise convolution that SCALE-Sim
//     runs as one layer per channel; so do the rows and the graph here.
//  5. An untitled number after the last column is the second stride of a
//     convolution, as in SCALE-Sim version 2; version 3 takes it for a sparsity
//     and stops. Behind a product it is the batch, as in version 3.
//  6. ONNX transposes and concatenations of activations are moves that write
//     their whole result, and a reshape moves nothing. The zoo's attention
//     takes its transposes as views that strided reads undo, so that a
//     transformer from ONNX moves more than the same one from the zoo.
//  7. Products that share an operand are merged: rows of many A with one B,
//     columns of many B with one A. A weight on the left changes sides. The
//     multiply-accumulates stay.
//  8. Three-dimensional convolutions and poolings, and dilated poolings, are
//     lowered to images by a move that repeats overlapping windows.
//  9. Where only some layers of a language model have a sliding window (Gemma
//     2, Qwen), a context beyond the window is refused.
package format
