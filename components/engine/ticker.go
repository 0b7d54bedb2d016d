package engine

import (
	"fmt"
	"sync"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/clock/instant"
	"github.com/sarchlab/akita/v3/sim"
)

// A Ticker wakes a handler at cycles of its clock, by primary events, at most one per cycle. It
// reuses its events and does not allocate. A component usually has one Ticker. It calls WakeAfter
// from NotifyRecv, NotifyPortFree, and from Handle while it has work for the next cycle, and
// WakeAt for known later work.
//
// With an engine other than ours the methods take a lock, because
// sim.ParallelEngine calls NotifyRecv of one component from several goroutines.
type Ticker struct {
	alarms
	cursor *instant.Cursor
	mu     sync.Mutex
}

// NewTicker returns a ticker that schedules events for h on e.
func NewTicker(e sim.Engine, c clock.Clock, h sim.Handler) *Ticker {
	return &Ticker{alarms: newAlarms(e, h, false), cursor: cursorOf(e, c)}
}

// Clock is the ticker's clock.
func (t *Ticker) Clock() clock.Clock { return t.cursor.Clock() }

// Engine is the engine that the ticker schedules events on.
func (t *Ticker) Engine() sim.Engine { return t.engine }

// WakeAt schedules an event for the handler at a cycle, if there is none; events at other cycles
// stay. It panics for a cycle in the past.
func (t *Ticker) WakeAt(cycle uint64) {
	if t.own != nil {
		t.wakeAt(cycle, t.own.cur)
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.wakeAt(cycle, t.engine.CurrentTime())
}

func (t *Ticker) wakeAt(cycle uint64, now sim.VTimeInSec) {
	at := t.cursor.Time(cycle)
	if at < now {
		t.past(cycle, at, now)
	}
	t.expire(now)
	if k := t.at(at); k != nil {
		k.cycle = cycle
	}
}

func (t *Ticker) past(cycle uint64, at, now sim.VTimeInSec) {
	panic(fmt.Sprintf("engine: %s wakes itself at cycle %d (%.12g s), now is %.12g s",
		nameOf(t.handler), cycle, float64(at), float64(now)))
}

// WakeAfter schedules an event for the handler at the first cycle strictly after now, if there is
// none.
func (t *Ticker) WakeAfter(now sim.VTimeInSec) {
	if t.own != nil {
		t.wakeAt(t.cursor.After(now), t.own.cur)
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.wakeAt(t.cursor.After(now), t.engine.CurrentTime())
}

// Cycle returns the cycle at time now; between two cycles it is the earlier one.
func (t *Ticker) Cycle(now sim.VTimeInSec) uint64 {
	if t.own != nil {
		return t.cycle(now)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.cycle(now)
}

func (t *Ticker) cycle(now sim.VTimeInSec) uint64 {
	// Mostly now is the event that is being handled: it is the first that has
	// not expired, or soon after it.
	for _, k := range t.pending[t.head:] {
		if k.t >= now {
			if k.t == now {
				return k.cycle
			}
			break
		}
	}
	return t.cursor.AtOrBefore(now)
}

// TickLater is WakeAfter under the name that Akita's monitor calls. Any goroutine may call it; on
// an Engine of this package it takes effect between two events.
func (t *Ticker) TickLater(now sim.VTimeInSec) {
	if t.own == nil {
		t.WakeAfter(now)
		return
	}
	t.own.Post(func() { t.WakeAfter(t.own.cur) })
}
