package topology_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/noc/topology"
)

func TestRead(t *testing.T) {
	l, err := topology.Read(strings.NewReader("terminals 1 2\nchannel 0 1 global\nchannel 1 0\n"), "x")
	require.NoError(t, err)
	require.Equal(t, 2, l.Routers())
	require.Equal(t, 2, l.Terminals())
	require.Equal(t, 4, l.Ports(1), "terminals, then local, then global")
	require.Equal(t, topology.Global, l.Class(1, 3))
	r, p, ok := l.Peer(1, 2)
	require.True(t, ok)
	require.Equal(t, [2]int{0, 0}, [2]int{r, p})
	for text, want := range map[string]string{
		"terminals 0":                  "x:1: 2 words (want: terminals ROUTER COUNT, or channel ROUTER ROUTER [local|global])",
		"terminals a 1":                `x:1: "a" is no number (want 0 to 65535)`,
		"channel 0 0":                  "x:1: router 0 cannot face itself",
		"channel 0 1 far":              `x:1: class "far" (want one of: local global)`,
		"wire 0 1":                     `x:1: "wire 0 1" (want: terminals ROUTER COUNT, or channel ROUTER ROUTER [local|global])`,
		"channel 0 1":                  "x: 0 terminals (want 1 to 67108864)",
		"terminals 0 1\nterminals 0 2": "x:2: router 0 has terminals already",
	} {
		_, err := topology.Read(strings.NewReader(text), "x")
		require.EqualError(t, err, want)
	}
}

func FuzzRead(f *testing.F) {
	f.Add("terminals 0 2\nchannel 0 1 global\n")
	f.Add("# x\n\nterminals 3 1")
	f.Fuzz(func(t *testing.T, text string) {
		l, err := topology.Read(strings.NewReader(text), "x")
		if err != nil {
			return
		}
		for i := range min(l.Terminals(), 100) {
			r, p := l.Home(i)
			require.Equal(t, topology.Terminal, l.Class(r, p))
		}
	})
}

// Without takes both ends of a channel away, and nothing else.
func TestWithout(t *testing.T) {
	d, err := topology.NewDragonfly(topology.DragonflySpec{P: 2, A: 4, H: 2})
	require.NoError(t, err)
	port := d.LocalPort(0, 3)
	l, err := topology.Without(d, [][2]int{{0, port}})
	require.NoError(t, err)
	require.Equal(t, topology.Unused, l.Class(0, port))
	require.Equal(t, topology.Unused, l.Class(3, d.LocalPort(3, 0)))
	changed := 0
	for r := range d.Routers() {
		for p := range d.Ports(r) {
			if l.Class(r, p) != d.Class(r, p) {
				changed++
			}
		}
	}
	require.Equal(t, 2, changed)
	contract(t, l)
	_, err = topology.Without(d, [][2]int{{0, port}, {3, d.LocalPort(3, 0)}})
	require.EqualError(t, err, "topology: router 3 port 2 is no channel to another router, or failed already")
	_, err = topology.Without(d, [][2]int{{0, 0}})
	require.EqualError(t, err, "topology: router 0 port 0 is no channel to another router, or failed already")
}

func TestArrangementFromFile(t *testing.T) {
	spec := topology.DragonflySpec{P: 1, A: 2, H: 1, Arrangement: topology.FromFile, File: "testdata/three.txt"}
	d, err := topology.NewDragonfly(spec)
	require.NoError(t, err)
	contract(t, d)
	for _, c := range [][3]int{{0, 2, 0}, {0, 1, 1}, {1, 0, 2}, {1, 2, 3}, {2, 0, 4}, {2, 1, 5}} {
		r, _ := d.Exit(c[0], c[1], 0)
		require.Equal(t, c[2], r, "from group %d to %d", c[0], c[1])
	}
	dir := t.TempDir()
	for text, want := range map[string]string{
		"1 2\n0 2\n":         ": 2 groups (want 3)",
		"1\n":                ":1: group 0 has 1 channels (want 2: 1 to each of 2 other groups)",
		"1 1\n":              ":1: more than 1 channels from group 0 to 1",
		"1 0\n":              `:1: "0" is no other group (want 0 to 2 without 0)`,
		"1 2\n0 2\n0 1\n0 1": ":4: more than 3 groups",
	} {
		spec.File = filepath.Join(dir, "a.txt")
		require.NoError(t, os.WriteFile(spec.File, []byte(text), 0o600))
		_, err := topology.NewDragonfly(spec)
		require.ErrorContains(t, err, "topology dragonfly: "+spec.File+want)
	}
}
