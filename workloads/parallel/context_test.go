package parallel

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/zoo"
)

// Ranks with a part of the tokens each do all of the work, and gather keys and values: bytes
// and work by hand, with heads shared too, and in training.
func TestContextByHand(t *testing.T) {
	const layers, hidden, heads, kv, ff, words, tokens, n = 2, 32, 4, 2, 48, 64, 24, 3
	d := zoo.Decoder{Name: "small", Layers: layers, Hidden: hidden, Heads: heads, KVHeads: kv, FF: ff, Words: words, MaxContext: 64}
	build := func(sequence int) *graph.Graph {
		g, err := d.Graph(zoo.Params{Batch: 2, Sequence: sequence, Context: tokens})
		require.NoError(t, err)
		g.SetDTypes(graph.Uniform(graph.FP16))
		return g
	}
	whole, part := build(tokens), build(tokens/n)
	g, err := Context(part, n, graph.Ranks{Stride: 1, Count: n})
	require.NoError(t, err)
	require.Equal(t, whole.MACs(), n*g.MACs())
	require.Equal(t, whole.Params(), g.Params())
	const own = 2 * tokens / n * kv * hidden / heads * 2 // keys or values of a rank in a layer, bytes
	bytes, ops := bytesOf(g, "all_gather")
	require.Equal(t, []int64{2 * layers * own, 2 * layers}, []int64{bytes, ops})
	shard, err := Tensor(g, Tensors{Ranks: 2})
	require.NoError(t, err)
	require.Empty(t, shard.Full)
	bytes, _ = bytesOf(shard.Graph, "all_gather")
	require.EqualValues(t, 2*layers*own/2+2*tokens/n*words*2/2, bytes, "half of the heads; the words of the head")

	s, err := Train(part, Grid{1, n, 1}, Training{Microbatches: 2, Recompute: RecomputeNone, Schedule: OneFOneB, Chunks: 1, Context: n, Optimizer: "adam", Gradients: graph.FP32})
	require.NoError(t, err)
	var macs int64
	for i := range n {
		x, _ := s.Rank(i)
		macs += x.MACs()
		bytes, _ = bytesOf(x, "all_gather")
		require.EqualValues(t, 2*2*layers*own, bytes)
		bytes, _ = bytesOf(x, "reduce_scatter")
		require.EqualValues(t, 2*2*layers*own*n, bytes)
		bytes, _ = bytesOf(x, "all_reduce")
		require.Equal(t, 4*whole.Params(), bytes)
	}
	require.Equal(t, 2*3*whole.MACs(), macs)

	_, err = Context(whole, n, graph.Ranks{})
	require.ErrorContains(t, err, "want 3 ranks to make all: a prefill")
	_, err = Context(part.FuseAttention(part.Chains()), n, graph.Ranks{})
	require.ErrorContains(t, err, "want attention: unfused")
	vision, err := zoo.Build("deit_t", zoo.Params{})
	require.NoError(t, err)
	_, err = Context(vision, n, graph.Ranks{})
	require.ErrorContains(t, err, "has no keys and values")
}
