package gpu

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// block is attention's projections and a gated feed-forward network of a transformer, whose tokens
// have a residual.
func block(t *testing.T) *graph.Graph {
	b := graph.NewBuilder("block")
	product := func(name string, x graph.TensorID, k, n int) graph.TensorID {
		return b.MatMul(name, x, b.Weight(name, k, n), graph.MatMul{Batch: 1, M: 16, N: n, K: k}, 16, n)
	}
	x := b.Input("x", 16, 1024)
	q, k, v := product("q", x, 1024, 1024), product("k", x, 1024, 256), product("v", x, 1024, 256)
	q = b.Op("q.heads", graph.Move{Func: "view"}, []graph.TensorID{q}, 8, 16, 128)
	k = b.Op("k.heads", graph.Move{Func: "view"}, []graph.TensorID{k}, 2, 16, 128)
	v = b.Op("v.heads", graph.Move{Func: "view"}, []graph.TensorID{v}, 2, 16, 128)
	y := b.Op("attention", graph.Attention{Batch: 2, Group: 4, Queries: 16, Keys: 16, Size: 128, Value: 128, ScoreOps: 1}, []graph.TensorID{q, k, v}, 8, 16, 128)
	y = product("o", b.Reshape("merge", y, 16, 1024), 1024, 1024)
	x = b.Add("add", x, y)
	y = b.Op("norm", graph.Norm{Func: "rms", Rows: 16, Cols: 1024}, []graph.TensorID{x, b.Weight("norm", 1024)}, 16, 1024)
	gate, up := product("gate", y, 1024, 4096), product("up", y, 1024, 4096)
	y = b.Mul("mul", b.Elementwise("silu", "silu", gate), up)
	b.Output(b.Add("add2", x, product("down", y, 4096, 1024)))
	g, err := b.Graph()
	require.NoError(t, err)
	g.SetDTypes(graph.Uniform(graph.BF16))
	return g
}

// Products of one operand are one product, which takes as long as a product of all columns; the norm
// takes the residual's addition; all that is less than apart.
func TestJoins(t *testing.T) {
	s := DefaultSpec()
	s.Architecture, s.Kernels.Library = "sm90", "trtllm"
	apart := s
	apart.Kernels.Join = false
	g := block(t)
	together, each := cycles(run(t, s, work.Share{Graph: g})), cycles(run(t, apart, work.Share{Graph: g}))
	for _, name := range []string{"k", "v", "norm", "up"} {
		require.Zero(t, together[name], name)
		require.NotZero(t, each[name], name)
	}
	s.Caches = cold
	const rows = "name,op,m,n,k,dtype\nqkv,gemm,16,1536,1024,bf16\nboth,gemm,16,8192,1024,bf16\n"
	one := cycles(run(t, s, work.Share{Graph: list(t, rows)}))
	require.Equal(t, one["qkv"], together["q"])
	require.Equal(t, one["both"], together["gate"])
	require.Less(t, together["add"], each["add"]+each["norm"])
	require.Greater(t, together["add"], each["norm"]-1)
	for _, name := range []string{"attention", "o", "down", "add2", "mul"} {
		require.Equal(t, each[name], together[name], name)
	}
}

// Weights of unlike types, and operands of their own, stay products apart.
func TestJoinsNeedOneOperandAndType(t *testing.T) {
	s := DefaultSpec()
	s.Architecture, s.Kernels.Library = "sm90", "trtllm"
	g := block(t)
	for i := range g.Tensors {
		if g.Tensors[i].Name == "up" && g.Tensors[i].Role == graph.Weight {
			g.Tensors[i].DType = graph.FP8
		}
	}
	require.NotZero(t, cycles(run(t, s, work.Share{Graph: g}))["up"])
	g = block(t)
	for i := range g.Ops {
		if g.Ops[i].Name == "up" { // of the sum before the norm
			for j := range g.Ops {
				if g.Ops[j].Name == "add" {
					g.Ops[i].In[0] = g.Ops[j].Out[0]
				}
			}
		}
	}
	require.NotZero(t, cycles(run(t, s, work.Share{Graph: g}))["up"])
}

// Lines of an optimiser write in place, so that the maker of a tensor reads it: a chain of makers ends all the same.
func TestJoinsEndAtTensorsWrittenInPlace(t *testing.T) {
	b := graph.NewBuilder("lines")
	x := b.Input("x", 16, 16)
	y := b.Elementwise("sqrt", "sqrt", x)
	b.Output(b.Mul("div", x, y))
	g, err := b.Graph()
	require.NoError(t, err)
	div := g.Ops[1]
	g.Ops = append(g.Ops[:1], graph.Op{Name: "again", In: []graph.TensorID{y}, Out: []graph.TensorID{y}, Kind: graph.Elementwise{Func: "div", Elements: 256, Inputs: 1, OpsPer: 4}},
		graph.Op{Name: "back", In: []graph.TensorID{y}, Out: []graph.TensorID{x}, Kind: graph.Elementwise{Func: "add", Elements: 256, Inputs: 1, OpsPer: 1}}, div)
	g.SetDTypes(graph.Uniform(graph.BF16))
	s := DefaultSpec()
	s.Architecture = "sm90"
	require.Len(t, cycles(run(t, s, work.Share{Graph: g})), 4)
}
