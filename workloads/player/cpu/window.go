package cpu

import (
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/workloads/trace"
)

// An op is a load or store that is under way, or holds the window.
type op struct {
	rec    trace.Record
	number uint64
	first  uint64 // number of its first instruction
	begun  uint64 // cycle in which it could have been sent
	bytes  uint64
	parts  int32 // requests that are not answered
	state  state
	sent   bool   // a part is sent
	whole  bool   // all parts are
	next   uint64 // the next that waits for the same walk
	task   task.ID
}

// A state is how far an op is.
type state uint8

const (
	free    state = iota
	waiting       // for the one that it depends on
	going         // may begin, or has
	done          // answered
)

// dispatch is the front end: when instructions enter the window.
type dispatch struct {
	slot    uint64 // next free one: width of them are a cycle
	pending bool   // due holds for the next access
	due     uint64 // cycle
	group   int    // accesses since the last pause
	last    uint64 // cycle of the last access
	count   uint64 // instructions so far
	pause   uint64 // cycles
}

func (c *Comp) op(n uint64) *op { return &c.ops[n&uint64(len(c.ops)-1)] }

// fill lets instructions enter the window, as far as they may in a cycle, and returns the
// cycle in which the next may; never: something else has to happen first.
func (c *Comp) fill(cycle uint64) (next uint64) {
	d := &c.dispatch
	for c.mayEnter() {
		if !d.pending {
			d.pending = true
			d.slot = max(d.slot, cycle*uint64(c.spec.Width)) + c.program.need
			d.due = (d.slot - 1) / uint64(c.spec.Width)
			if d.group == c.spec.Pause.After && d.pause > 0 {
				d.due = max(d.due, d.last+d.pause)
			}
		}
		if d.due > cycle {
			return d.due
		}
		if cycle >= c.until {
			c.program.stop()
			break
		}
		if !c.housed() {
			break
		}
		if d.group == c.spec.Pause.After {
			d.group = 0
		}
		d.pending, d.last = false, cycle
		d.group++
		c.enter(cycle)
	}
	return never
}

// housed reports whether the next access has homes; else it is a fault of the program.
func (c *Comp) housed() bool {
	r := &c.program.rec
	for _, addr := range [2]uint64{r.Addr, r.Addr + uint64(r.Size) - 1} {
		if _, _, _, ok := c.homes.Find(c.physical(addr)); !ok {
			c.program.fault = c.program.fail("address %#x has no home (base: moves addresses)", c.physical(addr))
			c.program.stop()
			return false
		}
	}
	return true
}

// mayEnter reports whether there is an access, and room for it and the instructions before
// it.
func (c *Comp) mayEnter() bool {
	p := &c.program
	switch {
	case !p.ok || c.spec.Limit > 0 && p.handed == c.spec.Limit:
		return false
	case p.rec.Write && c.stores >= c.spec.Stores, !p.rec.Write && c.loads >= c.spec.Loads:
		return false
	case c.op(c.tail).under(): // a store that is this old
		return false
	}
	return c.head == c.tail || c.dispatch.count+p.need-c.op(c.head).first <= uint64(c.spec.Window)
}

// enter takes the next access into the window.
func (c *Comp) enter(cycle uint64) {
	p := &c.program
	o := c.op(c.tail)
	*o = op{rec: p.rec, number: c.tail, bytes: uint64(p.rec.Size), first: c.dispatch.count + p.need - 1, begun: cycle, state: going}
	c.dispatch.count += p.need
	if p.rec.Write {
		c.stores++
	} else {
		c.loads++
	}
	if k := uint64(c.spec.Chains); k > 0 && c.tail >= k && c.under(c.tail-k) {
		o.state = waiting
	} else {
		c.ready.Push(c.tail)
	}
	c.tail++
	p.next()
	if p.handed++; p.handed%64 == 0 || p.handed == c.spec.Limit || !p.ok {
		p.shown.Store(p.handed)
		p.ended.Store(!p.ok)
	}
	c.retire()
}

func (o *op) under() bool { return o.state == waiting || o.state == going }

// under reports whether an access has not been answered.
func (c *Comp) under(n uint64) bool {
	o := c.op(n)
	return o.number == n && o.under()
}

// retire moves on to the oldest access that holds the window up: a store does not.
func (c *Comp) retire() {
	for c.head < c.tail && (c.op(c.head).state == done || c.op(c.head).rec.Write) {
		c.head++
	}
}

// answered notes an answer: to a part of an access, or to a read of a walk.
func (c *Comp) answered(s *memory.Call[call], cycle uint64, now sim.VTimeInSec) {
	if s.Note.walk >= 0 {
		c.walked(s.Note.walk, cycle)
		return
	}
	o := c.op(s.Note.op)
	if o.parts--; o.parts > 0 || !o.whole {
		return
	}
	o.state = done
	c.tasks.End(now, o.task)
	c.count.answer(c, o, cycle)
	if o.rec.Write {
		c.stores--
	} else {
		c.loads--
	}
	c.release(o.number, cycle)
	c.retire()
}

// release lets the access begin that depends on one. After the end of the run it is given
// up, and so is the rest of its chain.
func (c *Comp) release(n, cycle uint64) {
	for k := uint64(c.spec.Chains); k > 0; {
		if n += k; n >= c.tail {
			return
		}
		o := c.op(n)
		if o.number != n || o.state != waiting {
			return
		}
		if cycle < c.until {
			o.state, o.begun = going, cycle
			c.ready.Push(n)
			return
		}
		o.state = done
		if o.rec.Write {
			c.stores--
		} else {
			c.loads--
		}
	}
}
