package schedule

import (
	"slices"

	"github.com/causeway-sim/causeway/components/units"
)

// ready reports whether the requests that r comes after are done.
func (s *State) ready(r *Request) bool {
	for _, f := range s.Models[r.Of].After {
		if int(r.Nth) >= len(s.byModel[f]) || !s.byModel[f][r.Nth].Finished() {
			return false
		}
	}
	return true
}

// DropLate drops the requests that have not begun and whose deadline has passed, and those that
// wait for them (Model.After). It returns all dropped requests.
func (s *State) DropLate(now units.Time) (out []*Request) {
	return s.drop(now, func(r *Request) bool { return r.Deadline > 0 && r.Deadline < now })
}

// DropHopeless drops the requests that the policy gives up (Dropper), and those that wait for them
// (Model.After).
func (s *State) DropHopeless(now units.Time) (out []*Request) {
	p, ok := s.policy.(Dropper)
	if !ok {
		return nil
	}
	s.Now = now
	return s.drop(now, func(r *Request) bool { return p.Hopeless(s, r) })
}

func (s *State) drop(now units.Time, give func(*Request) bool) (out []*Request) {
	s.Now = now
	s.touch()
	for {
		n := len(out)
		for m := range s.fresh {
			s.fresh[m] = slices.DeleteFunc(s.fresh[m], func(r *Request) bool {
				if !give(r) && !s.orphan(r) {
					return false
				}
				r.Dropped, r.End = true, now
				r.missing, r.state, r.on, r.candidate = nil, nil, nil, nil
				s.live--
				s.wake(r)
				out = append(out, r)
				return true
			})
		}
		if len(out) == n {
			break
		}
	}
	if p, ok := s.policy.(Observer); ok {
		for _, r := range out {
			p.Ended(s, r)
		}
	}
	return out
}

// orphan reports whether a request that r comes after was given up.
func (s *State) orphan(r *Request) bool {
	return slices.ContainsFunc(s.Models[r.Of].After, func(f int) bool {
		return int(r.Nth) < len(s.byModel[f]) && s.byModel[f][r.Nth].Dropped
	})
}
