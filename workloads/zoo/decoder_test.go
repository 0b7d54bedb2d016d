package zoo

import (
	"testing"

	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/stretchr/testify/require"
)

// Sizes from the published configurations of the checkpoints; totals are their
// parameter counts.
var published = []struct {
	params int64
	Decoder
}{
	{7241732096, Decoder{Name: "mistral_7b", Layers: 32, Hidden: 4096, Heads: 32, KVHeads: 8, FF: 14336, Words: 32000, Window: 4096}},
	{46702792704, Decoder{Name: "mixtral_8x7b", Layers: 32, Hidden: 4096, Heads: 32, KVHeads: 8, FF: 14336, Words: 32000, Experts: 8, ActiveExperts: 2}},
	{494032768, Decoder{Name: "qwen2_0.5b", Layers: 24, Hidden: 896, Heads: 14, KVHeads: 2, FF: 4864, Words: 151936, QKVBias: true, Tied: true}},
	{7615616512, Decoder{Name: "qwen2_7b", Layers: 28, Hidden: 3584, Heads: 28, KVHeads: 4, FF: 18944, Words: 152064, QKVBias: true}},
	{8190735360, Decoder{Name: "qwen3_8b", Layers: 36, Hidden: 4096, Heads: 32, KVHeads: 8, FF: 12288, Words: 151936, QKNorm: true}},
	{2506172416, Decoder{Name: "gemma_2b", Layers: 18, Hidden: 2048, Heads: 8, KVHeads: 1, HeadSize: 256, FF: 16384, Words: 256000,
		Activation: "gelu_tanh", EmbedScale: true, Tied: true}},
	{8537680896, Decoder{Name: "gemma_7b", Layers: 28, Hidden: 3072, Heads: 16, HeadSize: 256, FF: 24576, Words: 256000,
		Activation: "gelu_tanh", EmbedScale: true, Tied: true}},
	{9241705984, Decoder{Name: "gemma2_9b", Layers: 42, Hidden: 3584, Heads: 16, KVHeads: 8, HeadSize: 256, FF: 14336, Words: 256000,
		Activation: "gelu_tanh", EmbedScale: true, Tied: true, PostNorm: true}},
}

func TestDecoderParameters(t *testing.T) {
	for _, d := range published {
		for _, p := range []Params{{Phase: Decode}, {Batch: 3, Sequence: 5}} {
			g, err := d.Graph(p)
			require.NoError(t, err)
			require.Equal(t, d.params, g.Params(), d.Name)
		}
	}
	// OPT-125M adds two unused positions; arXiv 2205.01068, table 1.
	g, err := GPT{Name: "opt_125m", Layers: 12, Heads: 12, HeadSize: 64, Words: 50272, Positions: 2050, Activation: "relu"}.Graph(Params{})
	require.NoError(t, err)
	require.Equal(t, int64(125239296), g.Params())
}

// TestLargest builds the largest graph that Check lets pass.
func TestLargest(t *testing.T) {
	d := Decoder{Name: "d", Layers: maxLayers, Hidden: 8, Heads: 1, FF: 8, Words: 8, Experts: maxExperts / maxLayers, ActiveExperts: 1}
	g, err := d.Graph(Params{Phase: Decode})
	require.NoError(t, err)
	require.Equal(t, int64(2*8*8+8+4096*(4*64+16+32*(3*64)+32*8)), g.Params())
}

// TestWindow: a decode step reads a window of the cache, not more, and a
// prefill in chunks what its oldest token sees.
func TestWindow(t *testing.T) {
	d := published[0].Decoder
	for _, c := range []struct{ sequence, context, keys int }{
		{1, 4095, 4095}, {1, 4096, 4096}, {1, 4097, 4096}, {1, 32768, 4096}, {128, 32768, 4223}, {8192, 8192, 8192},
	} {
		g, err := d.Graph(Params{Sequence: c.sequence, Context: c.context})
		require.NoError(t, err)
		for i := range g.Ops {
			if m := g.Ops[i].Kind; g.Ops[i].Name == "L0.QK^T" {
				require.Equal(t, graph.MatMul{Batch: 32, M: c.sequence, N: c.keys, K: 128, SharedB: 4}, m)
			}
		}
	}
}

// TestExperts: every token goes through two of eight experts, whatever the
// count of tokens, and a single token touches the weights of two.
func TestExperts(t *testing.T) {
	d := published[1].Decoder
	const expert = 3 * 4096 * 14336
	for _, tokens := range []int{1, 2, 3, 4, 5, 100} {
		g, err := d.Graph(Params{Sequence: tokens})
		require.NoError(t, err)
		var macs, weights int64
		for i := range g.Ops {
			op := &g.Ops[i]
			if len(op.Name) > 4 && op.Name[:4] == "L0.E" {
				macs += op.MACs()
				f := g.Footprint(op)
				weights += f.WeightElements
			}
		}
		require.Equal(t, int64(tokens)*2*expert, macs)
		require.Equal(t, int64(min(8, 2*tokens))*expert, weights)
	}
}

func TestDecoderRefusals(t *testing.T) {
	d := published[1].Decoder
	d.KVHeads, d.Words, d.ActiveExperts, d.Window, d.Activation = 5, 0, 9, -1, "frob"
	_, err := d.Graph(Params{})
	for _, want := range []string{
		"mixtral_8x7b: vocabulary is 0 (want 1 to 16777216)",
		"mixtral_8x7b: 32 heads share 5 key/value heads (want a divisor)",
		"mixtral_8x7b: window is -1 (want at least 1, or 0 for none)",
		"mixtral_8x7b: 9 of 8 experts per token (want 1 to all)",
		`mixtral_8x7b: unknown activation "frob" (want one of: [abs`,
	} {
		require.ErrorContains(t, err, want)
	}
	d = published[1].Decoder
	d.Layers, d.Experts = 4096, 5000
	require.ErrorContains(t, d.Check(), "4096 layers of 5000 experts (want at most 4096 layers, and 131072 experts in all)")
	require.Error(t, Decoder{Name: "zero"}.Check(), "no division by zero heads")

	_, err = GPT{Name: "g", Layers: 1, Heads: 1 << 20, HeadSize: 1 << 20, Words: 1, FF: 1, Positions: -1, Activation: "frob"}.Graph(Params{})
	for _, want := range []string{"g: positions is -1 (want 1 to", "g: 1048576 heads of 1048576 (want a hidden size", `unknown activation "frob"`} {
		require.ErrorContains(t, err, want)
	}
	_, err = published[0].Graph(Params{Image: 224})
	require.EqualError(t, err, "mistral_7b: has no parameter image (want one of: batch, sequence, context, phase)")
}
