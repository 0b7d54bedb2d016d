package gpu

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/graph/masking"
)

// All attention of a server's step is one kernel. With a prompt in it, requests that decode take
// longer than alone, by each of the heads that share keys; kernels of a library for prompts and for
// tokens are two, whose times add up but for a launch.
func TestAttentionOfAStep(t *testing.T) {
	of := func(requests, queries, keys int) work.Attention {
		return work.Attention{Requests: requests, Attention: graph.Attention{Batch: 4 * requests, Group: 8, Queries: queries, Keys: keys, Size: 128, Value: 128, Mask: masking.Mask{Causal: true}}}
	}
	time := func(library string, parts ...work.Attention) units.Time {
		s := DefaultSpec()
		s.Architecture, s.Kernels.Library = "sm90", library
		return New("Chip", engine.New(), s).Attend(parts, graph.Uniform(graph.BF16)).Time
	}
	prompt, tokens := of(1, 16, 16), of(64, 1, 1024)
	require.Greater(t, time(cutlass, prompt, tokens), time(cutlass, prompt)+time(cutlass, tokens))
	require.Less(t, time("trtllm", prompt, tokens), time("trtllm", prompt)+time("trtllm", tokens))
	require.Equal(t, time("trtllm", tokens), time("trtllm", of(32, 1, 1000), of(32, 1, 1048)), "the mean of their entries")
	require.Less(t, time(cutlass, tokens), time(cutlass, of(32, 1, 1000), of(32, 1, 1048)), "the longest of their entries")
	require.Equal(t, time(cutlass, prompt, tokens), time(cutlass, tokens, prompt))
	require.Zero(t, time(cutlass))
}

// Requests of equal length are the same work in one part or in two: the kernel takes the same time and energy, also
// where the chip's limit slows its clock, and more work takes more energy.
func TestPartsOfAttentionAddUp(t *testing.T) {
	of := func(requests int) work.Attention {
		return work.Attention{Requests: requests, Attention: graph.Attention{Batch: 4 * requests, Group: 8, Queries: 1, Keys: 1000, Size: 128, Value: 128}}
	}
	for _, library := range []string{cutlass, "trtllm"} {
		var full units.Time
		for _, limit := range []units.Power{700, 250} {
			s := priced()
			s.Architecture, s.Kernels.Library, s.PowerLimit, s.Load = "sm90", library, limit, "continuous"
			cost := func(parts ...work.Attention) work.Cost {
				return New("Chip", engine.New(), s).Attend(parts, graph.Uniform(graph.BF16))
			}
			one, two, less := cost(of(64)), cost(of(24), of(40)), cost(of(40))
			require.InEpsilon(t, float64(one.Time), float64(two.Time), 1e-9, "%s %v", library, limit)
			require.InEpsilon(t, float64(one.Energy), float64(two.Energy), 1e-9, "%s %v", library, limit)
			require.Greater(t, two.Energy, less.Energy)
			prompt := of(8)
			prompt.Queries = 1000
			long := cost(prompt)
			require.Greater(t, long.Time, full, "a lower limit slows the clock")
			full = long.Time
			watts := 1000 * long.Energy / float64(long.Time) // pJ and fs
			require.InDelta(t, (180+float64(limit))/2, watts, (float64(limit)-180)/2*1.01, "between that of an idle chip and the limit")
		}
	}
}
