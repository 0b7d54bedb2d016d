package gpu

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/gpu/kernel"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// A loop takes as many weights in turn as exceed the L2, five at the most.
func TestLoops(t *testing.T) {
	m := &kernel.Machine{L2: 100}
	for _, x := range []struct{ weights, others, want float64 }{
		{10, 5, 15},  // five weights and the rest are 55
		{19, 4, 23},  // 99
		{19, 10, 10}, // 105: the weights come from memory, the rest does not
		{50, 0, 50},  // two weights
		{51, 9, 9},   // two weights are 102
		{99, 2, 0},   // nothing stays
		{0, 100, 100},
		{0, 101, 0},
	} {
		f := graph.Footprint{WeightBytes: int64(x.weights), InputBytes: int64(x.others)}
		require.Equal(t, x.want, loops(m, &f), "%+v", x)
	}
}

// Rows of a list are timed in loops, where the library's kernels were: 8 MB of weights stay in an L2
// of 96 MiB. Operators of a model and those of caches: cold take them from memory.
func TestRowsOfAListRunInLoops(t *testing.T) {
	s := DefaultSpec()
	s.Architecture, s.Kernels.Library, s.L2Size = "sm89", "trtllm", 96<<20
	const row = "name,op,m,n,k,dtype\nx,gemm,4,2048,2048,bf16\n"
	g := list(t, row)
	time := func(s Spec, g *graph.Graph) uint64 { return cycles(run(t, s, work.Share{Graph: g}))["x"] }
	cold := s
	cold.Caches = "cold"
	require.Less(t, time(s, g), time(cold, g))
	model := *g
	model.List = false
	require.Equal(t, time(cold, g), time(s, &model))
	s.Caches = "loop"
	require.Less(t, time(s, &model), time(cold, g))
	s.Caches, s.Architecture = "auto", "sm90"
	cold.Architecture = "sm90"
	require.Equal(t, time(cold, g), time(s, g), "rows of an H100's products show nothing of its L2")
}
