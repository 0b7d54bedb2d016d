package recipe_test

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/parallel"
	"github.com/causeway-sim/causeway/workloads/recipe"
	"github.com/causeway-sim/causeway/workloads/zoo"
)

// mixture is a decoder with four experts of two layers, of which each token takes two.
func mixture(t *testing.T, bias bool) *graph.Graph {
	d := zoo.Decoder{Name: "mixed", Layers: 2, Hidden: 32, Heads: 4, KVHeads: 2, FF: 48, Words: 64, Experts: 4, ActiveExperts: 2, MaxContext: 64, FFBias: bias}
	g, err := d.Graph(zoo.Params{Batch: 1, Sequence: 16})
	require.NoError(t, err)
	g.SetDTypes(graph.Uniform(graph.BF16))
	return g
}

// value carries out what weighs results of experts, with numbers for all tensors that no such operator makes.
func value(g *graph.Graph, at map[graph.TensorID][]float64, i int) {
	op := &g.Ops[i]
	of := func(id graph.TensorID) []float64 {
		x, ok := at[id]
		if !ok {
			n := g.Tensor(id).Elements()
			x = make([]float64, n)
			for k := range x {
				x[k] = math.Sin(float64(k) + float64(len(g.Tensor(id).Name)))
			}
			at[id] = x
		}
		return x
	}
	wide := func(id graph.TensorID, row, col, cols int) float64 { // of one row, of one column or of all
		x := of(id)
		switch s := g.Tensor(id).Shape; {
		case len(x) == cols && len(s) == 1:
			return x[col]
		case s[len(s)-1] == 1:
			return x[row]
		}
		return x[row*cols+col]
	}
	out := g.Tensor(op.Out[0])
	cols := out.Shape[len(out.Shape)-1]
	y := make([]float64, out.Elements())
	switch k := op.Kind.(type) {
	case graph.Move: // picks lie one expert after the other
		if k.Func != "weights" {
			y = nil
			for _, id := range op.In {
				y = append(y, of(id)...)
			}
			break
		}
		n := 0
		for _, id := range op.Out {
			to := g.Tensor(id).Elements()
			at[id] = of(op.In[0])[n : n+int(to)]
			n += int(to)
		}
		return
	case graph.MatMul:
		for r := range k.M {
			for c := range k.N {
				for j := range k.K {
					y[r*k.N+c] += of(op.In[0])[r*k.K+j] * of(op.In[1])[j*k.N+c]
				}
				if len(op.In) > 2 && op.In[2] != graph.None {
					y[r*k.N+c] += of(op.In[2])[c]
				}
			}
		}
	case graph.Elementwise:
		for e := range y {
			y[e] = wide(op.In[0], e/cols, e%cols, cols)
			for _, id := range op.In[1:] {
				if k.Func == "add" {
					y[e] += wide(id, e/cols, e%cols, cols)
				} else {
					y[e] *= wide(id, e/cols, e%cols, cols)
				}
			}
		}
	}
	at[op.Out[0]] = y
}

// weighed are the results of all experts of the first layer, weighed.
func weighed(t *testing.T, g *graph.Graph) []float64 {
	at := map[graph.TensorID][]float64{}
	for i := range g.Ops {
		name := strings.TrimPrefix(g.Ops[i].Name, "L0.")
		if strings.HasPrefix(name, "E") && (strings.HasSuffix(name, ".mul") || strings.Contains(name, ".down")) || name == "weights" || name == "collect" || name == "weight" {
			value(g, at, i)
		}
		if name == "combine" {
			return at[g.Ops[i].In[0]]
		}
	}
	t.Fatal("no experts")
	return nil
}

// Results of experts that are weighed before their last product are those that are weighed after it, with
// biases and without.
func TestWeighIsTheSameSum(t *testing.T) {
	for _, bias := range []bool{false, true} {
		g := mixture(t, bias)
		x := recipe.Weigh(g)
		require.NoError(t, x.Validate())
		require.Equal(t, g.MACs(), x.MACs())
		want, got := weighed(t, g), weighed(t, x)
		require.Len(t, got, 16*2*32)
		require.InDeltaSlice(t, want, got, 1e-9, "biases: %v", bias)
		require.Equal(t, g.Ops, mixture(t, bias).Ops, "the model stays as it was")
	}
	dense, err := zoo.Build("gpt2", zoo.Params{Batch: 1, Sequence: 16})
	require.NoError(t, err)
	require.Same(t, dense, recipe.Weigh(dense), "nothing to be weighed")
}

// A step with weighed experts has the same products and bytes but for the weights, which go to the experts
// and come back as gradients, and keeps no results of experts.
func TestWeighedStep(t *testing.T) {
	for _, bias := range []bool{false, true} {
		g := mixture(t, bias)
		step := func(g *graph.Graph) (*graph.Graph, int64) {
			s, err := parallel.Train(g, parallel.Grid{Tensor: 1, Pipeline: 1, Data: 2}, parallel.Training{Microbatches: 1, Recompute: parallel.RecomputeNone, Schedule: parallel.OneFOneB,
				Chunks: 1, Context: 1, Experts: 2, Optimizer: "adam", Gradients: graph.FP32, Fused: true})
			require.NoError(t, err)
			out, _ := s.Rank(0)
			require.NoError(t, out.Validate())
			return out, s.Held(0)
		}
		exchanged := func(g *graph.Graph) (bytes int64, ops int) {
			for i := range g.Ops {
				if k, ok := g.Ops[i].Kind.(graph.Transfer); ok && k.Func == "all_to_all" {
					bytes, ops = bytes+k.Bytes, ops+1
				}
			}
			return bytes, ops
		}
		was, held := step(g)
		is, keeps := step(recipe.Weigh(g))
		require.Equal(t, was.MACs(), is.MACs())
		require.Equal(t, was.Bytes(graph.Gradient), is.Bytes(graph.Gradient))
		before, n := exchanged(was)
		after, m := exchanged(is)
		require.Equal(t, n, m)
		picks := int64(16 * 2)
		require.Equal(t, 2*2*picks*2, after-before, "two mixtures, there and back, in 16 bits")
		require.Less(t, keeps, held)
		if !bias { // of both mixtures: results of experts; their weights and what these come from are kept in place
			require.InDelta(t, 2*picks*32*2, held-keeps, float64(2*3*picks*4))
		}
	}
}
