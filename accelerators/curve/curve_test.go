package curve_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/curve"
)

// A curve is exact at its places. Between and beyond them it is off by at most 2% (of its time, or of
// that with the nominal memory) for the norms by which rules join work and bytes.
func TestCurveFollowsARule(t *testing.T) {
	for _, work := range []float64{0, 0.1, 1, 3} {
		rule := func(slow float64) float64 { return math.Pow(math.Pow(work, 4)+math.Pow(slow, 4), 0.25) }
		c := curve.Of(rule)
		for _, x := range curve.Slow {
			require.InDelta(t, rule(x), c.At(x), 1e-12)
		}
		for x := 0.01; x < 100; x *= 1.07 {
			require.InDelta(t, rule(x), c.At(x), 0.02*max(rule(x), rule(1)), "work %g, slow %g", work, x)
		}
	}
}

// Kernels one after the other, and parts of one.
func TestCurvesAddUp(t *testing.T) {
	a := curve.Of(func(slow float64) float64 { return 1 + slow })
	b := a
	b.Scale(2)
	a.Add(b)
	require.InDelta(t, 3*(1+0.6), a.At(0.6), 1e-12)
}
