package validation

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/stats"
)

// Rows of a measurement with each have runs of their own, with their cells as settings,
// rows alike one; bounds of order count pairs that agree.
func TestEachRowIsARun(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "rows.csv"), []byte("name,alg,n,us,low,high\na,x,1,2,1,3\nb,y,1,3,3.5,4\nc,x,2,9,8,9\nd,y,2,8,7,8.5\ne,x,1,2,1,2\n"), 0o644))
	published := `title: t
citation: c
label: measured
runs: {one: {config: run.yaml, set: [k=1]}}
measurements:
  - {name: m, run: one, file: rows.csv, key: [name], value: us, scale: 1000, each: ["n=${n}", "alg=${alg}"], metric: Ranks.time, source: s,
     bounds: [{p85: 100, order: {agree: [n], all: 80, apart: 100, low: low, high: high}}]}
`
	require.NoError(t, os.WriteFile(filepath.Join(dir, "published.yaml"), []byte(published), 0o644))
	s, err := Load(dir)
	require.NoError(t, err)
	times := map[string]float64{"n=1 alg=x": 2000, "n=1 alg=y": 4000, "n=2 alg=x": 9000, "n=2 alg=y": 10000}
	runs := 0
	run := func(_ context.Context, _ string, set []string) (*result.Result, error) {
		require.Len(t, set, 3, "the run's own settings first: %v", set)
		require.Equal(t, "k=1", set[0])
		runs++
		return &result.Result{Status: result.Complete, Metrics: []stats.Metric{{Phase: "all", Where: "Ranks", Name: "time", Value: times[set[1]+" "+set[2]]}}}, nil
	}
	rep, err := Check(context.Background(), s, run)
	require.NoError(t, err)
	require.Equal(t, 4, runs, "rows a and e are alike, and the template itself is not run")
	require.Len(t, rep.Rows, 3)
	require.InDelta(t, 33.333, rep.Rows[0].Simulated, .01, "the 85th of 0, 0, 0, 25, 33 percent")
	require.Equal(t, 75., rep.Rows[1].Simulated, "of a b, a e, b e, c d all but the last are in order (a and e were equal)")
	require.False(t, rep.Rows[1].OK)
	require.Equal(t, 100., rep.Rows[2].Simulated, "c and d overlap")
	require.Len(t, rep.Measured, 5, "in the order of the file")
	require.Equal(t, Measured{Study: s.Name, Measurement: "m", Row: "d", Set: "other", Measured: 8000, Simulated: 10000, Found: true}, rep.Measured[3])
	require.Equal(t, 25., rep.Measured[3].Error())

	s.Measurements[0].Bounds[0].Order.Missed = true
	s.Misses = []Miss{{Metric: "m: *", Because: "it is so"}}
	rep, err = Check(context.Background(), s, run)
	require.NoError(t, err)
	require.Equal(t, []string{"ok", "missed", "reached"}, []string{rep.Rows[0].Verdict(), rep.Rows[1].Verdict(), rep.Rows[2].Verdict()})
	require.Equal(t, 75., rep.Rows[1].Simulated)
	require.True(t, rep.OK())
}

// Jobs runs are under way at a time, of those that a study names and of those of its rows,
// and the report is that of one after the other.
func TestRunsInParallel(t *testing.T) {
	dir := write(t, strings.Replace(study, "tables:\n", `measurements:
  - {name: m, run: row, file: rows.csv, key: [name], value: us, scale: 1000, each: ["Core.rows=${n}"], metric: total_cycles, source: s, bounds: [{p85: 100}]}
tables:
`, 1))
	published := filepath.Join(dir, "published.yaml")
	text, err := os.ReadFile(published)
	require.NoError(t, err)
	text = bytes.Replace(text, []byte("points:\n"), []byte("  row: {config: a.yaml, set: [k=1]}\npoints:\n"), 1)
	require.NoError(t, os.WriteFile(published, text, 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "rows.csv"), []byte("name,us,n\na,2,1\nb,3,2\nc,4,3\nd,5,4\n"), 0o644))
	s, err := Load(dir)
	require.NoError(t, err)
	want, err := Check(t.Context(), s, simulate)
	require.NoError(t, err)

	s.Jobs = 2
	meet := make(chan struct{}) // a run waits for another: six runs end in pairs
	got, err := Check(t.Context(), s, func(ctx context.Context, c string, set []string) (*result.Result, error) {
		select {
		case meet <- struct{}{}:
		case <-meet:
		}
		return simulate(ctx, c, set)
	})
	require.NoError(t, err)
	require.Equal(t, want, got)
}
