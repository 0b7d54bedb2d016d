package cache

import (
	"github.com/causeway-sim/causeway/memory/cache/bank"
	"github.com/causeway-sim/causeway/memory/cache/below"
	"github.com/causeway-sim/causeway/memory/cache/tagstore"
	"github.com/causeway-sim/causeway/memory/policy"
)

// Most lookups are reads in a cache of whole lines that nothing but requests changes. They
// have a shorter way, with the results of lookUpAny.

// canReadFast reports whether reads may take the short way.
func (c *pipeline) canReadFast() bool {
	k, n := c.core, &c.incl
	return c.patient && k.Uniform() && !k.Shared() &&
		!n.Below && !n.Exclusive && c.bytes == nil && !c.seesLines() && !c.onFill && !c.foresight.on && len(c.regions) == 0
}

// readFast is lookUp of a read that takes the short way.
func (c *pipeline) readFast(b *bank.Bank, l bank.Lookup, r *request, cycle uint64) (moved uint64, why *uint64) {
	line := c.layout.Of(r.addr) + uint64(l.K)
	set, way := int(b.Absent)-1, -1
	if set < 0 { // else it is known that the line is neither here nor under way: only this bank looks it up
		if c.mshrs.Of(line) != nil {
			return c.lookUpAny(l, r, cycle)
		}
		set = c.core.Set(line)
		way = c.core.Way(set, line)
	}
	from, to := c.span(r, line)
	if moved = 1; to-from > c.width {
		moved = (to - from + c.width - 1) / c.width
	}
	if way >= 0 {
		c.describeRead(r, line, &c.asked)
		c.core.Hit(set, way, &c.asked)
		c.recordRead(r, line, &hit)
		c.done(l.Request, cycle+c.latency+moved-1)
		return moved, nil
	}
	slice := c.core.Slice(line)
	if c.full() || c.mshrs.Full(slice) {
		b.Absent = int32(set) + 1
		if c.full() {
			return 0, &c.book.waits.buffer
		}
		return 0, &c.book.waits.mshr
	}
	b.Absent = 0
	c.describeRead(r, line, &c.asked) // before the rest: a copy in one piece waits for what was just written
	m := c.mshrs.Take(line, slice)
	c.fetchLine(m, r, cycle)
	c.mshrs.Wait(m, l.Request, int(l.K))
	var res tagstore.Result
	c.core.Miss(set, &c.asked, &res)
	c.recordRead(r, line, &res)
	if res.Stale != 0 {
		c.evict(&res, below.NoRequester, 0)
	}
	return moved, nil
}

// describeRead is what the policy may know about a read.
func (c *lookups) describeRead(r *request, line uint64, a *policy.Access) {
	a.Line = line
	h := r.hint
	if h == nil {
		a.PC, a.Core, a.Reuse, a.Tensor = 0, 0, 0, 0
		return
	}
	if !r.named {
		r.tensor, r.named = c.tensors.Of(h), true
	}
	a.PC, a.Core, a.Reuse, a.Tensor = h.PC, h.Core, h.Reuse, r.tensor
}

// recordRead is record of a read, whose slice is of interest to detail alone.
func (c *lookups) recordRead(r *request, line uint64, res *tagstore.Result) {
	if c.detail != nil || c.profile != nil {
		c.record(r.hint, c.core.Slice(line), res)
	}
}
