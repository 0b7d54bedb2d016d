package folder

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/experiment/watch"
	"github.com/causeway-sim/causeway/components/stats"
)

func write(t *testing.T, path, text string) {
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
}

// What a run writes is read back: tables, process, and what was seen.
func TestRun(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a")
	layers := &stats.Table{Columns: []stats.Column{{Name: "layer"}, {Name: "cycles", Unit: stats.Cycle}}, Rows: [][]any{{"conv1", uint64(7)}}}
	r := &result.Result{Schema: result.Schema, Status: result.Complete, Identity: "x", Layers: layers, Config: []byte("nodes: []\n")}
	seen := watch.Observed{Series: &watch.JSONTable{Columns: []string{"time"}, Units: []stats.Unit{stats.NS}, Rows: [][]any{{10.0}}}}
	b, err := seen.JSON()
	require.NoError(t, err)
	require.NoError(t, r.WriteDir(dir, result.Process{Host: "here"}, result.File{Name: ObservedName, Data: b}))
	x, err := Run(dir)
	require.NoError(t, err)
	require.Equal(t, "a", x.Name)
	require.Equal(t, "here", x.Process.Host)
	require.Equal(t, [][]any{{"conv1", 7.0}}, x.Layers.Rows)
	require.Equal(t, 10.0, x.Observed.Series.Number(0, 0))

	write(t, filepath.Join(dir, ObservedName), "{")
	_, err = Run(dir)
	require.ErrorContains(t, err, ObservedName)
	_, err = Run(t.TempDir())
	require.ErrorContains(t, err, "is no folder of a run")
	swept := t.TempDir()
	write(t, filepath.Join(swept, "sweep.csv"), "point\n0\n")
	_, err = Run(swept)
	require.ErrorContains(t, err, "is the folder of a sweep, not of a run")
}

// Every table of a result is read back: what is not is missing in the report of the folder.
func TestEveryTableIsRead(t *testing.T) {
	r := &result.Result{Schema: result.Schema, Status: result.Complete, Identity: "x", Config: []byte("nodes: []\n")}
	var tables []string
	for i, v := 0, reflect.ValueOf(r).Elem(); i < v.NumField(); i++ {
		if !v.Type().Field(i).IsExported() {
			continue
		}
		if p, ok := v.Field(i).Addr().Interface().(**stats.Table); ok {
			name := v.Type().Field(i).Name
			*p = &stats.Table{Columns: []stats.Column{{Name: name}}, Rows: [][]any{{name}}}
			tables = append(tables, name)
		}
	}
	require.Contains(t, tables, "Requests")
	dir := t.TempDir()
	require.NoError(t, r.WriteDir(dir, result.Process{}))
	x, err := Run(dir)
	require.NoError(t, err)
	for _, name := range tables {
		got := reflect.ValueOf(x.Result).Elem().FieldByName(name).Interface().(*stats.Table)
		require.NotNil(t, got, name)
		require.Equal(t, [][]any{{name}}, got.Rows, name)
	}
}

func TestSweep(t *testing.T) {
	dir := t.TempDir()
	_, err := Sweep(dir)
	require.ErrorContains(t, err, "it has no sweep.csv")
	write(t, filepath.Join(dir, "sweep.csv"), "point,set:rows,time\n0,8,5\n1,16,3\n")
	s, err := Sweep(dir)
	require.NoError(t, err)
	require.Nil(t, s.Pareto)
	require.Nil(t, s.Command)
	require.Equal(t, "rows (2 values)", s.Axes())
	write(t, filepath.Join(dir, "pareto.csv"), "point,set:rows,time\n1,16,3\n")
	write(t, filepath.Join(dir, "command.json"), `{"schema": "causeway-command/1", "file": "/x/s.yaml", "set": ["a=1"], "axes": ["b=2,3"]}`)
	s, err = Sweep(dir)
	require.NoError(t, err)
	require.Len(t, s.Pareto.Rows, 1)
	require.Equal(t, []string{"causeway", "sweep", "/x/s.yaml", "--set", "a=1", "--axis", "b=2,3"}, s.Command)
}

// Runs and sweeps are found once each, by the order of their names; what is below them, and
// links beside them, are not looked at.
func TestFind(t *testing.T) {
	dir := t.TempDir()
	for _, n := range []string{"run.10", "run.2", "deep/er/x"} {
		write(t, filepath.Join(dir, n, "result.json"), "{}")
	}
	write(t, filepath.Join(dir, "s", "sweep.csv"), "point\n")
	write(t, filepath.Join(dir, "s", "points", "result.json"), "{}")
	require.NoError(t, os.Symlink("run.10", filepath.Join(dir, "run")))
	f, err := Find(dir)
	require.NoError(t, err)
	require.Equal(t, []string{filepath.Join(dir, "deep/er/x"), filepath.Join(dir, "run.2"), filepath.Join(dir, "run.10")}, f.Runs)
	require.Equal(t, []string{filepath.Join(dir, "s")}, f.Sweeps)
}
