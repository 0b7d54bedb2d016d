package cache

import (
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/memory"
)

// full reports whether the write buffer has no entry left.
func (c *Timed) full() bool { return c.held >= c.timed.WriteBuffer }

// keep keeps the hint of a fetch for a request, and returns its number plus 1. A memory that
// is asked directly gets none.
func (c *Timed) keep(r *request) int32 {
	if c.below.direct != nil {
		return 0
	}
	i := c.hints.Take()
	h := c.hints.At(i)
	*h = memory.Hint{}
	r.causes(h)
	h.Keeps = c.incl.below
	return i + 1
}

// hinted gives an order the hint of a fetch, which is then forgotten.
func (c *Timed) hinted(o *order, f *fetch) {
	if f.hint > 0 {
		o.hint = *c.hints.At(f.hint - 1)
		c.forget(f)
	}
}

func (c *Timed) forget(f *fetch) {
	if f.hint > 0 {
		c.hints.Give(f.hint - 1)
	}
}

// buffer puts bytes of one line into the write buffer.
func (c *Timed) buffer(f fetch, hint memory.Hint) {
	if c.below.direct == nil {
		i := c.hints.Take()
		*c.hints.At(i) = hint
		f.hint = i + 1
	}
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

// sendRead makes one request of the first fetch and those after it that follow
// in address.
func (c *Timed) sendRead(now sim.VTimeInSec, cycle uint64) error {
	f := *c.fetches.At(0)
	c.fetches.Drop()
	to := f.to
	c.run = append(c.run[:0], f.mshr)
	c.mshrs.Registers[f.mshr].Unsent--
	for c.fetches.Len() > 0 && !c.incl.below { // which has each line for itself
		g := c.fetches.At(0)
		if g.from != to || to&(uint64(c.spec.Burst)-1) == 0 || g.ready > cycle {
			break
		}
		to = g.to
		if g.mshr != c.run[len(c.run)-1] { // else another sector of the same line
			c.run = append(c.run, g.mshr)
		}
		c.mshrs.Registers[g.mshr].Unsent--
		c.forget(g)
		c.fetches.Drop()
	}
	home, i, run, ok := c.below.homes.Find(f.from)
	whole := ok && run >= to-f.from && c.bytes == nil
	mshr := int32(0)
	if whole {
		mshr = c.chain()
	}
	if mshr > 0 && !c.core.Sectored() && c.below.direct != nil {
		c.forget(&f)
		c.below.fill(f.from, to-f.from, mshr, cycle)
		return nil
	}
	o := order{addr: f.from, bytes: to - f.from, tag: noRequester}
	c.hinted(&o, &f)
	if whole {
		o.dst, o.mshr = home.Ports[i], mshr
		return c.below.pass(&o, now, cycle)
	}
	pieces := c.below.push(o)
	c.carry(pieces)
	for i := c.below.queue.Len() - pieces; i < c.below.queue.Len(); i++ {
		o := c.below.queue.At(i)
		for line := o.addr >> c.shift; line <= (o.addr+o.bytes-1)>>c.shift; line++ {
			c.mshrs.Of(line).Pieces++
		}
	}
	for line := f.from >> c.shift; line <= (to-1)>>c.shift; line++ {
		if c.mshrs.Of(line).Pieces == 0 {
			return homeless(c.Name(), line<<c.shift, "a request")
		}
	}
	return nil
}

// chain notes that one request below brings the lines of the run, and returns the number of
// the first one's register plus 1; 0 if the answer has to find them by their addresses: of
// lines with sectors several requests may be under way.
func (c *Timed) chain() int32 {
	last := len(c.run) - 1
	if last > 0 && c.core.Sectored() {
		for _, i := range c.run {
			c.mshrs.Registers[i].Pieces++
		}
		return 0
	}
	for k, i := range c.run {
		m := &c.mshrs.Registers[i]
		m.Pieces++
		if k < last {
			m.Chain = c.run[k+1] + 1
		}
	}
	return c.run[0] + 1
}

// sendWrite makes one request of the first write and those after it that follow
// in address and that the same request waits for, if any does.
func (c *Timed) sendWrite() error {
	f := *c.writes.At(0)
	c.writes.Drop()
	to, n := f.to, 1
	for c.writes.Len() > 0 && !c.incl.below {
		g := c.writes.At(0)
		if g.tag != f.tag || g.from != to || to&(uint64(c.spec.Burst)-1) == 0 {
			break
		}
		to = g.to
		n++
		c.forget(g)
		c.writes.Drop()
	}
	c.drain = max(c.drain-n, 0)
	o := order{addr: f.from, bytes: to - f.from, tag: f.tag, entries: n, write: true}
	c.hinted(&o, &f)
	pieces := c.below.push(o)
	if pieces == 0 {
		return homeless(c.Name(), f.from, "a write")
	}
	c.carry(pieces)
	if f.tag != noRequester {
		c.requests.At(f.tag).left += int32(pieces - n)
	}
	return nil
}
