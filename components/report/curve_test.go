package report

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const meanCSV = `point,runs,set:load,set:Net.routing,set:Traffic.pattern,lat@measure,lat@measure_ci95,sat
0,3,0.3,min,uniform,30,2,0
1,3,0.1,min,uniform,10,1,0
2,3,0.9,min,uniform,90,9,1
3,3,0.1,piar,uniform,11,1,0
4,3,0.3,piar,uniform,,,0
5,3,0.1,min,adv+1,70,,0
`

func sweepFolder(t *testing.T, name, text string) string {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	return dir
}

// A curve has the points that its settings say, in order, up to the one that is no
// more to be believed.
func TestCurves(t *testing.T) {
	dir := sweepFolder(t, "mean.csv", meanCSV)
	s := CurveSpec{X: "load", Y: "lat@measure", By: "Net.routing", Where: map[string]string{"Traffic.pattern": "uniform"}, Unless: "sat"}
	f, err := Curves(dir, s)
	require.NoError(t, err)
	require.Equal(t, [][]any{{"min", .1, 10., 1.}, {"min", .3, 30., 2.}, {"piar", .1, 11., 1.}}, f.Table().Rows)
	svg, err := f.Render("svg")
	require.NoError(t, err)
	require.Contains(t, string(svg), ">piar<")
	require.Equal(t, "Traffic.pattern uniform", f.Title)
	again, err := f.Render("svg")
	require.NoError(t, err)
	require.Equal(t, svg, again)

	s.Unless = ""
	f, err = Curves(dir, s)
	require.NoError(t, err)
	require.Equal(t, []any{"min", .9, 90., 9.}, f.Table().Rows[2])
}

// A setting with a unit is drawn as a number in its base unit, though a metric has
// its name.
func TestCurvesOverAQuantity(t *testing.T) {
	dir := sweepFolder(t, "sweep.csv", "point,identity,status,set:Mem.bandwidth,set:Mem.bandwidth [B/s],set:flow,Mem.bandwidth\n"+
		"0,a,complete,12.8GB/s,12800000000,os,10\n1,b,complete,6400MB/s,6400000000,os,6\n")
	for _, x := range []string{"Mem.bandwidth", "set:Mem.bandwidth"} {
		f, err := Curves(dir, CurveSpec{X: x, Y: "Mem.bandwidth", By: "flow"})
		require.NoError(t, err)
		require.Equal(t, [][]any{{"os", 6.4e9, 6., 0.}, {"os", 12.8e9, 10., 0.}}, f.Table().Rows)
		require.Equal(t, "Mem.bandwidth [B/s]", f.X.Name)
	}
	_, err := Curves(dir, CurveSpec{X: "Mem.bandwidth", Y: "Mem.bandwidth", By: "flow", Where: map[string]string{"Mem.bandwidth": "12.8GB/s"}})
	require.NoError(t, err)
}

// A rate of 0 stands for something else (no limit): its points are left out, and the axis
// says so.
func TestCurvesLeaveOutWhatIsNoRate(t *testing.T) {
	dir := sweepFolder(t, "sweep.csv", "point,identity,status,set:Mem.bandwidth,set:Mem.bandwidth [B/s],set:flow,cycles\n"+
		"0,a,complete,12.8GB/s,12800000000,os,10\n1,b,complete,0GB/s,,os,6\n")
	f, err := Curves(dir, CurveSpec{X: "Mem.bandwidth", Y: "cycles", By: "flow"})
	require.NoError(t, err)
	require.Equal(t, [][]any{{"os", 12.8e9, 10., 0.}}, f.Table().Rows)
	require.Equal(t, "Mem.bandwidth [B/s], without 0GB/s, which is no rate", f.X.Name)
}

// Without means the runs themselves are the points; earlier versions had no
// prefix.
func TestCurvesOfRuns(t *testing.T) {
	dir := sweepFolder(t, "sweep.csv", "point,identity,status,rows,flow,cycles\n0,a,complete,8,os,5\n1,b,complete,16,os,3\n2,c,failed,32,os,\n")
	require.True(t, IsSweep(dir))
	f, err := Curves(dir, CurveSpec{X: "rows", Y: "cycles", By: "flow"})
	require.NoError(t, err)
	require.Equal(t, [][]any{{"os", 8., 5., 0.}, {"os", 16., 3., 0.}}, f.Table().Rows)
}

// Without By there is one curve; the axis has the unit that sweep.json knows.
func TestOneCurve(t *testing.T) {
	dir := sweepFolder(t, "sweep.csv", "point,identity,status,set:rows,cycles\n0,a,complete,8,5\n1,b,complete,16,3\n")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "sweep.json"), []byte(`{"columns": [{"name": "point"}, {"name": "cycles", "unit": "cycle"}]}`), 0o600))
	f, err := Curves(dir, CurveSpec{X: "rows", Y: "cycles"})
	require.NoError(t, err)
	require.Equal(t, [][]any{{"cycles", 8., 5., 0.}, {"cycles", 16., 3., 0.}}, f.Table().Rows)
	require.Equal(t, "cycle", f.Y.Unit)
	_, err = Curves(sweepFolder(t, "mean.csv", meanCSV), CurveSpec{X: "load", Y: "lat@measure"})
	require.ErrorContains(t, err, "the sweep has several points at load 0.1: say which by --where (of Net.routing, Traffic.pattern)")
}

func TestCurvesRefuse(t *testing.T) {
	dir := sweepFolder(t, "mean.csv", meanCSV)
	for want, s := range map[string]CurveSpec{
		`no setting "lad" (want one of: load, Net.routing, Traffic.pattern)`:                        {X: "lad", Y: "sat", By: "load"},
		`no metric "load" (want one of: lat@measure, sat)`:                                          {X: "load", Y: "load", By: "load"},
		`Net.routing min has several points at load 0.1: say which by --where (of Traffic.pattern)`: {X: "load", Y: "lat@measure", By: "Net.routing"},
		`Net.routing is "min", no number: it cannot be the axis`:                                    {X: "Net.routing", Y: "sat", By: "load"},
		`no point has all of it: load 7`:                                                            {X: "load", Y: "sat", By: "Net.routing", Where: map[string]string{"load": "7"}},
	} {
		_, err := Curves(dir, s)
		require.ErrorContains(t, err, want)
	}
	_, err := Curves(t.TempDir(), CurveSpec{X: "a", Y: "b", By: "c"})
	require.ErrorContains(t, err, "it has no sweep.csv")
	require.False(t, IsSweep(strings.Repeat("x", 5)))
}
