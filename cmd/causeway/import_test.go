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
	require.NoError(t, os.WriteFile("ring", []byte("topology = anynet; network_file = net; routing_function = min;\n"), 0o600))
	require.NoError(t, os.WriteFile("net", []byte("router 0 node 0 router 1\nrouter 1 node 1\n"), 0o600))

	_, e, code := importing(t, "ring")
	require.Equal(t, 2, code)
	require.Contains(t, e, "ring needs --out FILE: net.net.txt is written besides the configuration")

	out, e, code := importing(t, "ring", "--out", "new/ring.yaml")
	require.Zero(t, code, e)
	require.Equal(t, "new/ring.yaml: good (2 nodes, 2 links, no workload)\n", out)
	require.FileExists(t, "new/ring.net.net.txt")

	_, e, code = importing(t, "ring", "--out", "new/ring.yaml")
	require.Equal(t, 2, code)
	require.Contains(t, e, "is there (want another --out, or --force)")
	_, _, code = importing(t, "ring", "--out", "new/ring.yaml", "--force")
	require.Zero(t, code)

	_, e, code = importing(t, "ring", "--topology", "x")
	require.Equal(t, 2, code)
	require.Contains(t, e, "--topology has no effect on a configuration of BookSim")

	// A key that the tool does not know is an error where the tool ends with one, and first in the list
	// where the tool ignores it.
	require.NoError(t, os.WriteFile("mesh", []byte("topology = mesh; routing_function = dor;\nnum_vc = 8;\n"), 0o600))
	_, e, code = importing(t, "mesh")
	require.Equal(t, 2, code)
	require.Contains(t, e, `mesh:2: num_vc: unknown key (did you mean "num_vcs"?); BookSim ends with the error Unknown field`)
	require.NoError(t, os.WriteFile("net.yml", []byte("topology: [Ring]\nnpus_count: [4]\nbandwidth: [50]\nlatency: [500]\nendpoint_delay: 20\n"), 0o600))
	_, e, code = importing(t, "net.yml")
	require.Zero(t, code, e)
	require.True(t, strings.HasPrefix(e, "Unknown keys, which are not carried over (ASTRA-sim ignores them):\n    net.yml:5: endpoint_delay = 20 (did you mean \"endpoint-delay\"?)\n"), e)

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
