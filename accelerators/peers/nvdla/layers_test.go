package nvdla

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/workloads/graph"
)

// A residual block: the second convolution carries the addition and the activation out, the
// first one its activation; the pooling of a branch of its own stands apart.
func TestLayersOfAGraph(t *testing.T) {
	g := &graph.Graph{Name: "block"}
	add := func(role graph.Role, shape ...int) graph.TensorID {
		return g.Add(graph.Tensor{Name: "t", Shape: shape, Role: role, DType: graph.FP16})
	}
	conv := graph.Conv{N: 2, C: 32, H: 8, W: 8, K: 32, R: 3, S: 3, StrideH: 1, StrideW: 1, PadTop: 1, PadLeft: 1, PadBottom: 1, PadRight: 1, DilationH: 1, DilationW: 1, Groups: 2}
	in := add(graph.Input, 2, 32, 8, 8)
	step := func(k graph.Kind, from []graph.TensorID, role graph.Role, shape ...int) graph.TensorID {
		out := add(role, shape...)
		g.Append(graph.Op{Name: k.Type(), Kind: k, In: from, Out: []graph.TensorID{out}})
		return out
	}
	ids := func(x ...graph.TensorID) []graph.TensorID { return x }
	w := func() graph.TensorID { return add(graph.Weight, 32, 16, 3, 3) }
	unary := graph.Elementwise{Func: "relu", Elements: 4096, Inputs: 1, OpsPer: 1}
	a := step(conv, ids(in, w()), graph.Activation, 2, 32, 8, 8)
	a = step(unary, ids(a), graph.Activation, 2, 32, 8, 8)
	b := step(conv, ids(a, w()), graph.Activation, 2, 32, 8, 8)
	b = step(graph.Elementwise{Func: "add", Elements: 4096, Inputs: 2, OpsPer: 1}, ids(b, in), graph.Activation, 2, 32, 8, 8)
	b = step(graph.Pool{N: 2, C: 32, H: 8, W: 8, R: 2, S: 2, StrideH: 2, StrideW: 2}, ids(b), graph.Activation, 2, 32, 4, 4)
	step(graph.Pool{N: 2, C: 32, H: 8, W: 8, R: 1, S: 1, StrideH: 1, StrideW: 1}, ids(in), graph.Output, 2, 32, 8, 8)
	step(graph.MatMul{Batch: 1, M: 1, N: 10, K: 512, SharedB: 1}, ids(b, add(graph.Weight, 512, 10)), graph.Output, 1, 10)
	n, err := Layers(g)
	require.NoError(t, err)
	require.Equal(t, []int{0, 2, 6}, n.Ops)
	require.Equal(t, 1, n.Apart)
	one := Layer{C: 16, H: 8, W: 8, K: 16, R: 3, S: 3, StrideH: 1, StrideW: 1, PadH: true, PadW: true, OutH: 8, OutW: 8, Feature: 2, Weight: 2, Repeat: 4}
	require.Equal(t, one, n.Layers[0])
	one.OutH, one.OutW, one.Elementwise = 4, 4, true
	require.Equal(t, one, n.Layers[1])
	require.Equal(t, Layer{C: 512, H: 1, W: 1, K: 10, R: 1, S: 1, StrideH: 1, StrideW: 1, OutH: 1, OutW: 1, Feature: 2, Weight: 2, Repeat: 1, FullyConnected: true}, n.Layers[2])

	conv.DilationH = 2
	g.Append(graph.Op{Name: "dilated", Kind: conv, In: ids(in, w()), Out: ids(add(graph.Output, 2, 32, 6, 8))})
	_, err = Layers(g)
	require.EqualError(t, err, "dilated: the performance sheet of NVDLA has no transposed or dilated convolution")
}
