package parallel

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/zoo"
)

// Ranks share the heads of latent attention, in a step and in a prompt, fused and not: what
// they do adds up to the model's products, no weight is on two, and each has the latents of
// all heads. As many tokens as heads are no heads.
func TestTensorSharesHeadsOfLatents(t *testing.T) {
	small := zoo.Decoder{Name: "small", Layers: 1, Hidden: 48, Heads: 8, HeadSize: 12, FF: 64, Words: 40, MaxContext: 64,
		Latent: &zoo.Latent{QueryRank: 20, Rank: 16, Plain: 8, Rotary: 4, Value: 12}}
	other := small
	other.Latent = &zoo.Latent{Rank: 32, Plain: 8, Rotary: 8, Value: 8}
	for _, d := range []zoo.Decoder{small, other} {
		for _, p := range []zoo.Params{{Batch: 2, Phase: zoo.Decode, Context: 40}, {Batch: 2, Sequence: 16}, {Batch: 1, Sequence: 8}} {
			for _, fused := range []bool{true, false} {
				for _, o := range []Tensors{{Ranks: 2}, {Ranks: 4}, {Ranks: 4, Sequence: true}} {
					g, err := d.Graph(p)
					require.NoError(t, err)
					g.SetDTypes(graph.Uniform(graph.FP16))
					if fused {
						g = g.FuseAttention(g.Chains())
					}
					o.Among = graph.Ranks{Stride: 1, Count: o.Ranks}
					s, err := Tensor(g, o)
					require.NoError(t, err)
					require.Empty(t, s.Full)
					all := map[string]int64{}
					for i := range s.Graph.Ops {
						all[s.Graph.Ops[i].Name] = s.Graph.Ops[i].MACs() * int64(o.Ranks)
					}
					for i := range g.Ops {
						require.Equal(t, g.Ops[i].MACs(), all[g.Ops[i].Name], "%+v %+v: %s", p, o, g.Ops[i].Name)
					}
					for i, c := range s.Cuts {
						x := &s.Graph.Tensors[i]
						switch {
						case x.Role == graph.KV:
							require.Equal(t, g.Tensor(c.Of).Elements(), x.Elements(), x.Name)
						case x.Role == graph.Weight && len(x.Shape) > 1:
							require.Equal(t, g.Tensor(c.Of).Elements(), x.Elements()*int64(o.Ranks), x.Name)
						}
					}
				}
			}
		}
	}
}

// A step of DeepSeek-V3's attention (arXiv 2412.19437, section 4.2: 128 heads of 128 and 64
// elements, latents of 512) on eight chips: 16 heads each, one sum over them after the output
// projection, and the parts of what comes before latents gathered.
func TestTensorOfLatentsByHand(t *testing.T) {
	const ranks, batch, keys, heads, hidden, rank, turn = 8, 4, 1024, 128 / 8, 7168, 512, 64
	d := zoo.Decoder{Name: "v3", Layers: 1, Hidden: hidden, Heads: 128, HeadSize: 128, FF: 18432, Words: 1024, MaxContext: 4096,
		Latent: &zoo.Latent{QueryRank: 1536, Rank: rank, Plain: 128, Rotary: turn, Value: 128}}
	g, err := d.Graph(zoo.Params{Batch: batch, Phase: zoo.Decode, Context: keys})
	require.NoError(t, err)
	g.SetDTypes(graph.Uniform(graph.Int8))
	g = g.FuseAttention(g.Chains())
	s, err := Tensor(g, Tensors{Ranks: ranks, Among: graph.Ranks{Stride: 1, Count: ranks}})
	require.NoError(t, err)
	macs, bytes := map[string]int64{}, map[string]int64{}
	for i := range s.Graph.Ops {
		op := &s.Graph.Ops[i]
		macs[op.Name] = op.MACs()
		if k, ok := op.Kind.(graph.Transfer); ok {
			bytes[op.Name] = k.Bytes
		}
	}
	require.EqualValues(t, batch*heads*1536*(128+turn), macs["L0.q"])
	require.EqualValues(t, batch*heads*128*rank, macs["L0.q.absorb"])
	require.EqualValues(t, batch*heads*keys*(rank+turn+rank), macs["L0.attention"])
	require.EqualValues(t, batch*heads*rank*128, macs["L0.o.absorb"])
	require.EqualValues(t, batch*heads*128*hidden, macs["L0.o"])
	require.Equal(t, map[string]int64{"embed.all_reduce": batch * hidden, "L0.q_down.all_gather": batch * 1536 / ranks, "L0.kv_down.all_gather": batch * (rank + turn) / ranks,
		"L0.o.all_reduce": batch * hidden, "L0.down.all_reduce": batch * hidden, "lm_head.all_gather": batch * 1024 / ranks}, bytes)
}
