package graph_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/zoo"
)

func mixtral(t *testing.T, draw string) *graph.Graph {
	g, err := zoo.Build("mixtral_8x7b", zoo.Params{Batch: 3, Sequence: 1, Context: 64, Phase: "decode", Experts: zoo.Draw{Name: draw, Seed: 1}})
	require.NoError(t, err)
	return g
}

// A model's mixture is found in each layer, with the tokens of each expert; all products of
// experts are its.
func TestMixturesOfAModel(t *testing.T) {
	g := mixtral(t, "even")
	all := g.Mixtures()
	require.Len(t, all, 32)
	for _, m := range all {
		require.Equal(t, "L", g.Ops[m.First].Name[:1])
		require.Equal(t, []graph.Load{{Tokens: 1, Experts: 6}}, m.Loads)
		require.Equal(t, [2]int{4096, 14336}, [2]int{m.Hidden, m.Inter})
		require.True(t, m.Gated)
		require.Equal(t, 3, m.Tokens)
		require.Len(t, m.Ops, 1+6*5+3)
	}
	require.Equal(t, []graph.Load{{Tokens: 2, Experts: 1}, {Tokens: 1, Experts: 4}}, mixtral(t, "zipf").Mixtures()[0].Loads)
}

// Experts of unlike widths, ones with other operators, and ones whose results are not gathered
// are no mixture.
func TestWhatIsNoMixture(t *testing.T) {
	for name, change := range map[string]func(g *graph.Graph, m *graph.Mixture){
		"width": func(g *graph.Graph, m *graph.Mixture) {
			k := g.Ops[m.First].Kind.(graph.MatMul)
			k.N++
			g.Ops[m.First].Kind = k
		},
		"softmax": func(g *graph.Graph, m *graph.Mixture) { g.Ops[m.First+1].Kind = graph.Softmax{Rows: 1, Cols: 4} },
		"stages": func(g *graph.Graph, m *graph.Mixture) {
			k := g.Ops[m.First].Kind.(graph.MatMul)
			k.Stages = 2
			g.Ops[m.First].Kind = k
		},
		"open": func(g *graph.Graph, m *graph.Mixture) { g.Ops[m.Ops[len(m.Ops)-3]].Name = "elsewhere" },
	} {
		g := mixtral(t, "even")
		first := g.Mixtures()[0]
		change(g, &first)
		require.Len(t, g.Mixtures(), 31, name)
	}
}
