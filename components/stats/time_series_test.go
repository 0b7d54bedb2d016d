package stats_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/components/stats"
)

// Spread work is in no interval more than its rate allows, and none of it is lost.
func TestTimeSeriesSpreads(t *testing.T) {
	c := stats.NewTimeSeries(0)
	c.Add(1000, 10, 110) // 10 per ns
	require.InDelta(t, 10*10, c.Between(20, 30), 1e-9)
	require.InDelta(t, 0, c.Between(0, 10), 1e-9)
	require.InDelta(t, 50, c.Between(105, 500), 1e-9)
	c.Add(7, 200, 200)
	require.InDelta(t, 7, c.Between(200, 201), 1e-9)
	require.InDelta(t, 1007, c.Sum(), 1e-9)
}

// A node that is not observed adds to no time series.
func TestNilTimeSeries(t *testing.T) {
	var c *stats.TimeSeries
	c.Add(1, 0, 1)
	c.Pass(1, 1)
}

// What passes at the peak is late by as much as it comes faster than that.
func TestTimeSeriesPasses(t *testing.T) {
	c := stats.NewTimeSeries(2) // per ns
	c.Pass(20, 10)
	c.Pass(20, 20)
	require.InDelta(t, 0, c.Late(), 1e-9)
	require.InDelta(t, 20, c.Between(0, 10), 1e-9)
	c.Pass(20, 25) // 10 ns after 20
	require.InDelta(t, 5, c.Late(), 1e-9)
	require.InDelta(t, 20, c.Between(20, 30), 1e-9)
}

// A dumb twin keeps all spans and adds up their parts.
func TestTimeSeriesTwin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := stats.NewTimeSeries(0)
		type span struct{ n, a, b float64 }
		var all []span
		scale := rapid.SampledFrom([]float64{50, 3000, 1e6}).Draw(t, "scale")
		for range rapid.IntRange(1, 40).Draw(t, "n") {
			a := rapid.Float64Range(0, scale).Draw(t, "begin")
			s := span{rapid.Float64Range(1, 1000).Draw(t, "amount"), a, a + rapid.Float64Range(0.001, scale/3).Draw(t, "time")}
			all = append(all, s)
			c.Add(s.n, s.a, s.b)
		}
		total := 0.0
		for _, s := range all {
			total += s.n
		}
		require.InEpsilon(t, total, c.Sum(), 1e-9)
		// Bins are at most twice a 512th of the time, so that an interval is off by no more than
		// what two of them hold.
		width := max(1, 4*scale/3/512)
		lo := rapid.Float64Range(0, scale).Draw(t, "from")
		hi := lo + rapid.Float64Range(3*width, scale).Draw(t, "length")
		sum := func(lo, hi float64) (n float64) {
			for _, s := range all {
				n += s.n * max(0, min(hi, s.b)-max(lo, s.a)) / (s.b - s.a)
			}
			return n
		}
		got := c.Between(lo, hi)
		require.LessOrEqual(t, got, sum(lo-width, hi+width)+1e-6)
		require.GreaterOrEqual(t, got, sum(lo+width, hi-width)-1e-6)
	})
}

// Of what passes mixed, only the ends are known: it fits under the peak if it did.
func TestTimeSeriesBefore(t *testing.T) {
	c := stats.NewTimeSeries(0)
	p := stats.Pace{Peak: 1}
	c.Before(&p, 100, 199) // two of 100, mixed since 0
	c.Before(&p, 100, 200)
	require.Zero(t, c.Late())
	require.InDelta(t, 100, c.Between(0, 100), 1e-9)
	c.Before(&p, 50, 210) // 10 ns of room
	require.InDelta(t, 40, c.Late(), 1e-9)
}

// Whatever shares a channel and keeps its peak is never late, and in no interval above it.
func TestTimeSeriesBeforeKeepsPeak(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		left := rapid.SliceOfN(rapid.IntRange(1, 40), 1, 30).Draw(t, "sizes") // units of messages, one passes in a ns
		size := append([]int(nil), left...)
		c, p := stats.NewTimeSeries(0), stats.Pace{Peak: 1}
		now, sum := 0, 0
		for open := len(left); open > 0; now++ {
			i := rapid.IntRange(-1, len(left)-1).Draw(t, "who") // -1: none
			if i < 0 || left[i] == 0 {
				continue
			}
			if left[i]--; left[i] == 0 {
				c.Before(&p, float64(size[i]), float64(now+1))
				open, sum = open-1, sum+size[i]
			}
		}
		require.LessOrEqual(t, c.Late(), 1e-6)
		require.InDelta(t, sum, c.Sum(), 1e-6)
		for i := range now {
			require.LessOrEqual(t, c.Between(float64(i), float64(i+1)), 1+1e-6)
		}
	})
}

// Channels that add in another order give the same bins to the last bit, as parts of a network do
// that are simulated one after the other.
func TestTimeSeriesBeforeHasNoOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const channels = 4
		var sent [channels][]float64 // bytes in each cycle of each channel
		cycles := rapid.IntRange(1, 3000).Draw(t, "cycles")
		random := rand.New(rand.NewPCG(uint64(rapid.Uint32().Draw(t, "seed")), 1))
		for i := range sent {
			for range cycles {
				sent[i] = append(sent[i], float64(random.IntN(3)*random.IntN(200)))
			}
		}
		run := func(together bool) *stats.TimeSeries {
			c := stats.NewTimeSeries(0)
			var p [channels]stats.Pace
			for i := range p {
				p[i].Peak = 96.5
			}
			add := func(i, k int) { c.Before(&p[i], sent[i][k], float64(k+1)*.7) }
			for a := range channels * cycles {
				if together {
					add(a%channels, a/channels)
				} else {
					add(a/cycles, a%cycles)
				}
			}
			return c
		}
		a, b := run(true), run(false)
		require.Equal(t, a, b)
	})
}
