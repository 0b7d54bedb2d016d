package profile

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTable(t *testing.T) {
	rows, err := read(strings.NewReader("machine,workload,layer,cycles,energy_nj\na,w,x,10,2.5\nb,w,x,7,\na,w,y,0,0\n"), "t.csv", "a")
	require.NoError(t, err)
	require.Equal(t, map[key]cost{{"w", "x"}: {10, 2500}, {"w", "y"}: {0, 0}}, rows)
	rows, err = read(strings.NewReader("layer,cycles,machine,workload\nx,3,b,w\n"), "t.csv", "b")
	require.NoError(t, err)
	require.Equal(t, map[key]cost{{"w", "x"}: {3, 0}}, rows)
}

func TestBadTables(t *testing.T) {
	const head = "machine,workload,layer,cycles,energy_nj\n"
	for text, want := range map[string]string{
		"":                                "t.csv:1:1: EOF",
		"machine,workload,layer,time\n":   `t.csv:1:24: unknown column "time" (want: machine, workload, layer, cycles, energy_nj)`,
		"machine,workload,layer\n":        `t.csv:1:1: no column "cycles"`,
		head + "a,w,x,ten,1\n":            `t.csv:2:7: cycles is "ten" (want a whole number below 2^48)`,
		head + "a,w,x,1,-3\n":             `t.csv:2:9: energy_nj is "-3" (want nanojoules, 0 or more)`,
		head + "a,w,x,1,1\na,w,x,2,1\n":   `t.csv:3:5: layer is "x" (want one row per layer of a workload)`,
		head + "b,w,x,1,1\nc,w,x,1,1\n":   `t.csv: no row of machine "a" (want one of: b, c)`,
		head + "a,w,x,1\n":                "t.csv:2:1: wrong number of fields",
		head + "a,w,\"x,1,1\nb,w,x,1,1\n": "t.csv:",
	} {
		_, err := read(strings.NewReader(text), "t.csv", "a")
		require.ErrorContains(t, err, want, text)
	}
}
