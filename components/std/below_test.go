package std_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
)

const tiered = `schema: causeway/1
workload: {model: alexnet}
nodes:
  - {name: Core, kind: systolic}
  - {name: Tier, kind: tiering}
  - {name: Near, kind: memory, fidelity: ideal}
  - {name: Far, kind: memory, fidelity: ideal}
links:
  - Core -> Tier.top
  - Tier.bottom[0] -> Near
  - Tier.bottom[1] -> Far
memory:
  - {tier: near, node: Near, base: 0GiB, size: 64MiB}
  - {tier: far, node: Far, base: 64MiB, size: 128MiB}
`

// Below a node that keeps pages where it likes no range has to be chosen for tensors.
// Where ranges have a gap one has to be, and the message points at the ranges.
func TestTensorsBelowTiering(t *testing.T) {
	_, err := experiment.Parse("t.yaml", []byte(tiered), experiment.Options{})
	require.NoError(t, err)
	_, err = experiment.Parse("t.yaml", []byte(strings.Replace(tiered, "base: 64MiB", "base: 65MiB", 1)), experiment.Options{})
	require.EqualError(t, err, "t.yaml:13:5: placement.default: is missing: there are 2 tiers to place tensors in (want one of: near, far)")
}

// A key that another key switches off is an error, not a comment.
func TestKeysSwitchedOff(t *testing.T) {
	for set, want := range map[string]string{
		"X.cap=8": "--set:1: nodes.X.cap: has no effect with row_policy open (used by: capped)",
	} {
		_, err := experiment.Parse("t.yaml", []byte("schema: causeway/1\nnodes:\n"+small["memory/bank"]), experiment.Options{Set: []string{set}})
		require.EqualError(t, err, want)
		_, err = experiment.Parse("t.yaml", []byte("schema: causeway/1\nnodes:\n"+small["memory/bank"]), experiment.Options{Set: []string{set, "X.row_policy=capped"}})
		require.NoError(t, err)
	}
}

// Keys of a ranks' interface that only feeding in pieces reads.
func TestPiecesWithoutFeed(t *testing.T) {
	src := []byte("schema: causeway/1\nnodes:\n" + small["ranks"])
	for key, value := range map[string]string{"piece": "256B", "header": "64B", "stream": "[{bytes: 1KiB, time: 1us}]"} {
		without := map[string]string{"piece": "feed or window", "header": "feed", "stream": "feed"}[key]
		set := "X.nic." + key + "=" + value
		_, err := experiment.Parse("t.yaml", src, experiment.Options{Set: []string{set}})
		require.EqualError(t, err, "--set:1: nodes.X.nic."+key+": has no effect without "+without)
		inFile := strings.Replace(string(src), "kind: ranks,", "kind: ranks, nic: {"+key+": "+value+"},", 1)
		_, err = experiment.Parse("t.yaml", []byte(inFile), experiment.Options{})
		require.ErrorContains(t, err, fmt.Sprintf("t.yaml:3:%d: nodes.X.nic.%s: has no effect without %s", strings.Index(strings.Split(inFile, "\n")[2], value)+1, key, without))
		_, err = experiment.Parse("t.yaml", src, experiment.Options{Set: []string{set, "X.nic.feed=[{bytes: 1KiB, time: 1us}]"}})
		require.NoError(t, err)
	}
}

// Keys of interfaces of collectives, and what they do not go with.
func TestInterfacesOfCollectives(t *testing.T) {
	src := []byte("schema: causeway/1\nnodes:\n" + small["ranks"])
	for _, x := range []struct {
		set  []string
		want string // "": it is taken
	}{
		{[]string{"X.nic.interfaces=4", "X.nic.window=64KiB", "X.nic.buffer=8KiB", "X.nic.piece=8KiB"}, ""},
		{[]string{"X.nic.interfaces=5000"}, "nodes.X.nic.interfaces: is 5000 (want 0 to 4096)"},
		{[]string{"X.nic.interfaces=-1"}, "nodes.X.nic.interfaces: -1 is too small"},
		{[]string{"X.nic.window=8KiB"}, "nodes.X.nic.window: has no effect without interfaces"},
		{[]string{"X.nic.interfaces=1", "X.nic.window=1KiB"}, "nodes.X.nic.window: is 1KiB (want 4KiB, a piece, to 1TiB)"},
		{[]string{"X.nic.interfaces=1", "X.nic.buffer=8KiB"}, "nodes.X.nic.buffer: has no effect without window"},
		{[]string{"X.nic.interfaces=1", "X.nic.window=8KiB", "X.nic.buffer=8KiB", "X.nic.inject=1KiB"}, "nodes.X.nic.buffer: has no effect with inject"},
		{[]string{"X.nic.interfaces=1", "X.nic.window=8KiB", "X.nic.feed=[{bytes: 1KiB, time: 1us}]"}, "nodes.X.nic.window: does not go with feed"},
		{[]string{"X.collectives.all_reduce={name: double_binary_tree, steps: sometimes}"}, "is not known (want one of: free, ordered, strict)"},
	} {
		_, err := experiment.Parse("t.yaml", src, experiment.Options{Set: x.set})
		if x.want == "" {
			require.NoError(t, err, "%s", x.set)
		} else {
			require.ErrorContains(t, err, x.want, "%s", x.set)
		}
	}
}

// A column of a file has a warning where it has no effect, and none where it has one.
func TestSparsityIsTold(t *testing.T) {
	file := write(t, "s.csv", "Layer,M,N,K,Sparsity,\na,64,64,64,1:1,\nb,64,64,64,2:4,\nc,64,64,64,1:4,\n")
	src := "schema: causeway/1\nworkload: {file: " + file + "}\nnodes:\n  - {name: X, kind: systolic, rows: 8, cols: 8, fidelity: analytic}\n" + ideal + "links: [X -> Mem]\n"
	told := func(set ...string) []string {
		x, err := experiment.Parse("t.yaml", []byte(src), experiment.Options{Set: set})
		require.NoError(t, err)
		res, _, err := x.Run(t.Context(), nil)
		require.NoError(t, err)
		return res.Warnings
	}
	require.Equal(t, []string{file + ":3: layer b keeps 2 of 4 weights (and another layer): Sparsity has no effect but under timing: scalesim; the layers are computed as dense"}, told())
	require.Empty(t, told("X.timing=scalesim", "X.fidelity=tile"))
}
