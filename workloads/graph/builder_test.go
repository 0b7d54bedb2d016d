package graph

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestBuilderMakesAGraph(t *testing.T) {
	b := NewBuilder("tiny")
	x := b.Input("input", 2, 3, 8, 8)
	y := b.Conv("conv1", x, SquareConv(4, 3, 2, 1), WithBias)
	y = b.Elementwise("relu1", "relu", y)
	z := b.Conv("conv2", y, SquareConv(4, 3, 1, 1))
	y = b.Add("add", z, y)
	y = b.Pool("pool", y, Pool{Global: true, Average: true})
	y = b.Reshape("flatten", y, 2, 4)
	y = b.Linear("fc", y, 10, WithBias)
	y = b.Softmax("prob", y)
	b.Output(y)
	g, err := b.Graph()
	require.NoError(t, err)
	require.Equal(t, int64(2*4*16*27+2*4*16*36+2*40), g.MACs())
	require.Equal(t, int64(4*27+4+4*36+4*10+10), g.Params())
	require.Equal(t, Output, g.Tensor(y).Role)
	require.Equal(t, "conv1.weight", g.Tensor(g.Ops[0].In[1]).Name)
	require.Equal(t, []int{2, 4, 4, 4}, g.Tensor(g.Ops[0].Out[0]).Shape)
	require.Len(t, g.Ops[2].In, 2, "no bias: the operand is left out")
}

func TestBuilderReportsAllErrors(t *testing.T) {
	b := NewBuilder("bad")
	x := b.Input("input", 1, 3, 8, 8)
	b.Conv("conv1", x, SquareConv(4, 11, 1, 0))
	b.Conv("conv2", x, Conv{K: 4, R: 1, S: 1, Groups: 2})
	b.Elementwise("f", "frob", x)
	b.Input("empty", 1, 0)
	_, err := b.Graph()
	require.ErrorContains(t, err, "bad: conv1: window 11x11 with dilation 1x1 is larger than the padded input 8x8")
	require.ErrorContains(t, err, "bad: conv2: 2 groups of 3 channels and 4 filters (want a divisor of both)")
	require.ErrorContains(t, err, `bad: f: unknown function "frob" (want one of: [abs`)
	require.ErrorContains(t, err, "bad: tensor empty has shape [1 0]")
}
