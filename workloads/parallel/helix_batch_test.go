package parallel

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/zoo"
)

// Of a batch of a server ranks that share keys have together the model's scores, entries and
// new tokens, group by group: a whole prompt, a later part of one, and tokens of eleven requests,
// which take turns. What each rank sends is the sums of its query heads, and four bytes for each.
func TestHelixOfBatches(t *testing.T) {
	groups := []zoo.Group{{Requests: 1, Tokens: 61, Context: 61, Sample: true}, {Requests: 1, Tokens: 32, Context: 200}, {Requests: 11, Tokens: 1, Context: 333, Sample: true}}
	const tokens = 61 + 32 + 11
	for _, c := range []struct{ tensor, by int }{{1, 8}, {2, 4}, {8, 4}, {1, 2}} {
		g, err := zoo.Build("llama3_8b", zoo.Params{Groups: groups, Only: []int{0}})
		require.NoError(t, err)
		g.SetDTypes(graph.Uniform(graph.FP16))
		g = g.FuseAttention(g.Chains())
		n := c.tensor * c.by
		var scores, entries, written int64
		for r := range n {
			s, err := Tensor(g, Tensors{Ranks: n, Keys: c.by, At: r, Served: true, Among: graph.Ranks{Stride: 1, Count: n}})
			require.NoError(t, err)
			require.Empty(t, s.Full)
			sent, ops := bytesOf(s.Graph, "all_to_all")
			require.Equal(t, []int64{tokens * int64(32/c.tensor) * (128*2 + 4), 3}, []int64{sent, ops})
			for i := range s.Graph.Tensors {
				if x := &s.Graph.Tensors[i]; x.Role == graph.KV {
					entries += x.Elements()
				}
			}
			before := written
			for i := range s.Graph.Ops {
				switch k := s.Graph.Ops[i].Kind.(type) {
				case graph.Move:
					if k.Func == "append" {
						written += k.Elements
					}
				case graph.Attention:
					scores += k.Pairs()
				}
			}
			share := (61+c.by-1)/c.by + (32+c.by-1)/c.by + (11+c.by-1)/c.by
			require.LessOrEqual(t, written-before, int64(share*2*8*128/c.tensor), "new tokens take turns")
		}
		const each = 2 * 8 * 128
		require.EqualValues(t, tokens*each, written, "%+v", c)
		require.EqualValues(t, (61+200+11*333)*each, entries)
		require.EqualValues(t, 32*(61*62/2+32*168+32*33/2+11*333), scores)
	}
	// Fewer entries than ranks: those that have none attend to one.
	g, err := zoo.Build("llama3_8b", zoo.Params{Groups: []zoo.Group{{Requests: 1, Tokens: 3, Context: 3, Sample: true}}, Only: []int{0}})
	require.NoError(t, err)
	g = g.FuseAttention(g.Chains())
	for r, want := range []int64{3, 2, 1, 3, 3, 3, 3, 3} {
		s, err := Tensor(g, Tensors{Ranks: 8, Keys: 8, At: r, Served: true})
		require.NoError(t, err)
		for i := range s.Graph.Ops {
			if k, ok := s.Graph.Ops[i].Kind.(graph.Attention); ok {
				require.Equal(t, []int64{32 * want, 1}, []int64{k.Pairs(), int64(k.Keys)}, r)
			}
		}
	}
	_, err = Tensor(g, Tensors{Ranks: 8, Keys: 8})
	require.ErrorContains(t, err, "8 chips share 3 tokens (want at least one each)")
}
