package schedule

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/units"
)

// The rate is that of a burst times the share of time that bursts have, and arrivals vary
// more than those of a Poisson process, whose counts have a variance as large as their mean.
func TestBursty(t *testing.T) {
	b := &bursty{mean: 10, burst: 500, pause: 1500}
	r := rand.New(rand.NewPCG(3, 4))
	const n, window = 40000, 1000
	counts := map[units.Time]float64{}
	last := units.Time(0)
	for range n {
		at, ok := b.Next(r)
		require.True(t, ok)
		require.GreaterOrEqual(t, at, last)
		last = at
		counts[at/window]++
	}
	require.InEpsilon(t, 40.0, float64(last)/n, 0.05)
	mean, square := float64(n)/(float64(last)/window), 0.0
	for _, c := range counts {
		square += c * c
	}
	variance := square/(float64(last)/window) - mean*mean
	require.Greater(t, variance, 5*mean)
}
