package configs

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestChoice(t *testing.T) {
	type grid struct {
		Dims []int `yaml:"dims"`
		Side int   `yaml:"side"`
	}
	defaults := grid{Dims: []int{8, 8}, Side: 1}
	for _, c := range []struct {
		text, name string
		spec       any
		err        string
	}{
		{text: "mesh", name: "mesh", spec: defaults},
		{text: "{name: mesh}", name: "mesh", spec: defaults},
		{text: "{name: mesh, side: 3}", name: "mesh", spec: grid{[]int{8, 8}, 3}},
		{text: "star", name: "star"},
		{text: "{name: star}", name: "star"},
		{text: "{name: star, side: 3}", err: "a.yaml:1:21: shape.side: unknown key (want name)"},
		{text: "{side: 3}", err: "a.yaml:1:8: shape: has no name (want one of: mesh, star)"},
		{text: "mash", err: "a.yaml:1:8: shape: unknown shape \"mash\" (want one of: mesh, star; did you mean \"mesh\"?)"},
		{text: "{name: [mesh]}", err: "a.yaml:1:15: shape.name: a list is not text"},
	} {
		v := parse(t, "shape: "+c.text+"\n").Get("shape")
		name, err := v.Choice("shape", []string{"mesh", "star"})
		var spec any
		if err == nil {
			if name == "mesh" {
				spec = defaults
			}
			spec, err = v.Parameters(spec)
		}
		if c.err != "" {
			require.EqualError(t, err, c.err)
			continue
		}
		require.NoError(t, err)
		require.Equal(t, c.name, name)
		require.Equal(t, c.spec, spec)
	}
	require.Equal(t, grid{[]int{8, 8}, 1}, defaults)
}

func TestPlace(t *testing.T) {
	a := parse(t, "a: {b: 1}\n").Get("a")
	require.Equal(t, "a.b", a.Place("b").Path())
	require.Equal(t, "a", a.Place("c").Path())
}
