package engine

import (
	"context"
	"fmt"
	"math"

	"github.com/sarchlab/akita/v3/sim"
)

// A HandlerError is the error of a handler, with the handler's name and the time.
type HandlerError struct {
	Time    sim.VTimeInSec
	Handler string
	Err     error
}

func (h *HandlerError) Error() string {
	return fmt.Sprintf("%s at %.12g s: %v", h.Handler, float64(h.Time), h.Err)
}

// Unwrap is the handler's own error.
func (h *HandlerError) Unwrap() error { return h.Err }

var forever = sim.VTimeInSec(math.Inf(1))

// Run handles events until none is left. The first error of a handler ends it,
// as *HandlerError; what was scheduled stays scheduled. If watched components
// still wait when nothing is left, the error is *Stuck.
func (e *Engine) Run() error { return e.runUntil(context.Background(), forever) }

// RunUntil is like Run, for events of times up to t. Later events stay scheduled, and the current
// time stays that of the last event handled.
func (e *Engine) RunUntil(t sim.VTimeInSec) error { return e.runUntil(context.Background(), t) }

// RunContext is like Run, but stops between two events when ctx is done; the error wraps that of
// ctx. A further run continues where it stopped.
func (e *Engine) RunContext(ctx context.Context) error { return e.runUntil(ctx, forever) }

// RunUntilContext combines RunUntil and RunContext.
func (e *Engine) RunUntilContext(ctx context.Context, t sim.VTimeInSec) error {
	return e.runUntil(ctx, t)
}

// A Stopper is an engine with the method Stopping. Akita's engines have it once they are adopted.
type Stopper interface{ Stopping() bool }

// Stopping reports whether the context of the run has ended. A handler with a long computation
// polls it and returns early; the run then ends with the context's error.
func (e *Engine) Stopping() bool {
	if e.attention.Load() == 0 {
		return false
	}
	e.ctl.Lock()
	defer e.ctl.Unlock()
	return e.ctl.ctx != nil && e.ctl.ctx.Err() != nil
}

func (e *Engine) runUntil(ctx context.Context, limit sim.VTimeInSec) error {
	e.run.Lock()
	defer e.run.Unlock()
	if ctx.Done() != nil { // it can end
		stop := context.AfterFunc(ctx, func() {
			e.ctl.Lock()
			e.attention.Store(1)
			e.ctl.changed.Broadcast()
			e.ctl.Unlock()
		})
		defer stop()
	}
	e.limit = limit
	e.ctl.Lock()
	e.ctl.running, e.ctl.ctx = true, ctx
	if ctx.Err() != nil {
		e.attention.Store(1)
	}
	e.ctl.Unlock()
	defer func() {
		e.ctl.Lock()
		e.ctl.running = false
		e.ctl.changed.Broadcast()
		e.ctl.Unlock()
	}()
	for {
		if e.attention.Load() != 0 {
			if err := e.attend(); err != nil {
				return err
			}
		}
		var err error
		if e.external {
			e.mu.Lock()
			err = e.open(limit)
			e.mu.Unlock()
		} else {
			err = e.open(limit)
		}
		if err != nil {
			return err
		}
		if e.current == nil {
			if e.attention.Load() != 0 {
				continue // something came in meanwhile
			}
			break
		}
		if err := e.drain(e.current); err != nil {
			return err
		}
	}
	if e.nothingLeft() {
		return e.stillWaiting("nothing is scheduled any more")
	}
	return nil
}

// open makes the earliest instant the current one, unless an interrupted one
// is still open or it lies beyond limit.
func (e *Engine) open(limit sim.VTimeInSec) error {
	if e.current != nil {
		if e.current.t > limit {
			return fmt.Errorf("engine: run until %.12g s, now is %.12g s", float64(limit), float64(e.cur))
		}
		return nil
	}
	if len(e.heap) == 0 || e.heap[0].t > limit {
		return nil
	}
	t := e.heap[0].t
	if t-e.dog.since > e.dog.span && e.dog.span > 0 {
		return e.bark()
	}
	e.current = e.take()
	e.cur = t
	e.now.Store(math.Float64bits(float64(t)))
	return nil
}

func (e *Engine) nothingLeft() bool {
	if e.external {
		e.mu.Lock()
		defer e.mu.Unlock()
	}
	return e.current == nil && len(e.heap) == 0
}

// drain handles all events of the current instant.
func (e *Engine) drain(b *bucket) error {
	for {
		if e.attention.Load() != 0 {
			if err := e.attend(); err != nil {
				return err
			}
		}
		if e.count >= e.dog.deadline {
			return e.bark()
		}
		var ev sim.Event
		if e.external {
			e.mu.Lock()
			ev = e.pick(b)
			e.mu.Unlock()
		} else {
			ev = e.pick(b)
		}
		if ev == nil {
			return nil
		}
		e.count++
		if e.NumHooks() > 0 {
			e.InvokeHook(sim.HookCtx{Domain: e, Pos: sim.HookPosBeforeEvent, Item: ev})
		}
		if err := ev.Handler().Handle(ev); err != nil {
			return &HandlerError{e.cur, nameOf(ev.Handler()), err}
		}
		if e.NumHooks() > 0 {
			e.InvokeHook(sim.HookCtx{Domain: e, Pos: sim.HookPosAfterEvent, Item: ev})
		}
	}
}

// pick removes the next event of the current instant. If there is none it ends
// the instant, under the same lock if there is one, and returns nil.
func (e *Engine) pick(b *bucket) sim.Event {
	if i := b.nextPrimary; i < len(b.primary) {
		if e.rnd != nil {
			e.draw(b.primary[i:])
		}
		ev := b.primary[i]
		b.primary[i] = nil
		b.nextPrimary++
		return ev
	}
	if i := b.nextSec; i < len(b.secondary) {
		if e.rnd != nil {
			e.draw(b.secondary[i:])
		}
		ev := b.secondary[i]
		b.secondary[i] = nil
		b.nextSec++
		return ev
	}
	e.current = nil
	e.recycle(b)
	return nil
}

// draw puts a random event first.
func (e *Engine) draw(list []sim.Event) {
	j := e.rnd.IntN(len(list))
	list[0], list[j] = list[j], list[0]
}

// attend handles the requests of other goroutines: posted functions, a pause, the end of a
// context.
func (e *Engine) attend() error {
	for {
		posted, err := e.stand()
		if err != nil || len(posted) == 0 {
			return err
		}
		for _, f := range posted {
			f()
		}
	}
}

// stand waits out a pause, and returns what was posted meanwhile or before.
func (e *Engine) stand() ([]func(), error) {
	c := &e.ctl
	c.Lock()
	defer c.Unlock()
	for {
		if err := c.ctx.Err(); err != nil {
			// attention stays set: a later run looks for itself.
			return nil, fmt.Errorf("engine: stopped at %.12g s: %w", float64(e.cur), err)
		}
		if !c.paused {
			break
		}
		c.parked = true
		c.changed.Broadcast()
		c.changed.Wait()
		c.parked = false
	}
	posted := c.inbox
	c.inbox = nil
	if len(posted) == 0 {
		e.attention.Store(0)
	}
	return posted, nil
}

// Left reports whether an event is scheduled.
func (e *Engine) Left() bool { return !e.nothingLeft() }
