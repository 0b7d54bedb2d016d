package engine

import (
	"math"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/clock"
)

// MessagesOnly sends every request as a message through ports, also where passing it directly
// would give the same result faster.
func MessagesOnly() Option { return func(e *Engine) { e.messages = true } }

// MayCarry reports whether nodes may pass each other requests without messages: the engine has no
// hooks and was not made with MessagesOnly.
func (e *Engine) MayCarry() bool { return !e.messages && !e.external && e.NumHooks() == 0 }

// Punctual forbids work ahead of its time, because the state of nodes is read during the run.
func (e *Engine) Punctual() { e.punctual = true }

// CountersRead forbids work ahead of its time, because counters of nodes are read by events of the run.
// What counts in time may still tell its answers ahead.
func (e *Engine) CountersRead() { e.countersRead = true }

// MayRunAhead reports whether a node may compute certain future work before its time: neither Punctual
// nor CountersRead was called.
func (e *Engine) MayRunAhead() bool { return !e.punctual && !e.countersRead }

// MayTellAhead reports whether a node may tell its answers before their time: Punctual was not called.
func (e *Engine) MayTellAhead() bool { return !e.punctual }

// Carry notes that nodes pass each other requests without messages.
func (e *Engine) Carry() { e.carried = true }

// Carried reports whether Carry was called.
func (e *Engine) Carried() bool { return e.carried }

// Ahead bounds how far a handler may compute ahead of the current time: the next other event is at
// time next, and the run handles none after last. A time that does not exist is infinite.
func (e *Engine) Ahead() (next, last sim.VTimeInSec) {
	next = forever
	if b := e.current; b != nil && (b.nextPrimary < len(b.primary) || b.nextSec < len(b.secondary)) {
		return sim.VTimeInSec(math.Nextafter(float64(e.cur), math.Inf(1))), e.limit // they are due now
	}
	if len(e.heap) > 0 {
		next = e.heap[0].t
	}
	return next, e.limit
}

// Interrupted reports whether a caller outside the run waits for the current event to end.
func (e *Engine) Interrupted() bool { return e.attention.Load() != 0 }

// Held returns the messages of the port that count against its end's Buffer. The port must be on a Wire.
func (p *Port) Held() int { return p.wire.ends[p.end].held }

// An End describes a port on a wire.
type End struct {
	Port    *Port
	Clock   clock.Clock
	Latency uint64 // cycles of Clock after which a message to it is seen
	Buffer  int    // messages of this end that have not left, or that wait for a full receiver
}

// Carries decides whether nodes may pass each other requests over the port's wire without messages.
// All ports and the engine must be of this package, no end may have a bandwidth, no port a hook, and
// the engine must allow it (MayCarry). near is the port's own end, far are the others. e is nil where
// the wire itself needs messages.
func (p *Port) Carries() (near End, far []End, e *Engine, ok bool) {
	w := p.wire
	if w == nil || w.own == nil || w.NumHooks() > 0 || w.quantum.on {
		return near, nil, nil, false
	}
	w.seal.Do(w.fix)
	for _, x := range w.ends {
		if x.fast == nil || x.fast.NumHooks() > 0 || x.opts.Bandwidth > 0 || x.opts.Uplink {
			return near, nil, nil, false
		}
		end := End{x.fast, x.cursor.Clock(), x.opts.Latency, x.opts.Buffer}
		if x.fast == p {
			near = end
		} else {
			far = append(far, end)
		}
	}
	return near, far, w.own, w.own.MayCarry()
}
