package transit

import (
	"github.com/causeway-sim/causeway/memory/cxl/link"
	"github.com/causeway-sim/causeway/memory/cxl/route"
)

// A Sink is a node at an end of routes: a host or a device.
type Sink interface {
	// Do carries out an event of the node at t.
	Do(e Event, t int64) error
	// Sent is called when the first link of a line's route has sent it.
	Sent(l *Line, at link.Times)
	// Arrived is called when a line has arrived at the end of its route by a hop, whose buffer it
	// holds until the node releases it.
	Arrived(i int32, l *Line, by *Hop, at link.Times)
}

// A Dropper handles lost lines.
type Dropper interface {
	// Dropped is called with the lost hop, nil if no route is left.
	Dropped(i int32, at *Hop)
}

// An Interruption changes the network itself at times.
type Interruption interface {
	// Next returns its next time, or link.Never.
	Next() int64
	// Happen carries out the changes due at t.
	Happen(t int64) error
}

// A Network is the hops, the lines and the events of a fabric.
type Network struct {
	Lines    Lines
	Schedule Schedule
	Book     route.Book
	Hops     []*Hop
	// Sinks are the nodes by Event.To: devices, then hosts.
	Sinks   []Sink
	Devices int
	// Ready are the sinks with something to send at a port.
	Ready   Set
	Dropper Dropper
	// Before precedes all other work of its time, After follows it; either may be nil.
	Before, After Interruption
	// Tail is the least time from anything inside to an effect outside.
	Tail     int64
	hopTimes MinTree // when hops are to run, later
	due      marks   // those that are to run now
	stirred  Set     // hops on which something may be under way
	now      int64   // up to where all is done
	at       int64   // the present, of what happens
	turn     int32   // how often links have run at that time
	runs     int     // the link that runs
	running  bool    // one does
	calm     bool    // links tell of arrivals ahead
	waits    []int64 // by root, hop and direction, in ps; nil: not counted
	err      error
}

// Device returns the number of a device among the sinks.
func (n *Network) Device(i int32) uint16 { return uint16(i) }

// Host returns the number of a host among the sinks.
func (n *Network) Host(i int32) uint16 { return uint16(n.Devices + int(i)) }

// AddHop adds a hop with a link of cfg. The error is that of link.New.
func (n *Network) AddHop(h *Hop, cfg link.Config) error {
	h.Index, h.net = int32(len(n.Hops)), n
	var err error
	h.Link, err = link.New(cfg, &arrivals{n, h})
	n.Hops = append(n.Hops, h)
	return err
}

// Seal is called after all hops were added.
func (n *Network) Seal() {
	n.hopTimes, n.due = NewMinTree(len(n.Hops)), newMarks(len(n.Hops))
	n.stirred = NewSet(len(n.Hops))
	n.Schedule = NewSchedule()
}

// Exact makes links postpone nothing. Results are the same.
func (n *Network) Exact() {
	for _, h := range n.Hops {
		h.Exact()
	}
}

// Calm makes links without bit errors report arrivals ahead; final results are the same. It must
// be the first call, for a network without interruptions and coherence messages.
func (n *Network) Calm() {
	n.calm = true
	for _, h := range n.Hops {
		h.calm = h.Link.ReportAhead(&arrivals{n, h})
	}
}

// Fail ends the run with an error, for methods that return none.
func (n *Network) Fail(err error) {
	if n.err == nil {
		n.err = err
	}
}

// Err returns the error that ended the run.
func (n *Network) Err() error { return n.err }

// Add schedules an event.
func (n *Network) Add(at int64, id int32, to uint16, s Step) {
	n.Schedule.Add(at, n.at, Event{ID: id, To: to, Step: s})
}

// Next returns the earliest time of an effect outside.
func (n *Network) Next() int64 {
	t, inside := n.Schedule.sides()
	inside = min(inside, n.links())
	if n.Lines.Still() { // a run ends when all is settled
		inside = min(inside, n.settle())
	}
	if inside != link.Never {
		t = min(t, inside+n.Tail)
	}
	if n.After != nil {
		t = min(t, n.After.Next())
	}
	if n.Before != nil && !n.Lines.Idle() { // else it may wait
		t = min(t, n.Before.Next())
	}
	return t
}

// links is when links are to run next.
func (n *Network) links() int64 {
	if n.due.n > 0 {
		return n.at
	}
	return n.hopTimes.least
}

// settle simulates flits that links have postponed, and returns the time of the next event.
func (n *Network) settle() int64 {
	next := int64(link.Never)
	for i := n.stirred.Next(0); i >= 0; i = n.stirred.Next(i + 1) {
		t := n.Hops[i].settle(n.now)
		if t == link.Never {
			n.stirred.Remove(i)
		}
		next = min(next, t)
	}
	return next
}

// Run works up to and including time until, below Never. With Never-1 it works until nothing is
// left; the present is then the time of the last event.
func (n *Network) Run(until int64) error {
	n.now = until
	if n.Before != nil || n.After != nil {
		return n.runInterrupted(until)
	}
	for t := n.first(); t <= until && n.err == nil; t = n.first() {
		for n.carryOut(t); n.due.n > 0 && n.err == nil; {
			n.carryOut(t)
		}
	}
	if until < link.Never-1 {
		n.pass(until)
	}
	n.turn++
	return n.err
}

// first is the time of the earliest work.
func (n *Network) first() int64 { return min(n.links(), n.Schedule.soon) }

// pass makes a time the present: links have not run at it.
func (n *Network) pass(t int64) {
	if t > n.at {
		n.at, n.turn = t, 0
	}
}

// runInterrupted is Run where something may happen to the network itself.
func (n *Network) runInterrupted(until int64) error {
	for n.err == nil {
		t := min(n.Schedule.Next(), n.links())
		if n.After != nil {
			t = min(t, n.After.Next())
		}
		if n.Before != nil {
			if at := n.Before.Next(); at <= min(t, until) {
				n.Fail(n.Before.Happen(at))
				continue
			}
		}
		if t > until || t == link.Never {
			break
		}
		for n.carryOut(t); n.due.n > 0 && n.err == nil && n.After == nil; {
			n.carryOut(t)
		}
		if n.After != nil && n.After.Next() <= t {
			if err := n.After.Happen(t); err != nil {
				n.Fail(err)
			}
		}
	}
	return n.err
}

// carryOut does what is due at t: links first, then events.
func (n *Network) carryOut(t int64) {
	n.pass(t)
	if n.hopTimes.least <= t || n.due.n > 0 {
		n.runLinks(t)
	}
	n.turn++
	for n.Schedule.soon <= t && n.err == nil {
		e, at := n.Schedule.pop()
		if e.Step == Forward {
			n.forward(e.ID, at)
		} else if err := n.Sinks[e.To].Do(e, at); err != nil {
			n.Fail(err)
		}
	}
}

// runLinks has the links run that are due at t, in order of their numbers.
func (n *Network) runLinks(t int64) {
	for n.hopTimes.least <= t {
		i := n.hopTimes.Due(0, t)
		n.hopTimes.Set(i, link.Never)
		n.due.add(i)
	}
	n.running = true
	i := n.due.only
	if n.due.n > 1 {
		i = n.due.next(0)
	}
	for ; i >= 0; i = n.due.next(i + 1) {
		n.due.remove(i)
		n.runs = i
		n.Hops[i].Run(t)
	}
	n.running = false
}
