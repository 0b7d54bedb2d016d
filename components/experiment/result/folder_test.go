package result_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/stats"
)

// A result removes the files that the run before it has written, and no other file of the
// folder.
func TestWriteDirLeavesFilesOfOthers(t *testing.T) {
	dir := t.TempDir()
	others := []string{"my.trace", "old.commands", "timeseries.csv", "levels.csv", "report.svg"}
	for _, name := range others {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("mine"), 0o600))
	}
	there := func(name string) bool {
		_, err := os.Stat(filepath.Join(dir, name))
		return err == nil
	}
	table := &stats.Table{Columns: []stats.Column{{Name: "a"}}}
	first := &result.Result{Layers: table, Channels: table}
	require.NoError(t, first.WriteDir(dir, result.Process{}, result.File{Name: "report.html", Data: []byte("x")}))
	for _, name := range append(others, "layers.csv", "channels.csv", "report.html", "run.json", "result.json") {
		require.True(t, there(name), name)
	}
	require.Equal(t, []string{"channels.csv", "layers.csv", "metrics.csv", "report.html", "result.json", "run.json"}, result.WrittenFiles(dir))
	require.NoError(t, (&result.Result{}).WriteDir(dir, result.Process{}, result.File{Name: "report.html"}))
	for _, name := range others {
		require.True(t, there(name), name)
	}
	for _, name := range []string{"layers.csv", "channels.csv", "report.html"} {
		require.False(t, there(name), name)
	}
}
