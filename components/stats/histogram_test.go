package stats

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// stepOf is the least value of the step that v is in.
func stepOf(v uint64) uint64 {
	if v < 1<<exactBits {
		return v
	}
	low := bits.Len64(v) - 1 - coarseBits
	return v >> low << low
}

// The dumb twin of the histogram is a sorted list.
func TestHistogram(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var h Histogram
		limit := rapid.SampledFrom([]uint64{10, 5000, 1 << denseBits, 1 << 18, 1 << exactBits, 1 << 40, 1<<64 - 1}).Draw(t, "limit")
		var list []uint64
		for range rapid.IntRange(1, 3).Draw(t, "parts") { // percentiles in between change nothing
			part := rapid.SliceOfN(rapid.Uint64Range(0, limit), 1, 200).Draw(t, "values")
			for _, v := range part {
				h.Add(v)
			}
			list = append(list, part...)
			requirePercentiles(t, list, &h)
		}
		h.Reset()
		h.Add(limit)
		requirePercentiles(t, []uint64{limit}, &h)
	})
}

// A value counted many times at once is counted as often as one by one.
func TestHistogramOfManyAtOnce(t *testing.T) {
	var h Histogram
	var list []uint64
	for _, v := range []uint64{3, 70_000, 3, 0, 1 << 30, 900} {
		for _, n := range []uint64{0, 1, 5} {
			h.AddMany(v, n)
			for range n {
				list = append(list, v)
			}
			if len(list) > 0 {
				requirePercentiles(t, list, &h)
			}
		}
	}
}

func requirePercentiles(t require.TestingT, list []uint64, h *Histogram) {
	list = slices.Sorted(slices.Values(list))
	n := uint64(len(list))
	require.Equal(t, n, h.Count())
	require.Equal(t, list[0], h.Min())
	require.Equal(t, list[n-1], h.Max())
	for _, p := range []uint64{0, 1, 50, 99, 100} {
		want := list[min(n*p/100, n-1)]
		require.Equal(t, max(stepOf(want), h.Min()), h.Percentile(p), "percentile %d", p)
	}
}

// Samples are sorted and merged many times in a long run.
func TestHistogramOfManySamples(t *testing.T) {
	for _, spread := range []uint64{1 << 17, 1 << 23, 1 << 30} {
		var h Histogram
		r := rand.New(rand.NewPCG(spread, 1))
		list := make([]uint64, 5*freshLimit+77)
		for i := range list {
			list[i] = r.Uint64N(spread)
			h.Add(list[i])
		}
		requirePercentiles(t, list, &h)
		different := slices.Compact(slices.Sorted(slices.Values(h.large.value)))
		require.Len(t, h.large.value, len(different), "a value has two entries")
		require.Less(t, cap(h.large.fresh), 2*max(freshLimit, len(h.large.value)), "memory")
	}
}

// A count that is full gets a second entry.
func TestSamplesCountBeyond32Bits(t *testing.T) {
	s := samples{value: []uint32{3, 5, 7}, count: []uint32{1, math.MaxUint32 - 1, 1}}
	for range 3 {
		for _, v := range []uint32{5, 9, 5, 1} {
			s.add(v)
		}
		s.settle()
	}
	require.Equal(t, []uint32{1, 3, 5, 5, 7, 9}, s.value)
	require.Equal(t, []uint32{3, 1, math.MaxUint32 - 1, 6, 1, 3}, s.count)
	for _, c := range []struct {
		rank uint64
		want uint32
	}{{3, 3}, {4, 5}, {math.MaxUint32 + 8, 5}, {math.MaxUint32 + 9, 7}, {math.MaxUint32 + 12, 9}} {
		got, ok := s.at(c.rank)
		require.True(t, ok)
		require.Equal(t, c.want, got, "rank %d", c.rank)
	}
	_, ok := s.at(math.MaxUint32 + 13)
	require.False(t, ok)
}

// Once its memory is there, a histogram takes no more.
func TestHistogramDoesNotAllocate(t *testing.T) {
	var h Histogram
	fill := func() {
		for i := range uint64(2 * freshLimit) {
			h.Add(i * 2654435761 % 300_000)
		}
	}
	fill()
	// Thirty runs: what the runtime itself allocates now and then is less than one a run.
	require.Zero(t, testing.AllocsPerRun(30, fill))
}

func BenchmarkHistogram(b *testing.B) {
	for _, c := range []struct {
		name   string
		spread uint64
	}{{"cycles", 1 << 10}, {"picoseconds", 1 << 23}} {
		b.Run(c.name, func(b *testing.B) {
			var h Histogram
			b.ReportAllocs()
			for i := range uint64(b.N) {
				h.Add(i * 0x9e3779b97f4a7c15 >> 32 % c.spread)
			}
			h.Percentile(50)
		})
	}
}
