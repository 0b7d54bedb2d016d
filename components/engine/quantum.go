package engine

import (
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/clock/instant"
)

// A quantum makes a wire the border between parts of a simulation that run apart and meet
// at the cycles of a clock only: a message that would be seen before the next meeting is
// late, and seen at it. A wire whose latencies are a quantum or more is late with none.
type quantum struct {
	on    bool
	clock instant.Cursor
	late  uint64 // messages
}

// Quantum makes the wire a border between parts of a system that synchronise at the cycles of
// clock c: a message that would arrive within the current quantum arrives at its end. It is called
// before the first message.
func (w *Wire) Quantum(c clock.Clock) { w.quantum = quantum{on: true, clock: instant.NewCursor(c)} }

// Late counts the messages of the port's wire that arrived later than its latency, because the
// wire is a border and delivers at the end of a quantum (Wire.Quantum).
func (p *Port) Late() uint64 {
	if p.wire == nil {
		return 0
	}
	return p.wire.quantum.late
}

// delayToMeeting puts a delivery off to the meeting, if a message that is sent now would be seen
// before.
func (q *quantum) delayToMeeting(dst *end, now, at sim.VTimeInSec) sim.VTimeInSec {
	end := q.clock.Time(q.clock.AtOrBefore(now) + 1)
	if dst.cursor.Time(dst.cursor.After(max(now, at))) >= end {
		return at
	}
	q.late++
	seen := dst.cursor.AtOrBefore(end)
	if dst.cursor.Time(seen) < end {
		seen++
	}
	return dst.cursor.Time(seen - 1)
}
