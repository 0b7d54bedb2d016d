package memory

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/workloads/graph"
)

// chain is in -> op0 -> a0 -> op1 -> a1 ... with one activation per kind.
func chain(bytes int, kinds ...graph.Kind) *graph.Graph {
	g := &graph.Graph{Name: "chain"}
	last := g.Add(tensor("in", graph.Input, bytes))
	for i, k := range kinds {
		out := g.Add(tensor(fmt.Sprint("a", i), graph.Activation, bytes))
		g.Append(graph.Op{Name: fmt.Sprint("op", i), In: []graph.TensorID{last}, Out: []graph.TensorID{out}, Kind: k})
		last = out
	}
	return g
}

// A chain needs two buffers in turn; an elementwise operator that may be fused
// keeps what its producer reads.
func TestActivationsTakeTurns(t *testing.T) {
	m := graph.MatMul{}
	place := func(g *graph.Graph) (out []uint64) {
		p, err := Placer{Tiers: []Tier{{"m", 0, 1 << 20}}, Default: "m"}.Place(g)
		require.NoError(t, err)
		for j := range g.Tensors {
			out = append(out, p.Base(0, graph.TensorID(j))/Align)
		}
		return out
	}
	require.Equal(t, []uint64{0, 1, 2, 1, 2, 1}, place(chain(Align, m, m, m, m, m)))
	relu := graph.Elementwise{Func: "relu"}
	require.Equal(t, []uint64{0, 1, 2, 3, 1, 2}, place(chain(Align, m, m, relu, m, m)))
	reshape := graph.Move{Func: "reshape"}
	require.Equal(t, []uint64{0, 1, 1, 2, 1}, place(chain(Align, m, reshape, m, m)))
}

// The dumb twin searches the graph for every pair that shares addresses: all
// readers of one have to be before whatever may write the other.
func TestSharingIsSafe(t *testing.T) {
	kinds := []graph.Kind{graph.MatMul{}, graph.Elementwise{Func: "add"}, graph.Move{}, graph.Softmax{}, graph.Norm{}}
	shared := 0
	rapid.Check(t, func(t *rapid.T) {
		g := &graph.Graph{}
		g.Add(tensor("in", graph.Input, 100))
		for i := range rapid.IntRange(1, 25).Draw(t, "ops") {
			var in []graph.TensorID
			for range rapid.IntRange(1, 2).Draw(t, "inputs") {
				back := rapid.IntRange(1, min(4, len(g.Tensors))).Draw(t, "back")
				in = append(in, graph.TensorID(len(g.Tensors)-back))
			}
			role := graph.Activation
			if rapid.IntRange(0, 9).Draw(t, "output") == 0 {
				role = graph.Output
			}
			out := g.Add(tensor(fmt.Sprint("t", i), role, rapid.IntRange(1, 20000).Draw(t, "bytes")))
			g.Append(graph.Op{In: in, Out: []graph.TensorID{out}, Kind: rapid.SampledFrom(kinds).Draw(t, "kind")})
		}
		for k := range rapid.IntRange(0, 2).Draw(t, "joins") { // two parts written apart, and who reads them
			var in []graph.TensorID
			bytes := rapid.IntRange(1, 20000).Draw(t, "part")
			for p := range 2 {
				from := graph.TensorID(rapid.IntRange(0, len(g.Tensors)-1).Draw(t, "from"))
				in = append(in, g.Add(tensor(fmt.Sprint("part", k, p), graph.Activation, bytes)))
				g.Append(graph.Op{In: []graph.TensorID{from}, Out: in[p:], Kind: graph.MatMul{}})
			}
			all := g.Add(tensor(fmt.Sprint("join", k), graph.Activation, 2*bytes))
			g.Append(graph.Op{In: in, Out: []graph.TensorID{all}, Kind: graph.Move{Func: "concat"}})
			out := g.Add(tensor(fmt.Sprint("after", k), graph.Activation, bytes))
			g.Append(graph.Op{In: []graph.TensorID{all}, Out: []graph.TensorID{out}, Kind: graph.MatMul{}})
		}
		p, err := Placer{Tiers: []Tier{{"m", 0, 1 << 30}}, Default: "m"}.Place(g)
		require.NoError(t, err)
		made := map[graph.TensorID]int{}
		for i := range g.Ops {
			made[g.Ops[i].Out[0]] = i
		}
		var before func(a, b int) bool // a has to be done for b to start
		before = func(a, b int) bool {
			for _, x := range g.Ops[b].In {
				if q, ok := made[x]; ok && (q == a || before(a, q)) {
					return true
				}
			}
			return false
		}
		same := make([]graph.TensorID, len(g.Tensors))
		for i, x := range g.Storage() {
			same[i] = x.In
		}
		overBefore := func(x graph.TensorID, op int) bool {
			for i := range g.Ops {
				touches := same[g.Ops[i].Out[0]] == same[x]
				for _, y := range g.Ops[i].In {
					touches = touches || same[y] == same[x]
				}
				if touches && !before(i, op) {
					return false
				}
			}
			return true
		}
		writer := func(x graph.TensorID) int {
			op := made[x]
			for {
				_, fused := g.Ops[op].Kind.(graph.Elementwise)
				_, norm := g.Ops[op].Kind.(graph.Norm)
				up, ok := made[g.Ops[op].In[0]]
				if !fused && !norm || !ok {
					return op
				}
				op = up
			}
		}
		for i := range g.Tensors {
			for j := range i {
				x, y := graph.TensorID(i), graph.TensorID(j)
				if same[x] == same[y] || p.Base(0, x)+uint64(g.Tensor(x).Bytes()) <= p.Base(0, y) || p.Base(0, y)+uint64(g.Tensor(y).Bytes()) <= p.Base(0, x) {
					continue
				}
				shared++
				require.Equal(t, graph.Activation, g.Tensor(x).Role)
				require.Equal(t, graph.Activation, g.Tensor(y).Role)
				x, y = same[x], same[y]
				require.True(t, overBefore(y, writer(x)) || overBefore(x, writer(y)), "%s and %s", g.Tensor(x).Name, g.Tensor(y).Name)
			}
		}
	})
	require.Positive(t, shared)
}
