package deployed

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/zoo"
)

// Ranks hold equal parts of what they share and all of the rest: the norms, and the keys of heads that are
// fewer than ranks. Bytes of the whole are those of a graph with all layers.
func TestWeightsOfRanks(t *testing.T) {
	g, err := small.Graph(zoo.Params{Phase: zoo.Decode, Batch: 1, Context: 64})
	require.NoError(t, err)
	all := int64(0)
	for i := range g.Tensors {
		if g.Tensors[i].Role == graph.Weight {
			all += g.Tensors[i].Elements()
		}
	}
	bytes := func(l Layout, d graph.DType) float64 {
		types := bf16
		types.Weight, types.Attention, types.Experts, types.Shared = d, d, d, d
		p, err := New(small, l, types, "balanced", &counter{})
		require.NoError(t, err)
		n, err := p.Weights()
		require.NoError(t, err)
		return float64(n)
	}
	require.EqualValues(t, 2*all, bytes(Layout{}, graph.BF16))
	require.InEpsilon(t, all, bytes(Layout{Tensor: 2}, graph.BF16), 0.01)
	require.Less(t, bytes(Layout{Pipeline: 3}, graph.BF16), bytes(Layout{}, graph.BF16))
	require.Less(t, bytes(Layout{}, graph.FP8), bytes(Layout{}, graph.BF16))
	require.Greater(t, bytes(Layout{}, graph.FP8), float64(all))
}

// Entries of groups of requests lie in the memories of all groups. A token of the small model has three layers of
// keys and values of two heads of 16 numbers.
func TestEntriesOfRanks(t *testing.T) {
	require.EqualValues(t, 3*2*2*16*2, EntryBytes(small, graph.BF16))
	latent := small
	latent.KVHeads, latent.Latent = 0, &zoo.Latent{Rank: 32, Plain: 16, Rotary: 8, Value: 16}
	require.EqualValues(t, 3*(32+8), EntryBytes(latent, graph.FP8), "latents and keys of positions, once")
	entries := func(l Layout) int {
		p, err := New(small, l, bf16, "balanced", &counter{})
		require.NoError(t, err)
		return p.Entries(384000)
	}
	require.Equal(t, 1000, entries(Layout{}))
	require.Equal(t, 2000, entries(Layout{Tensor: 2}))
	require.Equal(t, 2000, entries(Layout{Tensor: 4}), "two heads of keys are on two ranks each")
	require.Equal(t, 3000, entries(Layout{Pipeline: 3}))
	require.Equal(t, 2000, entries(Layout{Data: 2, Expert: 2}))
}
