package dram_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/memory/dram"
)

// Latencies against a sorted list: exact below 4096 clocks, within 1/64 above.
func TestLatencies(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var l dram.Latencies
		list := rapid.SliceOfN(rapid.OneOf(rapid.Int64Range(0, 5000), rapid.Int64Range(0, 1<<40)), 1, 50).Draw(t, "latencies")
		for _, n := range list {
			l.Add(n)
		}
		q := rapid.Float64Range(0, 1).Draw(t, "share")
		got, ok := l.Quantile(q)
		require.True(t, ok)
		want := sorted(list)[min(int(q*float64(len(list))), len(list)-1)]
		require.LessOrEqual(t, int64(got), want)
		if want < 4096 {
			require.Equal(t, want, int64(got))
		}
		require.InDelta(t, want, got, float64(want)/64)
	})
}
