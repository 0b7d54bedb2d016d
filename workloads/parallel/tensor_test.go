package parallel

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/zoo"
)

func bytesOf(g *graph.Graph, what string) (n, ops int64) {
	for i := range g.Ops {
		if t, ok := g.Ops[i].Kind.(graph.Transfer); ok && t.Func == what {
			n, ops = n+t.Bytes, ops+1
		}
	}
	return n, ops
}

// What all ranks have adds up to the model: products, attention, each weight and cache;
// but for keys and values of fewer heads than there are ranks, and products that a note
// names.
func TestTensorConservesModels(t *testing.T) {
	for _, m := range []struct {
		name  string
		ranks int
		full  []string
	}{{"llama3_8b", 2, nil}, {"llama3_8b", 8, nil}, {"llama3_8b", 16, nil}, {"bert_base", 4, nil}, {"gpt2", 4, []string{"lm_head(tied)"}}} {
		for _, seq := range []bool{false, true} {
			g, err := zoo.Build(m.name, zoo.Params{Sequence: 64})
			require.NoError(t, err)
			g.SetDTypes(graph.Uniform(graph.Int8))
			s, err := Tensor(g, Tensors{Ranks: m.ranks, Sequence: seq})
			require.NoError(t, err)
			n := int64(m.ranks)
			var macs int64
			for i := range s.Graph.Ops {
				op := &s.Graph.Ops[i]
				switch {
				case slices.Contains(s.Full, op.Name):
					macs += op.MACs()
				case op.MACs() > 0 && s.Graph.Tensor(op.In[1]).Role == graph.Weight:
					macs += op.MACs() * int64(s.Cuts[op.In[1]].Parts)
				default:
					macs += op.MACs() * n
				}
			}
			require.Equal(t, g.MACs(), macs, "%s of %d", m.name, m.ranks)
			require.Equal(t, m.full, s.Full)
			seen := map[graph.TensorID]int64{}
			for i, c := range s.Cuts {
				if x := &s.Graph.Tensors[i]; x.Role == graph.Weight || x.Role == graph.KV {
					seen[c.Of] = x.Elements() * int64(c.Parts)
				}
			}
			for i := range g.Tensors {
				if x := &g.Tensors[i]; x.Role == graph.Weight || x.Role == graph.KV {
					require.Equal(t, x.Elements(), seen[graph.TensorID(i)], "%s: %s", m.name, x.Name)
				}
			}
		}
	}
}

// The transfers of LLaMA-3 8B are Megatron's: a sum of all activations after the embedding
// and twice a layer, the words of the head gathered. With sequence each sum is a
// reduce_scatter and an all_gather in front of the next products, of equal bytes.
func TestTensorTransfersByHand(t *testing.T) {
	g, err := zoo.Build("llama3_8b", zoo.Params{Sequence: 64})
	require.NoError(t, err)
	g.SetDTypes(graph.Uniform(graph.Int8))
	const all = 64 * 4096
	s, err := Tensor(g, Tensors{Ranks: 8})
	require.NoError(t, err)
	n, ops := bytesOf(s.Graph, "all_reduce")
	require.Equal(t, []int64{65 * all, 65}, []int64{n, ops})
	n, ops = bytesOf(s.Graph, "all_gather")
	require.Equal(t, []int64{64 * 128256 / 8, 1}, []int64{n, ops})

	s, err = Tensor(g, Tensors{Ranks: 8, Sequence: true})
	require.NoError(t, err)
	n, ops = bytesOf(s.Graph, "reduce_scatter")
	require.Equal(t, []int64{65 * all, 65}, []int64{n, ops})
	n, ops = bytesOf(s.Graph, "all_gather")
	require.Equal(t, []int64{65*all/8 + 64*128256/8, 66}, []int64{n, ops})
	n, ops = bytesOf(s.Graph, "all_reduce")
	require.Equal(t, []int64{0, 0}, []int64{n, ops})

	// One token does not divide: sums are all_reduce, as without.
	g, err = zoo.Build("llama3_8b", zoo.Params{Phase: zoo.Decode, Context: 64})
	require.NoError(t, err)
	s, err = Tensor(g, Tensors{Ranks: 8, Sequence: true})
	require.NoError(t, err)
	_, ops = bytesOf(s.Graph, "all_reduce")
	require.EqualValues(t, 65, ops)
	require.Equal(t, []string{"8 ranks each have all rows of what does not divide by them (parallel.sequence): embed, L0.o, L0.down and 62 more."}, s.Graph.Notes)
}

func TestTensorRefuses(t *testing.T) {
	g, err := zoo.Build("resnet18", zoo.Params{})
	require.NoError(t, err)
	_, err = Tensor(g, Tensors{Ranks: 2})
	require.EqualError(t, err, "resnet18: conv1: a convolution is not cut among ranks (want a model of products and attention)")
	_, err = Tensor(g, Tensors{})
	require.EqualError(t, err, "resnet18: shared by 0 ranks")
}
