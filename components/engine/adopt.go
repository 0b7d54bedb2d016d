package engine

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"sync"
	"sync/atomic"

	"github.com/sarchlab/akita/v3/sim"
)

// Adopted is an engine of Akita with the behaviour of ours: errors of handlers, RunUntil and a
// context end the run, and watched components that still wait make it Stuck. It costs an
// allocation per event.
type Adopted struct {
	sim.Engine
	wait []Waiter

	mu    sync.Mutex     // for sim.ParallelEngine
	limit sim.VTimeInSec // of the run under way; idle without one
	later []sim.Event    // beyond limit: the engine must not see them yet
	first *adopted       // list of the events that are scheduled and not yet handled
	err   *HandlerError
	end   atomic.Uint64 // bits of the time after which nothing runs any more
	ctx   context.Context
}

// idle is before all times: without a run, the end of the next one is not known.
const idle = sim.VTimeInSec(-1)

// Adopt wraps an engine. All components must be built on the wrapper.
func Adopt(e sim.Engine) *Adopted {
	a := &Adopted{Engine: e, limit: idle}
	a.end.Store(math.Float64bits(math.Inf(1)))
	return a
}

// Watch behaves as Engine.Watch.
func (a *Adopted) Watch(w Waiter) { a.wait = append(a.wait, w) }

// Schedule adds an event.
func (a *Adopted) Schedule(ev sim.Event) {
	a.mu.Lock()
	beyond := ev.Time() > a.limit
	if beyond {
		a.later = append(a.later, ev)
		a.mu.Unlock()
		return
	}
	x := &adopted{Event: ev, a: a, next: a.first}
	if a.first != nil {
		a.first.prev = x
	}
	a.first = x
	a.mu.Unlock()
	a.Engine.Schedule(x)
}

// Scheduled implements EventOwners.
func (a *Adopted) Scheduled(f func(sim.Handler) bool) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	for x := a.first; x != nil; x = x.next {
		if f(x.Event.Handler()) {
			return true
		}
	}
	for _, ev := range a.later {
		if f(ev.Handler()) {
			return true
		}
	}
	return false
}

// remove takes an event that is about to be handled off the list.
func (a *Adopted) remove(x *adopted) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if x.next != nil {
		x.next.prev = x.prev
	}
	if x.prev != nil {
		x.prev.next = x.next
	} else {
		a.first = x.next
	}
}

// Run behaves as Engine.Run.
func (a *Adopted) Run() error { return a.RunUntilContext(context.Background(), forever) }

// RunUntil behaves as Engine.RunUntil.
func (a *Adopted) RunUntil(t sim.VTimeInSec) error {
	return a.RunUntilContext(context.Background(), t)
}

// RunContext behaves as Engine.RunContext, but a cancelled run cannot be continued: its scheduled
// events are lost.
func (a *Adopted) RunContext(ctx context.Context) error { return a.RunUntilContext(ctx, forever) }

// Stopping behaves as Engine.Stopping.
func (a *Adopted) Stopping() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.ctx != nil && a.ctx.Err() != nil
}

// RunUntilContext combines RunUntil and RunContext.
func (a *Adopted) RunUntilContext(ctx context.Context, t sim.VTimeInSec) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("engine: stopped at %.12g s: %w", float64(a.CurrentTime()), err)
	}
	a.mu.Lock()
	a.limit, a.ctx = t, ctx
	later := a.later
	a.later = nil
	a.mu.Unlock()
	for _, ev := range later {
		a.Schedule(ev)
	}
	err := a.Engine.Run()
	a.mu.Lock()
	a.limit = idle
	a.mu.Unlock()
	switch {
	case err != nil:
		return err
	case a.err != nil:
		return a.err
	case ctx.Err() != nil:
		return fmt.Errorf("engine: stopped at %.12g s: %w", float64(a.CurrentTime()), ctx.Err())
	case len(a.later) > 0:
		return nil
	}
	if waits := Waits(a.wait...); len(waits) > 0 {
		return &Stuck{a.CurrentTime(), "nothing is scheduled any more", waits}
	}
	return nil
}

// fail remembers the first error: that of the earliest time, and among equal
// times of the first name, because sim.ParallelEngine runs those in any order.
func (a *Adopted) fail(h *HandlerError) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.err == nil || cmp.Or(cmp.Compare(h.Time, a.err.Time), compareNames(h.Handler, a.err.Handler)) < 0 {
		a.err = h
		a.end.Store(math.Float64bits(float64(h.Time)))
	}
}

// adopted is an event on its way through a foreign engine.
type adopted struct {
	sim.Event
	a          *Adopted
	prev, next *adopted
}

// Handler is the event itself.
func (x *adopted) Handler() sim.Handler { return x }

// Handle runs the wrapped event unless the run is over. Akita's engine cannot be stopped, but
// without handlers it soon has no events left.
func (x *adopted) Handle(sim.Event) error {
	x.a.remove(x)
	t := x.Time()
	if float64(t) > math.Float64frombits(x.a.end.Load()) || x.a.ctx.Err() != nil {
		return nil
	}
	h := x.Event.Handler()
	if err := h.Handle(x.Event); err != nil {
		x.a.fail(&HandlerError{t, nameOf(h), err})
	}
	return nil
}
