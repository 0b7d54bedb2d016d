package synthetic

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// Shares of reads and the mean place, within four standard deviations.
func TestRandomShares(t *testing.T) {
	const n = 40_000
	for _, share := range []float64{0, 0.25, 0.58, 0.9, 1} {
		r := DefaultRandom()
		r.Reads, r.Count = share, n
		require.NoError(t, r.Check())
		reads, places := 0., 0.
		for i := uint64(0); ; i++ {
			b, ok := r.At(0, i)
			if !ok {
				require.EqualValues(t, n, i)
				break
			}
			if !b.Write {
				reads++
			}
			require.Zero(t, b.Offset%64)
			places += float64(b.Offset) / float64(r.Size)
		}
		require.InDelta(t, share, reads/n, 4*math.Sqrt(share*(1-share)/n)+1e-12)
		require.InDelta(t, 0.5, places/n, 4/math.Sqrt(12*n))
	}
	bad := Random{Size: 100, Object: 64, Reads: 2}
	require.EqualError(t, bad.Check(), "size is 100B in objects of 64B (want a multiple, of 1B to 1MiB)\nreads is 2 (want 0 to 1)\ncores is 0 (want 1 or more)")
}
