package transit

import (
	"github.com/causeway-sim/causeway/components/calendar"
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
)

// outside reports whether a step may have an effect that others see.
func (s Step) outside() bool { return s > Reply }

// atPort reports whether it may have one at a port of a host or an accelerator.
func (s Step) atPort() bool { return s > Enqueue }

// An Event is a step of a line, or of what a step of its kind numbers.
type Event struct {
	ID   int32
	To   uint16 // number of the sink
	Step Step
}

// A Schedule holds what is to happen, in order of time and then of scheduling.
type Schedule struct {
	inside, outside calendar.Lanes[Event]
	ports           calendar.Lanes[Event] // of those outside, at ports
	order           uint64
	n               int   // events
	soon            int64 // when the first of them is to happen
}

// Add schedules an event, in ps.
func (s *Schedule) Add(at int64, e Event) {
	x := calendar.Entry[Event]{At: uint64(at), Order: s.order, What: e}
	s.order++
	if s.n++; s.n == 1 || at < s.soon {
		s.soon = at
	}
	switch {
	case e.Step.atPort():
		s.ports.Push(x)
	case e.Step.outside():
		s.outside.Push(x)
	default:
		s.inside.Push(x)
	}
}

// Next is the time of the first event.
func (s *Schedule) Next() int64 {
	if s.n == 0 {
		return link.Never
	}
	return s.soon
}

// Ports is the time of the first event that may have an effect at a port of a host or an
// accelerator.
func (s *Schedule) Ports() int64 { return first(&s.ports) }

// pop takes the first event. There must be one.
func (s *Schedule) pop() (e Event, at int64) {
	best, order := &s.inside, ^uint64(0)
	for _, c := range [...]*calendar.Lanes[Event]{&s.inside, &s.outside, &s.ports} {
		if first(c) == s.soon && c.First().Order < order {
			best, order = c, c.First().Order
		}
	}
	e, at = best.Take(), s.soon
	s.n--
	s.soon = min(first(&s.inside), first(&s.outside), first(&s.ports))
	return e, at
}

// first is when the first of a calendar is to happen, in ps.
func first(c *calendar.Lanes[Event]) int64 { return int64(min(c.Next(), link.Never)) }
