package cxl

import (
	"math"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/clock/instant"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/memory/block"
	"github.com/causeway-sim/causeway/memory/cxl/link"
	"github.com/causeway-sim/causeway/memory/cxl/setting"
	"github.com/causeway-sim/causeway/memory/cxl/transit"
)

// A carrier has the memories inside the devices of a fabric act without messages and
// without events, until a component outside may act.
type carrier struct {
	fabric   *fabric
	engine   *engine.Engine
	memories []*carried
	wakeups  transit.MinTree // when memories are to act, in ps, rounded down
	guests   []guest
	turns    transit.MinTree // when guests are to act, in ps
	ports    bool            // some node sends or answers requests by messages
	wake     int64           // when the fabric is, first of
	wakes    block.Times     // all times promised to it: with messages each has an event
	done     int64           // up to where it has acted
	turned   int64           // when a guest has last
	last     *carried        // who acted last; nil: the fabric or a guest
	running  bool
}

// carries reports whether a fabric may act without messages on an engine, and nothing interrupts it.
func (f *fabric) carries(on sim.Engine) (e *engine.Engine, ok bool) {
	e, ok = on.(*engine.Engine)
	return e, ok && e.MayCarry() && f.Before == nil && f.After == nil
}

// newCarrier makes a carrier if all memories can do without messages and nothing interrupts
// the fabric; else nil.
func newCarrier(f *fabric) *carrier {
	e, ok := f.carries(f.ticker.Engine())
	if !ok {
		return nil
	}
	c := &carrier{fabric: f, engine: e, turns: transit.NewMinTree(0), ports: true, wakes: block.Times{0}, done: -1}
	for _, n := range f.nodes {
		d, ok := n.(*Type3)
		if !ok {
			continue
		}
		m, ok := newCarried(d, e)
		if !ok {
			return nil
		}
		c.memories = append(c.memories, m)
	}
	for i, m := range c.memories {
		d := m.device
		m.index = i
		m.link = block.Join(m.node, d.port, d.dst.(*engine.Port), portBuffer)
		m.ticker = engine.NewTicker(e, m.clock, f)
		d.carried = m
	}
	c.wakeups = transit.NewMinTree(len(c.memories))
	if e.MayRunAhead() {
		f.Calm()
	}
	e.Carry()
	return c
}

// promise has a memory act in a cycle.
func (c *carrier) promise(m *carried, cycle uint64) {
	if m.due.Add(cycle) {
		c.wakeups.Set(m.index, m.floor(cycle))
	}
}

// The loop yields to goroutines that watch the run, which it checks after this many steps. Tests
// interrupt it more often, which must change nothing.
var (
	steps       = 256
	interrupted = (*engine.Engine).Interrupted
)

// A span is how far a loop may go: up to the next event of others, and the end of the run.
type span struct {
	now, next, last sim.VTimeInSec
	sure            int64 // up to where it may certainly go, in ps
}

func (s *span) free(at sim.VTimeInSec) bool { return at <= s.now || at < s.next && at <= s.last }

// handle carries out an event at t, and all work up to the next event outside.
func (c *carrier) handle(now sim.VTimeInSec, t int64) error {
	c.running = true
	if c.wake <= t { // else it is not the fabric's turn
		if err := c.act(now, t); err != nil {
			return err
		}
	}
	s := span{now: now}
	s.next, s.last = c.engine.Ahead()
	s.sure = max(before(min(s.next, s.last)), t)
	for k := steps; ; k-- {
		w, i, g := c.wake, c.wakeups.Next(), c.turns.Next()
		first := min(w, i, g)
		if first == link.Never {
			break
		}
		if k == 0 {
			if k = steps; first > t && interrupted(c.engine) {
				break
			}
		}
		var more bool
		var err error
		switch {
		case g < w && g <= i:
			more, err = c.turn(&s, g)
		case i < w:
			more, err = c.step(&s, i)
		default:
			more, err = c.carryOn(&s, w, t)
		}
		if err != nil {
			return err
		}
		if !more {
			break
		}
	}
	c.leave(now)
	return nil
}

// carryOn has the fabric act at w, if the loop that began at t may go as far.
func (c *carrier) carryOn(s *span, w, t int64) (more bool, err error) {
	at := instant.Of(setting.Fine, uint64(w))
	if w > s.sure && !s.free(at) {
		return false, nil
	}
	if c.ports && w > t {
		if more, err = c.takeAhead(at, w); err != nil || !more {
			return false, err
		}
	}
	return true, c.act(at, w)
}

// takeAhead does what there is to do up to t but for sending, where hosts have ports; more is
// false if one has something to send then.
func (c *carrier) takeAhead(at sim.VTimeInSec, t int64) (more bool, err error) {
	f := c.fabric
	if f.Schedule.Ports() <= t {
		return false, nil
	}
	err = f.take(at, t)
	return f.Ready.Next(f.Devices) < 0, err
}

// before is a picosecond that is certainly before a time.
func before(t sim.VTimeInSec) int64 {
	if math.IsInf(float64(t), 1) {
		return link.Never
	}
	n := int64(instant.AtOrBefore(setting.Fine, t))
	return n - min(n, 2)
}

// act has the fabric act at t.
func (c *carrier) act(now sim.VTimeInSec, t int64) error {
	for c.wake <= t {
		c.wakes.Pop()
		c.seek()
	}
	next, err := c.fabric.act(now, t)
	if next != link.Never {
		c.wakeAt(max(next, t+1))
	}
	c.done, c.last = t, nil
	return err
}

// wakeAt schedules the fabric for one more time.
func (c *carrier) wakeAt(t int64) {
	if c.wakes.Add(uint64(t)) {
		c.wake = t
	}
}

// seek finds the first of the times promised to the fabric.
func (c *carrier) seek() { c.wake = int64(min(c.wakes.First(), link.Never)) }

// step has a memory act in its next cycle, which begins at t or in the picosecond after, if
// the loop may go as far.
func (c *carrier) step(s *span, t int64) (more bool, err error) {
	m := c.memories[c.wakeups.Due(0, t)]
	if t >= s.sure && !s.free(instant.Of(m.clock, m.due.First())) {
		return false, nil
	}
	cycle := m.due.Pop()
	next, err := m.node.Step(cycle)
	m.acted, c.last = cycle, m
	if next != block.Never {
		m.due.Add(next)
	}
	c.wakeups.Set(m.index, m.first())
	if m.link.Next() != block.Never {
		c.fabric.received.Add(m.device.number)
		c.wakeAt(t + 1)
	}
	return true, err
}

// leave schedules the next event; at the end, one at the time of the last work, so that the run
// ends then.
func (c *carrier) leave(now sim.VTimeInSec) {
	c.running = false
	w, i := min(c.wake, c.turns.Next()), c.wakeups.Next()
	switch {
	case min(w, i) == link.Never:
		if m := c.last; m != nil {
			if instant.Of(m.clock, m.acted) > now {
				m.ticker.WakeAt(m.acted)
			}
		} else if end := max(c.done, c.turned); instant.Of(setting.Fine, uint64(end)) > now {
			c.fabric.ticker.WakeAt(uint64(end))
		}
	case w <= i:
		c.fabric.ticker.WakeAt(uint64(w))
	default:
		m := c.memories[c.wakeups.Due(0, i)]
		m.ticker.WakeAt(m.due.First())
	}
}
