package zoo

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/graph/masking"
)

// Every attention of every transformer becomes one operator; what is left holds
// together, and its multiply-accumulates are those of the parts where nothing is
// masked.
func TestAttentionIsOneOperator(t *testing.T) {
	for _, c := range []struct {
		model string
		p     Params
		want  int
	}{
		{"llama3_8b", Params{Sequence: 64}, 32},
		{"llama3_8b", Params{Phase: Decode, Context: 100, Batch: 3}, 32},
		{"bert_base", Params{Batch: 2}, 12},
		{"vit_b", Params{}, 12},
		{"gpt2", Params{Sequence: 40, Context: 50}, 12},
		{"sd15_unet", Params{}, 32},
		{"resnet18", Params{}, 0},
	} {
		g, err := Build(c.model, c.p)
		require.NoError(t, err, c.model)
		chains := g.Chains()
		require.Len(t, chains, c.want, c.model)
		if c.want == 0 {
			require.Same(t, g, g.FuseAttention(chains))
			continue
		}
		f := g.FuseAttention(chains)
		require.NoError(t, f.Validate(), c.model)
		require.Empty(t, f.Chains(), c.model)
		require.Equal(t, g.Params(), f.Params(), c.model)
		scores := 0
		for _, s := range g.Scores() {
			if s {
				scores++
			}
		}
		require.Len(t, f.Tensors, len(g.Tensors)-scores, c.model)
		var masked int64 // multiply-accumulates with what a mask hides
		for _, ch := range chains {
			a := ch.Fused.Kind.(graph.Attention)
			masked += (a.Rows()*int64(a.Keys) - a.Pairs()) * int64(a.Size+a.Value)
		}
		require.Equal(t, g.MACs(), f.MACs()+masked, c.model)
		for i := range f.Ops {
			_, soft := f.Ops[i].Kind.(graph.Softmax)
			require.False(t, soft, f.Ops[i].Name)
		}
	}
}

// A causal mask halves the work: n(n+1)/2 of n x n scores; a window leaves its width.
func TestMaskedAttentionCounts(t *testing.T) {
	d := Decoder{Name: "small", Layers: 1, Hidden: 64, Heads: 4, KVHeads: 2, FF: 64, Words: 10}
	count := func(d Decoder, p Params) graph.Attention {
		g, err := d.Graph(p)
		require.NoError(t, err)
		return g.Chains()[0].Fused.Kind.(graph.Attention)
	}
	a := count(d, Params{Sequence: 100})
	require.Equal(t, graph.Attention{Batch: 2, Group: 2, Queries: 100, Keys: 100, Size: 16, Value: 16, Mask: masking.Mask{Causal: true}}, a)
	require.EqualValues(t, 4*100*101/2, a.Pairs())
	require.EqualValues(t, 4*100*101/2*32, a.MACs())
	a = count(d, Params{Sequence: 40, Context: 100}) // the last 40 of 100: each sees 60 more
	require.EqualValues(t, 4*(40*60+40*41/2), a.Pairs())
	d.Window = 10
	a = count(d, Params{Sequence: 40, Context: 100})
	require.Equal(t, 49, a.Keys)
	require.EqualValues(t, 4*40*10, a.Pairs())
	d.Chunked = true
	a = count(d, Params{Sequence: 35, Context: 105}) // entries 70 to 104: chunks of 10
	require.EqualValues(t, 4*(3*55+15), a.Pairs())
	a = count(d, Params{Phase: Decode, Context: 105})
	require.EqualValues(t, 4*5, a.Pairs())
}

// Decoding with latent attention reads the cache once: the values are a part of it.
func TestLatentValuesAreInTheKeys(t *testing.T) {
	d := Decoder{Name: "latent", Layers: 1, Hidden: 64, Heads: 4, FF: 64, Words: 10, Latent: &Latent{Rank: 32, Plain: 16, Rotary: 8, Value: 16}}
	g, err := d.Graph(Params{Phase: Decode, Context: 50, Batch: 2})
	require.NoError(t, err)
	g.SetDTypes(graph.Uniform(graph.Int8))
	f := g.FuseAttention(g.Chains())
	for i := range f.Ops {
		if a, ok := f.Ops[i].Kind.(graph.Attention); ok {
			require.True(t, a.Inside)
			require.EqualValues(t, 2*50*40, f.Footprint(&f.Ops[i]).KVBytes)
			return
		}
	}
	t.Fatal("no attention")
}
