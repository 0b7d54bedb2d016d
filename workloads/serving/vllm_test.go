package serving

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A chunk of the prompt that arrives late goes with the token of the running sequence, from the step
// after its arrival on.
func TestVLLMMixesPromptsAndTokens(t *testing.T) {
	require.Equal(t, []string{
		"0: 0/4@0*",
		"1: 0/1@4* 1/7@0",
		"2: 0/1@5* 1/5@7*",
		"3: 1/1@12*",
	}, later(t, by("vllm", nil), []Request{{Prompt: 4, Output: 3}, {Prompt: 12, Output: 2}}, 1))
}

// A request is known to the scheduler lag steps after its arrival while another runs, and at once where none
// does.
func TestRequestsLag(t *testing.T) {
	s := by("vllm", nil)
	s.Lag = 2
	require.Equal(t, []string{"0: 0/4@0*", "1: 0/1@4*", "2: 0/1@5*", "3: 0/1@6* 1/4@0*", "4: 0/1@7*"},
		later(t, s, []Request{{Prompt: 4, Output: 5}, {Prompt: 4, Output: 1}}, 1))
	require.Equal(t, []string{"0: 0/4@0*", "1: 1/4@0*"}, later(t, s, []Request{{Prompt: 4, Output: 1}, {Prompt: 4, Output: 1}}, 1))
}
