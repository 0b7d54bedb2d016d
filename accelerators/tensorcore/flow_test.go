package tensorcore_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/tensorcore"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// A residual block by hand: x of 4 images of 8 x 6 x 6 bytes, 1,152 in all.
//
//	conv -> norm (folded) -> relu -> pool -> second -> add x2
//
// The norm and the function are parts of the convolution's kernel; the pooling takes its
// images one by one; the sum reads what the pooling has left from memory again.
func TestFlowOfABlock(t *testing.T) {
	b := graph.NewBuilder("g")
	x := b.Conv("conv", b.Input("x", 4, 8, 6, 6), graph.SquareConv(8, 3, 1, 1))
	x = b.Elementwise("relu", "relu", x)
	x = b.Pool("pool", x, graph.SquarePool(2, 2, 0))
	y := b.Conv("second", x, graph.SquareConv(8, 3, 1, 1))
	b.Output(b.Elementwise("add", "add", y, x))
	g, err := b.Graph()
	require.NoError(t, err)
	g.SetDTypes(graph.Uniform(graph.Int8))
	all := []int{0, 1, 2, 3, 4}
	const image, small, weights = 8 * 6 * 6, 8 * 3 * 3, 8 * 8 * 9
	m := unit()
	require.Equal(t, []tensorcore.Passed{
		{Out: 4 * image},
		{In: 4 * image, Out: 4 * image, Fused: true},
		{In: 4 * image}, // two operators outside read its results
		{Out: 4 * small},
		{In: 4 * small, Fused: true},
	}, m.Flow(g, all))
	// The pooling needs an image, its results and the weights at a time, whatever the batch.
	m.VMEM = weights + image + small
	require.Equal(t, int64(4*image), m.Flow(g, all)[2].In)
	m.VMEM--
	f := m.Flow(g, all)
	require.Zero(t, f[2].In)
	require.Zero(t, f[1].Out, "it is read from memory")
	// What another machine reads is written.
	require.Equal(t, tensorcore.Passed{}, m.Flow(g, []int{0})[0])
}

// Operators that read nothing of each other pass nothing on, and each is launched; a view of a
// tensor is the tensor.
func TestFlowOfStrangersAndViews(t *testing.T) {
	b := graph.NewBuilder("g")
	x := b.MatMul("x", b.Input("a", 8, 8), b.Weight("w", 8, 8), graph.MatMul{Batch: 1, M: 8, N: 8, K: 8}, 8, 8)
	b.Output(b.Elementwise("other", "relu", b.Input("b", 8, 8)))
	b.Output(b.Reshape("view", x, 64))
	g, err := b.Graph()
	require.NoError(t, err)
	g.SetDTypes(graph.Uniform(graph.Int8))
	m := unit()
	require.Equal(t, make([]tensorcore.Passed, 3), m.Flow(g, []int{0, 1, 2}))

	b = graph.NewBuilder("g")
	x = b.MatMul("x", b.Input("a", 8, 8), b.Weight("w", 8, 8), graph.MatMul{Batch: 1, M: 8, N: 8, K: 8}, 8, 8)
	b.Output(b.Elementwise("act", "relu", b.Reshape("view", x, 64)))
	g, err = b.Graph()
	require.NoError(t, err)
	g.SetDTypes(graph.Uniform(graph.Int8))
	require.Equal(t, []tensorcore.Passed{{Out: 64}, {}, {In: 64, Fused: true}}, m.Flow(g, []int{0, 1, 2}))
}
