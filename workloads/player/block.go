package player

import (
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/clock/instant"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/block"
)

// enter makes a block of the driver and what it reaches, if nothing there needs
// messages and all have one clock.
func (c *Comp) enter() (*block.Block, bool) {
	if !c.same || c.tasks.All() {
		return nil, false
	}
	return block.Build(c, c.port, c.homes, c.target.Clock())
}

// Instant implements block.Source.
func (c *Comp) Instant(cycle uint64) uint64 { return c.actAt(cycle) }

// at is the time at which the driver acts for a cycle.
func (c *Comp) at(cycle uint64) sim.VTimeInSec { return instant.Of(fine, c.actAt(cycle)) }

// canSend reports whether the wire takes a message; if not, the driver is woken when
// it does.
func (c *Comp) canSend(cycle uint64) bool {
	switch {
	case c.block != nil:
		return c.block.Out().CanSend(cycle)
	case c.guest != nil: // who acts once in an instant finds room, and the host takes all
		return true
	}
	return c.port.CanSend()
}

// hand sends the request of a call in a block.
func (c *Comp) hand(s *memory.Call[part], write bool, addr, size uint64, to sim.Port, cycle uint64) {
	out := c.block.Out()
	s.Ask(write, addr, size, to)
	out.Send(out.To(to.(*engine.Port)), cycle, block.Request{Addr: addr, Bytes: size, Hint: &s.Hint, Tag: s.Number(), Write: write})
}

// Step implements block.Source: Handle without messages.
func (c *Comp) Step(cycle uint64) (next uint64, err error) {
	if err := c.settle(cycle); err != nil {
		return 0, err
	}
	inside, outside, fast := c.mayBeQuick(cycle)
	if cycle >= c.acted {
		now := sim.VTimeInSec(0)
		if c.tasks.Wants(task.Request) {
			now = c.at(cycle)
		}
		c.acted = cycle + 1
		if err := c.act(cycle, now); err != nil {
			return 0, err
		}
	}
	if fast {
		if cycle, err = c.sprint(cycle, inside, outside); err != nil {
			return 0, err
		}
		c.anyUntil, c.hitsUntil = 0, 0
	}
	next, _ = c.following(cycle)
	if c.patient && !c.tasks.On() {
		c.block.Patience(portBuffer / 2)
	} else {
		c.block.Patience(0)
		next = min(next, c.answer())
	}
	return next, nil
}

// following is the first cycle after this one in which there is something to do, whatever
// answers come by requests that are not quick.
func (c *Comp) following(cycle uint64) (next uint64, ok bool) {
	next, ok = c.next(cycle)
	if !ok {
		next = never
	}
	if c.spec.Mode.Kind == Closed || !ok { // else they change nothing but counts
		next = min(next, c.over.next())
	}
	return max(next, cycle+1), next != never
}

// answer is the cycle of the next answer to a request that is not quick.
func (c *Comp) answer() uint64 {
	next := never
	for _, l := range c.block.Out().Links {
		next = min(next, l.Next())
	}
	return next
}

// settle takes the answers that come until a cycle.
func (c *Comp) settle(cycle uint64) error {
	for _, l := range c.block.Out().Links {
		for a, ok := l.Answered(cycle); ok; a, ok = l.Answered(cycle) {
			s := c.calls.Over(a.Tag)
			now := sim.VTimeInSec(0)
			if s.Hint.Task != 0 {
				now = c.at(cycle)
			}
			if err := c.answered(s, a.At, now); err != nil {
				return err
			}
		}
	}
	return c.settleQuick(cycle)
}

// settleQuick takes the answers to quick requests.
func (c *Comp) settleQuick(cycle uint64) error {
	n, waited := c.over.pop(cycle)
	if n == 0 {
		return nil
	}
	c.open -= n
	c.done += waited
	return c.ended()
}

// mayBeQuick reports whether requests may be quick from a cycle on. They may until something
// happens inside the block, or until their answers could come after a component outside
// acts. It sets the two ends: of requests that wait for a memory, and of those that hit.
func (c *Comp) mayBeQuick(cycle uint64) (inside, outside uint64, ok bool) {
	c.anyUntil, c.hitsUntil = 0, 0
	if c.worst == 0 || c.tasks.Wants(task.Request) || !c.block.Out().Ready() {
		return 0, 0, false
	}
	inside, outside = c.block.Free()
	if outside == never {
		c.anyUntil, c.hitsUntil = never, never
		return inside, outside, true
	}
	late := uint64(0)
	if c.spec.Mode.Kind != Closed && !c.tasks.On() {
		late = patience + 1 // so much later answers are counted
	}
	c.anyUntil = outside - min(outside, c.worst+late)
	c.hitsUntil = outside - min(outside, c.trip+late)
	return inside, c.hitsUntil, cycle < c.hitsUntil
}

// sprint carries on with quick requests from a cycle in which the driver has acted. It
// returns the last one in which it has.
func (c *Comp) sprint(cycle, inside, outside uint64) (uint64, error) {
	closed := c.spec.Mode.Kind == Closed
	end := min(inside, outside)
	for k := 1; c.cur < 0 && c.fault == nil; k++ {
		usual := c.calls.InFlight() > 0 // requests that are not quick
		until := min(end, c.until)
		if usual {
			if in, _ := c.block.Free(); in < inside { // one was sent now
				break
			}
			until = min(until, c.answer())
		}
		if closed {
			last, err := c.streak(cycle, until)
			if err != nil {
				return last, err
			}
			if last != cycle {
				if cycle = last; c.block.Interrupted() {
					break
				}
				continue
			}
		}
		next, ok := c.after(cycle, usual)
		if !ok && !usual {
			break
		}
		if next >= end || k%1024 == 0 && c.block.Interrupted() {
			break
		}
		cycle = next
		c.acted = cycle + 1
		if usual {
			if err := c.settle(cycle); err != nil {
				return cycle, err
			}
		} else if err := c.settleQuick(cycle); err != nil {
			return cycle, err
		}
		if err := c.act(cycle, 0); err != nil {
			return cycle, err
		}
	}
	return cycle, nil
}

// after is following, in the midst of a sprint; usual: there are requests that are not
// quick.
func (c *Comp) after(cycle uint64, usual bool) (next uint64, ok bool) {
	closed := c.spec.Mode.Kind == Closed
	next, ok = cycle+1, true
	if !closed || !c.feed.ok || c.sent == c.arrived {
		next, ok = c.following(cycle)
	}
	if usual && closed {
		next = min(next, max(c.answer(), cycle+1))
	}
	return next, ok
}

// quick sends the next request, which arrived in a cycle, if it is one of those whose
// answers are known at once.
func (c *Comp) quick(arrival, cycle uint64) (done bool, err error) {
	rec, size := &c.feed.rec, c.feed.size
	if size > memory.MaxBurst {
		return false, nil
	}
	l := c.only.Find(rec.Addr, size, c.homes, c.block.Out())
	if l == nil {
		return false, nil
	}
	q := &c.ask
	q.Addr, q.Bytes, q.Hint, q.Write = rec.Addr, size, &c.swift, rec.Write
	if !l.Fits(q) {
		return false, nil
	}
	h := &c.swift
	h.Tensor, h.Kind, h.Reuse, h.Core, h.PC, h.About = rec.Tensor, c.feed.kind, rec.Reuse, uint16(rec.Core), rec.PC, c.feed.about
	if c.future.line > 0 {
		h.Next = c.future.take(rec.Addr, size)
	}
	c.count.accept(rec.Write, size)
	at, err := l.Quick(q, cycle)
	if err != nil {
		return true, err
	}
	c.count.answer(&job{arrival: c.seen(arrival), accept: c.seen(cycle), write: rec.Write}, at)
	c.open++
	c.over.push(at, !(rec.Write && c.spec.Posted))
	return true, c.goOn(rec.Write)
}
