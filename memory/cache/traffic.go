package cache

import (
	"github.com/sarchlab/akita/v3/sim"
)

// full reports whether the write buffer has no entry left.
func (c *Timed) full() bool { return c.held >= c.timed.WriteBuffer }

// buffer puts bytes of one line into the write buffer.
func (c *Timed) buffer(f fetch) {
	c.writes.Push(f)
	c.held++
}

// buffered is the number of writes that have to go below before bytes may be
// read that one of them writes.
func (c *Timed) buffered(from, to uint64) int {
	for i := c.writes.Len() - 1; i >= 0; i-- {
		if w := c.writes.At(i); w.from < to && from < w.to {
			return i + 1
		}
	}
	return 0
}

// sendBelow sends what the wire takes: reads first, unless a read wants what is
// still to be written, or the write buffer is three quarters full. It returns the
// cycle in which there is more to send; what the wire does not take, it will say.
func (c *Timed) sendBelow(now sim.VTimeInSec, cycle uint64) (next uint64, err error) {
	for {
		if err := c.below.flush(now, cycle); err != nil || c.below.queue.Len() > 0 {
			return never, err
		}
		ready := c.fetches.Len() > 0 && c.fetches.At(0).ready <= cycle
		switch {
		case c.writes.Len() > 0 && (!ready || c.drain > 0 || 4*c.held >= 3*c.timed.WriteBuffer):
			if !c.below.canSend(cycle) {
				return never, nil
			}
			err = c.sendWrite()
		case ready:
			if !c.below.canSend(cycle) {
				return never, nil
			}
			err = c.sendRead(now, cycle)
		case c.fetches.Len() > 0:
			return c.fetches.At(0).ready, nil
		default:
			return never, nil
		}
		if err != nil {
			return never, err
		}
	}
}

// sendRead makes one request of the first fetch and those behind it that follow
// in address.
func (c *Timed) sendRead(now sim.VTimeInSec, cycle uint64) error {
	f := c.fetches.Pop()
	to := f.to
	c.run = append(c.run[:0], f.mshr)
	for c.fetches.Len() > 0 && !c.incl.below { // which has each line for itself
		g := c.fetches.At(0)
		if g.from != to || to&(uint64(c.spec.Burst)-1) == 0 || g.ready > cycle {
			break
		}
		to = g.to
		c.run = append(c.run, g.mshr)
		c.fetches.Pop()
	}
	for _, i := range c.run {
		c.mshrs.table[i].unsent--
	}
	if home, i, run, ok := c.below.homes.Find(f.from); ok && run >= to-f.from && c.bytes == nil {
		return c.sendWhole(order{addr: f.from, bytes: to - f.from, hint: f.hint, tag: nobody, dst: home.Ports[i]}, now, cycle)
	}
	pieces := c.below.push(order{addr: f.from, bytes: to - f.from, hint: f.hint, tag: nobody})
	c.carry(pieces)
	for i := c.below.queue.Len() - pieces; i < c.below.queue.Len(); i++ {
		o := c.below.queue.At(i)
		for line := o.addr >> c.shift; line <= (o.addr+o.bytes-1)>>c.shift; line++ {
			c.mshrs.of(line).pieces++
		}
	}
	for line := f.from >> c.shift; line <= (to-1)>>c.shift; line++ {
		if c.mshrs.of(line).pieces == 0 {
			return homeless(c.Name(), line<<c.shift, "a request")
		}
	}
	return nil
}

// sendWhole sends a read that has one home.
func (c *Timed) sendWhole(o order, now sim.VTimeInSec, cycle uint64) error {
	if len(c.run) == 1 {
		o.mshr = c.run[0] + 1
	}
	for _, i := range c.run {
		c.mshrs.table[i].pieces++
	}
	return c.below.pass(&o, now, cycle)
}

// sendWrite makes one request of the first write and those behind it that follow
// in address and that the same request waits for, if any does.
func (c *Timed) sendWrite() error {
	f := c.writes.Pop()
	to, n := f.to, 1
	for c.writes.Len() > 0 && !c.incl.below {
		g := c.writes.At(0)
		if g.tag != f.tag || g.from != to || to&(uint64(c.spec.Burst)-1) == 0 {
			break
		}
		to = g.to
		n++
		c.writes.Pop()
	}
	c.drain = max(c.drain-n, 0)
	pieces := c.below.push(order{addr: f.from, bytes: to - f.from, hint: f.hint, tag: f.tag, entries: n, write: true})
	if pieces == 0 {
		return homeless(c.Name(), f.from, "a write")
	}
	c.carry(pieces)
	if f.tag != nobody {
		c.requests.At(f.tag).left += int32(pieces - n)
	}
	return nil
}
