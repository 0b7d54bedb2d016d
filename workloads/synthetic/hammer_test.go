package synthetic_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/workloads/synthetic"
)

// Every second row in turns; a row alone takes turns with one far away.
func TestHammer(t *testing.T) {
	for rows, want := range map[int][]uint64{1: {8, 108, 8, 108}, 2: {8, 10, 8, 10}, 3: {8, 10, 12, 8}} {
		h := synthetic.DefaultHammer()
		h.Row, h.Rows, h.First, h.Count = 1024, rows, 8*1024, 4
		require.NoError(t, h.Check())
		for i, w := range want {
			b, ok := h.At(0, uint64(i))
			require.True(t, ok)
			require.Equal(t, synthetic.Block{Offset: w * 1024, Bytes: 64}, b)
			require.LessOrEqual(t, b.Offset+b.Bytes, h.Tensors()[0].Bytes)
		}
		_, ok := h.At(0, 4)
		require.False(t, ok)
	}
	h := synthetic.DefaultHammer()
	h.Row, h.Cores = 32, 0
	require.ErrorContains(t, h.Check(), "row is 32B and line 64B")
	require.ErrorContains(t, h.Check(), "0 cores")
}
