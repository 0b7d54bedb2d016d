package recipe_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/parallel"
	"github.com/causeway-sim/causeway/workloads/recipe"
	"github.com/causeway-sim/causeway/workloads/zoo"
)

// step is a step of training of GPT-2 on four replicas that share weights.
func step(t *testing.T, micro int, gradients graph.DType, optimizer string) (*graph.Graph, [][2]int32) {
	g, err := zoo.Build("gpt2", zoo.Params{Batch: 1, Sequence: 16, Context: 16})
	require.NoError(t, err)
	g.SetDTypes(graph.Uniform(graph.BF16))
	s, err := parallel.Train(g, parallel.Grid{Tensor: 1, Pipeline: 1, Data: 4}, parallel.Training{Microbatches: micro, Recompute: parallel.RecomputeNone,
		Schedule: parallel.OneFOneB, Chunks: 1, Context: 1, Experts: 1, Zero: 3, Bucket: 25 << 20, Optimizer: optimizer, Gradients: gradients})
	require.NoError(t, err)
	out, before := s.Representative(0)
	return out, before
}

// kernels counts the operators whose name has a part, and the elements of their results.
func kernels(g *graph.Graph, part string) (n int, elements int64) {
	for i := range g.Ops {
		if op := &g.Ops[i]; strings.Contains(op.Name, part) && len(op.Out) > 0 {
			n++
			elements += g.Tensor(op.Out[0]).Elements()
		}
	}
	return n, elements
}

// Products and transfers stay as they are; flat buffers hold each gradient once in a microbatch;
// every line of the optimiser goes over the share of a rank.
func TestEagerConserves(t *testing.T) {
	for _, c := range []struct {
		micro, metrics int
		clip           bool
		gradients      graph.DType
		optimizer      string
		lines          int
	}{{1, 0, false, graph.BF16, "adam", 9}, {3, 2, true, graph.FP32, "adam", 9}, {2, 1, true, graph.BF16, "sgd", 4}} {
		g, before := step(t, c.micro, c.gradients, c.optimizer)
		out, after := recipe.Eager{Clip: c.clip, Metrics: c.metrics}.Apply(g, before)
		require.NoError(t, out.Validate())
		require.Equal(t, g.MACs(), out.MACs())
		for _, p := range after {
			require.Greater(t, p[0], p[1], "%s waits for %s", out.Ops[p[0]].Name, out.Ops[p[1]].Name)
		}
		bytes := func(g *graph.Graph) (n int64) {
			for i := range g.Ops {
				if k, ok := g.Ops[i].Kind.(graph.Transfer); ok && k.Bytes != 4 {
					n += k.Bytes
				}
			}
			return n
		}
		require.Equal(t, bytes(g), bytes(out))
		parameters := g.Bytes(graph.Weight) / 2 // shares
		buckets, updates := 0, 0
		for i := range g.Ops {
			op := &g.Ops[i]
			k, ok := op.Kind.(graph.Transfer)
			if ok && k.Func == "reduce_scatter" {
				buckets++
			}
			if e, ok := op.Kind.(graph.Elementwise); ok && e.Func == c.optimizer {
				updates++
			}
		}
		n, elements := kernels(out, ".flat")
		require.Equal(t, buckets, n)
		require.InDelta(t, 4*parameters*int64(c.micro), elements, 4*float64(len(g.Tensors)), "padding of shares")
		casts, _ := kernels(out, ".cast")
		want := 0
		if c.gradients == graph.FP32 {
			want = buckets
		}
		require.Equal(t, want+c.metrics*c.micro, casts)
		lines, _ := kernels(out, "update")
		require.Equal(t, c.lines*updates, lines)
		_, words := kernels(out, ".metric")
		require.Equal(t, int64(c.metrics*c.micro*2*16*(50257+1)), words, "a cast, two sums and a result of each")
		norms, _ := kernels(out, ".part.norm")
		clipped, _ := kernels(out, ".clipped")
		require.Equal(t, map[bool]int{true: updates}[c.clip], clipped)
		require.LessOrEqual(t, norms, updates)
	}
}

// The gradient of the product of queries, keys and values is a copy of three.
func TestEagerCopiesSplitGradients(t *testing.T) {
	g, before := step(t, 1, graph.BF16, "adam")
	out, _ := recipe.Eager{}.Apply(g, before)
	copies := 0
	for i := range out.Ops {
		if k, ok := out.Ops[i].Kind.(graph.Move); ok && k.Func == "concat" && len(out.Ops[i].In) == 3 && k.Elements == 3*16*768 {
			copies++
		}
	}
	require.Equal(t, 12, copies)
}
