package stats

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// The dumb twin of the histogram is a sorted list.
func TestHistogram(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var h Histogram
		limit := rapid.SampledFrom([]uint64{10, 5000, 1 << exactBits, 1 << 40, 1<<64 - 1}).Draw(t, "limit")
		list := rapid.SliceOfN(rapid.Uint64Range(0, limit), 1, 200).Draw(t, "values")
		for _, v := range list {
			h.Add(v)
		}
		slices.Sort(list)
		require.Equal(t, list[0], h.min)
		require.Equal(t, list[len(list)-1], h.max)
		for _, p := range []uint64{0, 50, 99, 100} {
			want, got := list[min(uint64(len(list))*p/100, uint64(len(list)-1))], h.Percentile(p)
			if want < 1<<exactBits {
				require.Equal(t, want, got)
			} else {
				require.LessOrEqual(t, got, want)
				require.LessOrEqual(t, want-got, want>>coarseBits)
			}
		}
	})
}
