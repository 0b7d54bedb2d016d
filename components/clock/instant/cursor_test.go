package instant

import (
	"testing"

	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/components/clock"
)

// The cursor answers as the clock does, wherever it stood before.
func TestCursorAnswersAsTheClock(t *testing.T) {
	clocks := []clock.Clock{clock.Period(416, 1e12), clock.Hz(2e9), clock.Hz(940e6), clock.GHz, clock.Hz(33333000), clock.Hz(1e12), clock.Period(1, 3)}
	rapid.Check(t, func(t *rapid.T) {
		c := rapid.SampledFrom(clocks).Draw(t, "clock")
		other := rapid.SampledFrom(clocks).Draw(t, "other")
		k := NewCursor(c)
		n := uint64(0)
		for range 20 {
			switch rapid.IntRange(0, 4).Draw(t, "move") {
			case 0:
				n = rapid.Uint64Range(0, 1e9).Draw(t, "n")
			case 1, 2, 3:
				n += rapid.Uint64Range(0, 3).Draw(t, "step")
			}
			for _, at := range []sim.VTimeInSec{Of(c, n), Of(other, n)} {
				if at > 1e6 {
					continue // beyond what a count of picoseconds holds
				}
				require.Equal(t, After(c, at), k.After(at))
				require.Equal(t, AtOrBefore(c, at), k.AtOrBefore(at))
				require.Equal(t, Of(c, n), k.Time(n))
				require.Equal(t, Of(c, n+1), k.Time(n+1))
			}
		}
	})
}

func BenchmarkAfter(b *testing.B) {
	c := clock.Hz(940e6)
	b.Run("clock", func(b *testing.B) {
		b.ReportAllocs()
		for i := range b.N {
			After(c, sim.VTimeInSec(float64(i)*1e-9))
		}
	})
	b.Run("cursor", func(b *testing.B) {
		b.ReportAllocs()
		k := NewCursor(c)
		for i := range b.N {
			k.After(sim.VTimeInSec(float64(i) * 1e-9))
		}
	})
}
