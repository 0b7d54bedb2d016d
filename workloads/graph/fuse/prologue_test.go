package fuse_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/graph/fuse"
	"github.com/causeway-sim/causeway/workloads/graph/masking"
	"github.com/causeway-sim/causeway/workloads/zoo"
)

// inside are the operators that fuse.Prologues marks.
func inside(g *graph.Graph) (names []string) {
	for i := range g.Ops {
		switch k := g.Ops[i].Kind.(type) {
		case graph.Elementwise:
			if k.Inside {
				names = append(names, g.Ops[i].Name)
			}
		case graph.Move:
			if k.Inside {
				names = append(names, g.Ops[i].Name)
			}
		}
	}
	slices.Sort(names)
	return names
}

func decoder(t *testing.T, p zoo.Params) *graph.Graph {
	p.Batch = 2
	g, err := zoo.Build("llama3_8b", p)
	require.NoError(t, err)
	return g.FuseAttention(g.Chains())
}

// Rotary embeddings and appends of a decoder belong to the attention that reads them, in both
// phases; the operators, their sizes and the graph itself stay.
func TestPrologues(t *testing.T) {
	all := func(*graph.Op) bool { return true }
	for _, p := range []zoo.Params{{Sequence: 64}, {Sequence: 1, Context: 128, Phase: zoo.Decode}} {
		g := decoder(t, p)
		f, n := fuse.Prologues(g, all)
		require.Equal(t, 4*32, n)
		require.Contains(t, inside(f), "L7.q.rope")
		require.Contains(t, inside(f), "L7.v_cache.append")
		require.Len(t, inside(f), n)
		require.Empty(t, inside(g))
		require.Equal(t, g.VectorOps(), f.VectorOps())
		require.NoError(t, f.Validate())
	}
}

// What something else reads stays an operator of its own, and so does what leads to an attention
// whose kernel prepares nothing.
func TestPrologueStaysApart(t *testing.T) {
	b := graph.NewBuilder("g")
	q, k, v := b.Input("q", 1, 2, 8, 64), b.Input("k", 1, 2, 8, 64), b.Input("v", 1, 2, 8, 64)
	angles := b.Input("angles", 8, 64)
	q, k = b.Elementwise("q.rope", "rope", q, angles), b.Elementwise("k.rope", "rope", k, angles)
	m := graph.MatMul{Batch: 2, M: 8, N: 8, K: 64}
	s := b.MaskedSoftmax("softmax", b.MatMul("QK^T", q, k, m, 1, 2, 8, 8), masking.Mask{Causal: true})
	m.N, m.K = 64, 8
	y := b.MatMul("AV", s, v, m, 1, 2, 8, 64)
	b.Output(y, b.Elementwise("seen", "relu", k))
	g, err := b.Graph()
	require.NoError(t, err)
	g = g.FuseAttention(g.Chains())
	f, n := fuse.Prologues(g, func(*graph.Op) bool { return true })
	require.Equal(t, []string{"q.rope"}, inside(f))
	require.Equal(t, 1, n)
	f, n = fuse.Prologues(g, func(*graph.Op) bool { return false })
	require.Zero(t, n)
	require.Same(t, g, f)
}
