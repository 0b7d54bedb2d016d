package player

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/clock/instant"
)

// The instant in which the driver acts is the same in integers as in times.
func TestBehind(t *testing.T) {
	clocks := []clock.Clock{clock.Period(416, 1e12), clock.Hz(2e9), clock.Hz(940e6), clock.GHz, clock.Hz(1e12), clock.Hz(3e12), clock.Period(1, 3)}
	rapid.Check(t, func(t *rapid.T) {
		c := rapid.SampledFrom(clocks).Draw(t, "clock")
		n := rapid.Uint64Range(0, instant.AtOrBefore(c, 1)+3).Draw(t, "n")
		require.Equal(t, instant.After(fine, instant.Of(c, n)), behind(n, c))
	})
}
