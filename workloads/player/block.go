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
	if c.block != nil {
		return c.block.Out().CanSend(cycle)
	}
	return c.port.CanSend()
}

// hand sends a call's request in a block.
func (c *Comp) hand(s *memory.Call[part], write bool, addr, size uint64, to sim.Port, cycle uint64) {
	out := c.block.Out()
	s.Ask(write, addr, size, to)
	out.Send(out.To(to.(*engine.Port)), cycle, block.Request{Addr: addr, Bytes: size, Hint: &s.Hint, Tag: s.Number(), Write: write})
}

// Step implements block.Source: Handle without messages.
func (c *Comp) Step(cycle uint64) (next uint64, err error) {
	links := c.block.Out().Links
	for _, l := range links {
		for a, ok := l.Answered(cycle); ok; a, ok = l.Answered(cycle) {
			s := c.calls.Over(a.Tag)
			now := sim.VTimeInSec(0)
			if s.Hint.Task != 0 {
				now = c.at(cycle)
			}
			if err := c.answered(s, a.At, now); err != nil {
				return 0, err
			}
		}
	}
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
	next, ok := c.next(cycle)
	if !ok {
		next = block.Never
	} else if next <= cycle {
		next = cycle + 1
	}
	if c.patient && !c.tasks.On() {
		c.block.Patience(portBuffer / 2)
		return next, nil
	}
	c.block.Patience(0)
	for _, l := range links {
		next = min(next, l.Next())
	}
	return next, nil
}
