package schedule

import (
	"cmp"
	"math"

	"github.com/causeway-sim/causeway/components/registry"
	"github.com/causeway-sim/causeway/components/units"
)

// Urgency holds the keys of policies that order requests by urgency.
type Urgency struct {
	Preempt bool `yaml:"preempt" doc:"Take operators back that are issued and have not begun when a more urgent request arrives"`
}

// urgency is an order of requests, the most urgent first.
type urgency struct {
	compare func(s *State, a, b *Request) int
}

func (p urgency) Next(s *State, e int) (Ref, bool) {
	return first(s, e, func(a, b *Request) int { return cmp.Or(p.compare(s, a, b), byArrival(a, b)) })
}

// Steady implements Steady: the order of two requests never changes.
func (urgency) Steady() {}

// preemptive is an urgency that takes operators back.
type preemptive struct{ urgency }

func (p preemptive) Yields(s *State, q, r *Request) bool { return p.compare(s, r, q) < 0 }

func newUrgency(compare func(s *State, a, b *Request) int) NewPolicy {
	return func(spec any) Policy {
		if u, ok := spec.(Urgency); ok && u.Preempt {
			return preemptive{urgency{compare}}
		}
		return urgency{compare}
	}
}

func init() {
	Policies.Add(registry.Entry[NewPolicy]{
		Name: "edf", Doc: "Earliest deadline first; requests without a deadline come last.",
		Source: "Liu and Layland, Scheduling algorithms for multiprogramming in a hard-real-time environment, JACM 20(1), 1973",
		Spec:   Urgency{},
		New: newUrgency(func(_ *State, a, b *Request) int {
			due := func(r *Request) units.Time {
				if r.Deadline == 0 {
					return math.MaxUint64
				}
				return r.Deadline
			}
			return cmp.Compare(due(a), due(b))
		}),
	})
	Policies.Add(registry.Entry[NewPolicy]{
		Name: "priority", Doc: "Highest priority first, by the workload's key; equal ones first come first served.",
		Source: "none: the baseline",
		Spec:   Urgency{},
		New: newUrgency(func(s *State, a, b *Request) int {
			return cmp.Compare(s.Models[b.Model].Priority, s.Models[a.Model].Priority)
		}),
	})
}
