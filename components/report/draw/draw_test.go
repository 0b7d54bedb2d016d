package draw

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/plot/vg"

	"github.com/causeway-sim/causeway/components/report/chart"
)

// samples are a chart of each kind that can be printed.
var samples = []chart.Figure{
	{Name: "bars", Chart: chart.Chart{Kind: chart.Bars, Stack: true, X: chart.Axis{Labels: []string{"a", "b"}}, Y: chart.Axis{Name: "cycles", Unit: "cycle"},
		Series: []chart.Series{{Name: "useful", Y: chart.Numbers{1e6, 2e6}}, {Name: "fill", Y: chart.Numbers{5e5, math.NaN()}}}}},
	{Name: "lines", Chart: chart.Chart{Kind: chart.Lines, X: chart.Axis{Name: "load"}, Y: chart.Axis{Name: "latency", Unit: "cycle", Log: true},
		Series: []chart.Series{{Name: "min", X: chart.Numbers{.1, .2}, Y: chart.Numbers{10, 1000}, Half: chart.Numbers{1, 0}}, {Name: "val", X: chart.Numbers{.1}, Y: chart.Numbers{20}}}}},
	{Name: "points", Chart: chart.Chart{Kind: chart.Points, X: chart.Axis{Name: "x", Log: true}, Y: chart.Axis{Name: "y", Log: true},
		Series: []chart.Series{{Name: "roof", Line: true, X: chart.Numbers{1, 10}, Y: chart.Numbers{1, 10}}, {Name: "layers", X: chart.Numbers{2}, Y: chart.Numbers{1}, Size: chart.Numbers{3}, Labels: []string{"conv1"}, Tags: 1}}}},
	{Name: "heat", Chart: chart.Chart{Kind: chart.Heat, X: chart.Axis{Name: "rows", Labels: []string{"8", "16"}}, Y: chart.Axis{Name: "flow", Labels: []string{"os"}}, Value: chart.Axis{Name: "time", Unit: "ns"},
		Cells: []chart.Cell{{X: 0, Y: 0, Value: 1234567}, {X: 1, Y: 0, Value: 7}}}},
	{Name: "lanes", Chart: chart.Chart{Kind: chart.Lanes, X: chart.Axis{Name: "time", Unit: "ns"}, Lanes: []string{"Core", "Mem"},
		Slices: &chart.Slices{Lane: []int{0, 1}, Begin: chart.Numbers{0, 50}, Span: chart.Numbers{100, 10}, Kind: []int{0, 1}, Name: []int{0, 1}, Kinds: []string{"layer", "memory"}, Names: []string{"conv1", "read"}}}},
}

// Every kind that can be printed is, byte by byte the same, and as wide as asked for.
func TestRender(t *testing.T) {
	tested := map[chart.Kind]bool{}
	for _, f := range samples {
		tested[f.Kind] = true
		for _, format := range Formats {
			one, err := Render(f, 8.5*vg.Centimeter, format)
			require.NoError(t, err, f.Name)
			two, err := Render(f, 8.5*vg.Centimeter, format)
			require.NoError(t, err)
			require.True(t, string(one) == string(two), "%s as %s", f.Name, format)
			require.NotRegexp(t, `D:20[0-9]{12}`, string(one), "the time at which it was drawn")
		}
		svg, err := Render(f, 8.5*vg.Centimeter, "svg")
		require.NoError(t, err)
		m := regexp.MustCompile(`<svg width="([0-9.]+)pt"`).FindSubmatch(svg)
		require.NotNil(t, m)
		w, err := strconv.ParseFloat(string(m[1]), 64)
		require.NoError(t, err)
		require.InDelta(t, float64(8.5*vg.Centimeter), w, 0.1)
		require.NotContains(t, string(svg), "NaN")
	}
	for k := range drawers {
		require.True(t, tested[k], "%s has no sample", k)
	}
	_, err := Render(chart.Figure{Name: "p", Chart: chart.Chart{Kind: chart.Parallel}}, vg.Inch, "svg")
	require.ErrorContains(t, err, "p cannot be printed")
}

// The legend stands above the data and breaks into lines that fit.
func TestLegend(t *testing.T) {
	names := []named{}
	require.Zero(t, newLegend(append(names, named{"alone", nil}), vg.Inch).height)
	for i := range 10 {
		names = append(names, named{fmt.Sprint("waiting for weights ", i), nil})
	}
	line := newLegend(append([]named{names[3]}, names[2:4]...), 17.5*vg.Centimeter)
	require.Equal(t, [][]named{names[2:4]}, line.rows, "a line and dots of one name are named once")
	few, many := newLegend(names, 17.5*vg.Centimeter), newLegend(names, 8.5*vg.Centimeter)
	require.Greater(t, len(many.rows), len(few.rows))
	for _, row := range many.rows {
		sum := vg.Length(0)
		for _, n := range row {
			sum += many.width(n)
		}
		require.LessOrEqual(t, sum, 8.5*vg.Centimeter)
	}
}

func TestSI(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 999: "999", 1000: "1 k", 1.5e6: "1.5 M", -2e9: "-2 G", 0.25: "0.25"} {
		require.Equal(t, want, SI(v))
	}
	require.Equal(t, "1.23 M", short(1234567))
}
