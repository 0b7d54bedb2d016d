package parallel

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/zoo"
)

// held are the tokens of rank i of n, in the order in which it has them.
func held(balance string, i, n, tokens int) (out []int) {
	own := tokens / n
	for k := range own {
		switch {
		case balance == Striped:
			out = append(out, k*n+i)
		case balance == Zigzag && k < own/2:
			out = append(out, i*own/2+k)
		case balance == Zigzag:
			out = append(out, (2*n-1-i)*own/2+k-own/2)
		default:
			out = append(out, i*own+k)
		}
	}
	return out
}

// pick are rows of a tensor whose axis is cut into tokens.
func pick(x []float64, shape []int, axis int, tokens []int) (out []float64) {
	inner := 1
	for _, d := range shape[axis+1:] {
		inner *= d
	}
	for o := 0; o < len(x); o += shape[axis] * inner {
		for _, t := range tokens {
			out = append(out, x[o+t*inner:o+(t+1)*inner]...)
		}
	}
	return out
}

func prompt(t *testing.T, batch, heads, kv, own, tokens int) *graph.Graph {
	d := zoo.Decoder{Name: "small", Layers: 2, Hidden: heads * 6, Heads: heads, KVHeads: kv, FF: 24, Words: 40, MaxContext: 64, Positions: 64}
	g, err := d.Graph(zoo.Params{Batch: batch, Sequence: own, Context: tokens})
	require.NoError(t, err)
	return g.FuseAttention(g.Chains())
}

// ringed are the graphs of ranks, tensor of which share the operators on each part of the
// tokens.
func ringed(t *testing.T, g *graph.Graph, n, tensor int, balance string) (out []*graph.Graph, cuts []Cut) {
	grid := Grid{Tensor: tensor, Data: n, Pipeline: 1}
	g, err := RingContext(g, n, grid.Experts(0, n))
	require.NoError(t, err)
	if tensor > 1 {
		s, err := Tensor(g, Tensors{Ranks: tensor, Among: grid.Tensors(0)})
		require.NoError(t, err)
		g, cuts = s.Graph, s.Cuts
	}
	for r := range n * tensor {
		x, err := Ring(grid.Place(g, r), r, balance)
		require.NoError(t, err)
		out = append(out, x)
	}
	return out, cuts
}

// Ranks whose keys and values go round come to what the model comes to, with real numbers,
// however tokens are shared out.
func TestRingComputesTheModel(t *testing.T) {
	for _, balance := range Balances {
		for _, c := range []struct{ batch, heads, kv, tokens, n int }{{2, 4, 2, 24, 3}, {1, 4, 4, 16, 4}, {1, 2, 1, 8, 4}, {2, 2, 2, 6, 1}} {
			whole, part := prompt(t, c.batch, c.heads, c.kv, c.tokens, c.tokens), prompt(t, c.batch, c.heads, c.kv, c.tokens/c.n, c.tokens)
			given := drawn(whole, rand.New(rand.NewPCG(3, 4)))
			for i := range whole.Tensors { // position t is t, so that ranks look up their own
				if x := &whole.Tensors[i]; x.Name == "positions" {
					for k := range given[graph.TensorID(i)] {
						given[graph.TensorID(i)][k] = float64(k)
					}
				}
			}
			at := make([][]float64, len(whole.Tensors))
			for id, x := range given {
				if whole.Tensors[id].Role != graph.KV {
					at[id] = x
				}
			}
			one := cluster{ranks: []*machine{{g: whole, ranks: 1}}}
			one.run(t, whole, [][][]float64{at})

			graphs, _ := ringed(t, part, c.n, 1, balance)
			var many cluster
			var own [][][]float64
			for r, g := range graphs {
				many.ranks = append(many.ranks, &machine{g: g, ranks: 1})
				x := make([][]float64, len(g.Tensors))
				for i := range part.Tensors { // the tensors of the model have their numbers
					id := graph.TensorID(i)
					switch p := &part.Tensors[i]; {
					case p.Role == graph.Weight:
						x[i] = given[id]
					case p.Role == graph.Input:
						x[i] = pick(given[id], whole.Tensors[i].Shape, len(p.Shape)-1, held(balance, r, c.n, c.tokens))
					}
				}
				own = append(own, x)
			}
			many.run(t, part, own)
			for i := range part.Tensors {
				if p := &part.Tensors[i]; p.Role == graph.Output {
					for r := range graphs {
						want := pick(one.ranks[0].at[0][i], whole.Tensors[i].Shape, 1, held(balance, r, c.n, c.tokens))
						require.InDeltaSlice(t, want, many.ranks[r].at[r][i], 1e-12, "%s %+v rank %d", balance, c, r)
					}
				}
			}
		}
	}
}

// A ring does what the model does, mask and all, and moves what a gather would; tokens in two
// runs, or striped, are equal work: all ranks but for half a diagonal.
func TestRingConserves(t *testing.T) {
	const tokens, n, batch, heads, kv, size = 48, 4, 2, 4, 2, 6
	for _, tensor := range []int{1, 2} {
		for _, balance := range Balances {
			whole, part := prompt(t, batch, heads, kv, tokens, tokens), prompt(t, batch, heads, kv, tokens/n, tokens)
			part.SetDTypes(graph.Uniform(graph.FP16))
			graphs, _ := ringed(t, part, n, tensor, balance)
			var all int64
			var pairs []int64
			for _, g := range graphs {
				var own int64
				all += g.MACs()
				sent, received := bytesOf2(g, "send"), bytesOf2(g, "recv")
				require.EqualValues(t, 2*(n-1)*2*batch*kv/tensor*tokens/n*size*2, sent)
				require.Equal(t, sent, received)
				for i := range g.Ops {
					if k, ok := g.Ops[i].Kind.(graph.Attention); ok {
						own += k.Pairs()
					}
				}
				pairs = append(pairs, own/int64(2*batch*heads/tensor))
			}
			const own = tokens / n
			require.Equal(t, whole.MACs(), all, "%s: %v", balance, pairs)
			for r, p := range pairs {
				i := int64(r / tensor)
				switch balance {
				case Contiguous:
					require.Equal(t, own*own*i+own*(own+1)/2, p)
				case Zigzag:
					require.EqualValues(t, own*own*(n-1)/2+own*(own+1)/2, p)
				case Striped:
					require.Equal(t, (i+1)*own*(own+1)/2+(n-1-i)*own*(own-1)/2, p)
				}
			}
		}
	}
}

func bytesOf2(g *graph.Graph, what string) int64 {
	n, _ := bytesOf(g, what)
	return n
}

func TestRingRefuses(t *testing.T) {
	ring := func(g *graph.Graph, n int, balance string) error {
		g, err := RingContext(g, n, graph.Ranks{Stride: 1, Count: n})
		require.NoError(t, err)
		_, err = Ring(g, 0, balance)
		return err
	}
	require.ErrorContains(t, ring(prompt(t, 1, 4, 2, 9, 27), 3, Zigzag), "L0.attention: a rank has 9 tokens (want an even number for zigzag: sequence a multiple of twice the ranks)")
	d := zoo.Decoder{Name: "small", Layers: 1, Hidden: 24, Heads: 4, FF: 24, Words: 40, MaxContext: 64, Window: 8}
	g, err := d.Graph(zoo.Params{Sequence: 8, Context: 16})
	require.NoError(t, err)
	require.ErrorContains(t, func() error { _, err := Ring(g, 0, Striped); return err }(), "has no attention as one operator to keys and values that go round")
	g, err = d.Graph(zoo.Params{Sequence: 4, Context: 8})
	require.NoError(t, err)
	require.NoError(t, ring(g.FuseAttention(g.Chains()), 2, Striped), "no window of 8 tokens")
	d.Window = 5
	g, err = d.Graph(zoo.Params{Sequence: 4, Context: 8})
	require.NoError(t, err)
	require.ErrorContains(t, ring(g.FuseAttention(g.Chains()), 2, Striped), "sees a window of 5 of 8 tokens")
}
