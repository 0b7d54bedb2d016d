package peertiming

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/peers/eyeriss"
	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// The array of the default keys is the chip's.
func TestRowsAreTheChips(t *testing.T) {
	s := DefaultEyeriss()
	require.Equal(t, eyeriss.Chip(), s.machine(Core{Rows: 12, Cols: 14, Clock: clock.GHz}))
}

// Groups and padding: conv2 of AlexNet; a product has its rows as rows of output.
func TestRowLayers(t *testing.T) {
	c := graph.Conv{N: 4, C: 96, H: 27, W: 27, K: 256, R: 5, S: 5, StrideH: 1, StrideW: 1, PadTop: 2, PadLeft: 2, PadBottom: 2, PadRight: 2, DilationH: 1, DilationW: 1, Groups: 2}
	l, ok, err := rowLayer(&graph.Op{Kind: c})
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, eyeriss.Layer{N: 4, C: 48, H: 31, W: 31, M: 128, R: 5, S: 5, Stride: 1, E: 27, F: 27, Groups: 2}, l)
	l, ok, err = rowLayer(&graph.Op{Kind: graph.MatMul{Batch: 3, M: 7, N: 10, K: 20}})
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, eyeriss.Layer{N: 1, C: 20, H: 7, W: 1, M: 10, R: 1, S: 1, Stride: 1, E: 7, F: 1, Groups: 3}, l)
	c.DilationH = 2
	_, _, err = rowLayer(&graph.Op{Name: "x", Kind: c})
	require.EqualError(t, err, "x: row stationary is for convolutions of one stride, neither transposed nor dilated")
}
