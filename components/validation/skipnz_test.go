package validation

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/workloads/zoo"
)

// slowest is the mean of the greatest of so many binomial numbers, each of n things that
// happen with probability p: the sum over k of 1 - F(k)^lanes.
func slowest(n int, p float64, lanes int) (mean float64) {
	f := 0.0
	for k := range n {
		a, _ := math.Lgamma(float64(n) + 1)
		b, _ := math.Lgamma(float64(k) + 1)
		c, _ := math.Lgamma(float64(n-k) + 1)
		f += math.Exp(a - b - c + float64(k)*math.Log(p) + float64(n-k)*math.Log1p(-p))
		mean += 1 - math.Pow(min(f, 1), float64(lanes))
	}
	return mean
}

// byFormula is the cycles of the products of VGG16, whose layers have as many channels in
// every lane: at each position the lanes wait for the one with the most values left among
// those of its taps that lie inside.
func byFormula(t *testing.T, width int, zeros, small float64) (cycles float64) {
	g, err := zoo.Build("vgg16", zoo.Params{Batch: 1})
	require.NoError(t, err)
	first := true
	for i := range g.Ops {
		m, ok := g.Ops[i].Matrix()
		if !ok {
			continue
		}
		left := (1 - zeros) * (1 - small)
		if first {
			left, first = 1-small, false
		}
		filters := math.Ceil(float64(m.N) / 16)
		if m.Conv == nil {
			cycles += filters * slowest(int(m.K)/width, left, width)
			continue
		}
		lanes, channels := min(width, m.Conv.C), max(1, m.Conv.C/width)
		side := float64(m.Conv.H)
		for _, p := range []struct {
			taps      int
			positions float64
		}{{9, (side - 2) * (side - 2)}, {6, 4 * (side - 2)}, {4, 4}} {
			cycles += filters * p.positions * slowest(channels*p.taps, left, lanes)
		}
	}
	return cycles
}

// What the study comes to follows from the distribution alone, and so does what it comes to
// with half as many lanes, more zeros, or a higher threshold.
func TestSkipNZStudyPerturbed(t *testing.T) {
	at := func(set ...string) float64 {
		return playedOf(t, "skipnz", "skipnz.yaml", append([]string{"network=vgg16"}, set...)...)["Core.compute_cycles"]
	}
	small := func(t float64) float64 { return math.Erf(t / math.Sqrt2) }
	base, formula := at("threshold=0.341"), byFormula(t, 16, 0.44, small(0.341))
	rest := base - formula // pools and activations
	require.InDelta(t, 0.03, rest/base, 0.02)
	for _, c := range []struct {
		set          []string
		width        int
		zeros, small float64
	}{
		{[]string{"threshold=0.341", "width=8"}, 8, 0.44, small(0.341)},
		{[]string{"threshold=0.682"}, 16, 0.44, small(0.682)},
		{[]string{"threshold=0.341", "zeros=0.6"}, 16, 0.6, small(0.341)},
	} {
		require.InEpsilon(t, byFormula(t, c.width, c.zeros, c.small)-formula, at(c.set...)-base, 0.005, c.set)
	}
}
