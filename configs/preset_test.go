package configs

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/configs/presets"
)

// Every built-in preset loads, says what it is and where it is from, and fills
// in a node of its kind.
func TestBuiltinPresets(t *testing.T) {
	list := Presets()
	require.Greater(t, len(list), 5)
	for _, p := range list {
		if p.Kind == "" {
			d, err := Parse("s.yaml", []byte("schema: causeway/1\nextends: preset:"+p.Name+"\n"), Options{})
			require.NoError(t, err, p.Name)
			require.NotEmpty(t, d.Root.Get("nodes").Items(), p.Name)
			continue
		}
		require.NotEmpty(t, p.Doc, p.Name)
		require.NotEmpty(t, p.Source, p.Name)
		text, err := presets.FS.ReadFile(p.Name + ".yaml")
		require.NoError(t, err)
		node := "{name: X, kind: " + p.Kind + ", preset: " + p.Name + "}"
		part := strings.HasPrefix(string(text), "for: ")
		if part {
			node = "{name: X, kind: network, " + p.Kind + ": {name: X, kind: x, preset: " + p.Name + "}}"
		}
		d, err := Parse("s.yaml", []byte("schema: causeway/1\nnodes:\n  - "+node+"\n"), Options{})
		require.NoError(t, err, p.Name)
		x := d.Root.Get("nodes").Items()[0]
		if part {
			x = x.Get(p.Kind)
		}
		require.Greater(t, len(x.Keys()), 2, p.Name)
		for _, gone := range []string{"preset", "doc", "source", "fidelities"} {
			require.False(t, x.Get(gone).Exists(), "%s.%s", p.Name, gone)
		}
		own := slices.DeleteFunc(x.Keys(), func(k string) bool { return k == "name" || k == "kind" })
		// One that builds on another preset has keys of that one too.
		require.True(t, slices.ContainsFunc(own, func(k string) bool { return x.Get(k).Pos().File == "preset:"+p.Name }), p.Name)
	}
}

func presetOptions() Options {
	return Options{Presets: fstest.MapFS{
		"base.yaml": {Data: []byte("kind: a\nclock: 1GHz\ndma: {burst: 4KiB, outstanding: 8}\n")},
		"fast.yaml": {Data: []byte("kind: a\npreset: base\nclock: 2GHz\n")},
		"loop.yaml": {Data: []byte("kind: a\npreset: pool\n")},
		"pool.yaml": {Data: []byte("kind: a\npreset: loop\n")},
		"mem.yaml":  {Data: []byte("kind: m\nsize: 1GiB\nfidelity: ideal\nfidelities: {ideal: {latency: 5ns}, bank: {banks: 4}}\n")},
		"open.yaml": {Data: []byte("kind: a\nclock: $clk\n")},
		"sys.yaml":  {Data: []byte("schema: causeway/1\nparams: {n: 2}\nnodes:\n  - {name: A, kind: a, count: $n}\n")},
	}}
}

func TestPresetFillsNode(t *testing.T) {
	for _, c := range []struct{ name, node, want string }{
		{"keys of the node win", "{name: X, kind: a, preset: base, clock: 3GHz}",
			"name: X\nkind: a\nclock: 3GHz\ndma:\n  burst: 4KiB\n  outstanding: 8\n"},
		{"mappings merge", "{name: X, preset: base, dma: {burst: 1KiB}}",
			"name: X\nkind: a\nclock: 1GHz\ndma:\n  burst: 1KiB\n  outstanding: 8\n"},
		{"a preset of a preset", "{name: X, preset: fast, dma: null}",
			"name: X\nkind: a\nclock: 2GHz\n"},
		{"own fidelity", "{name: X, preset: mem}",
			"name: X\nkind: m\nfidelity: ideal\nlatency: 5ns\nsize: 1GiB\n"},
		{"the node's fidelity", "{name: X, preset: mem, fidelity: bank}",
			"name: X\nkind: m\nfidelity: bank\nbanks: 4\nsize: 1GiB\n"},
		{"inside a node", "{name: X, kind: c, memory: {preset: mem, size: 2GiB}}",
			"name: X\nkind: c\nmemory:\n  kind: m\n  fidelity: ideal\n  latency: 5ns\n  size: 2GiB\n"},
		{"declared in the file", "{name: X, preset: mine}",
			"name: X\nkind: a\nclock: 4GHz\n"},
		{"declared ones win", "{name: X, preset: pool}",
			"name: X\nkind: a\nclock: 5GHz\n"},
		{"in an element", "{name: X, kind: a, count: 2, clock: 1GHz, elements: [{index: 1, preset: fast}]}",
			"name: X\nkind: a\ncount: 2\nclock: 1GHz\nelements:\n  - index: 1\n    kind: a\n    clock: 2GHz\n    dma:\n      burst: 4KiB\n      outstanding: 8\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			src := "schema: causeway/1\npresets: {mine: {kind: a, clock: 4GHz}, pool: {kind: a, clock: 5GHz}}\nnodes:\n  - " + c.node + "\n"
			d, err := Parse("s.yaml", []byte(src), presetOptions())
			require.NoError(t, err)
			require.Equal(t, c.want, string(d.Root.Get("nodes").Items()[0].Canonical()))
		})
	}
}

// An override of the preset itself counts, and so does a key it would fill.
func TestPresetAndOverride(t *testing.T) {
	src := "schema: causeway/1\nparams: {spec: base}\nnodes:\n  - {name: X, preset: $spec}\n"
	o := presetOptions()
	o.Set = []string{"spec=fast", "X.dma.burst=64B"}
	d, err := Parse("s.yaml", []byte(src), o)
	require.NoError(t, err)
	require.Equal(t, "name: X\nkind: a\nclock: 2GHz\ndma:\n  burst: 64B\n  outstanding: 8\n", string(d.Root.Get("nodes").Items()[0].Canonical()))
	o.Set = []string{"X.preset=mem"}
	d, err = Parse("s.yaml", []byte(src), o)
	require.NoError(t, err)
	require.Equal(t, "m", d.Root.Get("nodes").Items()[0].Get("kind").Text())
}

func TestPresetRefuses(t *testing.T) {
	for _, c := range []struct{ node, want string }{
		{"{name: X, kind: a, preset: bsae}", `s.yaml:3:32: nodes.X.preset: no preset "bsae" (want one of: base, fast, loop, open, pool; did you mean "base"?)`},
		{"{name: X, kind: m, preset: base}", `s.yaml:3:32: nodes.X.preset: preset "base" is for kind a, not m (want mem)`},
		{"{name: X, kind: other, preset: base}", `s.yaml:3:36: nodes.X.preset: preset "base" is for kind a, and there is none for kind other`},
		{"{name: X, preset: loop}", `preset:loop:2:9: nodes.X.preset: preset is made of itself: loop -> pool -> loop`},
		{"{name: X, preset: mem, fidelity: curve}", `s.yaml:3:23: nodes.X.preset: preset "mem" has no values for fidelity curve (want one of: ideal, bank)`},
		{"{name: X, preset: sys}", `s.yaml:3:23: nodes.X.preset: "sys" is a whole system, for extends (want one of: base, fast, loop, mem, open, pool)`},
		{"{name: X, preset: 8}", `s.yaml:3:23: nodes.X.preset: 8 is not text`},
		{"{name: X, preset: ./none.yaml}", `s.yaml:3:23: nodes.X.preset: ./none.yaml: no such file`},
	} {
		_, err := Parse("s.yaml", []byte("schema: causeway/1\nnodes:\n  - "+c.node+"\n"), presetOptions())
		require.Error(t, err)
		if strings.HasPrefix(c.want, "preset:loop") {
			require.Contains(t, err.Error(), "preset is made of itself")
			continue
		}
		require.EqualError(t, err, c.want)
	}
}

func TestExtendsBuiltin(t *testing.T) {
	d, err := Parse("s.yaml", []byte("schema: causeway/1\nextends: preset:sys\nparams: {n: 3}\n"), presetOptions())
	require.NoError(t, err)
	require.Equal(t, "schema: causeway/1\nparams:\n  n: 3\nnodes:\n  - name: A\n    kind: a\n    count: 3\n", strings.ReplaceAll(string(d.Resolved()), `"n"`, "n"))
	require.Equal(t, []string{"s.yaml", "preset:sys"}, d.Files)
	_, err = Parse("s.yaml", []byte("schema: causeway/1\nextends: preset:sis\n"), presetOptions())
	require.EqualError(t, err, `s.yaml:2:10: extends: no built-in system "sis" (want sys; did you mean "sys"?)`)
	_, err = Parse("s.yaml", []byte("schema: causeway/1\nextends: [preset:base]\n"), presetOptions())
	require.EqualError(t, err, `s.yaml:2:11: extends[0]: preset:base is a preset for a node, which names it as preset: base; extends takes a whole system (want sys)`)
}

// A preset of a mapping says where it belongs, when a node asks for it.
func TestPresetOfAMappingInANode(t *testing.T) {
	_, err := Parse("s.yaml", []byte("schema: causeway/1\nnodes:\n  - {name: Net, kind: network}\n"), Options{Set: []string{"Net.preset=booksim"}})
	require.EqualError(t, err, `--set:1: nodes.Net.preset: preset "booksim" is for the mapping router in a node, not for the node itself (want Net.router.preset=booksim)`)
	_, err = Parse("s.yaml", []byte("schema: causeway/1\nnodes:\n  - {name: Net, kind: network}\n"), Options{Set: []string{"Net.router.preset=booksim"}})
	require.NoError(t, err)
}

// A whole system stands for its one node of a kind where a node names it as preset; a
// system with two of the kind stands for none.
func TestSystemAsPresetOfANode(t *testing.T) {
	presets := fstest.MapFS{
		"chip.yaml":      {Data: []byte("schema: causeway/1\nnodes:\n  - {name: C, kind: core, preset: core_part, lanes: 4}\n  - {name: M, kind: memory}\n")},
		"core_part.yaml": {Data: []byte("kind: core\nrows: 7\n")},
		"pair.yaml":      {Data: []byte("schema: causeway/1\nnodes:\n  - {name: C, kind: core}\n  - {name: D, kind: core}\n")},
	}
	load := func(text string) (*Document, error) {
		return Parse("a.yaml", []byte(text), Options{Presets: presets})
	}
	d, err := load("schema: causeway/1\nnodes:\n  - {name: X, kind: core, preset: chip, lanes: 5}\n")
	require.NoError(t, err)
	n := d.Root.Get("nodes").Items()[0]
	require.Equal(t, []string{"X", "7", "5"}, []string{n.Get("name").Text(), n.Get("rows").Text(), n.Get("lanes").Text()})
	_, err = load("schema: causeway/1\nnodes:\n  - {name: X, kind: core, preset: pair}\n")
	require.ErrorContains(t, err, `"pair" is a whole system, for extends`)
}
