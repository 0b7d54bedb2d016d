package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/importer"
)

// TestPagesHaveTheKeysOfImporters holds the tables of docs/from-*.md against those of the importers:
// a key of the page is one of the tool, and what is carried over stands on the page. The first
// column of a page has nothing but keys in backquotes.
func TestPagesHaveTheKeysOfImporters(t *testing.T) {
	for _, e := range importer.All.Entries() {
		page := filepath.Join(repository(t), "docs", "from-"+e.Name+".md")
		src, err := os.ReadFile(page)
		require.NoError(t, err)
		known := map[string]importer.Key{}
		for _, k := range e.New.Keys {
			known[k.Name] = k
		}
		told := map[string]bool{}
		for _, m := range regexp.MustCompile("(?m)^\\| (`[^|]*) \\|").FindAllStringSubmatch(string(src), -1) {
			for _, key := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(m[1], -1) {
				told[key[1]] = true
				if _, ok := known[key[1]]; !ok {
					t.Errorf("%s: the importer has no key %s", filepath.Base(page), key[1])
				}
			}
		}
		require.NotEmpty(t, told)
		for _, k := range e.New.Keys {
			if k.Ours != "" && !told[k.Name] {
				t.Errorf("%s: %s is carried over, and the page does not say where to", filepath.Base(page), k.Name)
			}
		}
	}
}

// importing runs the command in a folder with a configuration of BookSim.
func importing(t *testing.T, args ...string) (out, errors string, code int) {
	var o, e bytes.Buffer
	code = execute(context.Background(), append([]string{"import"}, args...), &o, &e)
	return o.String(), e.String(), code
}

func TestImportCommand(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("ring", []byte("topology = anynet; network_file = net; routing_function = min; colour = 3;\n"), 0o600))
	require.NoError(t, os.WriteFile("net", []byte("router 0 node 0 router 1\nrouter 1 node 1\n"), 0o600))

	_, e, code := importing(t, "ring")
	require.Equal(t, 2, code)
	require.Contains(t, e, "ring needs --out FILE: net.net.txt is written besides the configuration")

	out, e, code := importing(t, "ring", "--out", "new/ring.yaml")
	require.Zero(t, code, e)
	require.Equal(t, "new/ring.yaml: good (2 nodes, 2 links, no workload)\n", out)
	require.Contains(t, e, "- unknown: the table of BookSim has no such key\n    ring:1: colour = 3\n")
	require.FileExists(t, "new/ring.net.net.txt")

	_, e, code = importing(t, "ring", "--out", "new/ring.yaml")
	require.Equal(t, 2, code)
	require.Contains(t, e, "is there (want another --out, or --force)")
	_, _, code = importing(t, "ring", "--out", "new/ring.yaml", "--force")
	require.Zero(t, code)

	_, e, code = importing(t, "ring", "--topology", "x")
	require.Equal(t, 2, code)
	require.Contains(t, e, "--topology has no effect on a configuration of BookSim")

	require.NoError(t, os.WriteFile("mesh", []byte("topology = mesh; routing_function = dor;\n"), 0o600))
	out, _, code = importing(t, "mesh")
	require.Zero(t, code)
	require.NoError(t, os.WriteFile("mesh.yaml", []byte(out), 0o600))
	var b bytes.Buffer
	require.Zero(t, execute(context.Background(), []string{"check", "mesh.yaml"}, &b, &b), b.String())

	_, e, code = importing(t)
	require.Equal(t, 2, code)
	require.Contains(t, e, "want FILE or DIR")
	out, _, code = importing(t, "--help")
	require.Zero(t, code)
	for _, name := range importer.All.Names() {
		require.True(t, slices.ContainsFunc(strings.Split(out, "\n"), func(l string) bool { return strings.HasPrefix(strings.TrimSpace(l), name+" ") }), name)
	}
}
