package transit

import (
	"math/bits"

	"github.com/causeway-sim/causeway/memory/cxl/link"
)

// A Step is what happens at a known time.
type Step uint8

// The steps. What has no effect that others see before it reaches another step is inside.
const (
	Issue    Step = iota // a line reaches the root port's packer; inside
	Forward              // a line reaches the packer of the next link; inside
	Reply                // a line reaches the device's packer towards the host; inside
	Enqueue              // a line reaches the queue in front of the device's memory
	Local                // a line reaches the port of the host's local memory
	Complete             // a line is back at the host
	Lookup               // a line reaches the host's cache, or home agent, of coherent lines
	Deliver              // a coherence message reaches the machine that it is for
	Fetch                // a job of a home agent reaches the port of the local memory
	Fetched              // and comes back from there
	Access               // an access of an accelerator reaches its cache
	steps
)

// outside are the steps that may have an effect that others see, a bit each; atPort those
// that may have one at a port of a host or an accelerator.
const (
	outside = 1<<steps - 1<<Enqueue
	atPort  = 1<<steps - 1<<Local
)

// An Event is a step of a line, or of what a step of its kind numbers.
type Event struct {
	ID   int32
	To   uint16 // number of the sink
	Step Step
}

// A Schedule holds what is to happen, in order of time and then of scheduling. The zero
// value is empty.
type Schedule struct {
	lanes [steps]lane
	at    [steps]int64 // when the first event of a lane is to happen; valid of those in some
	some  uint32       // lanes with events, a bit each
	soon  int64        // when the first of all is to happen, in the lane best
	best  int
	added uint64
	ahead bool  // what is added has an order of its own
	order order // which
}

// An order is when an event was scheduled, and its place among those of that time: what
// arrives from links, then the others.
type order struct {
	at  int64
	tie uint64
}

// before compares orders.
func (o order) before(p order) bool { return o.at < p.at || o.at == p.at && o.tie < p.tie }

// foresee has events be added from now on as if that happened at a later time, with a
// place among those of that time.
func (s *Schedule) foresee(at int64, tie uint64) { s.ahead, s.order = true, order{at, tie} }

// present ends that.
func (s *Schedule) present() { s.ahead = false }

// Add schedules an event at a time, in ps. now is the present.
func (s *Schedule) Add(at, now int64, e Event) {
	x := due{at: at, order: s.order, Event: e}
	if !s.ahead {
		s.added++
		x.order = order{now, 1<<63 | s.added}
	}
	k := int(e.Step)
	if !s.lanes[k].push(&x) {
		return
	}
	s.at[k] = at
	if s.some == 0 || at < s.soon || at == s.soon && k != s.best && x.order.before(s.lanes[s.best].first().order) {
		s.soon, s.best = at, k
	}
	s.some |= 1 << k
}

// Next is the time of the first event.
func (s *Schedule) Next() int64 {
	if s.some == 0 {
		return link.Never
	}
	return s.soon
}

// Ports is the time of the first event that may have an effect at a port of a host or an
// accelerator.
func (s *Schedule) Ports() int64 { return s.first(s.some & atPort) }

// each calls f with every event of a step, and the time at which it was scheduled.
func (s *Schedule) each(step Step, f func(id int32, at int64)) {
	l := &s.lanes[step]
	for i := range l.n {
		f(l.queued(i).ID, l.queued(i).order.at)
	}
	for i := range l.early {
		f(l.early[i].ID, l.early[i].order.at)
	}
}

// sides are the times of the first event that may have an effect that others see, and of
// the first of the others.
func (s *Schedule) sides() (out, in int64) {
	out, in = link.Never, link.Never
	for b := s.some; b != 0; b &= b - 1 {
		k := bits.TrailingZeros32(b)
		if outside>>k&1 != 0 {
			out = min(out, s.at[k])
		} else {
			in = min(in, s.at[k])
		}
	}
	return out, in
}

// first is when the first event of some lanes is to happen, in ps.
func (s *Schedule) first(some uint32) int64 {
	t := int64(link.Never)
	for ; some != 0; some &= some - 1 {
		t = min(t, s.at[bits.TrailingZeros32(some)])
	}
	return t
}

// pop takes the first event. There must be one.
func (s *Schedule) pop() (e Event, at int64) {
	at = s.soon
	l := &s.lanes[s.best]
	e = l.pop()
	if l.empty() {
		s.some &^= 1 << s.best
	} else {
		s.at[s.best] = l.first().at
	}
	s.soon = link.Never
	for b := s.some; b != 0; b &= b - 1 {
		k := bits.TrailingZeros32(b)
		if t := s.at[k]; t < s.soon || t == s.soon && s.lanes[k].first().order.before(s.lanes[s.best].first().order) {
			s.soon, s.best = t, k
		}
	}
	return e, at
}
