package zoo

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/workloads/graph"
)

func macs(g *graph.Graph, keep func(op *graph.Op) bool) (n int64) {
	for i := range g.Ops {
		if keep(&g.Ops[i]) {
			n += g.Ops[i].MACs()
		}
	}
	return n
}

// A batch of unlike requests does what its groups do each by itself: the same
// multiply-accumulates, the same entries of the caches, and the weights once.
func TestGroups(t *testing.T) {
	groups := []Group{{1, 100, 300, true}, {1, 64, 64, false}, {3, 1, 48, true}, {2, 1, 512, true}}
	mixture := Decoder{Name: "mixtral_8x7b", Layers: 2, Hidden: 256, Heads: 8, KVHeads: 2, FF: 512, Words: 1000, Experts: 8, ActiveExperts: 2}
	for _, name := range []string{"llama3_8b", mixture.Name} {
		build := func(p Params) (*graph.Graph, error) {
			if name == mixture.Name {
				return mixture.Graph(p)
			}
			return Build(name, p)
		}
		all, err := build(Params{Groups: groups})
		require.NoError(t, err)
		whole, params := macs(all, func(*graph.Op) bool { return true }), all.Params()
		entries := all.Bytes(graph.KV)
		for _, g := range groups {
			one, err := build(Params{Groups: []Group{g}})
			require.NoError(t, err)
			whole -= macs(one, func(*graph.Op) bool { return true })
			entries -= one.Bytes(graph.KV)
			if g.Tokens == 1 { // like a batch of equal requests
				plain, err := build(Params{Batch: g.Requests, Context: g.Context, Phase: Decode})
				require.NoError(t, err)
				require.Equal(t, plain.Ops, one.Ops)
				require.Equal(t, plain.Tensors, one.Tensors)
			}
			if name == "llama3_8b" && g.Sample { // of a mixture few tokens take few experts
				require.Equal(t, one.Params(), params)
			}
		}
		require.Zero(t, whole, name)
		require.Zero(t, entries, name)
	}
}

func TestBadGroups(t *testing.T) {
	for want, p := range map[string]Params{
		"llama3_8b: group 0 is 1 requests of 5 tokens that attend to 4 entries": {Groups: []Group{{1, 5, 4, true}}},
		"llama3_8b: groups stand in place of batch":                             {Groups: []Group{{1, 5, 5, true}}, Batch: 2},
		"llama3_8b: a batch of 0 tokens":                                        {Groups: []Group{}},
	} {
		_, err := Build("llama3_8b", p)
		require.ErrorContains(t, err, want)
	}
	_, err := Build("resnet18", Params{Groups: []Group{{1, 1, 1, true}}})
	require.ErrorContains(t, err, "resnet18: takes no batches of unlike requests")
}
