package instant

import (
	"math/big"
	"testing"

	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/components/clock"
)

// Equal instants of two clocks must be equal floats, different ones ordered as
// the rationals are: the dumb twin is math/big. Within a simulated second; much
// later, instants closer than a float's last bit fall together.
func TestInstantsOrderAsRationals(t *testing.T) {
	clocks := []clock.Clock{clock.Period(416, 1e12), clock.Hz(2e9), clock.Hz(940e6), clock.GHz, clock.Hz(33333000), clock.Period(625, 1e12), clock.Hz(1e6), clock.Hz(7e9)}
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.SampledFrom(clocks).Draw(t, "a")
		b := rapid.SampledFrom(clocks).Draw(t, "b")
		n := rapid.Uint64Range(0, AtOrAfter(a, 1)).Draw(t, "n")
		x := rat(a, n)
		// the cycles of b around the instant of cycle n of a
		m := AtOrAfter(b, Of(a, n))
		for d := range uint64(3) {
			if m+1 < d {
				continue
			}
			k := m + 1 - d
			switch rat(b, k).Cmp(x) {
			case -1:
				require.Less(t, Of(b, k), Of(a, n))
			case 0:
				require.Equal(t, Of(b, k), Of(a, n))
			case 1:
				require.Greater(t, Of(b, k), Of(a, n))
			}
		}
	})
}

func rat(c clock.Clock, n uint64) *big.Rat {
	r := new(big.Rat).SetFrac(new(big.Int).SetUint64(c.Num()), new(big.Int).SetUint64(c.Den()))
	return r.Mul(r, new(big.Rat).SetInt(new(big.Int).SetUint64(n)))
}

func TestAfterIsStrict(t *testing.T) {
	c := clock.Hz(940e6)
	for _, n := range []uint64{0, 1, 2, 3, 1e6, 1e12} {
		at := Of(c, n)
		require.Equal(t, n, AtOrAfter(c, at))
		require.Equal(t, n+1, After(c, at))
		require.Equal(t, n, AtOrBefore(c, at))
	}
	require.Equal(t, uint64(0), AtOrAfter(c, sim.VTimeInSec(0)))
	require.Equal(t, uint64(1), AtOrAfter(c, sim.VTimeInSec(1e-12)))
	require.Equal(t, uint64(0), AtOrBefore(c, sim.VTimeInSec(1e-12)))
}

func TestInstantsBeyondCountingPanic(t *testing.T) {
	require.Panics(t, func() { After(clock.Hz(1e12), 2.5e8) })
	require.Equal(t, Of(clock.Hz(1e12), 25e17), Of(clock.Hz(1e12), AtOrAfter(clock.Hz(1e12), 2.5e6)))
}
