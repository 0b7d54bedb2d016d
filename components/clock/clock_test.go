package clock

import (
	"math/big"
	"testing"

	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Equal instants of two clocks must be equal floats, different ones ordered as
// the rationals are: the dumb twin is math/big. Within a simulated second; much
// later, instants closer than a float's last bit fall together.
func TestInstantsOrderAsRationals(t *testing.T) {
	clocks := []Clock{Period(416, 1e12), Hz(2e9), Hz(940e6), GHz, Hz(33333000), Period(625, 1e12), Hz(1e6), Hz(7e9)}
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.SampledFrom(clocks).Draw(t, "a")
		b := rapid.SampledFrom(clocks).Draw(t, "b")
		n := rapid.Uint64Range(0, a.AtOrAfter(1)).Draw(t, "n")
		x := rat(a, n)
		// the cycles of b around the instant of cycle n of a
		m := b.AtOrAfter(a.Time(n))
		for d := range uint64(3) {
			if m+1 < d {
				continue
			}
			k := m + 1 - d
			switch rat(b, k).Cmp(x) {
			case -1:
				require.Less(t, b.Time(k), a.Time(n))
			case 0:
				require.Equal(t, b.Time(k), a.Time(n))
			case 1:
				require.Greater(t, b.Time(k), a.Time(n))
			}
		}
	})
}

func rat(c Clock, n uint64) *big.Rat {
	r := new(big.Rat).SetFrac(new(big.Int).SetUint64(c.Num()), new(big.Int).SetUint64(c.Den()))
	return r.Mul(r, new(big.Rat).SetInt(new(big.Int).SetUint64(n)))
}

func TestAfterIsStrict(t *testing.T) {
	c := Hz(940e6)
	for _, n := range []uint64{0, 1, 2, 3, 1e6, 1e12} {
		at := c.Time(n)
		require.Equal(t, n, c.AtOrAfter(at))
		require.Equal(t, n+1, c.After(at))
		require.Equal(t, n, c.AtOrBefore(at))
	}
	require.Equal(t, uint64(0), c.AtOrAfter(sim.VTimeInSec(0)))
	require.Equal(t, uint64(1), c.AtOrAfter(sim.VTimeInSec(1e-12)))
	require.Equal(t, uint64(0), c.AtOrBefore(sim.VTimeInSec(1e-12)))
}

func TestCyclesRoundsUp(t *testing.T) {
	require.Equal(t, uint64(150), GHz.Cycles(150, 1e9))
	require.Equal(t, uint64(141), Hz(940e6).Cycles(150, 1e9)) // 141.0 exactly
	require.Equal(t, uint64(142), Hz(940e6).Cycles(1501, 1e10))
	require.Equal(t, uint64(0), GHz.Cycles(0, 1))
	require.InDelta(t, 150.0, GHz.Nanoseconds(150), 1e-12)
}

func TestInstantsBeyondCountingPanic(t *testing.T) {
	require.Panics(t, func() { Hz(1e12).After(2.5e8) })
	require.Equal(t, Hz(1e12).Time(25e17), Hz(1e12).Time(Hz(1e12).AtOrAfter(2.5e6)))
}

func TestString(t *testing.T) {
	require.Equal(t, "940000000Hz", Hz(940e6).String())
	require.Equal(t, "13/31250000000s", Period(416, 1e12).String())
	require.Panics(t, func() { Period(0, 1) })
}
