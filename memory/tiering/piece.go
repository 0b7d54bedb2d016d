package tiering

import "github.com/causeway-sim/causeway/memory/tiering/placement"

// A piece is what of a request lies in one page.
type piece struct {
	addr, bytes uint64 // as the requester knows it
	request     int32
	page        uint32
	write       bool
	faulted     bool // it has paid for its fault
}

// A delayed piece waits for its translation or the end of a fault, a walk for its
// first read.
type delayed struct {
	piece piece
	walk  int32 // number of a walk plus 1, in place of a piece
}

// translate issues a piece when its translation is available.
func (c *Comp) translate(p piece, cycle uint64) error {
	if c.walker.levels > 0 {
		if w := c.walker.of(p.page); w != nil {
			c.heldUp(p.request, "walk")
			w.wait = append(w.wait, p)
			return nil
		}
		if _, hit := c.tlb.expect(p.page, cycle); !hit {
			c.count.walks++
			c.heldUp(p.request, "walk")
			c.walk(p, cycle)
			return nil
		}
		return c.issue(p, cycle)
	}
	ready, hit := c.tlb.find(p.page, cycle)
	if !hit {
		c.count.walks++
	}
	if ready > cycle {
		c.heldUp(p.request, "walk")
		c.delayed.Add(ready, delayed{piece: p})
		return nil
	}
	return c.issue(p, cycle)
}

// issue sends a piece to where its page is. A page that moves holds it up.
func (c *Comp) issue(p piece, cycle uint64) error {
	x := &c.table.info[p.page]
	if x.Moving {
		c.count.stalled++
		c.heldUp(p.request, "stall")
		c.parked = append(c.parked, p)
		return nil
	}
	if x.Tier == placement.Nowhere {
		if err := c.touch(p.page); err != nil {
			return err
		}
	}
	if c.faults.time > 0 && x.Tier > 0 && !p.faulted {
		end, new := c.faults.touch(p.page, c.view.Interval, cycle)
		if new {
			c.count.faults++
		}
		if end > cycle { // all accesses to the page wait for the handler
			p.faulted = true
			c.heldUp(p.request, "fault")
			c.delayed.Add(end, delayed{piece: p})
			return nil
		}
	}
	c.sample(x)
	c.forward(p, cycle)
	return nil
}

// forward sends a piece below.
func (c *Comp) forward(p piece, cycle uint64) {
	tier := int(c.table.info[p.page].Tier)
	o := order{addr: c.table.translate(p.addr, p.page), bytes: p.bytes, at: cycle, request: p.request, move: -1, page: p.page, write: p.write}
	if h := c.requests.At(p.request).asked.Hint; h != nil {
		o.hint = *h
		o.hint.Next = nil
	}
	if id := c.requests.At(p.request).task; id != 0 {
		o.hint.Task = id
	}
	c.under[p.page]++
	n := c.below[tier].push(o)
	c.requests.At(p.request).left += n - 1
	c.under[p.page] += uint16(n - 1)
	for left := p.bytes; n > 0; n-- {
		b := left / uint64(n)
		c.load[tier].begin(cycle, b, p.write)
		left -= b
	}
}

// answered takes in the answer of an order.
func (c *Comp) answered(tier int, s *order, cycle uint64) error {
	if s.walk > 0 {
		return c.walked(s.walk-1, cycle)
	}
	if s.move >= 0 {
		c.moving.answered(int(s.move))
		return nil
	}
	if !s.write {
		c.load[tier].answer(s.at, cycle)
	}
	c.under[s.page]--
	c.done(s.request)
	return nil
}
