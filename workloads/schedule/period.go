package schedule

import "github.com/causeway-sim/causeway/components/units"

// periods lets operators of one part of all requests go before those of the next, so that
// there is an instant between two parts at which nothing is under way.
type periods struct {
	open int32 // operators of later ones wait
	left []int // operators that are not done, by period
}

// ByPeriod has the state go by periods from now on; none is open yet but period 0.
func (s *State) ByPeriod() { s.periods = &periods{} }

func (p *periods) add(m *Model) {
	if p == nil {
		return
	}
	for i := range m.Ops {
		for int(m.Ops[i].Period) >= len(p.left) {
			p.left = append(p.left, 0)
		}
		p.left[m.Ops[i].Period]++
	}
}

func (p *periods) may(period int32) bool { return p == nil || period <= p.open }

func (p *periods) done(period int32) {
	if p != nil {
		p.left[period]--
	}
}

// Period is the one that is open; over: its operators and all before are done, and there
// are others.
func (s *State) Period() (k int32, over bool) {
	p := s.periods
	if p == nil || s.live == 0 {
		return 0, false
	}
	for i, n := range p.left {
		if n > 0 {
			return p.open, int32(i) > p.open
		}
	}
	return p.open, false
}

// OpenPeriod lets operators up to a period go.
func (s *State) OpenPeriod(k int32) { s.periods.open = k }

// Skip has the operators of periods from to to of all requests be done without having been
// issued; those of all before are done, and others come after.
func (s *State) Skip(now units.Time, from, to int32) {
	s.Now = now
	var all []*Request
	all = append(all, s.started...)
	for _, f := range s.fresh {
		all = append(all, f...)
	}
	for _, r := range all {
		m := &s.Models[r.Model]
		for op := range m.Ops {
			if k := m.Ops[op].Period; k < from || k > to {
				continue
			}
			if r.missing[op] != 0 || r.state[op] != waiting {
				panic("schedule: an operator is skipped before those that it waits for")
			}
			s.skip(r, int32(op))
		}
	}
}

func (s *State) skip(r *Request, op int32) {
	m := &s.Models[r.Model]
	for i, c := range r.candidate {
		if c == op {
			r.candidate = append(r.candidate[:i], r.candidate[i+1:]...)
			break
		}
	}
	if r.issued == 0 {
		s.start(r)
	}
	r.state[op], r.issued, r.done = finished, r.issued+1, r.done+1
	s.periods.done(m.Ops[op].Period)
	for _, n := range m.next[op] {
		if r.missing[n]--; r.missing[n] == 0 {
			r.enter(n)
		}
	}
	if r.issued == len(m.Ops) {
		panic("schedule: the last operator of a request is skipped")
	}
}
