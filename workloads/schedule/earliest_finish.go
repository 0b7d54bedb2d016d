package schedule

import (
	"github.com/causeway-sim/causeway/components/registry"
	"github.com/causeway-sim/causeway/components/units"
)

// earliestFinish waits for the executor that would be done first.
type earliestFinish struct{}

func (earliestFinish) Next(s *State, e int) (Ref, bool) {
	for _, r := range s.Open {
		op, ok := s.First(r, e)
		if !ok {
			continue
		}
		if r.Executor == e || best(s, r, op) == e {
			return Ref{r.ID, op}, true
		}
	}
	return Ref{}, false
}

// best is the executor that would end the request first, or its operator where
// operators are assigned one by one; the first of several.
func best(s *State, r *Request, op int32) int {
	m := &s.Models[r.Model]
	at, least := -1, units.Time(0)
	for e := range s.Executors {
		if !m.Allowed(e) {
			continue
		}
		t, can := m.Whole(e)
		if s.options.Grain == ByOperator {
			t, can = m.Ops[op].Cost[e].Time, m.Ops[op].Cost[e].Can
		}
		if !can {
			continue
		}
		if end := max(s.Executors[e].Free, s.Now) + t; at < 0 || end < least {
			at, least = e, end
		}
	}
	return at
}

func init() {
	Policies.Add(registry.Entry[NewPolicy]{
		Name: "earliest_finish", Doc: "In the order of arrival, each to the executor that would end it first by the costs, if need be after waiting for that one.",
		Source: "the rule for processors of HEFT: Topcuoglu, Hariri, Wu, Performance-effective and low-complexity task scheduling for heterogeneous computing, TPDS 13(3), 2002",
		New:    func(any) Policy { return earliestFinish{} },
	})
}
