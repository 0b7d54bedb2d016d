package direct

import (
	"slices"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/calendar"
	"github.com/causeway-sim/causeway/components/clock/instant"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/memory"
)

// Never is later than every cycle.
const Never = ^uint64(0)

// A Memory can be joined by a Link. All cycles are of its clock.
type Memory interface {
	sim.Component
	// Answers returns the most answers of a cycle.
	Answers() int
	// Join connects the memory to a link, over which all later requests come; false while it
	// needs messages.
	Join(l *Link) bool
	// RunsAhead reports whether the memory computes certain work before its time, which a run that
	// is read while it goes on does not allow.
	RunsAhead() bool
	// Ask receives a request that arrives in a cycle, not before any earlier request.
	Ask(arrives uint64, q memory.Request, tag uint32)
	// Answered counts an answer that left in a cycle.
	Answered(left uint64, a *Answer)
}

// An Answer is an answer whose time is certain.
type Answer struct {
	Tag     uint32 // of the request, a small number, unique in flight
	Latency uint64 // cycles of the memory from its arrival to its answer
	Bytes   uint64
	seen    uint64 // cycle of the requester
	counted bool
}

// A Link joins a requester and its memory.
type Link struct {
	From, To *engine.Port // ports of the messages that the link replaces

	engine      *engine.Engine
	memory      Memory
	here, there instant.Cursor      // of the clocks of the requester and of the memory
	to, back    uint64              // latencies of the wire, in cycles of who receives
	room        int                 // requests that the wire takes of an instant
	shared      bool                // messages to other memories are among them
	sent        int                 // in the cycle sentIn
	sentIn      uint64              //
	answers     calendar.Of[uint32] // tags, by the cycle in which they leave
	told        []Answer            // by tag
	wake        func(cycle uint64)  // the requester
	woken       uint64              // the next cycle in which it is
}

// Find makes the link of a port to the only memory of its map that can be joined; nil if messages are
// needed. others allows further memories on the wire, which get messages. wake is called with each cycle
// in which the requester acts.
func Find(port *engine.Port, homes *memory.Map, others bool, wake func(cycle uint64)) *Link {
	near, ends, e, ok := port.Carries()
	to := homes.Ports()
	if !ok || len(to) != len(ends) || len(ends) > 1 && !others {
		return nil
	}
	var far engine.End
	var m Memory
	for _, x := range ends {
		y, ok := x.Port.Component().(Memory)
		switch {
		case !slices.Contains(to, sim.Port(x.Port)) || ok && m != nil:
			return nil
		case ok:
			far, m = x, y
		}
	}
	if m == nil || !e.MayTellAhead() || m.RunsAhead() && !e.MayRunAhead() {
		return nil
	}
	l := &Link{
		From: near.Port, To: far.Port, engine: e, memory: m, here: instant.NewCursor(near.Clock), there: instant.NewCursor(far.Clock),
		to: far.Latency, back: near.Latency, room: near.Buffer, shared: len(ends) > 1, sentIn: Never, wake: wake, woken: Never,
	}
	// Neither side's port is ever full: each takes in a cycle what came since the last.
	most := m.Answers()
	requests := near.Buffer * (1 + perCycle(near, far))
	answers := most * (1 + perCycle(far, near))
	if requests > far.Port.Capacity() || most > far.Buffer || answers > near.Port.Capacity() {
		return nil
	}
	return l
}

// Join sends all later requests over the link; it returns false if the memory needs messages now,
// and may be called again. Nothing may be in flight.
func (l *Link) Join() bool {
	if !l.memory.Join(l) {
		return false
	}
	l.engine.Carry()
	return true
}

// perCycle is how many cycles of one end begin within one of another at most.
func perCycle(a, b engine.End) int {
	x := b.Clock.Num() * a.Clock.Den()
	y := b.Clock.Den() * a.Clock.Num()
	return int((x + y - 1) / y)
}

// CanSend reports whether the link takes a request in a cycle of the requester. If not, the
// requester is woken when it does.
func (l *Link) CanSend(cycle uint64) bool {
	sent, held := 0, 0
	if l.sentIn == cycle {
		sent = l.sent
	}
	if l.shared {
		held = l.From.Held()
	}
	switch {
	case sent+held < l.room:
		return true
	case held < l.room: // what is sent here leaves at the end of the instant
		l.wake(cycle + 1)
		return false
	}
	return l.From.CanSend()
}

// Shared reports whether other memories on the wire get messages.
func (l *Link) Shared() bool { return l.shared }

// Send sends a request in a cycle of the requester; CanSend must be true.
func (l *Link) Send(cycle uint64, q memory.Request, tag uint32) {
	if l.sentIn != cycle {
		l.sentIn, l.sent = cycle, 0
	}
	l.sent++
	l.memory.Ask(l.there.After(l.engine.CurrentTime())+l.to-1, q, tag)
}

// Answer sends an answer that leaves in a cycle of the memory, not before now, after answers of
// the same cycle with a lower order.
func (l *Link) Answer(leaves, order uint64, a Answer) {
	seen := l.here.After(l.there.Time(leaves)) + l.back - 1
	for int(a.Tag) >= len(l.told) {
		l.told = append(l.told, Answer{})
	}
	t := &l.told[a.Tag] // field by field: a copy in one piece waits for what was just written
	t.Tag, t.Latency, t.Bytes, t.seen, t.counted = a.Tag, a.Latency, a.Bytes, seen, false
	l.answers.Push(calendar.Entry[uint32]{At: leaves, Order: order, What: a.Tag})
	if seen < l.woken {
		l.woken = seen
		l.wake(seen)
	}
}

// Answered removes the next answer that the requester sees in a cycle.
func (l *Link) Answered(cycle uint64) (tag uint32, ok bool) {
	if l.woken <= cycle {
		l.woken = Never
	}
	if l.answers.Len() == 0 {
		return 0, false
	}
	a := &l.told[l.answers.First().What]
	if seen := a.seen; seen > cycle {
		if seen < l.woken {
			l.woken = seen
			l.wake(seen)
		}
		return 0, false
	}
	x := l.answers.Pop()
	if !a.counted {
		l.memory.Answered(x.At, a)
	}
	l.engine.Progress()
	return x.What, true
}

// Clock returns the last cycle of the memory that has begun at an instant.
func (l *Link) Clock(now sim.VTimeInSec) uint64 { return l.there.AtOrBefore(now) }

// Now returns the last cycle of the memory that has begun.
func (l *Link) Now() uint64 { return l.Clock(l.engine.CurrentTime()) }

// Settle counts the answers that have left by a cycle of the memory.
func (l *Link) Settle(cycle uint64) {
	all := l.answers.All()
	for i := range all {
		if a := &l.told[all[i].What]; all[i].At <= cycle && !a.counted {
			a.counted = true
			l.memory.Answered(all[i].At, a)
		}
	}
}
