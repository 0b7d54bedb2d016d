package validation

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/stats"
)

const study = `title: A study
citation: "Somebody, somewhere, 2020"
label: measured
runs:
  small: {config: a.yaml, set: [Core.rows=8]}
  large: {config: a.yaml, set: [Core.rows=16]}
points:
  - {run: small, metric: total_cycles, published: 100, unit: cycle, tolerance: 1%, source: table 1}
  - {run: small, metric: total_cycles, per: "large:total_cycles", published: 2, unit: "1", tolerance: "0.05", label: exact, source: text}
tables:
  - {run: large, file: t.csv, key: name, columns: {cycles: published_cycles}, tolerance: "0", source: table 2}
`

func write(t *testing.T, published string) string {
	dir := filepath.Join(t.TempDir(), "mine")
	require.NoError(t, os.Mkdir(dir, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "published.yaml"), []byte(published), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "t.csv"), []byte("# from table 2\nname,published_cycles\nconv1,30\nconv2,20\n"), 0o644))
	return dir
}

// simulate returns 101 cycles for small and 50 for large.
func simulate(_ context.Context, config string, set []string) (*result.Result, error) {
	cycles := 101.0
	if set[0] == "Core.rows=16" {
		cycles = 50
	}
	layers := &stats.Table{Columns: []stats.Column{{Name: "layer"}, {Name: "cycles", Unit: stats.Cycle}}}
	layers.Append("conv1", uint64(30))
	layers.Append("conv2", uint64(20))
	return &result.Result{Status: result.Complete, Layers: layers,
		Metrics: []stats.Metric{{Phase: "all", Name: "total_cycles", Value: cycles, Unit: stats.Cycle}}}, nil
}

func TestStudyHolds(t *testing.T) {
	s, err := Load(write(t, study))
	require.NoError(t, err)
	rep, err := Check(context.Background(), s, simulate)
	require.NoError(t, err)
	require.True(t, rep.OK(), "%+v", rep.Rows)
	require.Len(t, rep.Rows, 4)
	require.Equal(t, "measured", rep.Rows[0].Label)
	require.Equal(t, "closed form", rep.Rows[1].Label, "a tolerance of 0.05")
	require.InDelta(t, 2.02, rep.Rows[1].Simulated, 1e-12)
	e, ok := rep.Rows[0].Error()
	require.True(t, ok)
	require.InDelta(t, 1.0, e, 1e-12)
}

// A published figure that is altered must be noticed: by point, by table.
func TestAlteredFigureFails(t *testing.T) {
	for _, change := range [][2]string{{"published: 100", "published: 99"}, {"published: 2,", "published: 2.1,"}, {`tolerance: 1%`, `tolerance: 0.9%`}} {
		s, err := Load(write(t, strings.Replace(study, change[0], change[1], 1)))
		require.NoError(t, err)
		rep, err := Check(context.Background(), s, simulate)
		require.NoError(t, err)
		require.False(t, rep.OK(), change[1])
	}
	dir := write(t, study)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "t.csv"), []byte("name,published_cycles\nconv1,31\nconv9,20\n"), 0o644))
	s, err := Load(dir)
	require.NoError(t, err)
	rep, err := Check(context.Background(), s, simulate)
	require.NoError(t, err)
	require.False(t, rep.Rows[2].OK)
	require.Equal(t, `the run has no layer "conv9"`, rep.Rows[3].Problem)
}

// A bound holds on one side, at the bound itself too. Ours is 101, and 101/50.
func TestBounds(t *testing.T) {
	for _, c := range []struct {
		published, tolerance string
		ok                   bool
	}{
		{"101", "at most", true}, {"102", "at most", true}, {"100", "at most", false},
		{"101", "at least", true}, {"100", "at least", true}, {"102", "at least", false},
	} {
		s, err := Load(write(t, strings.Replace(study, "published: 100, unit: cycle, tolerance: 1%", "published: "+c.published+", unit: cycle, tolerance: "+c.tolerance, 1)))
		require.NoError(t, err)
		rep, err := Check(context.Background(), s, simulate)
		require.NoError(t, err)
		require.Equal(t, c.ok, rep.OK(), c)
		_, has := rep.Rows[0].Error()
		require.False(t, has, "how far a value is from a bound is no error")
	}
	_, err := Load(write(t, strings.Replace(study, `tolerance: "0", source: table 2`, "tolerance: at most, source: table 2", 1)))
	require.Error(t, err, "rows of a table are figures")
}

func TestFailedRunFailsItsRows(t *testing.T) {
	s, err := Load(write(t, study))
	require.NoError(t, err)
	rep, err := Check(context.Background(), s, func(_ context.Context, c string, set []string) (*result.Result, error) {
		if set[0] == "Core.rows=8" {
			return nil, errors.New("no such file")
		}
		return simulate(context.Background(), c, set)
	})
	require.NoError(t, err)
	require.False(t, rep.OK())
	require.Equal(t, "no such file", rep.Rows[0].Problem)
	require.True(t, rep.Rows[2].OK)
}

func TestStudyIsChecked(t *testing.T) {
	for _, c := range []struct{ from, to, want string }{
		{"label: exact", "label: roughly", `unknown label "roughly"`},
		{"run: small, metric: total_cycles, published: 100", "run: smal, metric: total_cycles, published: 100", `no run "smal"`},
		{"tolerance: 1%", "tolerance: about", `tolerance "about" is neither a number nor a percentage`},
		{", source: table 1", "", "a published number needs a source"},
		{"title: A study", "titel: A study", "titel"},
	} {
		_, err := Load(write(t, strings.Replace(study, c.from, c.to, 1)))
		require.ErrorContains(t, err, c.want)
		require.ErrorContains(t, err, "published.yaml:")
	}
	_, err := Load(t.TempDir())
	require.ErrorContains(t, err, "a study is a folder with a published.yaml")
}

// The label gives the verdict: the same error of 8 percent holds where hardware was measured and
// misses a rule that was made up. A miss needs a reason, and a tolerance fails what leaves it.
func TestRuleOfLabels(t *testing.T) {
	const because = "misses: [{run: sm*, metric: total_cycles, because: no reason is known}]\n"
	for _, c := range []struct {
		published, label, tolerance, misses string
		verdict                             string
		ok                                  bool
	}{
		{"101", "exact", "", "", Holds, true},
		{"100", "exact", "", "", Misses, false},
		{"100", "exact", "2%", "", Holds, true}, // a closed form, 1 percent
		{"99", "exact", "50%", "", Misses, false},
		{"99", "exact", "50%", because, Missed, true},
		{"99", "exact", "2%", because, Regressed, false},
		{"99", "exact", "2%, missed: true", because, Missed, true},
		{"99", "exact", "2%, missed: true", "", Misses, false},
		{"95", "reconstruction", "", because, Missed, true},
		{"97", "reconstruction", "", "", Holds, true},
		{"93", "measured", "", "", Holds, true},
		{"93", "measured", "5%", "", Regressed, false},
		{"93", "measured", "5%, missed: true", "", Holds, true},
		{"93", "measured", "9%, missed: true", "", Reached, true},
		{"91", "measured", "20%", because, Missed, true},
		{"85", "headline", "", "", Holds, true},
		{"84", "headline", "", "", Misses, false},
		{"100", "measured", "at most", because, Regressed, false},
		{"100", "measured", "at most, missed: true", because, Missed, true},
	} {
		tolerance := ""
		if c.tolerance != "" {
			tolerance = ", tolerance: " + c.tolerance
		}
		text := strings.Replace(study, "published: 100, unit: cycle, tolerance: 1%", "published: "+c.published+", unit: cycle, label: "+c.label+tolerance, 1)
		s, err := Load(write(t, text+c.misses))
		require.NoError(t, err)
		rep, err := Check(context.Background(), s, simulate)
		require.NoError(t, err)
		require.Equal(t, c.verdict, rep.Rows[0].Verdict(), "%v", c)
		require.Equal(t, c.ok, rep.OK(), "%v", c)
		require.Equal(t, c.verdict == Missed, rep.Rows[0].Because != "" && rep.Rows[0].Missed, "%v", c)
	}
}

// A bound says how far the value is on its right side.
func TestMargin(t *testing.T) {
	for _, c := range []struct {
		published, simulated float64
		tolerance            string
		margin               float64
	}{{10, 8, atMost, 20}, {10, 12, atMost, -20}, {10, 12, atLeast, 20}, {-10, -12, atMost, 20}} {
		r := Row{Published: c.published, Simulated: c.simulated, Tolerance: c.tolerance}
		m, ok := r.Margin()
		require.True(t, ok)
		require.InDelta(t, c.margin, m, 1e-12)
	}
	r := Row{Published: 10, Simulated: 8, Tolerance: "1%"}
	_, ok := r.Margin()
	require.False(t, ok)
}

func TestMissesNameRows(t *testing.T) {
	for _, c := range []struct{ misses, want string }{
		{"misses: [{run: small}]", "published.yaml:12:10: misses[0]: a miss needs its reason (because: ...)"},
		{"misses: [{because: why}]", "misses[0]: names no rows"},
	} {
		_, err := Load(write(t, study+c.misses+"\n"))
		require.ErrorContains(t, err, c.want)
	}
	s, err := Load(write(t, study+"misses: [{run: smal, because: why}]\n"))
	require.NoError(t, err)
	_, err = Check(context.Background(), s, simulate)
	require.ErrorContains(t, err, `misses[0] names no row: run "smal"`)
	for _, c := range []struct {
		pattern, text string
		ok            bool
	}{{"", "x", true}, {"a*", "ab/c", true}, {"*c", "ab/c", true}, {"a*c", "ac", true}, {"a*b*c", "a-c", false}, {"a*a", "a", false}, {"ab", "abc", false}, {"*b*", "abc", true}, {"a|b*", "bc", true}, {"a|b*", "ab", false}} {
		require.Equal(t, c.ok, glob(c.pattern, c.text), "%q %q", c.pattern, c.text)
	}
}

// Each reason for which rows of the studies miss is in the table of docs/figures.md, and studies are
// read without error.
func TestReasonsAreInTheDocs(t *testing.T) {
	page, err := os.ReadFile("../../docs/figures.md")
	require.NoError(t, err)
	const studies = "../../configs/studies"
	names, err := List(studies)
	require.NoError(t, err)
	for _, name := range names {
		s, err := Load(filepath.Join(studies, name))
		require.NoError(t, err)
		for _, m := range s.Misses {
			require.Contains(t, string(page), "| "+name+" | ", name)
			require.Contains(t, string(page), m.Because, name)
		}
	}
}
