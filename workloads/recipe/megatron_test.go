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

// distributed is a step of GPT-2 on four replicas that share states of the optimiser.
func distributed(t *testing.T, micro int, gradients graph.DType, last bool) (*graph.Graph, [][2]int32) {
	g, err := zoo.Build("gpt2", zoo.Params{Batch: 1, Sequence: 16, Context: 16})
	require.NoError(t, err)
	g.SetDTypes(graph.Uniform(graph.BF16))
	s, err := parallel.Train(g, parallel.Grid{Tensor: 1, Pipeline: 1, Data: 4}, parallel.Training{Microbatches: micro, Recompute: parallel.RecomputeNone,
		Schedule: parallel.OneFOneB, Chunks: 1, Context: 1, Experts: 1, Zero: 1, Early: true, Gathered: true, Cast: true, Products: graph.FP8, Last: last, Bucket: 25 << 20, Optimizer: "adam", Gradients: gradients})
	require.NoError(t, err)
	return s.Representative(0)
}

// Work and transfers of a step stay; what is added is the zeroed buffer, the copy and the norm of each
// share, casts of the weights, and two small agreements of all ranks. Nothing precedes the buffer, and no share is
// touched before all gradients are reduced.
func TestMegatronConserves(t *testing.T) {
	for _, c := range []struct {
		micro        int
		gradients    graph.DType
		clip, scaled bool
	}{{1, graph.BF16, false, true}, {3, graph.FP32, true, false}} {
		g, before := distributed(t, c.micro, c.gradients, true)
		out, after := recipe.Megatron{Clip: c.clip, Scaled: c.scaled}.Apply(g, before)
		require.NoError(t, out.Validate())
		require.Equal(t, g.MACs(), out.MACs())
		count := func(g *graph.Graph, part string) (n int, elements int64) {
			for i := range g.Ops {
				if op := &g.Ops[i]; strings.Contains(op.Name, part) && len(op.Out) > 0 {
					n++
					elements += g.Tensor(op.In[0]).Elements()
				}
			}
			return n, elements
		}
		var shares, gradients int64
		buckets := 0
		for i := range g.Ops {
			if k, ok := g.Ops[i].Kind.(graph.Elementwise); ok && k.Func == "adam" {
				shares += k.Elements
				buckets++
			}
		}
		for i := range g.Tensors {
			if x := &g.Tensors[i]; x.Role == graph.Gradient {
				gradients += x.Elements()
			}
		}
		require.Equal(t, "gradients.zero", out.Ops[0].Name)
		require.Equal(t, gradients, out.Tensor(out.Ops[0].Out[0]).Elements())
		for part, want := range map[string]bool{".wide": c.gradients != graph.FP32, ".norm": true, ".clipped": c.clip, ".greatest": c.scaled, ".cast": true} {
			n, elements := count(out, part)
			if part == ".norm" || part == ".greatest" && want { // those of all, and their agreement
				n, elements = n-2, elements-int64(buckets+1)
			}
			if !want {
				require.Zero(t, n, part)
				continue
			}
			require.Equal(t, buckets, n, part)
			require.Equal(t, shares, elements, part)
		}
		waits := map[int32]map[int32]bool{}
		for _, p := range after {
			require.Greater(t, p[0], p[1], "%s waits for %s", out.Ops[p[0]].Name, out.Ops[p[1]].Name)
			if waits[p[0]] == nil {
				waits[p[0]] = map[int32]bool{}
			}
			waits[p[0]][p[1]] = true
		}
		early := 0
		for i := range out.Ops {
			op := &out.Ops[i]
			if k, ok := op.Kind.(graph.Transfer); ok && k.Func == "all_gather" {
				require.True(t, waits[int32(i)][0], op.Name)
				early++
			}
		}
		require.Positive(t, early)
		require.Equal(t, sent(g)+4+4*boolean(c.scaled)*weights(g), sent(out))
	}
}

func boolean(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// weights is the number of gradients of a step.
func weights(g *graph.Graph) (n int64) {
	for i := range g.Tensors {
		if g.Tensors[i].Role == graph.Gradient {
			n++
		}
	}
	return n
}

// sent is the bytes of all transfers.
func sent(g *graph.Graph) (n int64) {
	for i := range g.Ops {
		if k, ok := g.Ops[i].Kind.(graph.Transfer); ok {
			n += k.Bytes
		}
	}
	return n
}

// The host makes three calls for each of 48 weights in fp8 (seven with scales of steps before), six for each share
// of one, and three for each share of the 100 others, which go with the last bucket. Four ranks have (4 + n - 1) / 4
// shares of n weights. Where weights are gathered as they are, there are three for each share of all 148.
func TestCallsOfTheHost(t *testing.T) {
	g, before := distributed(t, 1, graph.BF16, true)
	buckets := 0
	for i := range g.Ops {
		if k, ok := g.Ops[i].Kind.(graph.Transfer); ok && k.Func == "reduce_scatter" {
			buckets++
		}
	}
	shares := func(n, buckets int) float64 { return float64(3*buckets+n) / 4 }
	for m, want := range map[recipe.Megatron]float64{
		{Cast: true, Scaled: true}: 3*shares(100, 1) + 6*shares(48, buckets) + 3*48,
		{Cast: true}:               3*shares(100, 1) + 6*shares(48, buckets) + 7*48,
		{}:                         3 * shares(148, buckets),
	} {
		out, _ := m.Apply(g, before)
		calls := int64(-1)
		for i := range out.Ops {
			if k, ok := out.Ops[i].Kind.(graph.Move); ok && k.Func == graph.HostCalls {
				require.Equal(t, int64(-1), calls, "once")
				calls = k.Elements
			}
		}
		require.InDelta(t, want, float64(calls), 0.5, "%+v", m)
	}
}

// With Last all that is not gathered as the products' type comes with the first gather and leaves with the last
// bucket; bytes stay the same.
func TestOtherWeightsGoWithTheLastBucket(t *testing.T) {
	apart, _ := distributed(t, 1, graph.BF16, false)
	g, _ := distributed(t, 1, graph.BF16, true)
	require.InDelta(t, sent(apart), sent(g), 4*float64(len(g.Ops)), "padding of shares")
	scatters := func(g *graph.Graph) (out [][]string) {
		for i := range g.Ops {
			if k, ok := g.Ops[i].Kind.(graph.Transfer); ok && k.Func == "reduce_scatter" {
				var names []string
				for _, id := range g.Ops[i].In {
					names = append(names, g.Tensor(id).Name)
				}
				out = append(out, names)
			}
		}
		return out
	}
	all := scatters(g)
	require.Greater(t, len(all), 2)
	norms := func(names []string) (n int) {
		for _, x := range names {
			if strings.Contains(x, "norm") || strings.Contains(x, "embed") || strings.Contains(x, "bias") {
				n++
			}
		}
		return n
	}
	require.Positive(t, norms(scatters(apart)[0]), scatters(apart)[0])
	total := 0
	for i, names := range all {
		total += norms(names)
		if i < len(all)-1 {
			require.Zero(t, norms(names), "bucket %d", i)
		}
	}
	require.Equal(t, total, norms(all[len(all)-1]))
	for i := range g.Ops {
		if k, ok := g.Ops[i].Kind.(graph.Transfer); ok && k.Func == "all_gather" {
			var names []string
			for _, id := range g.Ops[i].In {
				names = append(names, g.Tensor(id).Name)
			}
			require.Equal(t, total, norms(names), "the first gather brings all of them")
			break
		}
	}
}
