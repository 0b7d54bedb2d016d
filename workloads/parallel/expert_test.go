package parallel

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/zoo"
)

// mixed is a decoder with mixtures of experts.
func mixed(t *testing.T, experts, active, batch, sequence int, draw zoo.Draw) (*graph.Graph, zoo.Decoder) {
	d := zoo.Decoder{Name: "mixed", Layers: 2, Hidden: 32, Heads: 4, KVHeads: 2, FF: 48, Words: 64, Experts: experts, ActiveExperts: active, MaxContext: 64}
	g, err := d.Graph(zoo.Params{Batch: batch, Sequence: sequence, Experts: draw})
	require.NoError(t, err)
	g.SetDTypes(graph.Uniform(graph.FP16))
	return g, d
}

// expertMACs are the multiply-accumulates of experts, and of all else.
func expertMACs(g *graph.Graph) (experts, rest int64) {
	for i := range g.Ops {
		if strings.Contains(g.Ops[i].Name, ".E") {
			experts += g.Ops[i].MACs()
		} else {
			rest += g.Ops[i].MACs()
		}
	}
	return experts, rest
}

// Ranks with tokens of their own do all of the work of as many replicas where tokens fall
// evenly, and have each expert once. Each gives every place of all experts twice a layer.
func TestExpertConserves(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 4))
		n := 1 << (1 + r.IntN(2))
		experts, active := n*(1+r.IntN(3)), 1+r.IntN(2)
		g, _ := mixed(t, experts, active, 1, experts*(1+r.IntN(2)), zoo.Draw{})
		x, names, err := Expert(g, Experts{Ranks: n, Among: graph.Ranks{Stride: 1, Count: n}})
		require.NoError(t, err)
		had, rest := expertMACs(g)
		have, left := expertMACs(x)
		require.Equal(t, had, have)
		require.Equal(t, rest, left)
		var own int64
		for i := range x.Tensors {
			for _, name := range names {
				if x.Tensors[i].Name == name {
					own += x.Tensors[i].Elements()
				}
			}
		}
		require.Equal(t, int64(2*3*32*48*experts/n), own)
		require.Equal(t, g.Params()-own*int64(n), x.Params()-own)
		bytes, ops := bytesOf(x, "all_to_all")
		tokens := int64(g.Tensors[0].Elements())
		require.Equal(t, []int64{2 * 2 * tokens * int64(active) * 32 * 2, 4}, []int64{bytes, ops}, "seed %d", seed)
	}
}

// Where tokens fall unevenly all experts have the places of the fullest, or what a capacity
// gives them, beyond which tokens are dropped.
func TestExpertCapacity(t *testing.T) {
	draw := zoo.Draw{Name: "zipf", Exponent: 1, Seed: 3}
	g, _ := mixed(t, 8, 2, 1, 48, draw)
	most := map[string]int{}
	picks := 0
	for i := range g.Ops {
		if k, ok := g.Ops[i].Kind.(graph.Move); ok && k.Func == "dispatch" {
			for _, id := range g.Ops[i].Out {
				most[g.Ops[i].Name] = max(most[g.Ops[i].Name], g.Tensor(id).Shape[0])
				picks += g.Tensor(id).Shape[0]
			}
		}
	}
	require.Equal(t, 2*48*2, picks)
	full, _, err := Expert(g, Experts{Ranks: 4})
	require.NoError(t, err)
	var want int64
	for _, n := range most {
		require.Greater(t, n, 48*2/8)
		want += 2 * 8 * int64(n) * 32 * 2
	}
	bytes, _ := bytesOf(full, "all_to_all")
	require.Equal(t, want, bytes)
	require.Empty(t, full.Notes)
	some, _, err := Expert(g, Experts{Ranks: 4, Capacity: 1.25})
	require.NoError(t, err)
	bytes, _ = bytesOf(some, "all_to_all")
	require.EqualValues(t, 2*2*8*15*32*2, bytes, "15 places of an even share of 12")
	require.Len(t, some.Notes, 1)
	require.Contains(t, some.Notes[0], "of 192 picks of tokens (parallel.capacity), which are dropped")
	_, _, err = Expert(g, Experts{Ranks: 3})
	require.EqualError(t, err, "mixed: L0.dispatch: 8 experts do not divide by 3 ranks")
}

// A step over replicas that share experts: three times the work, four exchanges a layer and
// microbatch, gradients of experts among the replicas that have the same.
func TestTrainExperts(t *testing.T) {
	g, _ := mixed(t, 4, 2, 1, 16, zoo.Draw{})
	for _, zero := range []int{0, 1, 2, 3} {
		for _, grid := range []Grid{{1, 4, 1}, {2, 4, 2}, {1, 2, 1}} {
			s, err := Train(g, grid, Training{Microbatches: 2, Recompute: RecomputeNone, Schedule: OneFOneB, Chunks: 1, Zero: zero, Experts: 2, Optimizer: "adam", Gradients: graph.FP32})
			require.NoError(t, err)
			var macs, expert, shared int64
			sent := map[graph.Ranks]int{}
			for i := range grid.Ranks() {
				x, _ := s.Rank(i)
				require.NoError(t, x.Validate())
				macs += x.MACs()
				for k := range x.Ops {
					if m, ok := x.Ops[k].Kind.(graph.Transfer); ok && m.Func != "send" && m.Func != "recv" {
						require.Contains(t, m.Among.All(grid.Ranks()), int32(i))
						sent[m.Among]++
						if m.Func == "all_to_all" {
							require.Equal(t, grid.Tensor, m.Among.Stride)
							require.Equal(t, 2, m.Among.Count)
							require.EqualValues(t, 16*2*32*2, m.Bytes)
						}
					}
				}
				for k := range x.Tensors {
					if w := &x.Tensors[k]; w.Role == graph.Gradient && strings.Contains(w.Name, ".E") {
						expert += w.Elements()
					} else if w.Role == graph.Gradient {
						shared += w.Elements()
					}
				}
			}
			for r, ops := range sent {
				require.Zero(t, ops%r.Count, "%+v: each member of %+v takes part in as many", grid, r)
			}
			require.EqualValues(t, 2*3*32*48*4*grid.Data/2, expert, "%+v", grid)
			require.Positive(t, shared)
			// The router, of four columns, and keys of fewer heads than ranks are not what doubles.
			if grid.Tensor == 1 {
				require.Equal(t, 3*2*int64(grid.Data)*g.MACs(), macs)
			}
		}
	}
	for _, capacity := range []float64{0.1, 0.5, 1, 2} { // fewer places than picks, and more
		s, err := Train(g, Grid{1, 2, 1}, Training{Microbatches: 1, Recompute: RecomputeNone, Schedule: OneFOneB, Chunks: 1, Experts: 2, Capacity: capacity, Optimizer: "adam", Gradients: graph.FP32})
		require.NoError(t, err, "%g", capacity)
		x, _ := s.Rank(0)
		require.NoError(t, x.Validate())
		bytes, _ := bytesOf(x, "all_to_all")
		places := int64(math.Ceil(capacity * 16 * 2 / 4))
		require.EqualValues(t, 2*4*4*places*32*2, bytes, "%g: two mixtures, four exchanges of the places of four experts", capacity)
	}
	_, err := Train(g, Grid{1, 3, 1}, Training{Microbatches: 2, Recompute: RecomputeNone, Schedule: OneFOneB, Chunks: 1, Experts: 2, Optimizer: "adam"})
	require.ErrorContains(t, err, "experts are shared by 2 of 3 replicas")
	dense, err := zoo.Build("gpt2", zoo.Params{Sequence: 16})
	require.NoError(t, err)
	_, err = Train(dense, Grid{1, 2, 1}, Training{Microbatches: 2, Recompute: RecomputeNone, Schedule: OneFOneB, Chunks: 1, Experts: 2, Optimizer: "adam"})
	require.ErrorContains(t, err, "gpt2: has no mixture of experts")
}
