package latency_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/memory/dram/latency"
)

// Latencies against a sorted list: exact below 4096 clocks, within 1/64 above.
func TestLatencies(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var l latency.Histogram
		list := rapid.SliceOfN(rapid.OneOf(rapid.Int64Range(0, 5000), rapid.Int64Range(0, 1<<40)), 1, 50).Draw(t, "latencies")
		for _, n := range list {
			l.Add(n, 1)
		}
		q := rapid.Float64Range(0, 1).Draw(t, "share")
		got, ok := l.Quantile(q)
		require.True(t, ok)
		slices.Sort(list)
		want := list[min(int(q*float64(len(list))), len(list)-1)]
		require.LessOrEqual(t, int64(got), want)
		if want < 4096 {
			require.Equal(t, want, int64(got))
		}
		require.InDelta(t, want, got, float64(want)/64)
	})
}

// Mean, count and maximum are those of the list; what two histograms have together is what one of both lists has. An empty
// one has neither mean nor quantile.
func TestLatenciesAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var whole, a, b latency.Histogram
		_, ok := whole.Mean()
		require.False(t, ok)
		_, ok = whole.Quantile(0.5)
		require.False(t, ok)
		sum, most := uint64(0), int64(0)
		list := rapid.SliceOfN(rapid.Int64Range(0, 1<<20), 1, 40).Draw(t, "latencies")
		for i, n := range list {
			half := &a
			if i%3 == 0 {
				half = &b
			}
			half.Add(n, 1)
			whole.Add(n, 1)
			sum, most = sum+uint64(n), max(most, n)
		}
		mean, ok := whole.Mean()
		require.True(t, ok)
		require.InDelta(t, float64(sum)/float64(len(list)), mean, 1e-6)
		require.Equal(t, []uint64{uint64(len(list)), sum, uint64(most)}, []uint64{whole.N, whole.Sum, whole.Max})
		a.Merge(&b)
		require.Equal(t, whole, a)
	})
}
