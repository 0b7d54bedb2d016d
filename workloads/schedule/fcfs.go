package schedule

import "github.com/causeway-sim/causeway/components/registry"

type fcfs struct{}

func (fcfs) Next(s *State, e int) (Ref, bool) { return first(s, e, byArrival) }

// Steady implements Steady.
func (fcfs) Steady() {}

func init() {
	Policies.Add(registry.Entry[NewPolicy]{
		Name: "fcfs", Doc: "First come, first served: an executor with room gets the oldest request that it may work on.",
		Source: "none: the baseline",
		New:    func(any) Policy { return fcfs{} },
	})
}
