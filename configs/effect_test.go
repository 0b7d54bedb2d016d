package configs

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

// A preset all of whose keys the node says itself is a slip, unless another file
// or --set overrides what an inherited preset gives.
func TestPresetWithoutEffect(t *testing.T) {
	files := fstest.MapFS{
		"own.yaml":   {Data: []byte("schema: causeway/1\nnodes:\n  - {name: M, kind: memory, clock: 1GHz, size: 1GiB}\n")},
		"named.yaml": {Data: []byte("schema: causeway/1\nnodes:\n  - {name: M, kind: memory, preset: mem}\n")},
		"all.yaml":   {Data: []byte("schema: causeway/1\nnodes:\n  - {name: M, kind: memory, preset: mem, clock: 1GHz, size: 1GiB}\n")},
		"child.yaml": {Data: []byte("schema: causeway/1\nextends: named.yaml\nnodes:\n  - {name: M, clock: 1GHz, size: 1GiB}\n")},
		"adds.yaml":  {Data: []byte("schema: causeway/1\nextends: own.yaml\nnodes:\n  - {name: M, preset: mem}\n")},
		"nested.yaml": {Data: []byte("schema: causeway/1\nnodes:\n  - {name: N, kind: network, router: {preset: r, depth: 8}}\n" +
			"presets: {r: {for: router, depth: 4}}\n")},
		"part.yaml": {Data: []byte("schema: causeway/1\nnodes:\n  - {name: N, kind: network, router: {preset: r, depth: {a: 8}}}\n" +
			"presets: {r: {for: router, depth: {a: 4, b: 2}}}\n")},
		"group.yaml": {Data: []byte("schema: causeway/1\ngroups: {G: {nodes: [{name: M, kind: memory, preset: mem}]}}\n" +
			"nodes:\n  - {name: A, group: G, override: {M: {clock: 1GHz, size: 1GiB}}}\n  - {name: B, group: G}\n")},
	}
	presets := fstest.MapFS{"mem.yaml": {Data: []byte("kind: memory\nclock: 2GHz\nsize: 2GiB\n")}}
	for _, c := range []struct {
		file, want string
		set        []string
	}{
		{"own.yaml", "", nil},
		{"own.yaml", `--set:1: nodes.M.preset: preset "mem" has no effect: the node itself sets all that it would (kind, clock, size)`, []string{"M.preset=mem"}},
		{"named.yaml", "", nil},
		{"named.yaml", "", []string{"M.clock=1GHz", "M.size=1GiB"}},
		{"all.yaml", `all.yaml:3:37: nodes.M.preset: preset "mem" has no effect: the node itself sets all that it would (kind, clock, size)`, nil},
		{"child.yaml", "", nil},
		{"adds.yaml", `adds.yaml:4:23: nodes.M.preset: preset "mem" has no effect: the node itself sets all that it would (kind, clock, size)`, nil},
		{"nested.yaml", `nested.yaml:3:47: nodes.N.router.preset: preset "r" has no effect: the node itself sets all that it would (depth)`, nil},
		{"part.yaml", "", nil},
		{"group.yaml", "", nil},
	} {
		d, err := Load(c.file, Options{ReadFile: files.ReadFile, Presets: presets, Set: c.set})
		if err == nil && c.file == "group.yaml" {
			for _, n := range d.Root.Get("nodes").Items() {
				_, err = d.Instantiate(n)
				require.NoError(t, err)
			}
		}
		if c.want == "" {
			require.NoError(t, err, c.file)
			continue
		}
		require.EqualError(t, err, c.want, "%s %v", c.file, c.set)
	}
}
