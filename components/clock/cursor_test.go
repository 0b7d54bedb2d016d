package clock

import (
	"testing"

	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// The cursor answers as the clock does, wherever it stood before.
func TestCursorAnswersAsTheClock(t *testing.T) {
	clocks := []Clock{Period(416, 1e12), Hz(2e9), Hz(940e6), GHz, Hz(33333000), Hz(1e12), Period(1, 3)}
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
			for _, at := range []sim.VTimeInSec{c.Time(n), other.Time(n)} {
				if at > 1e6 {
					continue // beyond what a count of picoseconds holds
				}
				require.Equal(t, c.After(at), k.After(at))
				require.Equal(t, c.AtOrBefore(at), k.AtOrBefore(at))
				require.Equal(t, c.Time(n), k.Time(n))
				require.Equal(t, c.Time(n+1), k.Time(n+1))
			}
		}
	})
}

func BenchmarkAfter(b *testing.B) {
	c := Hz(940e6)
	b.Run("clock", func(b *testing.B) {
		b.ReportAllocs()
		for i := range b.N {
			c.After(sim.VTimeInSec(float64(i) * 1e-9))
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
