package cache

import (
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/cache/mshr"
	"github.com/causeway-sim/causeway/memory/cache/tagstore"
	"github.com/causeway-sim/causeway/memory/policy"
)

// Most lookups are reads in a cache of whole lines that nothing but requests changes. They
// have a shorter way, with the results of lookUp.

// canReadFast reports whether reads may take the short way.
func (c *Timed) canReadFast() bool {
	k, n := c.core, &c.incl
	return c.patient && k.Uniform() && !k.Shared() &&
		!n.below && !n.exclusive && c.bytes == nil && c.reuse == nil && !c.onFill && !c.foresight && len(c.spec.Regions) == 0
}

// SetMap implements system.Requester.
func (c *Timed) SetMap(port string, m *memory.Map) error {
	err := c.base.SetMap(port, m)
	c.fastReads = c.canReadFast()
	return err
}

// read is lookUp of a read that takes the short way.
func (c *Timed) read(b *bank, l lookup, r *request, cycle uint64) (moved uint64, why *uint64) {
	line := r.addr>>c.shift + uint64(l.k)
	set, way := int(b.absent)-1, -1
	if set < 0 { // else it is known that the line is neither here nor under way: only this bank looks it up
		if c.mshrs.Of(line) != nil {
			return c.find(l, r, cycle)
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
		c.outcome(r, line, &hit)
		c.line(l.request, cycle+c.latency+moved-1)
		return moved, nil
	}
	slice := c.core.Slice(line)
	if c.full() || c.mshrs.Full(slice) {
		b.absent = int32(set) + 1
		if c.full() {
			return 0, &c.waits.buffer
		}
		return 0, &c.waits.mshr
	}
	b.absent = 0
	c.describeRead(r, line, &c.asked) // before the rest: a copy in one piece waits for what was just written
	m := c.mshrs.Take(line, slice)
	c.fetch(m, r, cycle)
	c.mshrs.Wait(m, l.request, int(l.k))
	var res tagstore.Result
	c.core.Miss(set, &c.asked, &res)
	c.outcome(r, line, &res)
	if res.Stale != 0 {
		c.displace(&res, noRequester, 0)
	}
	return moved, nil
}

// describeRead is what the policy may know about a read.
func (c *Timed) describeRead(r *request, line uint64, a *policy.Access) {
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

// outcome counts an access for those who want to know more.
func (c *Timed) outcome(r *request, line uint64, res *tagstore.Result) {
	if c.detail != nil {
		c.detail.Note(r.hint, c.core.Slice(line), res)
	}
	if c.profile != nil {
		c.profile.Note(r.hint, res)
	}
}

// fetch queues the fetch of a whole line.
func (c *Timed) fetch(m *mshr.Register, r *request, cycle uint64) {
	from := m.Line << c.shift
	hint := c.keep(r)
	if len(c.fresh) == cap(c.fresh) {
		c.fresh = append(c.fresh, fetch{})[:len(c.fresh)]
	}
	c.fresh = c.fresh[:len(c.fresh)+1]
	f := &c.fresh[len(c.fresh)-1] // field by field, as in take
	f.from, f.to, f.ready, f.order, f.tag, f.mshr, f.hint = from, from+1<<c.shift, cycle+c.tag, r.order, 0, m.Number, hint
	m.Have = 1
	m.Unsent++
	if c.writes.Len() > 0 {
		c.drain = max(c.drain, c.buffered(from, from+1<<c.shift))
	}
}
