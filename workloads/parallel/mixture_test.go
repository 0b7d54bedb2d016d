package parallel_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/parallel"
	"github.com/causeway-sim/causeway/workloads/zoo"
)

// Mixtures are found in what a rank has of a model, whether ranks share the width of experts or the
// experts.
func TestMixturesOfARank(t *testing.T) {
	g, err := zoo.Build("mixtral_8x7b", zoo.Params{Batch: 8, Sequence: 1, Context: 64, Phase: "decode"})
	require.NoError(t, err)
	g.SetDTypes(graph.Uniform(graph.BF16))
	s, err := parallel.Tensor(g, parallel.Tensors{Ranks: 2})
	require.NoError(t, err)
	all := s.Graph.Mixtures()
	require.Len(t, all, 32)
	require.Equal(t, 14336/2, all[0].Inter)
	require.Equal(t, []graph.Load{{Tokens: 2, Experts: 8}}, all[0].Loads)
	require.Equal(t, 8, all[0].Tokens)
	for _, i := range all[0].Ops {
		_, transfer := s.Graph.Ops[i].Kind.(graph.Transfer)
		require.False(t, transfer)
	}
	e, _, err := parallel.Expert(g, parallel.Experts{Ranks: 2})
	require.NoError(t, err)
	all = e.Mixtures()
	require.Len(t, all, 32)
	require.Equal(t, []graph.Load{{Tokens: 4, Experts: 4}}, all[0].Loads)
	require.Zero(t, all[0].Tokens, "results are summed up where the tokens are")
}
