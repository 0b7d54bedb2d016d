package onnx

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/zoo"

	"github.com/causeway-sim/causeway/workloads/format"
)

// sums of a graph: multiply-accumulates, rows and bytes of weights by expert.
func mixtureOf(g *graph.Graph) (macs, bytes int64, rows map[string]int) {
	rows = map[string]int{}
	for i := range g.Ops {
		macs += g.Ops[i].MACs()
		if m, ok := g.Ops[i].Kind.(graph.MatMul); ok && strings.HasSuffix(g.Ops[i].Name, ".fc2") {
			rows[strings.Split(g.Ops[i].Name, ".")[1]] = m.M
		}
	}
	return macs, g.Bytes(graph.Weight), rows
}

// Six tokens of 64 pick two of four experts each: 12 rows go through three matrices of 64
// x 96, spread evenly or as they are drawn. Weights of all experts are there, whichever are
// picked.
func TestMixturesOfExperts(t *testing.T) {
	read := func(o format.Options) *graph.Graph {
		m := newONNX(17)
		m.input("x", 2, 3, 64)
		m.input("logits", 6, 4)
		m.weight("w1", 4, 96, 64)
		m.weight("w2", 4, 64, 96)
		m.weight("w3", 4, 96, 64)
		m.node("MoE", []string{"x", "logits", "w1", "", "w2", "", "w3"}, []string{"y"}, aInt("k", 2), aText("activation_type", "silu"))
		m.output("y")
		g, err := m.read(t, o)
		require.NoError(t, err)
		require.NoError(t, g.Validate())
		return g
	}
	macs, bytes, rows := mixtureOf(read(format.Options{}))
	require.EqualValues(t, 12*3*64*96, macs)
	require.EqualValues(t, 4*3*64*96*4, bytes)
	require.Equal(t, map[string]int{"E0": 3, "E1": 3, "E2": 3, "E3": 3}, rows)
	macs, bytes, rows = mixtureOf(read(format.Options{Experts: zoo.Draw{Name: "trace", Shares: [][]float64{{1, 1, 0, 0}}}}))
	require.EqualValues(t, 12*3*64*96, macs)
	require.EqualValues(t, 4*3*64*96*4, bytes)
	require.Equal(t, map[string]int{"E0": 6, "E1": 6}, rows)
}

// Packed weights of 4 bits in blocks of 32: 64 x 192 (both halves of swiglu) and 96 x 64
// for each of four experts, 18 bytes a block.
func TestQuantisedMixtures(t *testing.T) {
	m := newONNX(17)
	m.input("x", 5, 64)
	m.input("logits", 5, 4)
	m.weight("w1", 4, 192, 32)
	m.weight("s1", 4, 192, 2)
	m.weight("w2", 4, 64, 48)
	m.weight("s2", 4, 64, 3)
	node := m.node("QMoE", []string{"x", "logits", "w1", "s1", "", "w2", "s2"}, []string{"y"}, aInt("k", 1), aText("activation_type", "swiglu"), aInt("block_size", 32))
	m.output("y")
	g, err := m.read(t, format.Options{})
	require.NoError(t, err)
	macs, bytes, _ := mixtureOf(g)
	require.EqualValues(t, 5*(64*192+96*64), macs)
	require.EqualValues(t, 4*(192*2+64*3)*18, bytes)
	node.Attribute[0].I = 5
	_, err = m.read(t, format.Options{})
	require.ErrorContains(t, err, "k is 5 (want a row per token, and k from 1 to the experts)")
}
