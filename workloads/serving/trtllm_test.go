package serving

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/units"
)

// Tokens of running sequences come first, and a prompt is added whole where the step has room for it.
func TestTRTLLMBatchesInFlight(t *testing.T) {
	s := by("trtllm", BatchWaiting{Share: 1})
	s.Chunked = false
	require.Equal(t, []string{
		"0: 0/4@0*",
		"1: 0/1@4*", // eight tokens are no room for a prompt of eight beside another's token
		"2: 0/1@5*",
		"3: 1/8@0*",
		"4: 1/1@8*",
	}, later(t, s, []Request{{Prompt: 4, Output: 3}, {Prompt: 8, Output: 2}}, 1))
	require.Equal(t, "1: 0/1@4* 1/7@0*", later(t, s, []Request{{Prompt: 4, Output: 3}, {Prompt: 7, Output: 2}}, 1)[1])
}

// A prompt waits for others: wait steps at most, while others get tokens, and until the step has the
// share of its tokens.
func TestTRTLLMWaitsForABatch(t *testing.T) {
	requests := []Request{{Prompt: 4, Output: 6}, {Prompt: 4, Output: 1}}
	got := later(t, by("trtllm", BatchWaiting{Wait: 2, Share: 0.9}), requests, 1)
	require.Equal(t, []string{"0: 0/4@0*", "1: 0/1@4*", "2: 0/1@5*", "3: 0/1@6* 1/4@0*", "4: 0/1@7*", "5: 0/1@8*"}, got)
	require.Equal(t, "1: 0/1@4* 1/4@0*", later(t, by("trtllm", BatchWaiting{Wait: 2, Share: 0.6}), requests, 1)[1])
}

// A request begins when there are blocks for all of its tokens, so that no sequence loses its own:
// vLLM's rules begin the second at once and take its blocks back.
func TestTRTLLMKeepsBlocks(t *testing.T) {
	requests := []Request{{Prompt: 8, Output: 9}, {Prompt: 4, Output: 9}}
	for name, want := range map[string]uint64{"vllm": 1, "trtllm": 0} {
		s := by(name, nil)
		s.Blocks, s.Prefix, s.Tokens = []int{5}, false, 16
		e, lines := run(t, s, requests)
		require.Equal(t, want, e.Preemptions, name)
		require.Equal(t, name == "trtllm", lines[0] == "0: 0/8@0*", lines[0])
		for i := range requests {
			require.Equal(t, Done, e.Sequence(i).State)
		}
	}
}

// A prompt that comes from another engine is accepted when there are blocks for all tokens of its
// request too: two accepted ones would wait for each other's blocks for ever.
func TestTRTLLMAcceptsWhatCanEnd(t *testing.T) {
	s := by("trtllm", nil)
	s.Blocks, s.Prefix = []int{10}, false
	e, err := New(s, []Request{{Prompt: 17, Output: 8, Cached: 16}, {Prompt: 17, Output: 8, Cached: 16}})
	require.NoError(t, err)
	require.True(t, e.Accept(0))
	require.False(t, e.Accept(1), "five of its six blocks are free")
	e.Ready(0)
	for now := units.Time(1); e.Sequence(0).State != Done; now++ {
		require.Less(t, int(now), 20)
		step, ok := e.Schedule(now)
		require.True(t, ok)
		require.False(t, e.Accept(1), "while the first runs")
		e.Complete(now, step)
	}
	require.True(t, e.Accept(1))
	require.NoError(t, e.Check())
}
