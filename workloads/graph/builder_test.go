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

func TestBuilderRefuses(t *testing.T) {
	for _, c := range []struct {
		add  func(b *Builder, x, m TensorID) // x is 1,4,6,6; m is 3,5
		want string
	}{
		{func(b *Builder, x, m TensorID) { b.Conv("op", m, SquareConv(1, 1, 1, 0)) }, "op: input m has shape [3 5] (want N,C,H,W)"},
		{func(b *Builder, x, m TensorID) { b.Pool("op", x, SquarePool(7, 1, 0)) }, "op: window 7x7 is larger than the padded input 6x6"},
		{func(b *Builder, x, m TensorID) { b.GroupNorm("op", x, 3) }, "op: 3 groups of 4 channels (want a divisor)"},
		{func(b *Builder, x, m TensorID) { b.Gather("op", x, m) }, "op: table has shape [1 4 6 6] (want rows, columns)"},
		{func(b *Builder, x, m TensorID) { b.Linear("op", m, 0) }, "op: 0 columns (want at least 1)"},
		{func(b *Builder, x, m TensorID) { b.Concat("op", 1, m, x) }, "op: shapes [3 5] and [1 4 6 6] do not join along dimension 1"},
		{func(b *Builder, x, m TensorID) { b.Concat("op", 0, m, b.Input("y", 3, 6)) }, "op: shapes [3 5] and [3 6] do not join along dimension 0"},
		{func(b *Builder, x, m TensorID) { b.Concat("op", 2, m, m) }, "op: shapes [3 5] and [3 5] do not join along dimension 2"},
		{func(b *Builder, x, m TensorID) { b.Add("op", m, x) }, "op: input x of shape [1 4 6 6] does not broadcast to [3 5]"},
		{func(b *Builder, x, m TensorID) { b.Reshape("op", m, 4, 4) }, "op: input m of shape [3 5] has 15 elements (want 16)"},
		{func(b *Builder, x, m TensorID) { b.MatMul("op", m, m, MatMul{M: 3, K: 5, N: 4}, 3, 4) }, "op: matrix B m of shape [3 5] has 15 elements (want 20)"},
	} {
		b := NewBuilder("g")
		c.add(b, b.Input("x", 1, 4, 6, 6), b.Input("m", 3, 5))
		_, err := b.Graph()
		require.ErrorContains(t, err, "g: "+c.want)
	}
}
