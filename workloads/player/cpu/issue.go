package cpu

import (
	"fmt"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/memory"
)

// A call is the purpose of a request: a part of an access, or a read of a walk.
type call struct {
	op   uint64
	walk int32 // -1: none
}

// A lookup is a look into the second level of the TLB.
type lookup struct {
	at uint64 // cycle in which it is over
	op uint64
}

// A walkEnd is when a walk is over whose reads are.
type walkEnd struct {
	at   uint64
	walk int32
}

// A walk reads the entries of a page, from a level down to 0, and is then over after the
// time that it takes itself.
type walk struct {
	busy        bool
	page        uint64
	from, level int
	begun       uint64
	ops, last   uint64 // those that wait for it, joined by next
}

// issue sends accesses that are ready, as many as the core has ports, and reads of walks.
// more: there is something left for the next cycle.
func (c *Comp) issue(cycle uint64, now sim.VTimeInSec) (more bool, err error) {
	for c.reads.Len() > 0 && c.port.CanSend() {
		i := c.reads.Pop()
		w := &c.walks[i]
		if err := c.send(c.table.entry(w.page, w.level), entryBytes, false, call{walk: i}, memory.Hint{Core: uint16(c.core)}, now); err != nil {
			return false, err
		}
		c.count.walkReads++
	}
	for left := c.spec.Ports; left > 0; left-- {
		if c.mapped.Len() == 0 && !c.translate(cycle) {
			break
		}
		if c.mapped.Len() == 0 {
			continue // it looks elsewhere, and took the port
		}
		if !c.port.CanSend() {
			return false, nil // the wire wakes it
		}
		if err := c.begin(c.op(*c.mapped.At(0)), now); err != nil {
			return false, err
		}
	}
	return c.mapped.Len()+c.ready.Len()+c.reads.Len() > 0 && c.port.CanSend(), nil
}

// begin sends the requests of an access while the wire has room.
func (c *Comp) begin(o *op, now sim.VTimeInSec) error {
	r := &o.rec
	if !o.sent {
		o.sent = true
		o.task = c.tasks.Begin(now, task.Request, task.ReadWrite(r.Write), 0, uint64(r.Size))
		c.count.begin(r.Write)
	}
	for r.Size > 0 {
		if !c.port.CanSend() {
			return nil
		}
		n := c.piece(r.Addr, uint64(r.Size), r.Write)
		at := c.physical(r.Addr)
		_, _, run, ok := c.homes.Find(at)
		if !ok {
			return memory.BadInputf("%s: address %#x has no home", c.Name(), at)
		}
		n = min(n, run)
		h := c.hintOf(r)
		h.Task = o.task
		o.parts++
		if err := c.send(at, n, r.Write, call{o.number, -1}, h, now); err != nil {
			return err
		}
		c.count.sent(r.Write, n)
		r.Addr, r.Size = r.Addr+n, r.Size-uint32(n)
	}
	o.whole = true
	c.mapped.Pop()
	return nil
}

// send sends a request that goes to one home, on a wire that has room.
func (c *Comp) send(addr, bytes uint64, write bool, what call, h memory.Hint, now sim.VTimeInSec) error {
	home, i, _, ok := c.homes.Find(addr)
	if !ok {
		return memory.BadInputf("%s: address %#x has no home", c.Name(), addr)
	}
	s := c.calls.Take()
	s.Note, s.Hint = what, h
	if c.port.Send(s.Message(write, addr, bytes, home.Ports[i], now)) != nil {
		return fmt.Errorf("cpu: %s: the wire refused a message after it had room", c.Name())
	}
	return nil
}

// translate translates the next ready access; false if there is none. Misses of the first level
// continue later.
func (c *Comp) translate(cycle uint64) bool {
	if c.ready.Len() == 0 {
		return false
	}
	n := c.ready.Pop()
	if !c.paged {
		c.mapped.Push(n)
		return true
	}
	c.count.translations++
	page := c.pageOf(c.op(n).rec.Addr)
	switch {
	case c.first.hit(page):
		c.mapped.Push(n)
	case c.second.sets > 0:
		c.count.tlbMisses++
		c.late.Push(lookup{cycle + c.spec.TLB.Second.Latency.In(c.clock), n})
	default:
		c.count.tlbMisses++
		c.walk(n, cycle)
	}
	return true
}

// looked ends the looks into the second level that are over.
func (c *Comp) looked(cycle uint64) {
	for c.late.Len() > 0 && c.late.At(0).at <= cycle {
		n := c.late.Pop().op
		if page := c.pageOf(c.op(n).rec.Addr); c.second.hit(page) {
			c.first.fill(page)
			c.mapped.Push(n)
		} else {
			c.walk(n, cycle)
		}
	}
}

// walk has an access wait for the walk of its page.
func (c *Comp) walk(n, cycle uint64) {
	o := c.op(n)
	page := c.pageOf(o.rec.Addr)
	idle := -1
	for i := range c.walks {
		switch w := &c.walks[i]; {
		case !w.busy && idle < 0:
			idle = i
		case w.busy && w.page == page:
			c.op(w.last).next, w.last = n, n
			return
		}
	}
	if idle < 0 {
		c.queue.Push(n)
		return
	}
	from := c.table.first(page)
	c.walks[idle] = walk{busy: true, page: page, from: from, level: from, begun: cycle, ops: n, last: n}
	c.count.walks++
	c.reads.Push(int32(idle))
}

// walked continues a walk whose read is answered.
func (c *Comp) walked(i int32, cycle uint64) {
	w := &c.walks[i]
	if w.level > 0 {
		w.level--
		c.reads.Push(i)
		return
	}
	c.over.Push(walkEnd{cycle + c.spec.TLB.Walk.Latency.In(c.clock), i})
}

// end ends the walks whose time is over; accesses that wait for their pages continue.
func (c *Comp) end(cycle uint64) {
	for c.over.Len() > 0 && c.over.At(0).at <= cycle {
		w := &c.walks[c.over.Pop().walk]
		c.table.learn(w.page, w.from)
		c.second.fill(w.page)
		c.first.fill(w.page)
		c.count.walkCycles += cycle - w.begun
		for n := w.ops; ; n = c.op(n).next {
			c.mapped.Push(n)
			if n == w.last {
				break
			}
		}
		w.busy = false
		for k := c.queue.Len(); k > 0; k-- { // who waits for a walker looks again
			n := c.queue.Pop()
			if page := c.pageOf(c.op(n).rec.Addr); c.first.hit(page) {
				c.mapped.Push(n)
			} else {
				c.walk(n, cycle)
			}
		}
	}
}
