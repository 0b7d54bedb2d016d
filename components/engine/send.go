package engine

import (
	"fmt"
	"sync/atomic"

	"github.com/sarchlab/akita/v3/sim"
)

// endOf is the index of one of our own ports.
func (w *Wire) endOf(p *Port) int {
	w.seal.Do(w.fix)
	return p.end
}

// indexOf is the index of any port on the wire, or -1.
func (w *Wire) indexOf(p sim.Port) int {
	w.seal.Do(w.fix)
	if q, ok := p.(*Port); ok {
		if q.wire == w {
			return q.end
		}
		return -1
	}
	if i, ok := w.index[p]; ok {
		return i
	}
	return -1
}

func (w *Wire) now() sim.VTimeInSec {
	if w.own != nil {
		return w.own.cur
	}
	return w.engine.CurrentTime()
}

// CanSend reports whether Send would take a message from src.
func (w *Wire) CanSend(src sim.Port) bool { return w.canSend(w.mustIndex(src)) }

// Send takes a message from the port that its Src names.
func (w *Wire) Send(m sim.Msg) *sim.SendError { return w.send(w.mustIndex(m.Meta().Src), m) }

func (w *Wire) mustIndex(p sim.Port) int {
	i := w.indexOf(p)
	if i < 0 {
		name := "no port"
		if p != nil {
			name = p.Name()
		}
		panic(fmt.Sprintf("engine: %s sends on %s without being attached", name, w.name))
	}
	return i
}

// NotifyAvailable is called by a port that refused a message and now has room.
func (w *Wire) NotifyAvailable(now sim.VTimeInSec, _ sim.Port) { w.arm(now) }

func (w *Wire) canSend(s int) bool {
	e := w.ends[s]
	if e.held >= e.opts.Buffer {
		// Messages that left before this instant have made room. Messages that leave at it have
		// not yet, because primary events must not see each other.
		now := w.now()
		e.leave(func(t sim.VTimeInSec) bool { return t < now })
		if e.held >= e.opts.Buffer {
			w.deny(s, now)
			return false
		}
	}
	return true
}

func (w *Wire) send(s int, m sim.Msg) *sim.SendError {
	if !w.canSend(s) {
		return refusal
	}
	e := w.ends[s]
	e.offers = append(e.offers, offer{m, w.target(s, m)})
	e.held++
	if w.own != nil {
		w.fresh.set(s)
	} else {
		w.fresh.share(s)
	}
	if w.NumHooks() > 0 {
		w.InvokeHook(sim.HookCtx{Domain: w, Pos: sim.HookPosConnStartSend, Item: m})
	}
	w.arm(w.now())
	return nil
}

// target is the end that a message from end s goes to.
func (w *Wire) target(s int, m sim.Msg) int {
	if len(w.ends) == 2 {
		return 1 - s
	}
	dst := m.Meta().Dst
	d := w.indexOf(dst)
	if d < 0 {
		d = w.uplink
	}
	if d < 0 || d == s {
		name := "nowhere"
		if dst != nil {
			name = dst.Name()
		}
		panic(fmt.Sprintf("engine: %s on %s cannot reach %s: it is not at another end, and no other end is the uplink",
			w.ends[s].port.Name(), w.name, name))
	}
	return d
}

// leave frees the buffer of messages that the serializer took, up to done.
func (e *end) leave(done func(sim.VTimeInSec) bool) {
	for e.starts.Len() > 0 && done(*e.starts.At(0)) {
		e.starts.Pop()
		e.held--
	}
}

// deny notes that source s must be notified when there is room.
func (w *Wire) deny(s int, now sim.VTimeInSec) {
	if w.own != nil {
		w.denied.set(s)
	} else {
		w.denied.share(s)
	}
	if w.ends[s].starts.Len() > 0 {
		w.arm(now) // so that Handle sets an alarm for the next start
	}
}

// arm makes sure that Handle runs at the end of this instant. Primary events
// of several goroutines may call it at once.
func (w *Wire) arm(now sim.VTimeInSec) {
	if w.own != nil {
		if w.armed == 0 {
			w.armed = 1
			w.collect.t = now
			w.own.push(now, true, &w.collect)
		}
		return
	}
	if atomic.CompareAndSwapUint32(&w.armed, 0, 1) {
		w.collect.t = now
		w.engine.Schedule(&w.collect)
	}
}
