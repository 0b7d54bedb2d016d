package validation

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/stats"
)

// Rows are counted after where and before every. Settings of empty cells are left out. Two measurements of the same
// rows share their runs. Equal rows of the whole file give its own spread. Pairs whose times differ by less
// than the margin need no order.
func TestEveryRowOfATableWithEmptyCells(t *testing.T) {
	dir := t.TempDir()
	table := "name,n,m,us,tokens\nx,,1,1,1\na,1,,2,20\nb,1,,3,30\nc,2,7,4,40\nd,2,8,4.2,50\ne,3,,9,60\nf,2,7,6,60\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "rows.csv"), []byte(table), 0o644))
	published := `title: t
citation: c
label: measured
runs: {one: {config: run.yaml}}
measurements:
  - {name: time, run: one, file: rows.csv, key: [name], value: us, only: {every: 2, where: {n: 1..}}, each: ["n=${n}", "m=${m}"], metric: Ranks.time, source: s, repeated: true,
     bounds: [{rows: all, median: 1, order: {agree: [], apart: 50, margin: 10}}]}
  - {name: tokens, run: one, file: rows.csv, key: [name], value: tokens, only: {every: 2, where: {n: 1..}}, each: ["n=${n}", "m=${m}"], metric: Ranks.tokens, source: s,
     bounds: [{rows: all, median: 1}]}
`
	require.NoError(t, os.WriteFile(filepath.Join(dir, "published.yaml"), []byte(published), 0o644))
	s, err := Load(dir)
	require.NoError(t, err)
	var sets [][]string
	run := func(_ context.Context, _ string, set []string) (*result.Result, error) {
		sets = append(sets, set)
		metric := func(name string, v float64) stats.Metric {
			return stats.Metric{Phase: "all", Where: "Ranks", Name: name, Value: v}
		}
		return &result.Result{Status: result.Complete, Metrics: []stats.Metric{metric("time", float64(10-len(sets))), metric("tokens", 20)}}, nil
	}
	rep, err := Check(context.Background(), s, run)
	require.NoError(t, err)
	require.Equal(t, [][]string{{"n=1"}, {"n=2", "m=7"}, {"n=3"}}, sets, "rows a, c and e, once for both measurements")
	require.Len(t, rep.Measured, 6)
	floor := rep.Summaries[len(rep.Summaries)-3] // after those of the rows and of all rows
	require.Equal(t, "equal rows of the file", floor.Rows)
	require.Equal(t, 2, floor.N, "a and b, c and f")
	require.InDelta(t, 50, floor.Error.Max, 1e-9)
	for _, r := range rep.Rows {
		if r.Metric == "time: pairs that do not overlap in order of all rows" {
			require.Zero(t, r.Simulated, "9, 8, 7 of 2, 4, 9")
		}
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "published.yaml"), []byte(strings.Replace(published, "each: [\"n=${n}\", \"m=${m}\"], metric: Ranks.time", "metric: time", 1)), 0o644))
	_, err = Load(dir)
	require.ErrorContains(t, err, "repeated: has no effect without each")
}
