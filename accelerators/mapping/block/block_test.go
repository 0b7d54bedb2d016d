package block_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/accelerators/mapping/block"
)

func TestSizes(t *testing.T) {
	large, small := block.Sizes(12, 4, 4)
	require.Equal(t, []int64{12, 8, 6, 4}, large)
	require.Equal(t, []int64{3, 2, 1}, small)
	large, small = block.Sizes(3, 8, 8) // n is less than the unit
	require.Equal(t, []int64{3}, large)
	require.Equal(t, []int64{2, 1}, small)
}

// Sizes are between 1 and n, each once, the largest first; n itself and 1 are among them.
func TestSizesAreInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64Range(1, 5000).Draw(t, "n")
		unit := rapid.Int64Range(1, 300).Draw(t, "unit")
		large, small := block.Sizes(n, unit, rapid.Int64Range(1, 300).Draw(t, "least"))
		all := slices.Concat(large, small)
		require.Equal(t, n, all[0])
		require.Equal(t, int64(1), all[len(all)-1])
		for i := 1; i < len(all); i++ {
			require.Less(t, all[i], all[i-1])
		}
	})
}

// The first of Filling fits and one more element does not, as trying all sizes shows; the second makes
// no more blocks.
func TestFilling(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, most := rapid.Int64Range(1, 200).Draw(t, "n"), rapid.Int64Range(0, 250).Draw(t, "most")
		x := block.Filling(n, func(b int64) bool { return b <= most })
		if most == 0 || most >= n {
			require.Empty(t, x)
			return
		}
		blocks := func(b int64) (k int64) {
			for at := int64(0); at < n; at += b {
				k++
			}
			return k
		}
		require.Equal(t, most, x[0])
		require.LessOrEqual(t, x[1], x[0])
		require.Equal(t, blocks(x[0]), blocks(x[1]))
		if x[1] > 1 {
			require.Greater(t, blocks(x[1]-1), blocks(x[1]))
		}
	})
}
