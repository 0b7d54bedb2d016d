package schedule

import (
	"github.com/causeway-sim/causeway/components/registry"
	"github.com/causeway-sim/causeway/components/units"
)

// earliestFinish gives each request, or operator, to the executor that would end it
// first. Requests are settled in the order of arrival, and wait for their executor.
type earliestFinish struct {
	settled map[int32]int // executor by request, with grain model
	ready   []units.Time  // of each executor; scratch
}

func (p *earliestFinish) Next(s *State, e int) (Ref, bool) {
	if s.options.Grain == ByModel {
		p.settle(s)
	}
	for _, r := range s.Open {
		op, ok := s.First(r, e)
		if ok && p.best(s, r, op) == e {
			return Ref{r.ID, op}, true
		}
	}
	return Ref{}, false
}

// settle finds the executors of requests that have none, behind all that is settled.
func (p *earliestFinish) settle(s *State) {
	p.ready = p.ready[:0]
	for e := range s.Executors {
		p.ready = append(p.ready, max(s.Executors[e].Free, s.Now))
	}
	for _, r := range s.Open {
		m := &s.Models[r.Model]
		at, ok := r.Executor, r.Executor >= 0
		if !ok {
			at, ok = p.settled[r.ID]
		}
		if !ok {
			at = -1
			for e := range s.Executors {
				if t, can := m.Whole(e); can && (at < 0 || p.ready[e]+t < p.ready[at]+m.whole[at]) {
					at = e
				}
			}
			p.settled[r.ID] = at
		}
		p.ready[at] += m.whole[at] - r.given
	}
}

// best is the executor of a request, or the one that would end its operator first where
// operators are assigned one by one; the first of several.
func (p *earliestFinish) best(s *State, r *Request, op int32) int {
	if s.options.Grain == ByModel {
		if r.Executor >= 0 {
			return r.Executor
		}
		return p.settled[r.ID]
	}
	m := &s.Models[r.Model]
	at, least := -1, units.Time(0)
	for e := range s.Executors {
		c := m.Ops[op].Cost[e]
		if !m.Allowed(e) || !c.Can {
			continue
		}
		if end := max(s.Executors[e].Free, s.Now) + c.Time; at < 0 || end < least {
			at, least = e, end
		}
	}
	return at
}

func init() {
	Policies.Add(registry.Entry[NewPolicy]{
		Name: "earliest_finish", Doc: "In the order of arrival, each to the executor that would end it first by the costs, if need be after waiting for that one.",
		Source: "the rule for processors of HEFT: Topcuoglu, Hariri, Wu, Performance-effective and low-complexity task scheduling for heterogeneous computing, TPDS 13(3), 2002",
		New:    func(any) Policy { return &earliestFinish{settled: map[int32]int{}} },
	})
}
