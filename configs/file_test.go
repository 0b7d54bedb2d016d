package configs

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func write(t *testing.T, path, text string) {
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
}

// Names are relative to the file that says them, in whichever order files come
// together.
func TestResolveFile(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for _, f := range []string{"main/a.csv", "base/b.csv", "here.csv", "in/x/y.csv", "main/p.csv", "abs.csv"} {
		write(t, f, "x")
	}
	write(t, "base/base.yaml", header+"params: {p: p.csv}\nworkload: {file: b.csv, other: {file: b.csv}}\n")
	write(t, "main/main.yaml", header+"extends: ../base/base.yaml\nmapping: {file: a.csv, table: a.csv, many: \"t/%d.csv\", in: \"inputs:x/y.csv\", up: \"inputs:../here.csv\", gone: b.cvs, dir: ., n: 3}\n")
	d, err := Load("main/main.yaml", Options{Inputs: "in", Set: []string{"workload.file=here.csv"}})
	require.NoError(t, err)
	for path, want := range map[string]string{
		"mapping.file":        "main/a.csv",
		"mapping.table":       "main/a.csv",
		"mapping.many":        "main/t/%d.csv",
		"mapping.in":          "in/x/y.csv",
		"workload.file":       "here.csv",
		"workload.other.file": "base/b.csv",
	} {
		got, err := d.ResolveFile(find(d.Root, path))
		require.NoError(t, err, path)
		require.Equal(t, want, filepath.ToSlash(got), path)
	}
	for path, want := range map[string]string{
		"mapping.up":   `main/main.yaml:3:82: mapping.up: "inputs:../here.csv" leaves the directory of inputs`,
		"mapping.gone": `main/main.yaml:3:110: mapping.gone: no file "b.cvs": there is no main/b.cvs (did you mean "a.csv"?)`,
		"mapping.dir":  `main/main.yaml:3:122: mapping.dir: "." is a directory`,
		"mapping.n":    `main/main.yaml:3:128: mapping.n: 3 is not text`,
	} {
		_, err := d.ResolveFile(find(d.Root, path))
		require.EqualError(t, err, want, path)
	}
	_, err = d.ResolveFile(find(d.Root, "workload.none"))
	require.EqualError(t, err, "base/base.yaml:3:11: workload.none: is missing (want text)")

	// The resolved configuration stands for itself, where the main file lay.
	require.Contains(t, string(d.Resolved()), "file: \"../here.csv\"")
	require.Contains(t, string(d.Resolved()), "file: \"../base/b.csv\"")
	again, err := Parse("elsewhere/resolved.yaml", d.Resolved(), Options{Inputs: "in", Dir: "main"})
	require.NoError(t, err)
	for _, path := range []string{"mapping.file", "mapping.in", "workload.file", "workload.other.file"} {
		a, err := d.ResolveFile(find(d.Root, path))
		require.NoError(t, err)
		b, err := again.ResolveFile(find(again.Root, path))
		require.NoError(t, err)
		require.Equal(t, filepath.Clean(a), filepath.Clean(b), path)
	}
}

func TestInputsVariable(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "x.csv"), "x")
	d, err := Parse("a.yaml", []byte(header+"workload: {file: \"inputs:x.csv\"}\n"), Options{})
	require.NoError(t, err)
	t.Setenv("CAUSEWAY_INPUTS", "")
	_, err = d.ResolveFile(find(d.Root, "workload.file"))
	require.EqualError(t, err, `a.yaml:2:18: workload.file: "inputs:x.csv" needs the environment variable CAUSEWAY_INPUTS`)
	require.ErrorIs(t, err, ErrNoInputs)
	t.Setenv("CAUSEWAY_INPUTS", dir)
	got, err := d.ResolveFile(find(d.Root, "workload.file"))
	require.NoError(t, err)
	require.Equal(t, filepath.Join(dir, "x.csv"), got)
}

// Only --inputs and CAUSEWAY_INPUTS name the folder, the first before the second;
// a folder that happens to lie beside the working directory does not count.
func TestInputsDir(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "shared/inputs/x.csv"), "x")
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "main"), 0o755))
	t.Chdir(filepath.Join(dir, "main"))
	t.Setenv("CAUSEWAY_INPUTS", "")
	require.Empty(t, InputsDir(""))
	t.Setenv("CAUSEWAY_INPUTS", "there")
	require.Equal(t, "there", InputsDir(""))
	require.Equal(t, "given", InputsDir("given"))
}

// A parameter set on the command line is relative to the working directory.
func TestParameterFile(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "x.csv", "x")
	write(t, "sub/d.csv", "x")
	src := header + "params: {trace: d.csv}\nworkload: {trace: $trace}\n"
	for set, want := range map[string]string{"": "sub/d.csv", "trace=x.csv": "x.csv"} {
		var sets []string
		if set != "" {
			sets = []string{set}
		}
		d, err := Parse("sub/a.yaml", []byte(src), Options{Set: sets})
		require.NoError(t, err)
		got, err := d.ResolveFile(find(d.Root, "workload.trace"))
		require.NoError(t, err)
		require.Equal(t, want, filepath.ToSlash(got))
	}
}

// Sweeps and studies mean their own folder.
func TestSetDir(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "study/x.csv", "x")
	d, err := Parse("main/a.yaml", []byte(header), Options{SetDir: "study", Set: []string{"workload.file=x.csv"}})
	require.NoError(t, err)
	got, err := d.ResolveFile(find(d.Root, "workload.file"))
	require.NoError(t, err)
	require.Equal(t, "study/x.csv", filepath.ToSlash(got))
	require.Contains(t, string(d.Resolved()), `file: "../study/x.csv"`)
}

// A preset may be a file beside the configuration.
func TestPresetFile(t *testing.T) {
	o := disk(map[string]string{
		"d/a.yaml":       header + "nodes:\n  - {name: X, kind: core, preset: hw/p.yaml, cols: 2}\n",
		"d/hw/p.yaml":    "kind: core\nrows: many\npreset: ./base.yaml\n",
		"d/hw/base.yaml": "lanes: 3\n",
	})
	d, err := Load("d/a.yaml", o)
	require.NoError(t, err)
	require.Equal(t, []string{"d/a.yaml", "d/hw/p.yaml", "d/hw/base.yaml"}, d.Files)
	require.Equal(t, "3", find(d.Root, "nodes.X.lanes").Text())
	require.EqualError(t, decodeAll(d), `d/hw/p.yaml:2:7: nodes.X.rows: "many" is not a whole number`)
}

// A missing file is named as its author wrote it, with the place where it was looked
// for: --set speaks of the working directory, a file of its own folder.
func TestMissingFileAsGiven(t *testing.T) {
	src := "schema: causeway/1\nworkload: {file: nets/a.csv}\n"
	d, err := Parse(filepath.Join("configs", "deep", "main.yaml"), []byte(src), Options{})
	require.NoError(t, err)
	_, err = d.ResolveFile(d.Root.Get("workload").Get("file"))
	require.EqualError(t, err, `configs/deep/main.yaml:2:18: workload.file: no file "nets/a.csv": there is no configs/deep/nets/a.csv`)
	d, err = Parse(filepath.Join("configs", "deep", "main.yaml"), []byte(src), Options{Set: []string{"workload.file=nosuch.csv"}})
	require.NoError(t, err)
	_, err = d.ResolveFile(d.Root.Get("workload").Get("file"))
	require.EqualError(t, err, `--set:1: workload.file: no file "nosuch.csv" in the working directory`)
}
