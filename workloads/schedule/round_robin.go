package schedule

import "github.com/causeway-sim/causeway/components/registry"

// roundRobin looks for the next model after the one that an executor got last.
type roundRobin struct{}

func (roundRobin) Next(s *State, e int) (Ref, bool) {
	n := int32(len(s.Models))
	turn := func(r *Request) int32 { return (r.Model - s.Executors[e].Last - 1 + n) % n }
	return first(s, e, func(a, b *Request) int { return int(turn(a) - turn(b)) })
}

func init() {
	Policies.Add(registry.Entry[NewPolicy]{
		Name: "round_robin", Doc: "Workloads take turns at each executor: request by request, or operator by operator with grain operator.",
		Source: "none: the baseline",
		New:    func(any) Policy { return roundRobin{} },
	})
}
