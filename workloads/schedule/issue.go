package schedule

import (
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/components/units"
)

// An operator is issued (Next), carried out elsewhere, and ends (Done, Revoked).

// Next issues and returns the next operator. ok is false if no operator can be issued now.
// Executors with less work come first.
func (s *State) Next(now units.Time) (i Issue, ok bool) {
	if now != s.Now {
		s.touch()
	}
	s.Now = now
	if s.steady() {
		return s.nextMarked()
	}
	if s.Open() == 0 {
		return Issue{}, false
	}
	slices.SortStableFunc(s.order, func(a, b int) int {
		if d := len(s.Executors[a].Queue) - len(s.Executors[b].Queue); d != 0 {
			return d
		}
		return a - b
	})
	for _, e := range s.order {
		if x := &s.Executors[e]; !x.Concurrent && len(x.Queue) >= s.options.Ahead {
			continue
		}
		if ref, ok := s.policy.Next(s, e); ok {
			return s.hand(ref, e), true
		}
	}
	return Issue{}, false
}

// hand issues an operator to an executor.
func (s *State) hand(ref Ref, e int) Issue {
	x, left := &s.Executors[e], false
	if x.Last >= 0 && x.Last != s.requests[ref.Request].Model {
		left = s.requests[x.left].issued < len(s.Models[x.Last].Ops)
	}
	s.issue(ref, e)
	return Issue{ref, e, left}
}

// On is the executor to which an operator was issued.
func (s *State) On(ref Ref) int { return int(s.requests[ref.Request].on[ref.Op]) }

// touch notes that what the executors would do next may have changed.
func (s *State) touch() {
	if s.batches != nil {
		s.batches.changed()
	}
}

func (s *State) issue(ref Ref, e int) {
	r := s.requests[ref.Request]
	m := &s.Models[r.Model]
	_, ok := slices.BinarySearch(r.candidate, ref.Op)
	if op, may := s.First(r, e); !ok || !may || op > ref.Op {
		panic(fmt.Sprintf("schedule: the policy gives operator %d of request %d to %s, which may not get it", ref.Op, ref.Request, s.Executors[e].Name))
	}
	members := 1
	if s.batches != nil {
		k, _ := s.batches.pick(r.Model, e)
		all := s.batches.take(k, r.Model, e)
		s.touch()
		members = len(all)
		for _, q := range all {
			s.mark(q, ref.Op, e, members)
		}
	} else {
		s.mark(r, ref.Op, e, 1)
	}
	x, cost := &s.Executors[e], m.cost(ref.Op, e, members).Time
	if len(x.Queue) == 0 {
		s.atWork[x.kind()]++
	}
	x.Queue = append(x.Queue, ref)
	x.costs += cost
	x.Free = max(x.Free, s.Now) + cost
	x.Last, x.left = r.Model, r.ID
	s.wake(r)
}

// mark notes that an operator of a request is issued, with those of others.
func (s *State) mark(r *Request, op int32, e, members int) {
	m := &s.Models[r.Model]
	at, _ := slices.BinarySearch(r.candidate, op)
	r.candidate = slices.Delete(r.candidate, at, at+1)
	r.state[op], r.on[op] = issued, int16(e)
	if r.issued == 0 {
		s.start(r)
	}
	r.issued++
	r.given += m.cost(op, e, members).Time
	if s.options.Grain == ByModel {
		r.Executor = e
	}
	if s.Executors[e].early() {
		r.release(m, op)
	}
	if r.issued == len(m.Ops) {
		s.started, s.begun[r.Of] = take(s.started, r), take(s.begun[r.Of], r)
	}
}

// release has the operators after one miss it no longer.
func (r *Request) release(m *Model, op int32) {
	for _, n := range m.next[op] {
		if r.missing[n]--; r.missing[n] == 0 {
			r.enter(n)
		}
	}
}

// start moves a request to those with operators issued.
func (s *State) start(r *Request) {
	s.fresh[r.Of] = take(s.fresh[r.Of], r)
	s.started, s.begun[r.Of] = put(s.started, r), put(s.begun[r.Of], r)
}

// put and take keep a list of requests by ID.
func put(list []*Request, r *Request) []*Request {
	at, _ := slices.BinarySearchFunc(list, r, byArrival)
	return slices.Insert(list, at, r)
}

func take(list []*Request, r *Request) []*Request {
	if list[0] == r {
		return list[1:]
	}
	at, _ := slices.BinarySearchFunc(list, r, byArrival)
	return slices.Delete(list, at, at+1)
}

func (r *Request) enter(op int32) {
	at, _ := slices.BinarySearch(r.candidate, op)
	r.candidate = slices.Insert(r.candidate, at, op)
}

// leave takes an operator out of the queue it was issued to.
func (s *State) leave(ref Ref) (e int, err error) {
	r := s.requests[ref.Request]
	if r.Finished() || int(ref.Op) >= len(r.state) || r.state[ref.Op] != issued && r.state[ref.Op] != revoking {
		return 0, fmt.Errorf("operator %d of request %d is not issued", ref.Op, ref.Request)
	}
	e = int(r.on[ref.Op])
	x := &s.Executors[e]
	x.costs -= s.Models[r.Model].cost(ref.Op, e, s.together(ref)).Time
	if len(x.Queue) == 1 {
		s.atWork[x.kind()]--
	}
	if x.Queue[0] == ref { // the rule
		x.Queue = x.Queue[1:]
		return e, nil
	}
	at := slices.Index(x.Queue, ref)
	x.Queue = slices.Delete(x.Queue, at, at+1)
	return e, nil
}

// Done reports that an operator ran from begin to end. It returns the requests that this
// completes.
func (s *State) Done(now units.Time, ref Ref, begin, end units.Time) (ended []*Request, err error) {
	s.Now = now
	s.touch()
	e, err := s.leave(ref)
	if err != nil {
		return nil, err
	}
	r, x := s.requests[ref.Request], &s.Executors[e]
	x.under(begin, end)
	members := []*Request{r}
	if s.batches != nil {
		members = s.batches.done(ref, r.Model, e)
	}
	energy := s.Models[r.Model].cost(ref.Op, e, len(members)).Energy / float64(len(members))
	for _, r := range members {
		if s.finish(r, ref.Op, begin, end, energy) {
			ended = append(ended, r)
		}
	}
	s.settle(x, end)
	s.wake(r)
	s.marks.add(e, len(x.Queue))
	return ended, nil
}

// finish notes that an operator of a request is done, and reports whether it was the last.
func (s *State) finish(r *Request, op int32, begin, end units.Time, energy float64) bool {
	r.state[op] = finished
	if !s.Executors[r.on[op]].early() {
		r.release(&s.Models[r.Model], op)
	}
	s.periods.done(s.Models[r.Model].Ops[op].Period)
	if !r.begun || begin < r.Begin {
		r.begun, r.Begin = true, begin
	}
	r.End = max(r.End, end)
	r.Energy += energy
	if r.done++; r.done < len(r.state) {
		return false
	}
	s.live--
	r.missing, r.state, r.on, r.candidate = nil, nil, nil, nil
	s.wakeAfter(r)
	if p, ok := s.policy.(Observer); ok {
		p.Ended(s, r)
	}
	return true
}

// settle recomputes when an executor will be free, from the operators in its queue.
func (s *State) settle(x *Executor, now units.Time) {
	x.Free = now + x.costs
}

// Revoked reports that an executor has returned an operator.
func (s *State) Revoked(now units.Time, ref Ref) error {
	s.Now = now
	e, err := s.leave(ref)
	if err != nil {
		return err
	}
	r := s.requests[ref.Request]
	m := &s.Models[r.Model]
	r.Revoked++
	r.state[ref.Op] = waiting
	if r.issued == len(m.Ops) {
		s.started, s.begun[r.Of] = put(s.started, r), put(s.begun[r.Of], r)
	}
	r.issued--
	r.given -= m.at(ref.Op, e).Time
	if r.issued == 0 {
		r.Executor = -1
		s.started, s.begun[r.Of] = take(s.started, r), take(s.begun[r.Of], r)
		s.fresh[r.Of] = put(s.fresh[r.Of], r)
	}
	for _, n := range m.next[ref.Op] {
		if !s.Executors[e].early() {
			break // nothing was released
		}
		if r.missing[n]++; r.missing[n] == 1 {
			at, ok := slices.BinarySearch(r.candidate, n)
			if !ok {
				return fmt.Errorf("operator %d of request %d was given back after operator %d, which waits for it", ref.Op, ref.Request, n)
			}
			r.candidate = slices.Delete(r.candidate, at, at+1)
		}
	}
	r.enter(ref.Op)
	s.settle(&s.Executors[e], now)
	s.wake(r)
	s.marks.add(e, len(s.Executors[e].Queue))
	return nil
}
