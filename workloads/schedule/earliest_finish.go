package schedule

import (
	"slices"

	"github.com/causeway-sim/causeway/components/registry"
	"github.com/causeway-sim/causeway/components/units"
)

// earliestFinish gives each request, or operator, to the executor that would end it
// first. Requests are settled in the order of arrival, and wait for their executor.
type earliestFinish struct {
	settled int          // requests, with grain model
	queue   [][]int32    // of each executor: requests that are its own and wait
	backlog []units.Time // of each executor: what they take
}

func (p *earliestFinish) Next(s *State, e int) (Ref, bool) {
	if s.options.Grain == ByOperator {
		for _, r := range s.Candidates() {
			if op, ok := s.First(r, e); ok && s.earliest(r, op) == e {
				return Ref{r.ID, op}, true
			}
		}
		return Ref{}, false
	}
	p.settle(s)
	for _, r := range s.Started() {
		if r.Executor != e {
			continue
		}
		if op, ok := s.First(r, e); ok {
			return Ref{r.ID, op}, true
		}
	}
	for i := 0; i < len(p.queue[e]); i++ { // the first that waits for no other request
		r := s.Request(p.queue[e][i])
		op, ok := s.First(r, e)
		if !ok && !r.Dropped && r.Executor < 0 { // otherwise it began in another's batch
			continue
		}
		p.queue[e] = slices.Delete(p.queue[e], i, i+1)
		p.backlog[e] -= s.Models[r.Model].whole[e]
		if ok {
			return Ref{r.ID, op}, true
		}
		i--
	}
	return Ref{}, false
}

// settle finds the executors of the requests that have come since the last time.
func (p *earliestFinish) settle(s *State) {
	if p.queue == nil {
		p.queue, p.backlog = make([][]int32, len(s.Executors)), make([]units.Time, len(s.Executors))
	}
	if p.settled == s.Arrived() {
		return
	}
	ready := make([]units.Time, len(s.Executors))
	for e := range ready {
		ready[e] = max(s.Executors[e].Free, s.Now) + p.backlog[e]
	}
	for _, r := range s.Started() {
		ready[r.Executor] += s.Models[r.Model].whole[r.Executor] - r.given
	}
	for ; p.settled < s.Arrived(); p.settled++ {
		r := s.Request(int32(p.settled))
		if r.Finished() || r.Dropped {
			continue // it has no operators, or was given up
		}
		m, at := &s.Models[r.Model], -1
		for e := range ready {
			if m.all[e] && (at < 0 || ready[e]+m.whole[e] < ready[at]+m.whole[at]) {
				at = e
			}
		}
		ready[at] += m.whole[at]
		p.queue[at] = append(p.queue[at], r.ID)
		p.backlog[at] += m.whole[at]
	}
}

// earliest is the executor that would end an operator first; the first of several.
func (s *State) earliest(r *Request, op int32) int {
	m := &s.Models[r.Model]
	at, least := -1, units.Time(0)
	for e := range s.Executors {
		c := m.at(op, e)
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
		New:    func(any) Policy { return &earliestFinish{} },
	})
}
