package onnx

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/workloads/format/onnx/node"
	"github.com/causeway-sim/causeway/workloads/format/onnx/onnxpb"
	"github.com/causeway-sim/causeway/workloads/graph"

	"github.com/causeway-sim/causeway/workloads/format"
	"github.com/causeway-sim/causeway/workloads/graph/masking"
)

// Attention of domain com.microsoft projects before it attends; sizes of the three
// projections may differ.
func TestPackedAttention(t *testing.T) {
	m := newONNX(13)
	m.input("x", 2, 3, 16)
	m.weight("w", 16, 80)
	m.weight("b", 80)
	m.node("Attention", []string{"x", "w", "b"}, []string{"y"}, aInt("num_heads", 4), aInt("unidirectional", 1), aInts("qkv_hidden_sizes", 32, 32, 16)).Domain = "com.microsoft"
	m.output("y")
	g, err := m.read(t, format.Options{})
	require.NoError(t, err)
	require.Equal(t, "gemm 1*6x80x16, split 480, gemm 8*3x3x8, softmax 24x3, gemm 8*3x4x3", describe(g))
	require.Equal(t, masking.Mask{Causal: true}, g.Ops[3].Kind.(graph.Softmax).Mask)
}

// Keys and values that go on are a cache, of which a step reads all and writes what is
// new; the mask is causal, with a window.
func TestGroupedAttentionCaches(t *testing.T) {
	m := newONNX(13)
	m.input("q", 1, 1, 32)
	m.input("k", 1, 1, 16)
	m.input("v", 1, 1, 16)
	m.input("pk", 1, 2, 99, 8)
	m.input("pv", 1, 2, 99, 8)
	m.node("GroupQueryAttention", []string{"q", "k", "v", "pk", "pv"}, []string{"y", "nk", "nv"},
		aInt("num_heads", 4), aInt("kv_num_heads", 2), aInt("local_window_size", 50)).Domain = "com.microsoft"
	m.output("y", "nk", "nv")
	g, err := m.read(t, format.Options{DTypes: graph.DTypes{KV: graph.FP8}})
	require.NoError(t, err)
	require.Equal(t, graph.KV, g.Tensor(g.Ops[0].Out[0]).Role)
	require.EqualValues(t, 1*2*100*8, g.Tensor(g.Ops[0].Out[0]).Elements())
	require.EqualValues(t, 16, g.Ops[0].Kind.(graph.Move).Elements)
	require.Equal(t, masking.Mask{Causal: true, Window: 50}, g.Ops[3].Kind.(graph.Softmax).Mask)
	require.Len(t, g.Chains(), 1, "it can be carried out as one operator")
}

// Weights in blocks are as wide as their bits say.
func TestNBitsWidth(t *testing.T) {
	for bits, want := range map[int64]graph.DType{2: graph.Q4, 4: graph.Q4, 5: graph.Q8, 8: graph.Q8} {
		m := newONNX(13)
		m.input("x", 3, 64)
		m.weight("w", 10, 2, int(4*bits))
		m.weight("s", 20)
		m.node("MatMulNBits", []string{"x", "w", "s"}, []string{"y"}, aInt("K", 64), aInt("N", 10), aInt("bits", bits), aInt("block_size", 32))
		m.output("y")
		g, err := m.read(t, format.Options{})
		require.NoError(t, err)
		w := g.Tensor(g.Ops[0].In[1])
		require.Equal(t, want, w.DType)
		require.EqualValues(t, 640, w.Elements())
		require.EqualValues(t, 10*2*(32*want.Bits()/8+2), w.Bytes(), "two blocks of each column with a scale of 16 bits")
	}
}

// A block size that no format has counts as the nearest, which a note says once; one that
// a format has says nothing.
func TestNBitsNote(t *testing.T) {
	for size, want := range map[int64][]string{16: {"MatMulNBits: weights of 4 bits in blocks of 16 count as q4_0"}, 32: nil, 64: nil, 128: nil,
		256: {"MatMulNBits: weights of 4 bits in blocks of 256 count as int4_g128"}} {
		m := newONNX(13)
		m.input("x", 3, 256)
		for _, name := range []string{"a", "b"} {
			m.weight("w"+name, 10, int(256/size), int(size/2))
			m.weight("s"+name, 10*int(256/size))
			m.node("MatMulNBits", []string{"x", "w" + name, "s" + name}, []string{"y" + name}, aInt("K", 256), aInt("N", 10), aInt("bits", 4), aInt("block_size", size))
			m.output("y" + name)
		}
		g, err := m.read(t, format.Options{})
		require.NoError(t, err)
		require.Equal(t, want, g.Notes, "%d", size)
	}
}

// QONNX's weights are stored in the bits of their quantiser.
func TestQuantisedWeights(t *testing.T) {
	m := newONNX(13)
	m.input("x", 3, 4)
	m.weight("w", 4, 5)
	m.weight("s", 1)
	m.Graph.Initializer = append(m.Graph.Initializer,
		&onnxpb.TensorProto{Name: "bits", DataType: int32(onnxpb.TensorProto_FLOAT), FloatData: []float32{3}})
	m.node("Quant", []string{"w", "s", "s", "bits"}, []string{"q"}).Domain = "qonnx.custom_op.general"
	m.node("MatMul", []string{"x", "q"}, []string{"y"})
	m.output("y")
	g, err := m.read(t, format.Options{})
	require.NoError(t, err)
	require.Equal(t, "gemm 1*3x5x4", describe(g))
	require.Equal(t, graph.Int4, g.Tensor(g.Ops[0].In[1]).DType)
}

// Operators without a rule are what the options take them for, and the run says so;
// names that stand for nothing are refused.
func TestUnknownStandIns(t *testing.T) {
	m := newONNX(13)
	m.input("x", 2, 3)
	m.node("Relu", []string{"x"}, []string{"a"})
	m.node("Spectral", []string{"a"}, []string{"b", "c"})
	m.node("Wavelet", []string{"b"}, []string{"d"}).Domain = "com.lab"
	m.node("Wavelet", []string{"d"}, []string{"e"}).Domain = "com.lab"
	m.node("Add", []string{"e", "c"}, []string{"f"})
	m.output("f")
	g, err := m.read(t, format.Options{Unknown: map[string]string{"Spectral": node.Elementwise, "com.lab.Wavelet": node.Free}})
	require.NoError(t, err)
	require.Equal(t, "relu/1, unknown/1, unknown/1, add/2", describe(g))
	require.Equal(t, []string{
		"Operator Spectral (1 node) has no rule: it is one operation for each element of its first input (workload.unknown).",
		"Operator com.lab.Wavelet (2 nodes) has no rule: it costs nothing and hands on its first input (workload.unknown).",
	}, g.Notes)
	for _, c := range []struct {
		set  map[string]string
		want string
	}{
		{map[string]string{"Spectral": node.Free}, "these are not known: com.lab.Wavelet (2 nodes); workload.unknown may say"},
		{map[string]string{"Spectral": node.Free, "Wavelet": node.Free, "Other": node.Free}, "unknown: the model has no operator Other"},
		{map[string]string{"Relu": node.Free}, "unknown: Relu is known"},
		{map[string]string{"Spectral": "gratis"}, `unknown: Spectral is taken as "gratis" (want one of: elementwise, free)`},
	} {
		_, err := m.read(t, format.Options{Unknown: c.set})
		require.ErrorContains(t, err, c.want)
	}
}

// Boxes are as many as may be kept, and a note says so.
func TestNonMaxNote(t *testing.T) {
	m := newONNX(13)
	m.input("b", 1, 100, 4)
	m.input("s", 1, 2, 100)
	m.list("n", 7)
	m.node("NonMaxSuppression", []string{"b", "s", "n"}, []string{"y"})
	m.output("y")
	g, err := m.read(t, format.Options{})
	require.NoError(t, err)
	require.Equal(t, []string{"Boxes of y are as many as it may keep, 14: how many overlap depends on the data."}, g.Notes)
}
