package gemmini

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The library's tiles, worked out by hand from its rules: 8192 rows of the scratchpad and 512 of
// the accumulators.
func TestOwnTiles(t *testing.T) {
	m := Default()
	// All of a small product fits: its 8 x 4 blocks of results are within 32.
	p := Matmul{M: 128, N: 64, K: 128}
	own := p.Own(&m)
	require.Equal(t, "1 1 128 64 1 1 128", own.String())
	// 32 blocks of accumulators: squares of 5, then no side grows (6 x 5 = 30 fits: columns do).
	p = Matmul{M: 1600, N: 1600, K: 16}
	own = p.Own(&m)
	require.Equal(t, "1 1 80 96 1 1 16", own.String())
	// A convolution that fits stays whole.
	c := Conv{Batch: 1, InRows: 2, InCols: 2, Channels: 32, OutRows: 2, OutCols: 2, Filters: 32, KernelRows: 1, KernelCols: 1, Stride: 1}
	own, probes := c.Own(&m)
	require.Equal(t, "1 2 2 32 1 1 32", own.String())
	require.Equal(t, 2, probes)
	require.Equal(t, ownOrder, own.Order)
}

// No dimension of the library's tile can grow by one, and every tile fits.
func TestOwnTileIsMaximal(t *testing.T) {
	m := Default()
	for _, c := range []Conv{
		{Batch: 1, InRows: 56, InCols: 56, Channels: 64, OutRows: 56, OutCols: 56, Filters: 64, KernelRows: 3, KernelCols: 3, Stride: 1},
		{Batch: 4, InRows: 28, InCols: 28, Channels: 100, OutRows: 14, OutCols: 14, Filters: 300, KernelRows: 5, KernelCols: 5, Stride: 2},
	} {
		own, _ := c.Own(&m)
		size := c.size()
		fits := func(t [dims]int) bool {
			s, a := c.rowsOf(&t, m.Dim)
			return s <= m.Software.ScratchpadRows/2 && a <= m.Software.AccumulatorRows/2
		}
		require.True(t, fits(own.Tile))
		for i := range own.Tile {
			if more := own.Tile; more[i] < size[i] {
				more[i]++
				require.False(t, fits(more), "%v", more)
			}
		}
	}
}

// Tiles cover every output, filter, kernel place and channel exactly once.
func TestTilesCoverTheLayer(t *testing.T) {
	c := Conv{Batch: 2, InRows: 11, InCols: 9, Channels: 20, OutRows: 11, OutCols: 9, Filters: 40, KernelRows: 3, KernelCols: 3, Stride: 1, PadUp: 1, PadLeft: 1}
	tiling := Tiling{Tile: [dims]int{1, 4, 5, 16, 2, 3, 16}, Order: [dims]int{dimC, dimK, dimN, dimP, dimQ, dimS, dimR}}
	macs, stored, cleared := 0, 0, 0
	for l := range c.Program(tiling, 0).Loops {
		x := l.Conv
		results := x.Batches * x.Rows * x.Cols * x.Filters
		macs += results * x.KRows * x.KCols * x.Channels
		if x.Output != 0 {
			stored += results
		}
		if x.Clear {
			cleared += results
		}
		rows, cols := x.inSize()
		require.LessOrEqual(t, rows-x.Up-x.Down, c.InRows)
		require.LessOrEqual(t, cols-x.Left-x.Right, c.InCols)
	}
	require.Equal(t, 2*11*9*40*9*20, macs)
	require.Equal(t, 2*11*9*40, stored)
	require.Equal(t, 2*11*9*40, cleared)
}
