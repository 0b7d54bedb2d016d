package graph

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestValidateFindsEachFault(t *testing.T) {
	require.NoError(t, sample(t).Validate())
	op := func(g *Graph, name string) *Op {
		for i := range g.Ops {
			if g.Ops[i].Name == name {
				return &g.Ops[i]
			}
		}
		panic(name)
	}
	for _, c := range []struct {
		breakIt func(g *Graph)
		want    string
	}{
		{func(g *Graph) { op(g, "fc").In[1] = 99 }, "sample: fc: input tensor 99 is not one of"},
		{func(g *Graph) { op(g, "fc").Out[0] = -1 }, "sample: fc: output tensor -1 is not one of"},
		{func(g *Graph) { op(g, "fc").Out = nil }, "sample: fc: has no output"},
		{func(g *Graph) { op(g, "fc").Name = "" }, "operator 1 has no name"},
		{func(g *Graph) { op(g, "fc").Kind = nil }, "sample: fc: has no kind"},
		{func(g *Graph) { g.Ops[1], g.Ops[2] = g.Ops[2], g.Ops[1] }, "sample: rms: reads fc before fc writes it"},
		{func(g *Graph) { op(g, "rms").In[0] = op(g, "rms").Out[0] }, "sample: rms: reads rms before rms writes it"},
		{func(g *Graph) { op(g, "rms").Out[0] = op(g, "fc").Out[0] }, "sample: rms: writes fc, which fc writes too"},
		{func(g *Graph) { g.Tensor(op(g, "fc").Out[0]).Role = Weight }, "sample: fc: writes fc, whose role is weight"},
		{func(g *Graph) { g.Tensor(op(g, "fc").In[0]).Shape[0] = 6 }, "sample: fc: matrix A embed of shape [6 6] has 36 elements (want 30)"},
		{func(g *Graph) { g.Tensor(op(g, "fc").In[2]).Shape[0] = 0 }, "sample: tensor fc.bias has shape [0]"},
		{func(g *Graph) { g.Tensor(0).Shape = []int{1 << 40, 1 << 40} }, "has more than 2^63 elements"},
		{func(g *Graph) { op(g, "scores").In[1] = None }, "sample: scores: matrix B is missing"},
		{func(g *Graph) { op(g, "scores").Kind = MatMul{Batch: 1, M: 5, N: 7, K: 0} }, "1 products of 5x0 by 0x7 (want at least 1)"},
		{func(g *Graph) { op(g, "softmax").Kind = Softmax{Rows: 5, Cols: 6} }, "sample: softmax: input scores of shape [5 7] has 35 elements (want 30)"},
		{func(g *Graph) { op(g, "rms").Kind = Norm{Func: "rms", Rows: 5, Cols: 7} }, "sample: rms: output rms of shape [5 8] has 40 elements (want 35)"},
		{func(g *Graph) { op(g, "square").Kind = Elementwise{Func: "mul", Elements: 3, Inputs: 2, OpsPer: 1} }, "has 35 elements (want 3)"},
		{func(g *Graph) { op(g, "square").Kind = Elementwise{Func: "mul", Elements: 35} }, "0 inputs, 0 operations per element"},
		{func(g *Graph) { op(g, "square").In[1] = op(g, "fc").Out[0] }, "input fc of shape [5 8] does not broadcast to [5 7]"},
		{func(g *Graph) { op(g, "square").In[1] = op(g, "embed").Out[0] }, "input embed of shape [5 6] does not broadcast to [5 7]"},
		{func(g *Graph) { op(g, "concat").Kind = Move{Func: "concat", Elements: 71} }, "moves 71 elements into 70"},
		{func(g *Graph) { g.Tensor(op(g, "view").Out[0]).Shape[0] = 2 }, "sample: view: input fc of shape [5 8] has 40 elements (want 80)"},
		{func(g *Graph) { op(g, "mean").Kind = Reduce{"mean", 70, 6} }, "sample: mean: output mean of shape [5 1] has 5 elements (want 6)"},
		{func(g *Graph) { op(g, "embed").Kind = Gather{5, 6, 99} }, "sample: embed: table table of shape [100 6] has 600 elements (want 594)"},
		{func(g *Graph) { op(g, "embed").In = op(g, "embed").In[:1] }, "sample: embed: indices is missing"},
		{func(g *Graph) { k := op(g, "pool").Kind.(Pool); k.H = 5; op(g, "pool").Kind = k }, "sample: pool: input view has shape [1 2 4 5] (want [1 2 5 5])"},
		{func(g *Graph) { k := op(g, "pool").Kind.(Pool); k.R = 5; op(g, "pool").Kind = k }, "sample: pool: window 5x2 is larger"},
		{func(g *Graph) { k := op(g, "up").Kind.(Conv); k.R = 4; op(g, "up").Kind = k }, "sample: up: weight up.weight has shape [2 3 3 3] (want [2 3 4 3])"},
		{func(g *Graph) { k := op(g, "up").Kind.(Conv); k.Groups = 5; op(g, "up").Kind = k }, "sample: up: 5 groups of 2 channels"},
		{func(g *Graph) { op(g, "up").In = append(op(g, "up").In, 0) }, "sample: up: bias ids of shape [5] has 5 elements (want 3)"},
	} {
		g := sample(t)
		c.breakIt(g)
		require.ErrorContains(t, g.Validate(), c.want)
	}
}

func TestValidateReportsAll(t *testing.T) {
	g := sample(t)
	g.Ops[0].Name = ""
	g.Ops[1].In[0] = 99
	g.Ops[5].Kind = nil
	err := g.Validate()
	for _, want := range []string{"operator 0 has no name", "fc: input tensor 99", "softmax: has no kind"} {
		require.ErrorContains(t, err, want)
	}
}

// TestValidateCountsInTotal: each product fits 63 bits, the sum does not.
func TestValidateCountsInTotal(t *testing.T) {
	b := NewBuilder("huge")
	x := b.Input("input", 1<<21, 1<<20)
	for _, name := range []string{"a", "b", "c"} {
		b.Output(b.Linear(name, x, 1<<21))
	}
	_, err := b.Graph()
	require.EqualError(t, err, "huge: more than 2^63 multiply-accumulates in all")
}
