// Package importertest holds what tests of importers share: Case imports a folder of testdata,
// compares the YAML and the account with a transcript and runs it; Every finds keys of a table that
// an import ignores.
package importertest

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/importer"
	_ "github.com/causeway-sim/causeway/components/std" // the kinds of the configurations
)

var update = flag.Bool("update", false, "write the transcripts of imports")

// Case imports files of the folder testdata/name, all of it without args. The transcript is
// testdata/name.txt. The configuration has to be without fault, and its run to end.
func Case(t *testing.T, tool, name string, args ...string) *result.Result {
	t.Helper()
	want, err := filepath.Abs(filepath.Join("testdata", name+".txt"))
	require.NoError(t, err)
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(filepath.Join(dir, name), os.DirFS(filepath.Join("testdata", name))))
	t.Chdir(dir)
	if len(args) == 0 {
		args = []string{name}
	}
	in, err := importer.Open(args...)
	require.NoError(t, err)
	f, err := importer.Choose(in, "")
	require.NoError(t, err)
	e, _ := importer.All.Entry(tool)
	require.Equal(t, e.New.Title, f.Title)
	d, err := importer.Convert(f, in)
	require.NoError(t, err)
	text, err := d.Bytes()
	require.NoError(t, err)
	got := string(text)
	for _, n := range d.FileNames() {
		require.NoError(t, os.WriteFile(n, d.Files[n], 0o600))
		got += "\n-- " + n + " --\n" + string(d.Files[n])
	}
	if *update {
		require.NoError(t, os.WriteFile(want, []byte(got), 0o600))
	}
	b, err := os.ReadFile(want)
	require.NoError(t, err)
	require.Equal(t, string(b), got, "-update writes the transcript")
	x, err := experiment.Parse(filepath.Join(dir, "import.yaml"), text, experiment.Options{})
	require.NoError(t, err)
	require.NoError(t, x.Ready())
	res, _, err := x.Run(context.Background(), nil)
	require.NoError(t, err)
	return res
}

// Every sets each key of a table, and one that is in none, by itself. It has to be named: in a
// comment of the result, among what is left or always so, or in the error.
func Every(t *testing.T, f importer.Format, write func(key string) *importer.Input) {
	t.Helper()
	const stranger = "no_such_key"
	for _, k := range append([]importer.Key{{Name: stranger}}, f.Keys...) {
		name := strings.TrimSuffix(k.Name, ".*")
		if name != k.Name {
			name += ".x"
		}
		in := write(name)
		if in == nil {
			continue
		}
		d, err := importer.Convert(f, in)
		told := ""
		if err != nil {
			told = err.Error()
		} else {
			text, err := d.Bytes()
			require.NoError(t, err)
			told = string(text)
		}
		require.Contains(t, strings.ToLower(told), strings.ToLower(name), "%s: the key %s is ignored without a word", f.Title, k.Name)
		if k.Name == stranger {
			require.Regexp(t, "(?i)unknown key", told)
		}
	}
}

// Tables checks a table: a key has a way or a reason, never both, and stands there once.
func Tables(t *testing.T, f importer.Format) {
	t.Helper()
	seen := map[string]bool{}
	for _, k := range f.Keys {
		require.False(t, seen[k.Name], "%s: twice", k.Name)
		seen[k.Name] = true
		require.NotEqual(t, k.Ours == "", k.Why == "", "%s: want either Ours or Why", k.Name)
		require.True(t, k.Ours == "" || len(k.Same) == 0, "%s: Same is of keys without Ours", k.Name)
	}
}
