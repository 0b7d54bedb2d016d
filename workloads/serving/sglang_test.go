package serving

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The prompt that arrives late has steps of its own: the running sequence gets no token meanwhile.
func TestSGLangComputesPromptsFirst(t *testing.T) {
	require.Equal(t, []string{
		"0: 0/4@0*",
		"1: 1/8@0",
		"2: 1/4@8*",
		"3: 0/1@4* 1/1@12*",
		"4: 0/1@5*",
	}, later(t, by("sglang", Polling{Poll: 1}), []Request{{Prompt: 4, Output: 3}, {Prompt: 12, Output: 2}}, 1))
}

// With poll: 3 the scheduler asks for requests once in three steps of tokens; after a step of prompts
// it asks at once, so that a request which arrives during one waits for no other step.
func TestSGLangPolls(t *testing.T) {
	requests := []Request{{Prompt: 4, Output: 8}, {Prompt: 4, Output: 1}}
	require.Equal(t, []string{
		"0: 0/4@0*", "1: 0/1@4*", "2: 0/1@5*", "3: 0/1@6*", "4: 1/4@0*", "5: 0/1@7*", "6: 0/1@8*", "7: 0/1@9*", "8: 0/1@10*",
	}, later(t, by("sglang", Polling{Poll: 3}), requests, 2))
	require.Equal(t, "1: 1/4@0*", later(t, by("sglang", Polling{Poll: 3}), requests, 1)[1])
	busy := later(t, by("sglang", Polling{Poll: 1, BusyPoll: 3, Busy: 1}), requests, 2)
	require.Equal(t, "4: 1/4@0*", busy[4])
	idle := later(t, by("sglang", Polling{Poll: 1, BusyPoll: 3, Busy: 2}), requests, 2)
	require.Equal(t, "2: 1/4@0*", idle[2])
}

// With mixed the running sequence goes on while the late prompt is computed, and takes its token out of the same budget.
func TestSGLangMixes(t *testing.T) {
	requests := []Request{{Prompt: 4, Output: 4}, {Prompt: 12, Output: 2}}
	require.Equal(t, []string{
		"0: 0/4@0*",
		"1: 0/1@4* 1/7@0",
		"2: 0/1@5* 1/5@7*",
		"3: 0/1@6* 1/1@12*",
	}, later(t, by("sglang", Polling{Poll: 1, Mixed: true}), requests, 1))
	require.Equal(t, later(t, by("vllm", nil), requests, 1), later(t, by("sglang", Polling{Poll: 1, Mixed: true}), requests, 1))
	require.Equal(t, "3: 0/1@6*", later(t, by("sglang", Polling{Poll: 3, Mixed: true}), requests, 2)[3], "it asks for requests once in three steps")
}
