package traffic

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// fixed is a source of random numbers that all are the same.
type fixed uint64

func (f fixed) Uint64() uint64 { return uint64(f) }

// The gaps that are looked up are those of the logarithm, also on both sides of every
// bound of the table and of every bound between two gaps.
func TestTableOfGaps(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, p := range []float64{1. / 64, .02, .1, .3, .5, .77, .999, 1 - 1e-12} {
		b := NewBernoulli(p)
		require.NotNil(t, b.gaps)
		check := func(draw uint64) {
			u := float64(draw<<11>>11) / (1 << 53)
			want := 1 + int64(math.Log(1-u)*b.scale)
			require.Equal(t, want, b.Gap(rand.New(fixed(draw))), "p %g, draw %x", p, draw)
		}
		for i := range uint64(1 << gapBits) {
			at := i << (53 - gapBits)
			check(at)
			check(at + 1)
			check((at - 1) & (1<<53 - 1))
			check(at + rng.Uint64()>>(11+gapBits))
		}
		for k := range 60 {
			at := uint64((1 - math.Exp(float64(k)/b.scale)) * (1 << 53))
			for d := range uint64(9) {
				check((at + d - 4) & (1<<53 - 1))
			}
		}
		hits := 0
		for _, g := range b.gaps {
			if g > 0 {
				hits++
			}
		}
		if p >= .1 {
			require.Greater(t, hits, 1<<gapBits*9/10, "p %g", p)
		}
	}
	require.Nil(t, NewBernoulli(1.).gaps)
	require.Nil(t, NewBernoulli(1e-3).gaps)
}
