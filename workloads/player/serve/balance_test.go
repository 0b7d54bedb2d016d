package serve

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/registry/named"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/serving"
)

// steps serves requests on two groups of chips, with steps of a microsecond, and tells the tokens that
// each group computes in each step.
func steps(t *testing.T, rules serving.BatchWaiting, requests []serving.Request) string {
	e := engine.New()
	s := DefaultSpec()
	s.Times, s.Ahead = planned, 0
	s.Rules = serving.RulesName{Choice: named.Choice{Name: "trtllm", Spec: rules}}
	c := New("Serve", e, s)
	var out []string
	require.NoError(t, c.Serve(work.Service{Name: "load", Requests: requests, Entry: 1, Layers: 1, Groups: func(int) int { return 2 },
		Time: func(all []work.Batch, _ int) (units.Time, error) {
			if len(all) == 2 { // before the run it is asked for one
				var groups []string
				for _, b := range all {
					n := 0
					for _, g := range b.Groups {
						n += g.Requests * g.Tokens
					}
					groups = append(groups, fmt.Sprint(n))
				}
				out = append(out, strings.Join(groups, "+"))
			}
			return units.Microsecond, nil
		}}))
	require.NoError(t, c.Start())
	require.NoError(t, e.Run())
	for i := range requests {
		require.Equal(t, serving.Done, c.sequence(i).State)
	}
	return strings.Join(out, " ")
}

// Reference: TensorRT-LLM, ADP Balance Strategy (tech blog 10): a prompt waits until the other group
// has one too; every third step (balance: 3) it does not. While a group has nothing else to do none waits.
func TestPromptsWaitForThoseOfOtherGroups(t *testing.T) {
	at := func(us int) units.Time { return units.Time(us) * units.Microsecond }
	load := func() []serving.Request {
		return []serving.Request{
			{Prompt: 4, Output: 12}, {Prompt: 4, Output: 12},
			{Prompt: 9, Output: 1, Arrival: at(2)}, {Prompt: 9, Output: 1, Arrival: at(5)},
		}
	}
	const first, last = "4+4 1+1 ", " 1+1 1+1 1+1 1+1"
	require.Equal(t, first+"10+1 1+1 1+1 10+1 1+1 1+1"+last, steps(t, serving.BatchWaiting{}, load()))
	require.Equal(t, first+"1+1 1+1 1+1 10+10 1+1 1+1"+last, steps(t, serving.BatchWaiting{Balance: 9}, load()))
	require.Equal(t, first+"1+1 10+1 1+1 1+1 10+1 1+1"+last, steps(t, serving.BatchWaiting{Balance: 3}, load()))
	require.Equal(t, "9+0", steps(t, serving.BatchWaiting{Balance: 9}, []serving.Request{{Prompt: 9, Output: 1}}))
}
