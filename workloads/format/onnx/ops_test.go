package onnx

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/workloads/format/formattest"

	"github.com/causeway-sim/causeway/workloads/format/onnx/node"
	"github.com/causeway-sim/causeway/workloads/format/onnx/onnxpb"
	"github.com/causeway-sim/causeway/workloads/graph"

	"github.com/causeway-sim/causeway/workloads/format"
)

type (
	x    []int   // an input of the model
	w    []int   // a weight
	l    []int64 // an integer constant
	f    = f32s  // a float constant
	f32s []float32
	k    int64 // an integer scalar
	a    = []*onnxpb.AttributeProto
)

// An opCase is one node and what must become of it: the shapes of its results
// and the operators of the graph. Shapes are worked out by hand from the
// operator's documentation.
type opCase struct {
	op    string
	opset int64
	in    []any
	attrs a
	shape string
	ops   string
}

var opCases = []opCase{
	// Convolutions. 5x5 padded by 1, kernel 3: 5x5; MACs 8*25*4*9.
	{"Conv", 11, []any{x{1, 4, 5, 5}, w{8, 4, 3, 3}, w{8}}, a{aInts("pads", 1, 1, 1, 1)}, "[1 8 5 5]", "conv 7200"},
	{"Conv", 1, []any{x{2, 4, 7, 9}, w{8, 2, 3, 3}}, a{aInt("group", 2), aInts("strides", 2, 2), aInts("kernel_shape", 3, 3)}, "[2 8 3 4]", "conv 3456"},
	{"Conv", 11, []any{x{1, 1, 9, 9}, w{1, 1, 3, 3}}, a{aInts("dilations", 2, 3)}, "[1 1 5 3]", "conv 135"},
	{"Conv", 11, []any{x{1, 1, 6, 7}, w{1, 1, 3, 3}}, a{aText("auto_pad", "SAME_UPPER"), aInts("strides", 2, 2)}, "[1 1 3 4]", "conv 108"},
	{"Conv", 11, []any{x{1, 1, 6, 7}, w{1, 1, 2, 2}}, a{aText("auto_pad", "SAME_LOWER")}, "[1 1 6 7]", "conv 168"},
	{"Conv", 11, []any{x{1, 1, 6, 7}, w{1, 1, 3, 3}}, a{aText("auto_pad", "VALID")}, "[1 1 4 5]", "conv 180"},
	{"Conv", 11, []any{x{2, 3, 10}, w{4, 3, 3}}, a{aInts("pads", 1, 1), aInts("strides", 2)}, "[2 4 5]", "reshape 0, conv 360, reshape 0"},
	{"Conv", 11, []any{x{1, 2, 4, 5, 6}, w{3, 2, 3, 3, 3}}, nil, "[1 3 2 3 4]", "unfold 360, conv 3888, reshape 0"},
	{"ConvInteger", 10, []any{x{1, 4, 5, 5}, w{8, 4, 3, 3}, w{}, w{}}, nil, "[1 8 3 3]", "conv 2592"},
	{"QLinearConv", 10, []any{x{1, 4, 5, 5}, w{}, w{}, w{8, 4, 3, 3}, w{8}, w{8}, w{}, w{}, w{8}}, nil, "[1 8 3 3]", "conv 2592"},
	{"FusedConv", 13, []any{x{1, 4, 5, 5}, w{8, 4, 3, 3}, w{8}, x{1, 8, 3, 3}}, a{aText("activation", "Relu")}, "[1 8 3 3]", "conv 2592, add/2, relu/1"},
	// Transposed: (5-1)*2 - 2 + 3 = 9, with one row more 10; MACs 25*3*2*9.
	{"ConvTranspose", 11, []any{x{1, 3, 5, 5}, w{3, 2, 3, 3}}, a{aInts("strides", 2, 2), aInts("pads", 1, 1, 1, 1)}, "[1 2 9 9]", "conv 1350"},
	{"ConvTranspose", 11, []any{x{1, 3, 5, 5}, w{3, 2, 3, 3}}, a{aInts("strides", 2, 2), aInts("pads", 1, 1, 1, 1), aInts("output_padding", 1, 0)}, "[1 2 10 9]", "conv 1350"},
	{"ConvTranspose", 11, []any{x{1, 3, 5, 5}, w{3, 2, 3, 3}}, a{aInts("strides", 2, 2), aInts("output_shape", 10, 8)}, "[1 2 10 8]", "conv 1350"},
	{"ConvTranspose", 11, []any{x{1, 3, 5, 5}, w{3, 2, 3, 3}}, a{aInts("strides", 2, 2), aText("auto_pad", "SAME_UPPER")}, "[1 2 10 10]", "conv 1350"},
	{"ConvTranspose", 11, []any{x{1, 4, 5}, w{4, 3, 2}, w{6}}, a{aInts("strides", 2), aInt("group", 2)}, "[1 6 10]", "reshape 0, conv 120, reshape 0"},
	// Poolings; the number is the window.
	{"MaxPool", 12, []any{x{1, 4, 7, 7}}, a{aInts("kernel_shape", 3, 3), aInts("strides", 2, 2)}, "[1 4 3 3] [1 4 3 3]", "pool 9"},
	{"MaxPool", 12, []any{x{1, 4, 8, 8}}, a{aInts("kernel_shape", 3, 3), aInts("strides", 2, 2)}, "[1 4 3 3]", "pool 9"},
	{"MaxPool", 12, []any{x{1, 4, 8, 8}}, a{aInts("kernel_shape", 3, 3), aInts("strides", 2, 2), aInt("ceil_mode", 1)}, "[1 4 4 4]", "pool 9"},
	{"MaxPool", 8, []any{x{1, 4, 9}}, a{aInts("kernel_shape", 2)}, "[1 4 8]", "reshape 0, pool 2, reshape 0"},
	{"MaxPool", 12, []any{x{1, 4, 7, 8}}, a{aInts("kernel_shape", 2, 2), aInts("dilations", 3, 3), aInts("strides", 2, 2)}, "[1 4 2 3] [1 4 2 3]", "unfold 96, pool 4, reshape 0"},
	{"MaxPool", 12, []any{x{1, 4, 7, 8}}, a{aInts("kernel_shape", 2, 2), aInts("dilations", 3, 3), aInts("strides", 2, 2), aInt("ceil_mode", 1)}, "[1 4 3 3]", "unfold 144, pool 4, reshape 0"},
	{"AveragePool", 11, []any{x{2, 3, 4, 5, 6}}, a{aInts("kernel_shape", 2, 2, 3), aInts("pads", 0, 0, 1, 0, 0, 1)}, "[2 3 3 4 6]", "unfold 5184, pool 12, reshape 0"},
	{"AveragePool", 11, []any{x{1, 4, 7, 7}}, a{aInts("kernel_shape", 2, 2), aInts("strides", 2, 2), aText("auto_pad", "SAME_UPPER")}, "[1 4 4 4]", "pool 4"},
	{"LpPool", 11, []any{x{1, 4, 7, 7}}, a{aInts("kernel_shape", 2, 2)}, "[1 4 6 6]", "pool 4"},
	{"GlobalAveragePool", 1, []any{x{2, 4, 7, 5}}, nil, "[2 4 1 1]", "pool 35"},
	{"GlobalMaxPool", 1, []any{x{2, 4, 7}}, nil, "[2 4 1]", "max 56:8"},
	{"GlobalLpPool", 2, []any{x{2, 4, 7, 5}}, nil, "[2 4 1 1]", "pool 35"},
	// Products.
	{"MatMul", 9, []any{x{3, 4}, w{4, 5}}, nil, "[3 5]", "gemm 1*3x5x4"},
	{"MatMul", 9, []any{x{2, 7, 3, 4}, w{4, 5}}, nil, "[2 7 3 5]", "gemm 1*42x5x4"},
	{"MatMul", 9, []any{x{2, 7, 3, 4}, x{2, 7, 4, 5}}, nil, "[2 7 3 5]", "gemm 14*3x5x4"},
	{"MatMul", 9, []any{x{2, 7, 3, 4}, x{2, 1, 4, 5}}, nil, "[2 7 3 5]", "gemm 2*21x5x4"},
	{"MatMul", 9, []any{x{1, 3, 4}, x{6, 4, 5}}, nil, "[6 3 5]", "gemm 1*3x30x4"},
	{"MatMul", 9, []any{x{2, 1, 3, 4}, x{1, 6, 4, 5}}, nil, "[2 6 3 5]", "gemm 1*6x30x4"},
	{"MatMul", 9, []any{w{3, 4}, x{6, 4, 5}}, nil, "[6 3 5]", "gemm 1*30x3x4"},
	{"MatMul", 9, []any{x{4}, w{4, 5}}, nil, "[5]", "gemm 1*1x5x4"},
	{"MatMul", 9, []any{x{6, 3, 4}, x{4}}, nil, "[6 3]", "gemm 1*18x1x4"},
	{"MatMulInteger", 10, []any{x{3, 4}, w{4, 5}, w{}, w{}}, nil, "[3 5]", "gemm 1*3x5x4"},
	{"QLinearMatMul", 10, []any{x{3, 4}, w{}, w{}, w{4, 5}, w{}, w{}, w{}, w{}}, nil, "[3 5]", "gemm 1*3x5x4"},
	// Products with weights in blocks: 64 = 2 blocks of 32, 5 columns.
	{"MatMulNBits", 1, []any{x{2, 3, 64}, w{5, 2, 16}, w{10}}, a{aInt("K", 64), aInt("N", 5), aInt("bits", 4), aInt("block_size", 32)}, "[2 3 5]", "gemm 1*6x5x64"},
	{"MoE", 1, []any{x{2, 8}, x{2, 2}, w{2, 16, 8}, nil, w{2, 8, 16}}, nil, "[2 8]", "softmax 2x2, topk 4:2, dispatch 16, gemm 1*1x16x8, relu/1, gemm 1*1x8x16, gemm 1*1x16x8, relu/1, gemm 1*1x8x16, collect 16, mul/2, sum 16:16"},
	{"QMoE", 1, []any{x{2, 8}, x{2, 2}, w{2, 16, 4}, w{2, 16}, nil, w{2, 8, 8}, w{2, 8}}, nil, "[2 8]", "softmax 2x2, topk 4:2, dispatch 16, gemm 1*1x16x8, relu/1, gemm 1*1x8x16, gemm 1*1x16x8, relu/1, gemm 1*1x8x16, collect 16, mul/2, sum 16:16"},
	{"QGemm", 1, []any{x{3, 4}, w{}, w{}, w{5, 4}, w{}, w{}, w{5}, w{}, w{}}, a{aInt("transB", 1)}, "[3 5]", "gemm 1*3x5x4"},
	{"QLinearConcat", 1, []any{w{}, w{}, x{2, 3}, w{}, w{}, x{2, 4}, w{}, w{}}, a{aInt("axis", 1)}, "[2 7]", "concat 14"},
	{"QLinearGlobalAveragePool", 1, []any{x{2, 4, 7, 5}, w{}, w{}, w{}, w{}}, nil, "[2 4 1 1]", "pool 35"},
	{"QLinearAveragePool", 1, []any{x{1, 4, 7, 7}, w{}, w{}, w{}, w{}}, a{aInts("kernel_shape", 2, 2)}, "[1 4 6 6]", "pool 4"},
	{"QLinearReduceMean", 1, []any{x{2, 4, 6}, w{}, w{}, w{}, w{}}, a{aInts("axes", 2)}, "[2 4 1]", "mean 48:8"},
	{"QLinearSoftmax", 13, []any{x{2, 4}, w{}, w{}, w{}, w{}}, nil, "[2 4]", "softmax 2x4"},
	{"QLinearSigmoid", 1, []any{x{2, 4}, w{}, w{}, w{}, w{}}, nil, "[2 4]", "quantized_Sigmoid/1"},
	{"QLinearLeakyRelu", 1, []any{x{2, 4}, w{}, w{}, w{}, w{}}, nil, "[2 4]", "quantized_LeakyRelu/1"},
	{"Quant", 1, []any{x{2, 4}, f{0.5}, f{0}, f{4}}, nil, "[2 4]", "quantize/1"},
	{"IntQuant", 1, []any{x{2, 4}, f{0.5}, f{0}, f{8}}, nil, "[2 4]", "quantize/1"},
	{"Trunc", 1, []any{x{2, 4}, f{0.5}, f{0}, f{16}, f{8}}, nil, "[2 4]", "quantize/1"},
	{"BipolarQuant", 1, []any{x{2, 4}, f{0.5}}, nil, "[2 4]", "quantize/1"},
	// 2 images of 3 classes keep at most 5 of 10 boxes.
	{"NonMaxSuppression", 11, []any{x{2, 10, 4}, x{2, 3, 10}, l{5}}, nil, "[30 3]", "topk 60:90"},
	{"NonMaxSuppression", 11, []any{x{2, 10, 4}, x{2, 3, 10}, l{50}}, nil, "[60 3]", "topk 60:180"},
	// Fused attention of runtimes: 4 heads of 8, 2 of keys and values; 6 entries are old.
	{"GroupQueryAttention", 1, []any{x{2, 3, 32}, x{2, 3, 16}, x{2, 3, 16}, x{2, 2, 6, 8}, x{2, 2, 6, 8}, w{2}, w{}}, a{aInt("num_heads", 4), aInt("kv_num_heads", 2)},
		"[2 3 32] [2 2 9 8] [2 2 9 8]", "append 96, append 96, gemm 8*3x9x8, softmax 24x9, gemm 8*3x8x9"},
	{"GroupQueryAttention", 1, []any{x{2, 3, 64}}, a{aInt("num_heads", 4), aInt("kv_num_heads", 2), aInt("do_rotary", 1)},
		"[2 3 32]", "split 384, rope/1, rope/1, gemm 8*3x3x8, softmax 24x3, gemm 8*3x8x3"},
	{"MultiHeadAttention", 1, []any{x{2, 3, 32}, x{2, 5, 32}, x{2, 5, 16}}, a{aInt("num_heads", 4)},
		"[2 3 16]", "gemm 8*3x5x8, softmax 24x5, gemm 8*3x4x5"},
	{"MultiHeadAttention", 1, []any{x{2, 3, 32}, x{2, 3, 32}, x{2, 3, 32}, w{96}, nil, nil, x{2, 4, 6, 8}, x{2, 4, 6, 8}}, a{aInt("num_heads", 4)},
		"[2 3 32] [2 4 9 8] [2 4 9 8]", "add/2, add/2, add/2, append 192, append 192, gemm 8*3x9x8, softmax 24x9, gemm 8*3x8x9"},
	{"MultiHeadAttention", 1, []any{x{2, 3, 32}, x{2, 4, 5, 8}, x{2, 4, 5, 8}}, a{aInt("num_heads", 4)},
		"[2 3 32]", "gemm 8*3x5x8, softmax 24x5, gemm 8*3x8x5"},
	{"MultiHeadAttention", 1, []any{x{2, 3, 4, 3, 8}}, a{aInt("num_heads", 4)},
		"[2 3 32]", "reshape 0, split 576, gemm 8*3x3x8, softmax 24x3, gemm 8*3x8x3"},
	{"FusedMatMul", 13, []any{x{2, 4, 3}, x{2, 5, 4}}, a{aInt("transA", 1), aInt("transB", 1)}, "[2 3 5]", "gemm 2*3x5x4"},
	{"Gemm", 9, []any{x{3, 4}, w{5, 4}, w{5}}, a{aInt("transB", 1), aFloat("alpha", 0.5)}, "[3 5]", "gemm 1*3x5x4"},
	{"Gemm", 11, []any{x{4, 3}, x{4, 5}, x{3, 5}}, a{aInt("transA", 1)}, "[3 5]", "gemm 1*3x5x4, add/2"},
	{"Gemm", 6, []any{x{3, 2, 2}, w{4, 5}, w{5}}, nil, "[3 5]", "reshape 0, gemm 1*3x5x4"},
	{"Einsum", 12, []any{x{2, 3, 4}, x{2, 5, 4}}, a{aText("equation", "bik, bjk -> bij")}, "[2 3 5]", "gemm 2*3x5x4"},
	{"Einsum", 12, []any{x{2, 7, 3, 4}, w{7, 4, 5}}, a{aText("equation", "bhqd,hdo->bqo")}, "[2 3 5]", "gemm 1*6x5x28"},
	{"Einsum", 12, []any{x{2, 3, 4}, x{2, 4, 5}}, a{aText("equation", "...ij,...jk")}, "[2 3 5]", "gemm 2*3x5x4"},
	{"Einsum", 12, []any{x{2, 3, 4}}, a{aText("equation", "bij->bji")}, "[2 4 3]", "transpose 24"},
	{"Einsum", 12, []any{x{2, 3, 4}}, a{aText("equation", "bij->bj")}, "[2 4]", "sum 24:8"},
	{"Einsum", 12, []any{x{3}, x{4}}, a{aText("equation", "i,j")}, "[3 4]", "gemm 1*3x4x1"},
	// Two query heads share a key head.
	{"Attention", 23, []any{x{2, 4, 3, 8}, x{2, 2, 5, 8}, x{2, 2, 5, 6}}, nil, "[2 4 3 6]", "gemm 8*3x5x8, softmax 24x5, gemm 8*3x6x5"},
	{"Attention", 23, []any{x{2, 3, 32}, x{2, 5, 16}, x{2, 5, 16}, x{3, 9}, x{2, 2, 4, 8}, x{2, 2, 4, 8}}, a{aInt("q_num_heads", 4), aInt("kv_num_heads", 2)},
		"[2 3 32] [2 2 9 8] [2 2 9 8]", "concat 288, concat 288, gemm 8*3x9x8, add/2, softmax 24x9, gemm 8*3x8x9"},
	// One step: inputs, then a step without a product. Two steps add one.
	{"RNN", 14, []any{x{2, 3, 5}, w{1, 4, 5}, w{1, 4, 4}}, nil, "[2 1 3 4] [1 3 4]",
		"gemm 1*6x4x5, split 0, gates/1, split 0, gemm 1*3x4x4, gates/2, split 0, concat 24, concat 12"},
	{"GRU", 14, []any{x{1, 3, 5}, w{1, 12, 5}, w{1, 12, 4}}, nil, "[1 1 3 4]", "gemm 1*3x12x5, split 0, gates/1, split 0, state/3, concat 12"},
	{"LSTM", 14, []any{x{3, 1, 5}, w{2, 16, 5}, w{2, 16, 4}}, a{aInt("layout", 1), aText("direction", "bidirectional"), aInt("hidden_size", 4)}, "[3 1 2 4] [3 2 4] [3 2 4]",
		"gemm 1*3x32x5, split 0, gates/1, split 0, cell/3, state/2, gates/1, split 0, cell/3, state/2, concat 24, concat 24, concat 24"},
	{"LSTM", 7, []any{x{1, 3, 5}, w{1, 16, 5}, w{1, 16, 4}, nil, nil, x{1, 3, 4}, x{1, 3, 4}}, nil, "[1 1 3 4]",
		"gemm 1*3x16x5, split 0, split 0, split 0, gemm 1*3x16x4, gates/2, split 0, cell/4, state/2, concat 12"},
	{"LSTM", 7, []any{x{1, 3, 5}, w{2, 16, 5}, w{2, 16, 4}, nil, nil, x{2, 3, 4}, x{2, 3, 4}}, a{aText("direction", "bidirectional")}, "[1 2 3 4]",
		"gemm 1*3x32x5, split 0, split 0, split 0, gemm 1*3x16x4, gates/2, split 0, cell/4, state/2, gemm 1*3x16x4, gates/2, split 0, cell/4, state/2, concat 24"},
	// Elementwise: function/operands.
	{"Add", 7, []any{x{2, 3, 4}, x{3, 1}}, nil, "[2 3 4]", "add/2"},
	{"Add", 6, []any{x{2, 3, 4}, w{3}}, a{aInt("axis", 1), aInt("broadcast", 1)}, "[2 3 4]", "add/2"},
	{"Mul", 7, []any{w{4}, x{2, 3, 4}}, nil, "[2 3 4]", "mul/2"},
	{"Mul", 7, []any{x{2, 3}, f{0.5}}, nil, "[2 3]", "mul/1"}, // one number is an immediate
	{"Pow", 7, []any{x{2, 3}, f{2}}, nil, "[2 3]", "square/1"},
	{"Pow", 7, []any{x{2, 3}, f{0.5}}, nil, "[2 3]", "sqrt/1"},
	{"Pow", 7, []any{x{2, 3}, f{-0.5}}, nil, "[2 3]", "rsqrt/1"},
	{"Pow", 7, []any{x{2, 3}, x{2, 3}}, nil, "[2 3]", "pow/2"},
	{"PRelu", 6, []any{x{2, 3, 4}, w{3}}, nil, "[2 3 4]", "prelu/2"},
	{"PRelu", 9, []any{x{2, 3, 4}, w{3, 1}}, nil, "[2 3 4]", "prelu/2"},
	{"Sum", 8, []any{x{2, 3}, x{3}, x{1}}, nil, "[2 3]", "add/3"},
	{"Where", 9, []any{x{3}, x{2, 3}, x{1, 1}}, nil, "[2 3]", "where/3"},
	{"Clip", 11, []any{x{2, 3}, f{0}, f{6}}, nil, "[2 3]", "clip/1"},
	{"Clip", 6, []any{x{2, 3}}, a{aFloat("min", 0), aFloat("max", 6)}, "[2 3]", "clip/1"},
	{"Gelu", 20, []any{x{2, 3}}, nil, "[2 3]", "gelu/1"},
	{"Gelu", 20, []any{x{2, 3}}, a{aText("approximate", "tanh")}, "[2 3]", "gelu_tanh/1"},
	{"BiasGelu", 1, []any{x{2, 3}, w{3}}, nil, "[2 3]", "bias_gelu/2"},
	{"Cast", 9, []any{x{2, 3}}, a{aInt("to", 10)}, "[2 3]", "cast/1"},
	{"Cast", 1, []any{x{2, 3}}, a{aText("to", "FLOAT16")}, "[2 3]", "cast/1"},
	{"CastLike", 15, []any{x{2, 3}, l{1, 2}}, nil, "[2 3]", "cast/1"},
	{"QuantizeLinear", 10, []any{x{2, 3}, f{0.5}}, nil, "[2 3]", "quantize/1"},
	{"DequantizeLinear", 10, []any{x{2, 3}, f{0.5}}, nil, "[2 3]", "dequantize/1"},
	{"DynamicQuantizeLinear", 11, []any{x{2, 3}}, nil, "[2 3] [] []", "quantize/1"},
	{"QLinearAdd", 1, []any{x{2, 3}, w{}, w{}, x{2, 3}, w{}, w{}, w{}, w{}}, nil, "[2 3]", "quantized_Add/2"},
	{"QLinearMul", 1, []any{x{2, 3}, w{}, w{}, x{2, 3}, w{}, w{}, w{}, w{}}, nil, "[2 3]", "quantized_Mul/2"},
	// Normalisations: rows x columns.
	{"BatchNormalization", 9, []any{x{2, 4, 5, 5}, w{4}, w{4}, w{4}, w{4}}, nil, "[2 4 5 5]", "batch 4x50"},
	{"InstanceNormalization", 6, []any{x{2, 4, 5, 5}, w{4}, w{4}}, nil, "[2 4 5 5]", "group 8x25"},
	{"GroupNormalization", 21, []any{x{2, 4, 5, 5}, w{4}, w{4}}, a{aInt("num_groups", 2)}, "[2 4 5 5]", "group 4x50"},
	{"LayerNormalization", 17, []any{x{2, 3, 8}, w{8}, w{8}}, nil, "[2 3 8]", "layer 6x8"},
	{"LayerNormalization", 17, []any{x{2, 3, 8}, w{3, 8}}, a{aInt("axis", 1)}, "[2 3 8] [2 1 1] [2 1 1]", "layer 2x24, mean 48:2, mean 48:2"},
	{"RMSNormalization", 23, []any{x{2, 3, 8}, w{8}}, nil, "[2 3 8]", "rms 6x8"},
	{"SimplifiedLayerNormalization", 1, []any{x{2, 3, 8}, w{8}}, nil, "[2 3 8]", "rms 6x8"},
	{"SkipLayerNormalization", 1, []any{x{2, 3, 8}, x{2, 3, 8}, w{8}, w{8}, w{8}}, nil, "[2 3 8]", "add/3, layer 6x8"},
	{"SkipSimplifiedLayerNormalization", 1, []any{x{2, 3, 8}, x{2, 3, 8}, w{8}}, nil, "[2 3 8]", "add/2, rms 6x8"},
	{"LRN", 1, []any{x{2, 4, 5, 5}}, a{aInt("size", 5)}, "[2 4 5 5]", "lrn 50x4"},
	{"LpNormalization", 1, []any{x{2, 3, 8}}, a{aInt("axis", 1)}, "[2 3 8]", "rms 16x3"},
	{"MeanVarianceNormalization", 9, []any{x{2, 4, 5, 5}}, nil, "[2 4 5 5]", "layer 4x50"},
	{"Softmax", 13, []any{x{2, 3, 8}}, a{aInt("axis", 1)}, "[2 3 8]", "softmax 16x3"},
	{"Softmax", 11, []any{x{2, 3, 8}}, nil, "[2 3 8]", "softmax 2x24"},
	{"LogSoftmax", 13, []any{x{2, 3, 8}}, nil, "[2 3 8]", "softmax 6x8"},
	{"Hardmax", 13, []any{x{2, 3, 8}}, nil, "[2 3 8]", "softmax 6x8"},
	// Reductions: elements in and out.
	{"ReduceMean", 13, []any{x{2, 3, 8}}, a{aInts("axes", -1)}, "[2 3 1]", "mean 48:6"},
	{"ReduceMean", 18, []any{x{2, 3, 8}, l{1}}, a{aInt("keepdims", 0)}, "[2 8]", "mean 48:16"},
	{"ReduceSum", 13, []any{x{2, 3, 8}, l{0, 2}}, nil, "[1 3 1]", "sum 48:3"},
	{"ReduceSum", 13, []any{x{2, 3, 8}}, a{aInt("keepdims", 0)}, "[]", "sum 48:1"},
	{"ReduceMax", 13, []any{x{2, 1, 8}}, a{aInts("axes", 1), aInt("keepdims", 0)}, "[2 8]", "reshape 0"},
	{"ReduceMin", 13, []any{x{2, 3}}, nil, "[1 1]", "min 6:1"},
	{"ReduceProd", 13, []any{x{2, 3}}, nil, "[1 1]", "prod 6:1"},
	{"ReduceL1", 13, []any{x{2, 3}}, nil, "[1 1]", "l1 6:1"},
	{"ReduceL2", 13, []any{x{2, 3}}, nil, "[1 1]", "l2 6:1"},
	{"ReduceSumSquare", 13, []any{x{2, 3}}, nil, "[1 1]", "sum_square 6:1"},
	{"ReduceLogSum", 13, []any{x{2, 3}}, nil, "[1 1]", "log_sum 6:1"},
	{"ReduceLogSumExp", 13, []any{x{2, 3}}, nil, "[1 1]", "log_sum_exp 6:1"},
	{"ArgMax", 13, []any{x{2, 3}}, a{aInt("axis", 1)}, "[2 1]", "argmax 6:2"},
	{"ArgMin", 13, []any{x{2, 3}}, a{aInt("keepdims", 0)}, "[3]", "argmax 6:3"},
	{"TopK", 11, []any{x{2, 30}, l{5}}, nil, "[2 5] [2 5]", "topk 60:10"},
	{"TopK", 1, []any{x{30, 2}}, a{aInt("k", 5), aInt("axis", 0)}, "[5 2] [5 2]", "topk 60:10"},
	// Shapes.
	{"Reshape", 5, []any{x{2, 3, 4}, l{0, -1}}, nil, "[2 12]", "reshape 0"},
	{"Reshape", 1, []any{x{2, 3, 4}}, a{aInts("shape", 4, 6)}, "[4 6]", "reshape 0"},
	{"Flatten", 9, []any{x{2, 3, 4}}, nil, "[2 12]", "reshape 0"},
	{"Flatten", 11, []any{x{2, 3, 4}}, a{aInt("axis", -1)}, "[6 4]", "reshape 0"},
	{"Flatten", 9, []any{x{2, 3, 4}}, a{aInt("axis", 0)}, "[1 24]", "reshape 0"},
	{"Squeeze", 11, []any{x{1, 3, 1, 4}}, nil, "[3 4]", "reshape 0"},
	{"Squeeze", 11, []any{x{1, 3, 1, 4}}, a{aInts("axes", -2)}, "[1 3 4]", "reshape 0"},
	{"Squeeze", 13, []any{x{1, 3, 1, 4}, l{0}}, nil, "[3 1 4]", "reshape 0"},
	{"Unsqueeze", 11, []any{x{3, 4}}, a{aInts("axes", 0, 3)}, "[1 3 4 1]", "reshape 0"},
	{"Unsqueeze", 13, []any{x{3, 4}, l{-1, 1}}, nil, "[3 1 4 1]", "reshape 0"},
	{"Identity", 1, []any{x{3, 4}}, nil, "[3 4]", ""},
	{"Dropout", 12, []any{x{3, 4}, f{0.5}}, nil, "[3 4] [3 4]", ""},
	{"Shape", 13, []any{x{3, 4, 5}}, nil, "[3]", ""},
	{"Shape", 15, []any{x{3, 4, 5}}, a{aInt("start", -2), aInt("end", 9)}, "[2]", ""},
	{"Size", 13, []any{x{3, 4, 5}}, nil, "[]", ""},
	{"Constant", 13, nil, a{aInts("value_ints", 1, 2, 3)}, "[3]", ""},
	{"Constant", 13, nil, a{aFloats("value_floats", 1, 2)}, "[2]", ""},
	{"Constant", 13, nil, a{aInt("value_int", 1)}, "[]", ""},
	{"Constant", 13, nil, a{aFloat("value_float", 1)}, "[]", ""},
	{"Constant", 1, nil, a{aTensor("value", intTensor("", 1, 2))}, "[2]", ""},
	{"ConstantOfShape", 9, []any{l{3, 0, 4}}, nil, "[3 0 4]", ""},
	{"Range", 11, []any{k(1), k(10), k(4)}, nil, "[3]", ""},
	{"NonZero", 9, []any{l{1, 0, 3, 4}}, nil, "[1 3]", ""},
	{"EyeLike", 9, []any{w{4, 5}}, nil, "[4 5]", ""},
	// Moves: elements written.
	{"Transpose", 1, []any{x{2, 3, 4}}, a{aInts("perm", 0, 2, 1)}, "[2 4 3]", "transpose 24"},
	{"Transpose", 1, []any{x{2, 3, 4}}, nil, "[4 3 2]", "transpose 24"},
	{"Transpose", 1, []any{x{2, 1, 4}}, a{aInts("perm", 1, 0, 2)}, "[1 2 4]", "reshape 0"},
	{"Concat", 4, []any{x{2, 3}, x{2, 5}, w{2, 1}}, a{aInt("axis", -1)}, "[2 9]", "concat 18"},
	{"Concat", 1, []any{x{2, 3}, x{2, 5}}, nil, "[2 8]", "concat 16"},
	{"Split", 2, []any{x{4, 6}}, a{aInts("split", 1, 3), aInt("axis", 0)}, "[1 6] [3 6]", "split 0"},
	{"Split", 13, []any{x{4, 6}, l{2, 4}}, a{aInt("axis", 1)}, "[4 2] [4 4]", "split 24"},
	{"Split", 18, []any{x{4, 7}}, a{aInt("axis", 1), aInt("num_outputs", 3)}, "[4 3] [4 3] [4 1]", "split 28"},
	{"Slice", 9, []any{x{4, 6}}, a{aInts("starts", 1), aInts("ends", 3)}, "[2 6]", "slice 0"},
	{"Slice", 10, []any{x{4, 6}, l{0, -3}, l{9, 1 << 62}, l{0, 1}}, nil, "[4 3]", "slice 12"},
	{"Slice", 10, []any{x{4, 6}, l{-1}, l{-100}, l{1}, l{-2}}, nil, "[4 3]", "slice 12"},
	{"Slice", 10, []any{x{4, 6}, l{0}, l{6}, l{1}}, nil, "[4 6]", ""},
	{"Gather", 1, []any{w{100, 8}, x{2, 3}}, nil, "[2 3 8]", "gather 6x8 of 100"},
	{"Gather", 1, []any{x{5, 8}, l{0, 4}}, nil, "[2 8]", "gather 16"},
	{"Gather", 1, []any{x{5, 8}, k(-1)}, nil, "[8]", "slice 0"},
	{"Gather", 1, []any{x{5, 8}, k(2)}, a{aInt("axis", 1)}, "[5]", "slice 5"},
	{"GatherElements", 11, []any{x{5, 8}, x{2, 8}}, nil, "[2 8]", "gather 16"},
	{"GatherND", 11, []any{x{5, 8, 3}, x{4, 2}}, nil, "[4 3]", "gather 12"},
	{"Scatter", 9, []any{x{5, 8}, x{2, 8}, x{2, 8}}, nil, "[5 8]", "scatter 40"},
	{"ScatterElements", 11, []any{x{5, 8}, x{2, 8}, x{2, 8}}, nil, "[5 8]", "scatter 40"},
	{"ScatterND", 11, []any{x{5, 8}, x{2, 1}, x{2, 8}}, nil, "[5 8]", "scatter 40"},
	{"Expand", 8, []any{x{3, 1}, l{2, 1, 4}}, nil, "[2 3 4]", "expand 24"},
	{"Expand", 8, []any{x{3, 1}, l{1, 3, 1}}, nil, "[1 3 1]", "reshape 0"},
	{"Tile", 6, []any{x{3, 2}, l{2, 3}}, nil, "[6 6]", "tile 36"},
	{"Pad", 11, []any{x{3, 2}, l{1, 0, 2, -1}}, nil, "[6 1]", "pad 6"},
	{"Pad", 2, []any{x{3, 2}}, a{aInts("pads", 0, 1, 0, 1)}, "[3 4]", "pad 12"},
	{"Pad", 1, []any{x{3, 2}}, a{aInts("paddings", 0, 1, 0, 1)}, "[3 4]", "pad 12"},
	{"Pad", 18, []any{x{3, 2}, l{2, 2}, nil, l{-1}}, nil, "[3 6]", "pad 18"},
	{"DepthToSpace", 11, []any{x{1, 8, 2, 3}}, a{aInt("blocksize", 2)}, "[1 2 4 6]", "depth_to_space 48"},
	{"SpaceToDepth", 1, []any{x{1, 2, 4, 6}}, a{aInt("blocksize", 2)}, "[1 8 2 3]", "space_to_depth 48"},
	{"Resize", 10, []any{x{1, 2, 4, 5}, f{1, 1, 2, 1.5}}, nil, "[1 2 8 7]", "resize 112"},
	{"Resize", 11, []any{x{1, 2, 4, 5}, nil, f{1, 1, 2, 2}}, nil, "[1 2 8 10]", "resize 160"},
	{"Resize", 11, []any{x{1, 2, 4, 5}, nil, nil, l{1, 2, 3, 3}}, nil, "[1 2 3 3]", "resize 18"},
	{"Resize", 18, []any{x{1, 2, 4, 5}, nil, nil, l{8, 20}}, a{aInts("axes", 2, 3), aText("keep_aspect_ratio_policy", "not_larger")}, "[1 2 8 10]", "resize 160"},
	{"Upsample", 7, []any{x{1, 2, 4, 5}}, a{aFloats("scales", 1, 1, 2, 2)}, "[1 2 8 10]", "resize 160"},
	{"Upsample", 9, []any{x{1, 2, 4, 5}, f{1, 1, 2, 2}}, nil, "[1 2 8 10]", "resize 160"},
	{"OneHot", 11, []any{x{2, 3}, k(10), f{0, 1}}, nil, "[2 3 10]", "one_hot 60"},
	{"OneHot", 11, []any{x{2, 3}, k(10), f{0, 1}}, a{aInt("axis", 0)}, "[10 2 3]", "one_hot 60"},
	{"ReverseSequence", 10, []any{x{2, 3}, l{2, 2, 2}}, nil, "[2 3]", "reverse 6"},
	{"GridSample", 16, []any{x{1, 2, 8, 8}, x{1, 4, 5, 2}}, nil, "[1 2 4 5]", "grid_sample 40"},
}

// run imports the case's node and returns what its results are.
func (c opCase) run(t testing.TB) (shapes, ops string, err error) {
	m := newONNX(c.opset)
	m.input("unused", 1)
	var in, out []string
	for i, v := range c.in {
		name := fmt.Sprintf("in%d", i)
		switch v := v.(type) {
		case x:
			var shape []any
			for _, d := range v {
				shape = append(shape, d)
			}
			m.input(name, shape...)
		case w:
			m.weight(name, v...)
		case l:
			m.list(name, v...)
		case f:
			m.Graph.Initializer = append(m.Graph.Initializer, &onnxpb.TensorProto{Name: name, DataType: int32(onnxpb.TensorProto_FLOAT), Dims: []int64{int64(len(v))}, FloatData: v})
		case k:
			m.Graph.Initializer = append(m.Graph.Initializer, &onnxpb.TensorProto{Name: name, DataType: int32(onnxpb.TensorProto_INT64), Int64Data: []int64{int64(v)}})
		case nil:
			name = ""
		}
		in = append(in, name)
	}
	for i := range strings.Count(c.shape, "[") {
		out = append(out, fmt.Sprintf("out%d", i))
	}
	m.node(c.op, in, out, c.attrs...)
	m.input("also", 7)
	m.node("Neg", []string{"also"}, []string{"work"}) // a graph must do something
	m.output(out...)
	pb, err := parseONNX(format.Bytes("m.onnx", m.bytes(t)))
	require.NoError(t, err)
	g, s, err := node.ImportValues("m.onnx", pb, format.Options{}, rules)
	if err != nil {
		return "", "", err
	}
	for i := range out {
		out[i] = fmt.Sprint(s.Find(out[i]).Shape)
	}
	return strings.Join(out, " "), strings.TrimSuffix(strings.TrimSuffix(describe(g), "neg/1"), ", "), nil
}

func TestONNXOperators(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range opCases {
		seen[c.op] = true
		t.Run(fmt.Sprintf("%s_%d", c.op, c.opset), func(t *testing.T) {
			shapes, ops, err := c.run(t)
			require.NoError(t, err)
			require.Equal(t, c.shape, shapes)
			require.Equal(t, c.ops, ops)
		})
	}
	// Maps that are not in the table keep the shape and become one operator.
	for name, op := range onnxOps {
		if seen[name] {
			continue
		}
		in := []any{x{2, 3}, x{2, 3}}[:op.least]
		shapes, ops, err := opCase{op: name, opset: 13, in: in, shape: "[2 3]"}.run(t)
		require.NoError(t, err, name)
		require.Equal(t, "[2 3]", shapes, name)
		require.Regexp(t, fmt.Sprintf(`^[a-z_0-9]+/%d$`, op.least), ops, name)
	}
}

// All unknown operators of a model are listed at once, with counts, those in branches
// and functions too.
func TestONNXUnknownOperatorsAll(t *testing.T) {
	m := newONNX(13)
	m.input("x", 2)
	m.node("Relu", []string{"x"}, []string{"a"})
	m.node("Spectral", []string{"a"}, []string{"b"})
	for _, out := range []string{"c", "d", "e"} {
		m.node("Wavelet", []string{"b"}, []string{out}).Domain = "com.lab"
	}
	m.Functions = []*onnxpb.FunctionProto{{Name: "Mine", Domain: "own", Input: []string{"i"}, Output: []string{"o"},
		Node: []*onnxpb.NodeProto{{OpType: "Inner", Input: []string{"i"}, Output: []string{"o"}}}}}
	m.node("Mine", []string{"e"}, []string{"f"}).Domain = "own"
	m.node("Mine", []string{"f"}, []string{"g"}).Domain = "own"
	m.output("g")
	_, err := m.read(t, format.Options{})
	require.ErrorContains(t, err, `(Spectral): unknown operator; of the model's operators these are not known: com.lab.Wavelet (3 nodes), Inner (1 node), Spectral (1 node)`)
}

func TestONNXUnknownOperator(t *testing.T) {
	_, _, err := opCase{op: "Loop", opset: 13, in: []any{x{1}}, shape: "[1]"}.run(t)
	require.ErrorContains(t, err, `node "out0" (Loop): unknown operator; of the model's operators these are not known: Loop (1 node)`)
	var e *format.Error
	require.ErrorAs(t, err, &e)
	require.Empty(t, e.Want, "a list of 180 operators helps nobody")
	require.Positive(t, e.Offset)
}

func TestONNXOperatorErrors(t *testing.T) {
	for _, c := range []struct {
		opCase
		want string
	}{
		{opCase{"Conv", 11, []any{x{1, 4, 5, 5}, w{8, 3, 3, 3}}, nil, "[1]", ""}, "1 groups with input [1 4 5 5] and weight [8 3 3 3]"},
		{opCase{"Conv", 11, []any{x{1, 4, 5, 5}, w{8, 4, 7, 7}}, nil, "[1]", ""}, "the kernel [7 7] with dilations [1 1] is larger than the padded input [5 5]"},
		{opCase{"Conv", 11, []any{x{1, 4, 5, 5}, w{8, 4, 3, 3}}, a{aInts("strides", 1)}, "[1]", ""}, "attribute strides has 1 numbers (want 2)"},
		{opCase{"Conv", 11, []any{x{1, 4, 5, 5}, w{8, 4, 3, 3}}, a{aInts("strides", 0, 1)}, "[1]", ""}, "attribute strides is [0 1] (want numbers from 1 to"},
		{opCase{"Conv", 11, []any{x{1, 4, 5, 5}, w{8, 4, 3, 3}}, a{aInts("pads", -1, 0, 0, 0)}, "[1]", ""}, "padding -1,0,0,0"},
		{opCase{"Conv", 11, []any{x{1, 4, 5, 5}, w{8, 4, 3, 3}}, a{aInt("pads", 1)}, "[1]", ""}, "attribute pads is of type INT (want INTS)"},
		{opCase{"Conv", 11, []any{x{1, 4, 5, 5}, w{8, 4, 3, 3}}, a{aText("auto_pad", "FULL")}, "[1]", ""}, `auto_pad "FULL" (want one of: NOTSET, VALID, SAME_UPPER, SAME_LOWER)`},
		{opCase{"Conv", 11, []any{x{1, 4, 5, 5}, w{8, 4, 3, 3}, w{7}}, nil, "[1]", ""}, "the bias has shape [7] (want 8)"},
		{opCase{"Conv", 11, []any{x{4, 5}, w{8, 4}}, nil, "[1]", ""}, "want N, C and one to three spatial dimensions"},
		{opCase{"Conv", 11, []any{x{1, 4, 5, 5}}, nil, "[1]", ""}, "1 inputs (want 2 to 3)"},
		{opCase{"MaxPool", 11, []any{x{1, 4, 5, 5}}, nil, "[1]", ""}, "it has no kernel_shape"},
		{opCase{"MaxPool", 11, []any{x{1, 4, 5, 5}}, a{aInts("kernel_shape", 2, 2), aInts("dilations", 5, 2)}, "[1]", ""}, "the kernel [2 2] with dilations [5 2] is larger than the padded input [5 5]"},
		{opCase{"MatMul", 11, []any{x{3, 4}, x{5, 4}}, nil, "[1]", ""}, "shapes [3 4] and [5 4] do not multiply"},
		{opCase{"Gemm", 11, []any{x{3, 4}, x{4, 5}, w{4}}, nil, "[1]", ""}, "the third matrix has shape [4], the product [3 5]"},
		{opCase{"Gemm", 11, []any{x{1, 4}, x{4, 5}, x{3, 5}}, nil, "[1]", ""}, "the third matrix has shape [3 5], the product [1 5]"},
		{opCase{"Add", 6, []any{x{3, 4}, x{3}}, a{aInt("axis", 1<<63-1)}, "[1]", ""}, "do not broadcast"},
		{opCase{"Add", 11, []any{x{3, 4}, x{3}}, nil, "[1]", ""}, "inputs of shapes [[3 4] [3]] do not broadcast"},
		{opCase{"Add", 11, []any{x{3, 4}, nil}, nil, "[1]", ""}, "1 inputs (want 2 to 2)"},
		{opCase{"Sum", 11, []any{nil, x{3, 4}}, nil, "[1]", ""}, "input 0 is left out"},
		{opCase{"Reshape", 11, []any{x{3, 4}, l{5, -1}}, nil, "[1]", ""}, "shape [3 4] with 12 elements cannot become [5 -1]"},
		{opCase{"Reshape", 11, []any{x{3, 4}, l{-1, -1}}, nil, "[1]", ""}, "cannot become [-1 -1]"},
		{opCase{"Reshape", 11, []any{x{3, 4}, x{2}}, nil, "[1]", ""}, `the shape "in1" depends on the data of the model's inputs, so the shape of the result is not known before the run`},
		{opCase{"Reshape", 11, []any{x{3, 4}, w{2}}, nil, "[1]", ""}, `the shape "in1" has no values of an integer type in this file`},
		{opCase{"Concat", 11, []any{x{3, 4}, x{3, 4}}, nil, "[1]", ""}, "it has no axis"},
		{opCase{"Concat", 11, []any{x{3, 4}, x{2, 4}}, a{aInt("axis", 1)}, "[1]", ""}, "input 1 has shape [2 4], input 0 [3 4]; they may differ in axis 1 only"},
		{opCase{"Concat", 11, []any{x{3, 4}, x{3, 4}}, a{aInt("axis", 2)}, "[1]", ""}, "axis 2 of an array with 2 dimensions (want -2 to 1)"},
		{opCase{"Split", 13, []any{x{4, 6}, l{1, 2}}, nil, "[1] [1]", ""}, "the sizes [1 2] do not divide axis 0 of [4 6] among 2 results"},
		{opCase{"Slice", 13, []any{x{4, 6}, l{1}, l{2}, l{0}, l{0}}, nil, "[1]", ""}, "the step of axis 0 is 0"},
		{opCase{"Slice", 13, []any{x{4, 6}, l{3}, l{2}}, nil, "[1]", ""}, "the result \"out0\" of shape [0 6] has no elements"},
		{opCase{"Gather", 13, []any{x{4, 6}, l{4}}, nil, "[1]", ""}, "index 4 of axis 0, which has 4"},
		{opCase{"Transpose", 13, []any{x{4, 6}}, a{aInts("perm", 0, 0)}, "[1]", ""}, "axis 0 appears twice"},
		{opCase{"Expand", 13, []any{x{4, 6}, l{2147483648}}, nil, "[1]", ""}, "shape [2147483648] (want dimensions from 0 to 2147483647)"},
		{opCase{"ConstantOfShape", 13, []any{l{2147483647, 2147483647, 3}}, nil, "[1]", ""}, "at most 2^52 elements"},
		{opCase{"Tile", 13, []any{x{4, 6}, l{1 << 60, 1}}, nil, "[1]", ""}, "the repeats are"},
		{opCase{"TopK", 13, []any{x{4, 6}, l{7}}, nil, "[1] [1]", ""}, "k is 7, axis 1 has 6"},
		{opCase{"Range", 13, []any{k(0), k(9), k(0)}, nil, "[1]", ""}, "in steps of 0"},
		{opCase{"Resize", 13, []any{x{1, 2, 3, 4}}, nil, "[1]", ""}, "it has neither scales nor sizes"},
		{opCase{"Constant", 13, nil, nil, "[1]", ""}, "it has none of the attributes value,"},
		{opCase{"Cast", 13, []any{x{2}}, a{aInt("to", 99)}, "[1]", ""}, "it casts to the unknown type 99"},
		{opCase{"Relu", 13, []any{x{2}}, nil, "[1] [1]", ""}, "result 1, \"out1\", of this operator is not supported"},
		{opCase{"Einsum", 13, []any{x{2, 2}}, a{aText("equation", "ii->i")}, "[1]", ""}, "repeats i in one term"},
		{opCase{"Einsum", 13, []any{x{2, 3}, x{3}}, a{aText("equation", "ij,k->ik")}, "[1]", ""}, "sums j over one operand"},
		{opCase{"LSTM", 14, []any{x{1, 3, 5}, w{1, 15, 5}, w{1, 16, 4}}, nil, "[1]", ""}, "weights [1 15 5] and [1 16 4] for inputs of 5 (want directions x 4*hidden x inputs"},
		{opCase{"LSTM", 14, []any{x{20000, 3, 5}, w{1, 16, 5}, w{1, 16, 4}}, nil, "[1]", ""}, "20000 steps in 1 directions are unrolled (want at most 16384)"},
		{opCase{"Attention", 23, []any{x{2, 4, 3, 8}, x{2, 3, 5, 8}, x{2, 3, 5, 6}}, nil, "[1]", ""}, "do not fit"},
		{opCase{"If", 13, []any{x{1}}, nil, "[1]", ""}, "the condition \"in0\" depends on the data"},
		{opCase{"NonZero", 13, []any{x{1}}, nil, "[1]", ""}, "depends on the data"},
	} {
		t.Run(c.op, func(t *testing.T) {
			_, _, err := c.run(t)
			require.ErrorContains(t, err, c.want)
			require.Regexp(t, `^m\.onnx: byte \d+: node "out0" \(`+c.op, err.Error())
			formattest.CheckErrors(t, err)
		})
	}
}

// The padding that auto_pad means goes to the side the standard says.
func TestONNXAutoPadSides(t *testing.T) {
	for auto, want := range map[string][4]int{"SAME_UPPER": {0, 0, 1, 1}, "SAME_LOWER": {1, 1, 0, 0}} {
		m := newONNX(11)
		m.input("x", 1, 1, 6, 6)
		m.node("Conv", []string{"x", m.weight("w", 1, 1, 2, 2)}, []string{"y"}, aText("auto_pad", auto))
		m.output("y")
		g, err := m.read(t, format.Options{})
		require.NoError(t, err)
		c := g.Ops[0].Kind.(graph.Conv)
		require.Equal(t, want, [4]int{c.PadTop, c.PadLeft, c.PadBottom, c.PadRight}, auto)
	}
}

// Reference: ConvTranspose, "pads" and "auto_pad": of 1x1 excess SAME_UPPER cuts
// the end, everything else the begin.
func TestONNXTransposedPadSides(t *testing.T) {
	for auto, want := range map[string][2]int{"SAME_UPPER": {0, 1}, "SAME_LOWER": {1, 0}} {
		m := newONNX(11)
		m.input("x", 1, 1, 6, 6)
		m.node("ConvTranspose", []string{"x", m.weight("w", 1, 1, 2, 2)}, []string{"y"}, aText("auto_pad", auto))
		m.output("y")
		g, err := m.read(t, format.Options{})
		require.NoError(t, err)
		c := g.Ops[0].Kind.(graph.Conv)
		require.Equal(t, want, [2]int{c.PadTop, c.PadBottom}, auto)
		require.Equal(t, []int{1, 1, 6, 6}, c.OutShape())
	}
}
