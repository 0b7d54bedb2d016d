package serving

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/units"
)

// Of requests that wait the shortest prompt is admitted first, equal ones by arrival. With one
// sequence at a time and steps of 8 tokens the first tokens come after 3.5 steps on the mean, in
// place of 5: the least of all orders (Phipps 1956).
func TestShortestPrompt(t *testing.T) {
	requests := []Request{{Prompt: 24, Output: 1}, {Prompt: 8, Output: 1}, {Prompt: 16, Output: 1}, {Prompt: 8, Output: 1}}
	sum := map[string]units.Time{}
	for name, want := range map[string][]string{
		"fcfs":            {"0: 0/8@0", "1: 0/8@8", "2: 0/8@16*", "3: 1/8@0*", "4: 2/8@0", "5: 2/8@8*", "6: 3/8@0*"},
		"shortest_prompt": {"0: 1/8@0*", "1: 3/8@0*", "2: 2/8@0", "3: 2/8@8*", "4: 0/8@0", "5: 0/8@8", "6: 0/8@16*"},
	} {
		s := small()
		s.Sequences, s.Prefix, s.Admit = 1, false, admission(name)
		e, lines := run(t, s, requests)
		require.Equal(t, want, lines, name)
		for i := range requests {
			sum[name] += e.Sequence(i).First
		}
	}
	require.Equal(t, map[string]units.Time{"fcfs": 20, "shortest_prompt": 14}, sum)
}
