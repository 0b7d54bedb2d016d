package schedule

import "slices"

// marks is a binary heap of executors that may get an operator, those with less work first, equal
// ones by number. Older entries of an executor are ignored.
type marks struct {
	on   []bool
	size []int32  // of the queue that an executor was put in with last
	heap []uint64 // size and executor
}

func (m *marks) open(executors int) {
	for len(m.on) < executors {
		m.on, m.size = append(m.on, false), append(m.size, 0)
	}
}

// add marks an executor with its number of operators.
func (m *marks) add(e, queue int) {
	if m.on == nil || m.on[e] && m.size[e] == int32(queue) {
		return
	}
	m.on[e], m.size[e] = true, int32(queue)
	m.heap = append(m.heap, uint64(queue)<<32|uint64(e))
	for i := len(m.heap) - 1; i > 0 && m.heap[i] < m.heap[(i-1)/2]; i = (i - 1) / 2 {
		m.heap[i], m.heap[(i-1)/2] = m.heap[(i-1)/2], m.heap[i]
	}
}

// take is the first executor, whose mark is gone.
func (m *marks) take() (e int, ok bool) {
	for len(m.heap) > 0 {
		first := m.heap[0]
		last := len(m.heap) - 1
		m.heap[0] = m.heap[last]
		m.heap = m.heap[:last]
		for i := 0; ; {
			c := 2*i + 1
			if c+1 < last && m.heap[c+1] < m.heap[c] {
				c++
			}
			if c >= last || m.heap[i] <= m.heap[c] {
				break
			}
			m.heap[i], m.heap[c] = m.heap[c], m.heap[i]
			i = c
		}
		e = int(first & (1<<32 - 1))
		if m.on[e] && m.size[e] == int32(first>>32) {
			m.on[e] = false
			return e, true
		}
	}
	return 0, false
}

// steady reports whether the policy is Steady, so that executors without an operator wait for a
// change.
func (s *State) steady() bool {
	_, ok := s.policy.(Steady)
	return ok && s.batches == nil && s.periods == nil
}

// settleModels finds which models each executor may work on.
func (s *State) settleModels() {
	s.marks.open(len(s.Executors))
	s.on = make([][]int32, len(s.Executors))
	for i := range s.Models {
		for e := range s.Executors {
			may := s.Models[i].allowed[e]
			for _, f := range s.Models[i].Forms {
				may = may || f < len(s.Models) && s.Models[f].allowed != nil && s.Models[f].allowed[e]
			}
			if may {
				s.on[e] = append(s.on[e], int32(i))
			}
		}
	}
}

// wake marks the executors of a request.
func (s *State) wake(r *Request) {
	s.list(r)
	for _, e := range s.Models[r.Model].places {
		s.marks.add(e, len(s.Executors[e].Queue))
	}
	if r.Of != r.Model {
		for _, e := range s.Models[r.Of].places {
			s.marks.add(e, len(s.Executors[e].Queue))
		}
	}
}

// wakeAfter marks the executors of models that wait for a model of which a request ended.
func (s *State) wakeAfter(r *Request) {
	for i := range s.Models {
		if !slices.Contains(s.Models[i].After, int(r.Of)) {
			continue
		}
		for _, e := range s.Models[i].places {
			s.marks.add(e, len(s.Executors[e].Queue))
		}
	}
}

// nextMarked is Next for a Steady policy.
func (s *State) nextMarked() (Issue, bool) {
	for e, ok := s.marks.take(); ok; e, ok = s.marks.take() {
		if x := &s.Executors[e]; !x.Concurrent && len(x.Queue) >= s.options.Ahead {
			continue // it is marked when it has room
		}
		if ref, ok := s.policy.Next(s, e); ok {
			i := s.hand(ref, e)
			s.marks.add(e, len(s.Executors[e].Queue))
			return i, true
		}
	}
	return Issue{}, false
}

// candidatesOf are the candidates that an executor may work on, in the order of arrival. The
// list holds until the next call.
func (s *State) candidatesOf(e int) []*Request {
	if s.batches != nil {
		return s.Candidates()
	}
	s.some = s.some[:0]
	for _, m := range s.on[e] {
		s.some = append(s.some, s.begun[m]...)
		if f := s.fresh[m]; len(f) > 0 {
			s.some = append(s.some, f[0])
		}
	}
	if len(s.some) > 1 {
		slices.SortFunc(s.some, byArrival)
	}
	return s.some
}
