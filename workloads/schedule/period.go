package schedule

import (
	"slices"

	"github.com/causeway-sim/causeway/components/units"
)

// periods lets operators of one part of all requests go before those of the next, so that
// there is an instant between two parts at which nothing is under way.
type periods struct {
	open int32 // operators of later ones wait
	left []int // operators that are not done, by period
}

// ByPeriod makes the state issue operators period by period. Only period 0 is open at first.
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

// Period returns the open period; over is true if its operators and all before are done and later
// ones exist.
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

// OpenPeriod allows the issue of operators up to period k. If none is left up to k, it opens the
// first later period with operators: layers 6 to 8 of a model begin with period 7. Period 0,
// before the first layer, is opened even if it is empty, and ends at once.
func (s *State) OpenPeriod(k int32) {
	if i := slices.IndexFunc(s.periods.left, func(n int) bool { return n > 0 }); k > 0 {
		k = max(k, int32(i))
	}
	s.periods.open = k
}

// Skip marks the operators of periods from to to of all requests as done without issuing them, and
// returns their number. All earlier periods must be done, and a later one must exist.
func (s *State) Skip(now units.Time, from, to int32) (n int) {
	s.Now = now
	for _, r := range s.unissued() {
		m := &s.Models[r.Model]
		for op := range m.Ops {
			if k := m.Ops[op].Period; k < from || k > to {
				continue
			}
			if r.missing[op] != 0 || r.state[op] != waiting {
				panic("schedule: an operator is skipped before those that it waits for")
			}
			s.skip(r, int32(op))
			n++
		}
	}
	return n
}

// A Mark is a copy of the accumulated times of executors and requests.
type Mark struct {
	busy   []units.Time // by executor
	live   []*Request
	energy []float64 // of each that is live
}

// Mark returns a Mark of the present state.
func (s *State) Mark() (m Mark) {
	for i := range s.Executors {
		m.busy = append(m.busy, s.Executors[i].Busy)
	}
	m.live = s.unissued()
	for _, r := range m.live {
		m.energy = append(m.energy, r.Energy)
	}
	return m
}

// Repeat adds the differences between two marks of the same requests n times.
func (s *State) Repeat(from, to Mark, n int) {
	for i := range from.busy {
		s.Executors[i].Busy += units.Time(n) * (to.busy[i] - from.busy[i])
	}
	for i, r := range from.live {
		if k := slices.Index(to.live, r); k >= 0 {
			r.Energy += float64(n) * (to.energy[k] - from.energy[i])
		}
	}
}

// unissued are the requests with operators that are not issued.
func (s *State) unissued() []*Request {
	all := slices.Clone(s.started)
	for _, f := range s.fresh {
		all = append(all, f...)
	}
	return all
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
	r.release(m, op)
	if r.issued == len(m.Ops) {
		panic("schedule: the last operator of a request is skipped")
	}
}
