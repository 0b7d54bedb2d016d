package schedule

import (
	"github.com/causeway-sim/causeway/components/registry"
	"github.com/causeway-sim/causeway/components/units"
)

// balance balances the memory time and the compute time of an executor's work: a layer with a long
// fetch of weights runs beside a layer with a long computation.
type balance struct{}

func (balance) Next(s *State, e int) (ref Ref, ok bool) {
	var fetch, compute units.Time
	add := func(c Cost) (units.Time, units.Time) {
		if c.Fetch == 0 && c.Compute == 0 { // they are not apart
			return fetch + c.Time, compute + c.Time
		}
		return fetch + c.Fetch, compute + c.Compute
	}
	for _, q := range s.Executors[e].Queue {
		fetch, compute = add(s.costOf(q, e))
	}
	var least units.Time
	for _, r := range s.Candidates() {
		op, can := s.First(r, e)
		if !can {
			continue
		}
		a, b := add(s.costOf(Ref{r.ID, op}, e))
		if d := max(a, b) - min(a, b); !ok || d < least {
			ref, least, ok = Ref{r.ID, op}, d, true
		}
	}
	return ref, ok
}

func init() {
	Policies.Add(registry.Entry[NewPolicy]{
		Name: "balance", Doc: "The operator that leaves an executor's memory and compute units with the most equal work; for executors whose memory works ahead.",
		Source: "after Baek, Kwon, Kim, A multi-neural network acceleration architecture (AI-MT), ISCA 2020, with queues in order",
		New:    func(any) Policy { return balance{} },
	})
}
