package configs

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

const overridden = header + `params: {K: 3, cores: 4, share: 0.5, size: 32MiB, tier: far, any: null, list: [1, 2], fast: true}
presets: {mine: {kind: core, rows: 1}}
workload: {model: llama3_8b, batch: 1, dtype: int8}
workloads: [{name: net1, batch: 1}]
mapping: {layers: [{match: a, order: mnk}, {match: b}], "conv1.1": {tile: 3}}
nodes:
  - {name: Core, kind: core, count: $cores, rows: 128, sram: {ifmap: 1MiB}, tags: [a]}
  - {name: Chip, group: Die, count: 2, params: {n: 2}}
  - {name: P, preset: mine}
groups:
  Die:
    params: {n: 1}
    nodes:
      - {name: Tile, kind: core, count: $n, rows: 8}
      - {name: Sub, group: Inner}
  Inner:
    nodes: [{name: Leaf, kind: core, rows: 1}]
memory: [{tier: near, size: 1GiB}]
`

func TestOverride(t *testing.T) {
	for _, c := range []struct {
		sets []string
		path string
		want string
	}{
		{[]string{"cores=8"}, "nodes.Core.count", "8\n"},
		{[]string{"K=8"}, "params.K", "8\n"},
		{[]string{"params.cores=8"}, "nodes.Core.count", "8\n"},
		{[]string{"cores=1e1"}, "nodes.Core.count", "10\n"},
		{[]string{"cores=8", "cores=9"}, "nodes.Core.count", "9\n"},
		{[]string{"share=1"}, "params.share", "1.0\n"},
		{[]string{"size=64"}, "params.size", "\"64\"\n"},
		{[]string{"tier=true"}, "params.tier", "\"true\"\n"},
		{[]string{"any=[1,2]"}, "params.any", "- 1\n- 2\n"},
		{[]string{"list=[3]"}, "params.list", "- 3\n"},
		{[]string{"fast=false"}, "params.fast", "false\n"},
		{[]string{"size=$tier"}, "params.size", "far\n"},
		{[]string{"workload.batch=4"}, "workload.batch", "4\n"},
		{[]string{" workload.batch = 4 "}, "workload.batch", "4\n"},
		{[]string{"workload.context=2048"}, "workload.context", "2048\n"},
		{[]string{"workload.dtype={weight: int8, kv: int4}"}, "workload.dtype", "kv: int4\nweight: int8\n"},
		{[]string{"workload.batch=null"}, "workload.batch", ""},
		{[]string{"workload.file=inputs:a/b.csv"}, "workload.file", "\"inputs:a/b.csv\"\n"},
		{[]string{"workload.batch=$cores"}, "workload.batch", "4\n"},
		{[]string{"workloads.net1.batch=2"}, "workloads.net1.batch", "2\n"},
		{[]string{"memory.near.size=9GiB"}, "memory.near.size", "9GiB\n"},
		{[]string{"mapping.layers[1].order=nmk"}, "mapping.layers", "- match: a\n  order: mnk\n- match: b\n  order: nmk\n"},
		{[]string{`mapping."conv1.1".tile=4`}, "mapping", "conv1.1:\n  tile: 4\nlayers:\n  - match: a\n    order: mnk\n  - match: b\n"},
		{[]string{"simulation={seed: 7}"}, "simulation", "seed: 7\n"},
		{[]string{"workload={model: x}"}, "workload", "model: x\n"},
		{[]string{"simulation.seed=7"}, "simulation", "seed: 7\n"},
		{[]string{"Core.rows=64"}, "nodes.Core.rows", "64\n"},
		{[]string{"nodes.Core.rows=64"}, "nodes.Core.rows", "64\n"},
		{[]string{"Core.sram.ofmap=1MiB"}, "nodes.Core.sram", "ifmap: 1MiB\nofmap: 1MiB\n"},
		{[]string{"Core.policy.name=lru"}, "nodes.Core.policy", "name: lru\n"},
		{[]string{"Core.tags=[x, 'y z']"}, "nodes.Core.tags", "- x\n- y z\n"},
		{[]string{"Core.note=a: b=c"}, "", ""},
		{[]string{`Core.note="a: b=c"`}, "nodes.Core.note", "\"a: b=c\"\n"},
		{[]string{"Core[2].rows=64"}, "nodes.Core.elements", "- index: 2\n  rows: 64\n"},
		{[]string{"Core[2].rows=64", "Core[2].cols=1"}, "nodes.Core.elements", "- index: 2\n  cols: 1\n  rows: 64\n"},
		{[]string{"Core[0..3].rows=64", "Core[0,2].sram.ifmap=2MiB"}, "nodes.Core.elements", "- index: \"0..3\"\n  rows: 64\n- index: \"0,2\"\n  sram:\n    ifmap: 2MiB\n"},
		{[]string{"Chip.Tile.rows=16"}, "nodes.Chip.override", "Tile:\n  rows: 16\n"},
		{[]string{"Chip[1].Tile[0].rows=16"}, "nodes.Chip.elements", "- index: 1\n  override:\n    Tile:\n      elements:\n        - index: 0\n          rows: 16\n"},
		{[]string{"Chip.Sub.Leaf.rows=16"}, "nodes.Chip.override", "Sub:\n  override:\n    Leaf:\n      rows: 16\n"},
		{[]string{"Chip.params.n=3"}, "nodes.Chip.params", "\"n\": 3\n"},
		{[]string{"P.rows=2"}, "nodes.P.rows", "2\n"},
		{[]string{"P.rows=null"}, "nodes.P.rows", ""},
		{[]string{"presets.mine.rows=5"}, "nodes.P.rows", "5\n"},
	} {
		d, err := Parse("a.yaml", []byte(overridden), Options{Set: c.sets})
		if c.path == "" {
			require.Error(t, err, c.sets)
			continue
		}
		require.NoError(t, err, c.sets)
		require.Equal(t, c.want, string(find(d.Root, c.path).Canonical()), "%v", c.sets)
		// What was set survives in the resolved configuration, without sets.
		again, err := Parse("b.yaml", d.Resolved(), Options{})
		require.NoError(t, err, c.sets)
		require.Equal(t, string(d.Resolved()), string(again.Resolved()), "%v", c.sets)
	}
}

// An override says nothing about the loader's other loads.
func TestLoaderKeepsFiles(t *testing.T) {
	reads := 0
	l := NewLoader(Options{ReadFile: func(string) ([]byte, error) { reads++; return []byte(overridden), nil }})
	plain, err := l.Load("a.yaml")
	require.NoError(t, err)
	before := string(plain.Resolved())
	changed, err := l.Load("a.yaml", "Core.rows=1", "cores=9", "Core[0].cols=3")
	require.NoError(t, err)
	require.NotEqual(t, before, string(changed.Resolved()))
	again, err := l.Load("a.yaml")
	require.NoError(t, err)
	require.Equal(t, before, string(again.Resolved()))
	require.Equal(t, before, string(plain.Resolved()))
	require.Equal(t, 1, reads)
}

// The workers of a sweep share a loader.
func TestLoaderConcurrently(t *testing.T) {
	l := NewLoader(Options{ReadFile: func(string) ([]byte, error) { return []byte(overridden), nil }})
	var wg sync.WaitGroup
	for w := range 8 {
		wg.Go(func() {
			for i := range 20 {
				d, err := l.Load("a.yaml", fmt.Sprintf("cores=%d", 1+w), "Core[0].rows=64", "P.preset=tpu_v4_core")
				if err != nil || find(d.Root, "nodes.Core.count").Text() != fmt.Sprint(1+w) {
					t.Errorf("worker %d, load %d: %v", w, i, err)
					return
				}
				var s coreSpec
				_ = find(d.Root, "nodes.Core").Decode(&s, Beside(nodeKeys...))
			}
		})
	}
	wg.Wait()
}

func TestElement(t *testing.T) {
	v := parse(t, `
name: Core
count: 4
rows: 128
sram: {ifmap: 1MiB, filter: 1MiB}
elements:
  - {index: 0..3, cols: 7}
  - {index: 2, rows: 64, sram: {ifmap: 2MiB}}
  - {index: "1,3", rows: null}
`)
	for i, want := range []string{
		"name: Core\ncols: 7\nrows: 128\nsram:\n  filter: 1MiB\n  ifmap: 1MiB\n",
		"name: Core\ncols: 7\nsram:\n  filter: 1MiB\n  ifmap: 1MiB\n",
		"name: Core\ncols: 7\nrows: 64\nsram:\n  filter: 1MiB\n  ifmap: 2MiB\n",
		"name: Core\ncols: 7\nsram:\n  filter: 1MiB\n  ifmap: 1MiB\n",
	} {
		e, err := v.Element(i, 4)
		require.NoError(t, err)
		require.Equal(t, want, string(e.Canonical()), i)
	}
	_, err := v.Element(0, 2)
	require.ErrorContains(t, err, "3 is out of range: there are 2 elements, 0 to 1")
}

// Taking a key away from one element leaves the others, also after it was set.
func TestElementNull(t *testing.T) {
	for _, sets := range [][]string{{"Core[1].rows=null"}, {"Core[1].rows=3", "Core[1].rows=null"}} {
		d, err := Parse("a.yaml", []byte(overridden), Options{Set: sets})
		require.NoError(t, err)
		for range 2 {
			for i := range 4 {
				e, err := find(d.Root, "nodes.Core").Element(i, 4)
				require.NoError(t, err)
				require.Equal(t, i != 1, e.Get("rows").Exists(), "%v %d", sets, i)
			}
			d, err = Parse("b.yaml", d.Resolved(), Options{})
			require.NoError(t, err)
		}
	}
}

func TestIndices(t *testing.T) {
	for s, want := range map[string][]int{
		"2": {2}, "0..3": {0, 1, 2, 3}, "0..7:3": {0, 3, 6}, "1,0": {1, 0}, "0..1, 6..7": {0, 1, 6, 7}, "3..3": {3},
	} {
		got, err := Indices(s, 8)
		require.NoError(t, err, s)
		require.Equal(t, want, got, s)
		for i := range 8 {
			hit, err := selected(s, i, 8)
			require.NoError(t, err)
			in := false
			for _, j := range want {
				in = in || i == j
			}
			require.Equal(t, in, hit, "%s %d", s, i)
		}
	}
	for _, s := range []string{"", "8", "-1", "a", "3..1", "0..", "..3", "0..3:0", "2:2", "0..3:x", "1,,2", "99999999999999999999", "1.5", "+1"} {
		_, err := Indices(s, 8)
		require.Error(t, err, s)
	}
}

func TestParsePath(t *testing.T) {
	for in, want := range map[string]string{"cores": "cores", "Core[2].rows": "Core[2].rows", `a."b.c".d`: `a."b.c".d`, `"a"`: "a", "Core[0..3,5]": "Core[0..3,5]"} {
		got, err := canonicalPath(in)
		require.NoError(t, err, in)
		require.Equal(t, want, got)
	}
	for _, in := range []string{"", ".", "a.", ".a", "a..b", "a[", "a[]", "a[1", "a[1]b", `"a`, "a b", "a]b"} {
		_, err := canonicalPath(in)
		require.Error(t, err, in)
	}
}

// canonicalPath is the path of an override in its canonical form.
func canonicalPath(path string) (string, error) {
	steps, err := parsePath(path)
	if err != nil {
		return "", err
	}
	parts := make([]string, len(steps))
	for i, s := range steps {
		parts[i] = s.String()
	}
	return strings.Join(parts, "."), nil
}
