package configs

import (
	"testing"

	"github.com/stretchr/testify/require"
)

const grouped = header + `params: {cores: 4, clk: 1GHz}
presets: {mine: {kind: core, rows: 1, cols: 1}}
nodes:
  - {name: Chip, group: Die, count: 2, params: {n: 2}, elements: [{index: 1, override: {Tile: {rows: 16}, Mem: {x: null}}}]}
  - {name: Other, group: Die}
groups:
  Die:
    params: {n: $cores, file: "net_${clk}", spec: mine}
    ports: {mem: Mem.port}
    nodes:
      - {name: Tile, preset: $spec, count: $n, clock: $clk, note: "${n} of ${cores} $$x"}
      - {name: Mem, kind: memory, x: 1}
    links: ["Tile -> Mem"]
`

func TestInstantiate(t *testing.T) {
	d, err := Parse("a.yaml", []byte(grouped), Options{})
	require.NoError(t, err)
	tile := func(node string, element, count int) (Value, Value) {
		v := find(d.Root, "nodes."+node)
		if count > 0 {
			v, err = v.Element(element, count)
			require.NoError(t, err)
		}
		in, err := d.Instantiate(v)
		require.NoError(t, err)
		return find(in, "nodes.Tile"), in
	}
	x, in := tile("Chip", 0, 2)
	require.Equal(t, "name: Tile\nkind: core\ncount: 2\nclock: 1GHz\ncols: 1\nnote: \"2 of 4 $$x\"\nrows: 1\n", string(x.Canonical()))
	s, err := x.Get("note").String()
	require.NoError(t, err)
	require.Equal(t, "2 of 4 $x", s)
	require.Equal(t, []string{"ports", "nodes", "links"}, in.Keys())
	x, in = tile("Chip", 1, 2)
	require.Equal(t, "16", x.Get("rows").Text())
	require.False(t, find(in, "nodes.Mem.x").Exists())
	x, _ = tile("Other", 0, 0)
	require.Equal(t, "4", x.Get("count").Text(), "the default of a group's parameter may name one of the document")

	// Resolving keeps what only Instantiate can fill in.
	again, err := Parse("b.yaml", d.Resolved(), Options{})
	require.NoError(t, err)
	require.Equal(t, string(d.Resolved()), string(again.Resolved()))
	in2, err := again.Instantiate(find(again.Root, "nodes.Other"))
	require.NoError(t, err)
	require.Equal(t, string(x.Canonical()), string(find(in2, "nodes.Tile").Canonical()))
}

func TestInstantiateRefuses(t *testing.T) {
	for node, want := range map[string]string{
		"{name: A, group: Dye}":                              `a.yaml:3:22: nodes.A.group: no group "Dye" (want Die; did you mean "Die"?)`,
		"{name: A, group: Die, params: {m: 1}}":              `a.yaml:3:36: nodes.A.params.m: unknown key (want n)`,
		"{name: A, group: Die, params: {n: x}}":              `a.yaml:3:39: nodes.A.params.n: "x" is not a whole number, as the default 1 is`,
		"{name: A, group: Die, override: {Tiel: {rows: 1}}}": `a.yaml:3:38: nodes.A.override.Tiel: no such node in the group (want Tile; did you mean "Tile"?)`,
		"{name: A, group: Die, params: 3}":                   `a.yaml:3:35: nodes.A.params: 3 is not a mapping`,
	} {
		d, err := Parse("a.yaml", []byte(header+"nodes:\n  - "+node+"\ngroups: {Die: {params: {n: 1}, nodes: [{name: Tile, kind: core, rows: $n}]}}\n"), Options{})
		require.NoError(t, err, node)
		_, err = d.Instantiate(d.Root.Get("nodes").Items()[0])
		require.EqualError(t, err, want)
	}
}

// A parameter of a group may have the name of one of the document and take its
// value; what comes from the document is no reference once more.
func TestGroupShadows(t *testing.T) {
	d, err := Parse("a.yaml", []byte(header+`params: {n: 3, price: "5$$n"}
nodes: [{name: A, group: Die}, {name: B, group: Die, params: {n: 7}}]
groups: {Die: {params: {n: $n}, nodes: [{name: Tile, kind: core, rows: $n, note: "${price} ${n}"}]}}
`), Options{})
	require.NoError(t, err)
	for i, want := range []string{"name: Tile\nkind: core\nnote: \"5$$n 3\"\nrows: 3\n", "name: Tile\nkind: core\nnote: \"5$$n 7\"\nrows: 7\n"} {
		in, err := d.Instantiate(d.Root.Get("nodes").Items()[i])
		require.NoError(t, err)
		require.Equal(t, want, string(in.Get("nodes").Items()[0].Canonical()))
	}
}

// An unknown name inside a group is found when the file is loaded.
func TestGroupNames(t *testing.T) {
	_, err := Parse("a.yaml", []byte(header+"params: {a: 1}\ngroups: {Die: {params: {n: 1}, nodes: [{name: Tile, rows: $m}]}}\n"), Options{})
	require.EqualError(t, err, `a.yaml:3:59: groups.Die.nodes.Tile.rows: no parameter "m" (want one of: a, n)`)
}
