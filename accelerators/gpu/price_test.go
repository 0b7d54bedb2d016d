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
