package parallel

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/zoo"
)

// Stages do what the product did: multiply-accumulates, weights and bytes of collectives
// are conserved, each stage has a collective of its own, and who reads the sum finds it.
func TestStagedConserves(t *testing.T) {
	g, err := zoo.Build("gpt2", zoo.Params{Sequence: 64})
	require.NoError(t, err)
	for _, sequence := range []bool{false, true} {
		s, err := Tensor(g, Tensors{Ranks: 4, Sequence: sequence})
		require.NoError(t, err)
		out, done, err := Staged(s.Graph, 8)
		require.NoError(t, err)
		require.Equal(t, 2*12, done, "two products of each layer are added up")
		require.Equal(t, s.Graph.MACs(), out.MACs())
		require.Equal(t, s.Graph.Bytes(graph.Weight), out.Bytes(graph.Weight))
		bytes, last := map[string]int64{}, map[graph.TensorID]bool{}
		sums := 0
		for k, g := range []*graph.Graph{s.Graph, out} {
			for i := range g.Ops {
				for _, id := range g.Ops[i].Out {
					last[id] = k == 1
				}
				if t, ok := g.Ops[i].Kind.(graph.Transfer); ok {
					bytes[t.Func] += t.Bytes * int64(1-2*k)
					sums += k
				}
			}
		}
		for name, left := range bytes {
			require.Zero(t, left, name)
		}
		require.Greater(t, sums, 8*done-1)
		for i := range s.Graph.Ops { // what was made is made
			k, ok := s.Graph.Ops[i].Kind.(graph.MatMul)
			for _, id := range s.Graph.Ops[i].Out {
				require.True(t, last[id] || ok && k.Batch == 1, s.Graph.Tensor(id).Name)
			}
		}
	}
	_, _, err = Staged(g, 8)
	require.EqualError(t, err, "gpt2: no product that is added up over ranks goes in 8 stages")
}
