package power_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/accelerators/gpu/power"
)

// The mean over the window stays below the limit, so that the energy of a run from rest is at most that of the limit and
// what the chip saved at rest. Short work is a burst, and the mean after rests is that of a chip at rest.
func TestGovernorKeepsTheMean(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		chip := power.Chip{Idle: 100, Limit: rapid.Float64Range(200, 1000).Draw(t, "limit")}
		most := power.Held * chip.Limit
		g := power.Governor{Chip: chip}
		at, joules := 0.0, 0.0
		for range rapid.IntRange(1, 20).Draw(t, "steps") {
			rest := rapid.Float64Range(0, 0.05).Draw(t, "rest")
			at += rest
			joules += (chip.Idle - most) * rest
			seconds := rapid.Float64Range(1e-4, 0.2).Draw(t, "seconds")
			w := rapid.Float64Range(100, 2000).Draw(t, "watts")
			require.LessOrEqual(t, g.Mean(at), most*(1+1e-9))
			x := power.State{Seconds: seconds, Energy: w * seconds * 1e12}
			free := g.Free(at, x)
			if w > most { // held at the limit, which takes longer
				x.Seconds = seconds * (free + (1-free)*w/most)
			} else {
				require.EqualValues(t, 1, free)
			}
			g.Add(at, x, free < 1)
			at += x.Seconds
			joules += x.Energy/1e12 - most*x.Seconds
			require.LessOrEqual(t, joules, (most-chip.Idle)*power.Window*(1+1e-9))
		}
		require.InDelta(t, chip.Idle, g.Mean(at+1), 1e-6)
	})
}

// A burst from rest reaches the limit after Window*ln((P-Idle)/(P-Limit)).
func TestFreeOfABurst(t *testing.T) {
	chip := power.Chip{Idle: 200, Limit: 1000}
	burst := func(seconds float64) power.State { return power.State{Seconds: seconds, Energy: 1480 * seconds * 1e12} }
	require.EqualValues(t, 1, chip.Free(burst(0.023)))
	require.InEpsilon(t, power.Window*0.9400/0.1, chip.Free(burst(0.1)), 1e-3) // ln(1280/500)
	require.EqualValues(t, 1, chip.Free(power.State{Seconds: 100, Energy: 980e14}))
	held := power.State{Seconds: 1.5e-3, Energy: 980 * 1.5e9}
	one := burst(1e-3)
	require.EqualValues(t, 1, chip.FreeIn(0.02, one, held))
	require.Less(t, chip.FreeIn(10, one, held), 0.01)
	chip.Limit = 0
	require.EqualValues(t, 1, chip.Free(burst(100)))
}
