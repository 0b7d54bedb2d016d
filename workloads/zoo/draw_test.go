package zoo

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// Whatever the draw, every pick has an expert and no expert more than one per token.
func TestPicksAddUp(t *testing.T) {
	for _, w := range []Draw{{}, {Name: "even"}, {Name: "uniform", Seed: 1}, {Name: "zipf", Exponent: 1.2, Seed: 1}, {Name: "zipf", Exponent: 8, Seed: 2},
		{Name: "trace", Shares: [][]float64{{1, 0, 0, 5, 0, 0, 0, 100}}}} {
		for _, tokens := range []int{1, 3, 64, 100_000} {
			for layer := range 3 {
				got := w.Picks(layer, 8, tokens, 2)
				sum := 0
				for _, n := range got {
					sum += n
				}
				require.Equal(t, 2*tokens, sum, "%+v", w)
				require.LessOrEqual(t, slices.Max(got), tokens)
				require.Equal(t, got, w.Picks(layer, 8, tokens, 2))
			}
		}
	}
}

// The busiest expert has its share of tokens under a uniform draw of many, far more under
// zipf, and the trace's where there is one.
func TestDrawsAreUneven(t *testing.T) {
	most := func(w Draw) int { return slices.Max(w.Picks(0, 64, 10_000, 4)) }
	require.Equal(t, 625, most(Draw{}))
	require.InDelta(t, 625, most(Draw{Name: "uniform", Seed: 1}), 120)
	require.Greater(t, most(Draw{Name: "zipf", Exponent: 1, Seed: 1}), 3*625)
	few := Draw{Name: "trace", Shares: [][]float64{{3, 1}, {1, 1}}}
	require.Equal(t, []int{75, 25}, few.Picks(0, 2, 100, 1))
	require.Equal(t, []int{50, 50}, few.Picks(7, 2, 100, 1), "the last layer stands for those after it")
	a, b := Draw{Name: "uniform", Seed: 1}.Picks(0, 64, 100, 4), Draw{Name: "uniform", Seed: 2}.Picks(0, 64, 100, 4)
	require.NotEqual(t, a, b)
	require.NotEqual(t, a, Draw{Name: "uniform", Seed: 1}.Picks(1, 64, 100, 4))
}
