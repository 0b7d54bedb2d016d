package gemmini

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A run with repetitions done at once is the run that carries out every cycle.
func TestSkipIsExact(t *testing.T) {
	m := Default()
	for _, c := range []Conv{
		{Batch: 1, InRows: 28, InCols: 28, Channels: 64, OutRows: 28, OutCols: 28, Filters: 80, KernelRows: 3, KernelCols: 3, Stride: 1, PadUp: 1, PadLeft: 1},
		{Batch: 2, InRows: 14, InCols: 14, Channels: 100, OutRows: 7, OutCols: 7, Filters: 64, KernelRows: 3, KernelCols: 3, Stride: 2, PadUp: 1, PadLeft: 1},
		{Batch: 1, InRows: 20, InCols: 20, Channels: 3, OutRows: 20, OutCols: 20, Filters: 16, KernelRows: 5, KernelCols: 5, Stride: 1, PadUp: 2, PadLeft: 2},
	} {
		tiling, _ := c.Own(&m)
		p := c.Program(tiling, 0)
		every, fast := runEvery(&m, p), runAll(&m, p)
		require.Equal(t, every, fast)
		tiling.Tile[dimC] = max(1, tiling.Tile[dimC]/3)
		p = c.Program(tiling, 0)
		require.Equal(t, runEvery(&m, p), runAll(&m, p))
	}
	for _, x := range []Matmul{{128, 256, 300}, {1, 1000, 500}, {77, 33, 512}} {
		p := x.Program(&m, x.Own(&m), 0)
		require.Equal(t, runEvery(&m, p), runAll(&m, p))
	}
}

func runEvery(m *Machine, p Program) Result {
	s := newSim(m, newShared(m))
	s.every = true
	return s.run(p)
}
