package engine

import (
	"math"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/clock"
)

// MessagesOnly has every message cross its port, also where handing it over directly would
// give the same result.
func MessagesOnly() Option { return func(e *Engine) { e.messages = true } }

// MayCarry reports whether nodes may hand each other what they have to say without
// messages: the engine has no hooks, and MessagesOnly was not asked for.
func (e *Engine) MayCarry() bool { return !e.messages && !e.external && e.NumHooks() == 0 }

// Punctual forbids work ahead of its time: the state of nodes is read in the middle of the run.
func (e *Engine) Punctual() { e.punctual = true }

// MayRunAhead reports whether nodes may do ahead of its time what is certain.
func (e *Engine) MayRunAhead() bool { return !e.punctual }

// Carry notes that nodes hand each other requests without messages.
func (e *Engine) Carry() { e.carried = true }

// Carried reports whether any do.
func (e *Engine) Carried() bool { return e.carried }

// Ahead is how far a handler may compute ahead of the current time: other events
// are due at next or later, and the run handles none after last. Both are infinite
// where there is no such time.
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

// An End describes a port on a wire.
type End struct {
	Port    *Port
	Clock   clock.Clock
	Latency uint64 // cycles of Clock after which a message to it is seen
	Buffer  int    // messages that it may have offered, or that found no room
}

// Plain lists the ends of the wire that a port is on, if messages on it could as well
// be carried by the nodes themselves: all ports and the engine are ours, no bandwidth
// is limited, and no port has a hook. The engine is that of the wire.
func (p *Port) Plain() (ends []End, e *Engine, ok bool) {
	w := p.wire
	if w == nil || w.own == nil || w.NumHooks() > 0 || w.quantum.on {
		return nil, nil, false
	}
	w.seal.Do(w.fix)
	for _, x := range w.ends {
		if x.fast == nil || x.fast.NumHooks() > 0 || x.opts.Bandwidth > 0 || x.opts.Uplink {
			return nil, nil, false
		}
		ends = append(ends, End{x.fast, x.cursor.Clock(), x.opts.Latency, x.opts.Buffer})
	}
	return ends, w.own, true
}
