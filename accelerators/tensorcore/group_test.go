package tensorcore_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/tensorcore"
	"github.com/causeway-sim/causeway/workloads/graph"
)

func grouped(t *testing.T, images, side, channels, groups, kernel int) (*graph.Graph, *graph.Op) {
	return of(t, graph.BF16, func(b *graph.Builder) {
		c := graph.SquareConv(channels, kernel, 1, kernel/2)
		c.Groups = groups
		b.Output(b.Conv("c", b.Input("x", images, channels, side, side), c))
	})
}

// 3 x 3 over 256 channels, each a group: 28 of them have 252 of 256 rows of an array, one of
// nine positions takes 256 groups at a time.
func TestPackedGroupsByHand(t *testing.T) {
	m := tensorcore.Machine{Rows: 256, Cols: 256}
	_, op := grouped(t, 8, 56, 256, 256, 3)
	x, _ := op.Matrix()
	require.Equal(t, []graph.Matrix{
		{Batch: 10, M: 8 * 56 * 56, N: 28, K: 28 * 9, SharedB: 1},
		{Batch: 9, M: 8 * 56 * 56, N: 256, K: 256, SharedB: 1},
	}, m.Packed(x))
	// Groups of 4 channels of a ResNeXt: 7 and 32 at a time.
	_, op = grouped(t, 8, 56, 128, 32, 3)
	x, _ = op.Matrix()
	require.Equal(t, []graph.Matrix{
		{Batch: 5, M: 8 * 56 * 56, N: 28, K: 252, SharedB: 1},
		{Batch: 9, M: 8 * 56 * 56, N: 128, K: 128, SharedB: 1},
	}, m.Packed(x))
	// Two groups of 48 channels of an AlexNet fit into one tile only position by position.
	_, op = grouped(t, 1, 27, 96, 2, 5)
	x, _ = op.Matrix()
	require.Equal(t, []graph.Matrix{{Batch: 25, M: 27 * 27, N: 96, K: 96, SharedB: 1}}, m.Packed(x))
	_, op = grouped(t, 1, 27, 96, 1, 5)
	x, _ = op.Matrix()
	require.Empty(t, m.Packed(x))
}

// A convolution of groups takes no more than twice the longest of array (of as many
// multiply-accumulates), vector unit and bytes, whatever the width of its groups.
func TestGroupsNearTheirBound(t *testing.T) {
	m := tensorcore.Machine{Rows: 256, Cols: 256, Arrays: 4, Cores: 1, Clock: 1.75e9, VMEM: 128 << 20, Memory: 1.6e12, Vector: tensorcore.Vector{Lanes: 3028}}
	for _, groups := range []int{256, 64, 32, 8, 2} {
		g, op := grouped(t, 8, 56, 256, groups, 3)
		c := m.Time(g, op, tensorcore.Passed{})
		x, _ := op.Matrix()
		dense := graph.Matrix{Batch: 1, M: x.M, N: 256, K: 256 * 9} // all channels as if there were no groups
		lanes := 2 * float64(x.MACs()) / 3028 / 1.75e9
		bound := max(float64(c.Bytes())/1.6e12, min(lanes, m.Array(dense, true)))
		require.Less(t, c.Time(), 2*bound, groups)
		require.LessOrEqual(t, c.Array, m.Array(dense, true), "packed groups are never more than no groups at all")
	}
	// Depthwise goes to the vector unit: without it, to the array.
	g, op := grouped(t, 8, 56, 256, 256, 3)
	c := m.Time(g, op, tensorcore.Passed{})
	require.Zero(t, c.Array)
	require.InEpsilon(t, 2.0*8*56*56*256*9/3028/1.75e9, c.Vector, 1e-9)
	m.Vector.Lanes = 1
	require.Positive(t, m.Time(g, op, tensorcore.Passed{}).Array)
}
