package recipe_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/parallel"
	"github.com/causeway-sim/causeway/workloads/recipe"
	"github.com/causeway-sim/causeway/workloads/zoo"
)

// Frozen weights have neither gradients nor states, and are not gathered; products of the pass back
// are those of operands that adapters depend on.
func TestAdaptersAloneAreTrained(t *testing.T) {
	const rank, layers, d, tokens = 8, 12, 768, 16
	g, err := zoo.Build("gpt2", zoo.Params{Batch: 1, Sequence: tokens, Context: tokens})
	require.NoError(t, err)
	g.SetDTypes(graph.Uniform(graph.BF16))
	before := g.MACs()
	with, trained, err := recipe.Adapters(g, rank, graph.FP8)
	require.NoError(t, err)
	require.NoError(t, with.Validate())
	require.Equal(t, before, g.MACs(), "the model stays as it was")
	require.Len(t, trained, 4*layers, "two of the product of queries, keys and values, two after attention")
	adapters := int64(tokens * rank * (d + 3*d + d + d) * layers)
	require.Equal(t, before+adapters, with.MACs())

	s, err := parallel.Train(with, parallel.Grid{Tensor: 1, Pipeline: 1, Data: 4}, parallel.Training{Microbatches: 1, Recompute: parallel.RecomputeNone, Trained: trained,
		Schedule: parallel.OneFOneB, Chunks: 1, Context: 1, Experts: 1, Zero: 1, Early: true, Bucket: 25 << 20, Optimizer: "adam", Gradients: graph.BF16})
	require.NoError(t, err)
	out, pairs := s.Representative(0)
	elements := int64(rank * (d + 3*d + d + d) * layers)
	require.Equal(t, 2*elements, out.Bytes(graph.Gradient))
	require.InDelta(t, 12*elements/4, out.Bytes(graph.Optimizer), 12*4*layers)
	first := int64(tokens * d * 3 * d) // no operand before the first adapter has a gradient
	attention := int64(0)
	for i := range g.Ops {
		if op := &g.Ops[i]; op.MACs() > 0 && g.Tensor(op.In[1]).Role != graph.Weight {
			attention += op.MACs()
		}
	}
	require.Equal(t, 2*(before-attention)-first+3*attention+3*adapters-int64(tokens*rank*d), out.MACs())
	gathered := int64(0)
	for i := range out.Ops {
		op := &out.Ops[i]
		if k, ok := op.Kind.(graph.Transfer); ok && k.Func == "all_gather" {
			gathered += k.Bytes
			for _, id := range op.In {
				if x := out.Tensor(id); x.Role == graph.Weight {
					require.True(t, trained[x.Name], x.Name)
				}
			}
		}
	}
	require.InDelta(t, 2*elements/4, gathered, 2*4*layers)

	cast, _ := recipe.Apply(out, pairs, recipe.Recipe{Products: graph.FP8, Transposes: true, Weights: true})
	require.NoError(t, cast.Validate())
	for i := range cast.Ops {
		op := &cast.Ops[i]
		if strings.HasSuffix(op.Name, ".cast") && len(op.In) > 0 {
			require.NotEqual(t, graph.Weight, cast.Tensor(op.In[0]).Role, "%s: frozen weights have the type of products", op.Name)
		}
		if _, ok := op.Kind.(graph.MatMul); ok && strings.Contains(op.Name, ".adapter") {
			require.Equal(t, graph.BF16, cast.Tensor(op.In[1]).DType, op.Name)
		}
	}
	_, _, err = recipe.Adapters(&graph.Graph{Name: "nothing"}, rank, graph.FP8)
	require.ErrorContains(t, err, "no projections of attention")
}

// Operands of a gated activation take half the room in fp8.
func TestGatesAreKeptInTheTypeOfProducts(t *testing.T) {
	const layers, width, tokens = 32, 14336, 16
	g, err := zoo.Build("llama3_8b", zoo.Params{Batch: 1, Sequence: tokens, Context: tokens})
	require.NoError(t, err)
	g.SetDTypes(graph.Uniform(graph.BF16))
	with, trained, err := recipe.Adapters(g, 8, graph.FP8)
	require.NoError(t, err)
	held := func(narrow bool) int64 {
		s, err := parallel.Train(with, parallel.Grid{Tensor: 1, Pipeline: 1, Data: 1}, parallel.Training{Microbatches: 1, Recompute: parallel.RecomputeNone, Trained: trained, Fused: true,
			Cast: true, Products: graph.FP8, Narrow: narrow, Schedule: parallel.OneFOneB, Chunks: 1, Context: 1, Experts: 1, Optimizer: "adam", Gradients: graph.BF16})
		require.NoError(t, err)
		return s.Held(0)
	}
	require.Equal(t, int64(layers*tokens*2*width), held(false)-held(true))
}
