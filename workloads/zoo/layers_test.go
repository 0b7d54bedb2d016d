package zoo_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/zoo"
)

// Parts of a model do the work of their layers, in the order of the model, and are
// whole: together with what lies outside the layers they are the model.
func TestLayersAreParts(t *testing.T) {
	for _, name := range []string{"bert_base", "llama3_8b", "gpt2", "vit_b"} {
		g, err := zoo.Build(name, zoo.Params{})
		require.NoError(t, err)
		n := map[string]int{"bert_base": 12, "llama3_8b": 32, "gpt2": 12, "vit_b": 12}[name]
		first, err := g.Layers(0, 0)
		require.NoError(t, err)
		require.NoError(t, first.Validate())
		some, err := g.Layers(2, 5)
		require.NoError(t, err)
		require.NoError(t, some.Validate())
		require.Equal(t, 4*first.MACs(), some.MACs(), name)
		require.Equal(t, 4*first.Params(), some.Params(), name)
		require.Equal(t, 4*len(first.Ops), len(some.Ops))
		all, err := g.Layers(0, n-1)
		require.NoError(t, err)
		require.Less(t, all.MACs(), g.MACs())
		require.Equal(t, int64(n)*first.MACs(), all.MACs())
		roles := map[graph.Role]int{}
		for i := range some.Tensors {
			roles[some.Tensors[i].Role]++
		}
		require.Positive(t, roles[graph.Input])
		require.Positive(t, roles[graph.Output])
		_, err = g.Layers(3, n)
		require.ErrorContains(t, err, "(want some of 0..")
	}
	g, err := zoo.Build("resnet18", zoo.Params{})
	require.NoError(t, err)
	_, err = g.Layers(0, 0)
	require.EqualError(t, err, "resnet18 has no numbered layers (operators called L0., L1. and so on)")
}
