package transit

import (
	"math/bits"

	"github.com/causeway-sim/causeway/memory/cxl/link"
)

// A Step is the kind of an Event.
type Step uint8

// The steps. A step marked inside has no effect outside before another step; these come first.
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

// Lanes are looked at in groups: steps inside and Enqueue, those with an effect at a port
// of a host, and those that have events in few runs.
const (
	group = 4
	near  = 2 * group
)

// An Event is a step of a line, or of another object by its ID.
type Event struct {
	ID   int32
	To   uint16 // number of the sink
	Step Step
}

// A Schedule holds events in order of time, then of scheduling.
type Schedule struct {
	at    [4 * group]int64 // when the first event of a lane is to happen; Never: it has none
	least [3]int64         // of a group; the last has the rest
	soon  int64            // when the first of all is to happen, in the lane best
	best  int
	lanes [steps]lane
	added uint64
	ahead bool  // what is added has an order of its own
	order order // which
}

// NewSchedule makes an empty schedule.
func NewSchedule() Schedule {
	s := Schedule{least: [3]int64{link.Never, link.Never, link.Never}, soon: link.Never}
	for i := range s.at {
		s.at[i] = link.Never
	}
	return s
}

// An order is when an event was scheduled, and its place among those of that time: what
// arrives from links, then the others.
type order struct {
	at  int64
	tie uint64
}

// before compares orders.
func (o order) before(p order) bool { return o.at < p.at || o.at == p.at && o.tie < p.tie }

// addAsAt has events be added from now on as if that happened at a later time, with a
// place among those of that time.
func (s *Schedule) addAsAt(at int64, tie uint64) { s.ahead, s.order = true, order{at, tie} }

// addAsNow ends that.
func (s *Schedule) addAsNow() { s.ahead = false }

// Add schedules an event at a time, in ps. now is the present.
func (s *Schedule) Add(at, now int64, e Event) {
	o := s.order
	if !s.ahead {
		s.added++
		o = order{now, 1<<63 | s.added}
	}
	k := int(e.Step)
	if !s.lanes[k].push(at, o, e) {
		return
	}
	s.at[k] = at
	if g := min(k/group, 2); at < s.least[g] {
		s.least[g] = at
	}
	if at < s.soon || at == s.soon && k != s.best && o.before(s.lanes[s.best].first().order) {
		s.soon, s.best = at, k
	}
}

// Next returns the time of the first event, or link.Never.
func (s *Schedule) Next() int64 { return s.soon }

// Ports returns the time of the first event that may have an effect at a port of a host or an
// accelerator.
func (s *Schedule) Ports() int64 { return min(s.least[1], s.least[2]) }

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
	return min(s.at[Enqueue], s.Ports()), min(s.at[Issue], s.at[Forward], s.at[Reply])
}

// pop takes the first event. There must be one.
func (s *Schedule) pop() (e Event, at int64) {
	at = s.soon
	k := s.best
	e, s.at[k] = s.lanes[k].pop()
	switch {
	case k < group:
		s.least[0] = min(s.at[0], s.at[1], s.at[2], s.at[3])
	case k < near:
		s.least[1] = min(s.at[4], s.at[5], s.at[6], s.at[7])
	default:
		s.least[2] = least(s.at[near:])
	}
	s.seek()
	return e, at
}

// seek finds the first event. A processor cannot predict which lane has it, so all of a group
// are looked at, without branches. Few events of several groups happen at one time.
func (s *Schedule) seek() {
	t := min(s.least[0], s.least[1], s.least[2])
	if s.soon = t; t == link.Never {
		return
	}
	var first uint64
	switch {
	case s.least[1] > t && s.least[2] > t:
		first = dueOf4(s.at[:group], t)
	case s.least[0] > t && s.least[2] > t:
		first = dueOf4(s.at[group:near], t) << group
	default:
		first = dueOf(s.at[:near], t) | dueOf(s.at[near:], t)<<near
	}
	s.best = bits.TrailingZeros64(first)
	for first &= first - 1; first != 0; first &= first - 1 {
		if k := bits.TrailingZeros64(first); s.lanes[k].first().order.before(s.lanes[s.best].first().order) {
			s.best = k
		}
	}
}

// dueOf4 is dueOf of four.
func dueOf4(times []int64, t int64) uint64 {
	x := (*[group]int64)(times)
	t++
	return uint64(x[0]-t)>>63 | uint64(x[1]-t)>>63<<1 | uint64(x[2]-t)>>63<<2 | uint64(x[3]-t)>>63<<3
}
