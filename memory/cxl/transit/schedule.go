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
	some  uint32 // lanes with events, a bit each
	order uint64
	soon  int64 // when the first of them is to happen
}

// Add schedules an event, in ps.
func (s *Schedule) Add(at int64, e Event) {
	if s.some == 0 || at < s.soon {
		s.soon = at
	}
	s.lanes[e.Step].push(at, s.order, e)
	s.some |= 1 << e.Step
	s.order++
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

// outside is the time of the first event that may have an effect that others see.
func (s *Schedule) outside() int64 { return s.first(s.some & outside) }

// inside is the time of the first of the others.
func (s *Schedule) inside() int64 { return s.first(s.some &^ outside) }

// first is when the first event of some lanes is to happen, in ps.
func (s *Schedule) first(some uint32) int64 {
	t := int64(link.Never)
	for ; some != 0; some &= some - 1 {
		t = min(t, s.lanes[bits.TrailingZeros32(some)].at)
	}
	return t
}

// pop takes the first event. There must be one.
func (s *Schedule) pop() (e Event, at int64) {
	at = s.soon
	best, order := 0, ^uint64(0)
	next := int64(link.Never) // of the lanes that are not the best
	for b := s.some; b != 0; b &= b - 1 {
		k := bits.TrailingZeros32(b)
		l := &s.lanes[k]
		if l.at > at || l.order > order {
			next = min(next, l.at)
			continue
		}
		if order != ^uint64(0) {
			next = at
		}
		best, order = k, l.order
	}
	l := &s.lanes[best]
	e = l.pop()
	if l.empty() {
		s.some &^= 1 << best
		s.soon = next
	} else {
		s.soon = min(next, l.at)
	}
	return e, at
}
