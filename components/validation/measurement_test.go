package validation

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/stats"
)

const timed = `title: A chip
citation: "Somebody, somewhere, 2020"
label: measured
runs:
  chip: {config: chip.yaml}
  plain: {config: plain.yaml}
measurements:
  - name: gemm
    run: chip
    baseline: plain
    file: t.csv
    key: [op, m]
    value: us
    scale: 1000
    only: {where: {card: a}}
    fitted: {every: 2}
    source: table 3
    bounds: [{mean: 15}, {rows: all, where: {m: 2..3}, mean: 15.1, max: 21}, {rows: all, sum: m, max: 5}]
fitted:
  - {file: machines/chip.fitted.yaml, path: [Chip.launch.gemm, launch], on: [gemm]}
`

// rows of card a: m 1, 2, 3, 4 take 10, 10, 20, 40 us; those with an even index are fitted on.
const timedRows = "card,op,m,us\na,g,1,10\nb,g,9,5\na,g,2,10\na,g,3,20\na,g,4,40\na,h,4,10\n"

func writeTimed(t *testing.T, published string) string {
	dir := filepath.Join(t.TempDir(), "chip")
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "machines"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "published.yaml"), []byte(published), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "t.csv"), []byte(timedRows), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "machines", "chip.fitted.yaml"), []byte("schema: causeway/1\nparams: {launch: 3us}\nnodes: [{name: Chip, launch: {gemm: 2us}}]\n"), 0o644))
	return dir
}

// simulateTimes is 10 percent over for the chip but for m 3 (-20) and h (-30), and
// twice the time for the plain model.
func simulateTimes(_ context.Context, config string, _ []string) (*result.Result, error) {
	r := &result.Result{Status: result.Complete}
	for name, us := range map[string]float64{"g/1": 11, "g/2": 11, "g/3": 16, "g/4": 44, "h/4": 7} {
		if strings.Contains(config, "plain") {
			us = map[string]float64{"g/1": 20, "g/2": 20, "g/3": 40, "g/4": 80, "h/4": 20}[name]
		}
		r.Metrics = append(r.Metrics, stats.Metric{Phase: "layer:" + name, Where: "Chip", Name: "time", Unit: stats.NS, Value: 1000 * us})
	}
	return r, nil
}

func TestErrorsOfMeasurements(t *testing.T) {
	s, err := Load(writeTimed(t, timed))
	require.NoError(t, err)
	rep, err := Check(context.Background(), s, simulateTimes)
	require.NoError(t, err)
	var lines []string
	for _, s := range rep.Summaries {
		lines = append(lines, fmt.Sprintf("%s: %d, %.1f %.1f %.1f %.1f; %.0f", s.Rows, s.N, s.Error.Mean, s.Error.Median, s.Error.P90, s.Error.Max, s.Baseline.Mean))
	}
	require.Equal(t, []string{
		"fitted rows: 3, 20.0 20.0 30.0 30.0; 100", // m 1, m 3 and h
		"other rows: 2, 10.0 10.0 10.0 10.0; 100",
		"all rows with m 2..3: 2, 15.0 10.0 20.0 20.0; 100",
		"all rows, sum by m: 4, 10.5 10.0 20.0 20.0; 100", // m 4: 51 of 50
	}, lines)
	var verdicts []string
	for _, r := range rep.Rows {
		verdicts = append(verdicts, fmt.Sprintf("%s %t", r.Metric, r.OK))
	}
	require.Equal(t, []string{
		"gemm: mean error of other rows true",
		"gemm: mean error of all rows with m 2..3 false", "gemm: greatest error of all rows with m 2..3 true",
		"gemm: greatest error of all rows, sum by m false",
	}, verdicts)
	require.False(t, rep.OK())
}

// A mean and a median are judged by the rule of the label, the other statistics by their own bound.
// A bound that the study marks as missed fails nothing, and one that holds after all says so.
func TestMissedBounds(t *testing.T) {
	check := func(bounds string) *Report {
		text := strings.Replace(timed, "bounds: [{mean: 15}, {rows: all, where: {m: 2..3}, mean: 15.1, max: 21}, {rows: all, sum: m, max: 5}]", "bounds: ["+bounds+"]", 1)
		s, err := Load(writeTimed(t, text+"misses: [{metric: 'gemm: *', because: it is so}]\n"))
		require.NoError(t, err)
		rep, err := Check(context.Background(), s, simulateTimes)
		require.NoError(t, err)
		return rep
	}
	// The errors of all rows are 10, 10, 10, 20 and 30 percent; the rule is 10.
	for _, c := range []struct {
		bound, verdict string
		value          float64
	}{
		{"mean: 17", Missed, 16},
		{"mean: 15", Regressed, 16},
		{"mean: 15, missed: true", Missed, 16},
		{"mean: 17, missed: true", Missed, 16},
		{"median: 11", Holds, 10},
		{"median: 9", Regressed, 10},
		{"median: 9, missed: true", Holds, 10},
		{"median: 11, missed: true", Reached, 10},
		{"p85: 31", Holds, 30},
		{"p85: 29", Regressed, 30},
		{"p90: 29, missed: true", Missed, 30},
		{"max: 31, missed: true", Reached, 30},
	} {
		rep := check("{rows: all, " + c.bound + "}")
		require.Len(t, rep.Rows, 1, c.bound)
		r := rep.Rows[0]
		require.InDelta(t, c.value, r.Simulated, 1e-9, c.bound)
		require.Equal(t, c.verdict, r.Verdict(), c.bound)
		require.Equal(t, c.verdict != Regressed, rep.OK(), c.bound)
	}
	rep := check("{rows: all, median: 11, p85: 10, missed: true}")
	require.Equal(t, Reached, rep.Rows[0].Verdict(), "each statistic by itself")
	require.Equal(t, Missed, rep.Rows[1].Verdict())
	require.Equal(t, 3, rep.Summaries[len(rep.Summaries)-1].Within, "of five, 10 percent included")
}

// A value that is fitted and not declared, or declared and not there, is an error.
func TestFittedValuesAreDeclared(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"path: [Chip.launch.gemm, launch]", "path: [launch]", "chip.fitted.yaml:3:37: nodes.Chip.launch.gemm: Chip.launch.gemm is a fitted value that published.yaml does not declare"},
		{"path: [Chip.launch.gemm, launch]", "path: [Chip.launch.gemm, launch, Chip.clock]", "machines/chip.fitted.yaml holds no value Chip.clock (want one of: launch, Chip.launch.gemm"},
		{"on: [gemm]", "on: [gem]", `no measurement "gem" (want gemm)`},
		{"on: [gemm]", "on: []", "fitted on nothing"},
		{"fitted: {every: 2}", "carried: true", `measurement "gemm" does not say which rows are fitted on`},
		{"machines/chip.fitted", "machines/chop.fitted", `no file "machines/chop.fitted.yaml" of fitted values`},
		{"fitted: {every: 2}", "fitted: {every: 1}", "every is 1 (want 2 or more"},
		{"{mean: 15}, ", "{rows: some, mean: 15}, ", `unknown set of rows "some" (want one of: all, fitted, other, carried)`},
		{"{mean: 15}, ", "{rows: all}, ", "bounds nothing (want one of: mean, median, p85, p90, max, order)"},
		{"{mean: 15}, ", "{missed: true}, ", "bounds nothing"},
		{"{mean: 15}, ", "{missed: true, order: {agree: [m], all: 80}}, ", "published.yaml:18:23: measurements.gemm.bounds[0].missed: has no effect without mean, median, p85, p90 or max"},
		{"{mean: 15}, ", "{missed: 9}, ", "published.yaml:18:23: measurements.gemm.bounds[0].missed: 9 is not true or false"},
	} {
		_, err := Load(writeTimed(t, strings.Replace(timed, c.old, c.new, 1)))
		require.ErrorContains(t, err, c.want, c.new)
	}
}

func TestWordsAndRanges(t *testing.T) {
	for _, c := range []struct {
		cell, want string
		ok         bool
	}{
		{"256", "256..512", true}, {"512", "256..512", true}, {"513", "256..512", false}, {"x", "..5", false}, {"-7", "..5", true},
		{"300", "257..", true}, {"256", "257..", false}, {"llama tp1 up", "tp1|tp4", true}, {"llama tp11", "tp1|tp4", false}, {"a b", "a b", true},
	} {
		require.Equal(t, c.ok, matches(c.cell, c.want), "%s in %s", c.cell, c.want)
	}
}
