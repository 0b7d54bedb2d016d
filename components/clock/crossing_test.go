package clock

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// The first cycle after an instant of another clock is the least whose instant is later, by exact
// fractions.
func TestCrossing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		hz := rapid.SampledFrom([]uint64{1, 3, 7e8, 1e9, 940e6, 1.75e9, 2_666_666_667, 1_333_333_333})
		a, b := Hz(hz.Draw(t, "from")), Hz(hz.Draw(t, "to"))
		n := rapid.Uint64Range(0, min(1<<50, 4_000_000*a.Den()/a.Num())).Draw(t, "n") // times up to 4e6 s, as far as they count
		got := NewCrossing(a, b).After(n)
		at := func(c Clock, n uint64) *big.Rat { // seconds
			return new(big.Rat).SetFrac(new(big.Int).Mul(new(big.Int).SetUint64(n), new(big.Int).SetUint64(c.Num())), new(big.Int).SetUint64(c.Den()))
		}
		require.Positive(t, at(b, got).Cmp(at(a, n)))
		if got > 0 {
			require.LessOrEqual(t, at(b, got-1).Cmp(at(a, n)), 0)
		}
	})
}
