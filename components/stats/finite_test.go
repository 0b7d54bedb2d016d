package stats

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// No metric may be NaN or infinite: it is left out of the result, which can be
// written, and fails the checks of the run.
func TestMetricsAreFinite(t *testing.T) {
	zero := 0.0
	g := NewGroup("Net")
	g.Value("mean", Cycle, "A mean of nothing.", func() (float64, bool) { return zero / zero, true })
	g.ValueIn("measure", "rate", GBps, "Bytes in no time.", func() (float64, bool) { return 1 / zero, true })
	g.Value("undefined", Cycle, "Said to be undefined.", func() (float64, bool) { return math.NaN(), false })
	g.Value("good", Cycle, "A value.", func() (float64, bool) { return 7, true })
	ms := g.Metrics()
	require.Len(t, ms, 1)
	require.Equal(t, "good", ms[0].Name)
	errs := g.Verify()
	require.Len(t, errs, 2)
	require.EqualError(t, errs[0], "Net: mean is NaN, which is no value: it is left out")
	require.EqualError(t, errs[1], "Net: rate is +Inf, which is no value: it is left out")

	kept, errs := Finite([]Metric{{Name: "a", Value: math.Inf(-1)}, {Name: "b", Value: 1}})
	require.Equal(t, []Metric{{Name: "b", Value: 1}}, kept)
	require.Len(t, errs, 1)

	tb := Table{Columns: []Column{{Name: "layer"}, {Name: "x"}}}
	tb.Append("l", 1.0)
	tb.Append("m", math.NaN())
	errs = tb.Settle("layers")
	require.Len(t, errs, 1)
	require.EqualError(t, errs[0], "layers, row 2: x is NaN, which is no value: it is left out")
	require.Equal(t, [][]any{{"l", 1.0}, {"m", nil}}, tb.Rows)
	require.Empty(t, (*Table)(nil).Settle("none"))
}
