package operator

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/workloads/graph"
)

// No pick is lost, no token picks an expert twice, and the rank with most picks has its share at
// least.
func TestLoadsOfExperts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ranks := 1 << rapid.IntRange(0, 4).Draw(t, "ranks")
		experts := ranks * rapid.IntRange(1, 16).Draw(t, "own")
		active := rapid.IntRange(1, min(experts, 8)).Draw(t, "active")
		tokens := rapid.IntRange(1, 5000).Draw(t, "tokens")
		law := rapid.SampledFrom([]int{0, 50, 100, 101, 120, 300}).Draw(t, "law")
		sum := func(n []int) (s int) {
			for _, x := range n {
				require.True(t, x >= 0 && x <= tokens, n)
				s += x
			}
			return s
		}
		require.Equal(t, tokens*active, sum(loads(tokens, active, experts, 1, law)))
		n := loads(tokens, active, experts, ranks, law)
		require.Len(t, n, experts/ranks)
		require.GreaterOrEqual(t, sum(n)*ranks, tokens*active)
	})
}

// Balanced picks of fewer tokens than experts go to experts far from each other; a larger exponent
// leaves more experts without tokens.
func TestDistributions(t *testing.T) {
	require.Equal(t, []int{1, 0, 0, 0}, loads(4, 1, 16, 4, 0))
	require.Equal(t, []int{1, 0, 1, 0}, loads(2, 2, 8, 2, 0))
	require.Equal(t, []int{13, 12, 13, 12}, loads(50, 2, 8, 2, 0))
	touched := func(law int) (n int) {
		for _, x := range loads(64, 8, 256, 1, law) {
			if x > 0 {
				n++
			}
		}
		return n
	}
	require.Greater(t, touched(0), touched(101))
	require.Greater(t, touched(101), touched(120))
	for text, want := range map[string]int{"balanced": 0, "power_law_1.01": 101, "power_law_1.2": 120} {
		law, ok := lawOf(text)
		require.True(t, ok)
		require.Equal(t, want, law)
	}
	for _, text := range []string{"", "power_law_", "power_law_0", "power_law_-1", "power_law_99", "uniform", "1.01"} {
		_, ok := lawOf(text)
		require.False(t, ok, text)
	}
}

// The work of a rank by hand: its picks, and the weights of experts that have some.
func TestRowOfExperts(t *testing.T) {
	rows, err := Read("l.csv", []byte("op,name,tokens,hidden,inter,top_k,experts,expert_parallel,tensor_parallel,distribution,gated,dtype,weight_dtype\n"+
		"moe,x,4,64,64,2,8,2,2,balanced,,bf16,\nmoe,y,4,64,64,2,8,2,2,balanced,false,bf16,mxfp4\n"))
	require.NoError(t, err)
	g, err := Graph("l", rows, graph.Uniform(graph.FP16))
	require.NoError(t, err)
	require.EqualValues(t, 4*(3+2)*64*32, g.MACs())
	all := g.Mixtures()
	require.Len(t, all, 2)
	require.Equal(t, graph.Mixture{Ops: all[0].Ops, First: 1, Hidden: 64, Inter: 32, Gated: true, Loads: []graph.Load{{Tokens: 1, Experts: 4}}, Tokens: 4}, all[0])
	require.False(t, all[1].Gated)
	require.EqualValues(t, 4*3*64*32*2, weightBytes(g, "x"))
	require.InDelta(t, 4*2*64*32*(0.5+1./32), weightBytes(g, "y"), 1)
}

func weightBytes(g *graph.Graph, row string) (n float64) {
	for i := range g.Ops {
		if RowOf(g.Ops[i].Name) == row {
			n += float64(g.Footprint(&g.Ops[i]).WeightBytes)
		}
	}
	return n
}

// What no mixture can be is said at its column.
func TestFaultsOfExperts(t *testing.T) {
	for cells, want := range map[string]string{
		"4,64,32,2,8,3,1,balanced":   "l.csv:2:17: 8 experts do not divide by 3",
		"4,64,32,2,8,1,3,balanced":   "l.csv:2:19: 32 inter do not divide by 3",
		"4,64,32,9,8,1,1,balanced":   "l.csv:2:13: a token picks 9 of 8 experts",
		"4,64,32,2,8192,1,1,":        "experts is 8192 (want at most 4096)",
		"4,64,32,2,8,1,1,zipf":       `l.csv:2:21: distribution is "zipf" (want one of: balanced, power_law_X`,
		"4,64,32,2,8,1,1,power_law_": `distribution is "power_law_"`,
		"4,64,32,2,,1,1,balanced":    "moe needs experts",
	} {
		_, err := Read("l.csv", []byte("op,tokens,hidden,inter,top_k,experts,expert_parallel,tensor_parallel,distribution\nmoe,"+cells+"\n"))
		require.ErrorContains(t, err, want, cells)
	}
}
