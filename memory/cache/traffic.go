package cache

import (
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/pool"
	"github.com/causeway-sim/causeway/components/ring"
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/cache/below"
	"github.com/causeway-sim/causeway/memory/cache/mshr"
	"github.com/causeway-sim/causeway/memory/cache/tagstore"
)

// traffic is the first layer of Timed: fetches and write-backs on their way below.
type traffic struct {
	base
	mshrs       *mshr.File
	tag         uint64 // cycles from a lookup until a miss goes below
	fetches     ring.Of[fetch]
	fresh       []fetch                     // of this cycle
	run         []int32                     // MSHRs of the fetches that a read brings
	hints       pool.Of[memory.Hint, int32] // of fetches
	writes      ring.Of[fetch]
	writeBuffer int // entries
	held        int // writes below that are not answered, in entries
	drain       int // writes that have to go before the next read
}

// A fetch is bytes of one line to be read or written below.
type fetch struct {
	from, to uint64
	ready    uint64 // cycle from which on it may be sent
	order    uint64 // of the request
	hint     int32  // number of its hint plus 1, 0: it has none
	tag      uint32 // of a write: the request that waits for it, or below.NoRequester
	mshr     int32  // of a read: its number
}

const never = ^uint64(0)

func (f *fetch) before(g *fetch) bool {
	return f.order < g.order || f.order == g.order && f.from < g.from
}

// full reports whether the write buffer has no entry left.
func (c *traffic) full() bool { return c.held >= c.writeBuffer }

// keep keeps the hint of a fetch for a request, and returns its number plus 1. A memory that
// is asked directly gets none.
func (c *traffic) keep(r *request) int32 {
	if !c.below.Hinted() {
		return 0
	}
	i := c.hints.Take()
	h := c.hints.At(i)
	*h = memory.Hint{}
	r.causes(h)
	h.Keeps = c.incl.Below
	return i + 1
}

// hinted gives an order the hint of a fetch, which is then forgotten.
func (c *traffic) hinted(o *below.Order, f *fetch) {
	if f.hint > 0 {
		o.Hint = *c.hints.At(f.hint - 1)
		c.dropHint(f)
	}
}

func (c *traffic) dropHint(f *fetch) {
	if f.hint > 0 {
		c.hints.Give(f.hint - 1)
	}
}

// buffer puts bytes of one line into the write buffer.
func (c *traffic) buffer(f fetch, hint memory.Hint) {
	if c.below.Hinted() {
		i := c.hints.Take()
		*c.hints.At(i) = hint
		f.hint = i + 1
	}
	c.writes.Push(f)
	c.held++
}

// buffered is the number of writes that have to go below before bytes may be
// read that one of them writes.
func (c *traffic) buffered(from, to uint64) int {
	for i := c.writes.Len() - 1; i >= 0; i-- {
		if w := c.writes.At(i); w.from < to && from < w.to {
			return i + 1
		}
	}
	return 0
}

// writeBack implements receiver.
func (c *traffic) writeBack(line uint64, as memory.Victim) {
	from := c.layout.Start(line)
	c.buffer(fetch{from: from, to: from + c.layout.Bytes(), tag: below.NoRequester}, memory.Hint{Victim: as})
}

// evict queues what a victim leaves to be written; a request may wait for
// it, a task has caused it.
func (c *traffic) evict(res *tagstore.Result, waits uint32, cause task.ID) {
	as, needed := c.incl.WriteBack(res)
	if !needed {
		return
	}
	if res.Stale == 0 {
		c.writeBack(res.Victim, as)
		return
	}
	for mask := res.Stale; mask != 0; {
		var f fetch
		f.from, f.to, mask = c.layout.Run(res.Victim, mask)
		f.tag = waits
		c.buffer(f, memory.Hint{Task: cause, Victim: as})
		if waits != below.NoRequester {
			c.requests.At(waits).left++
		}
	}
}

// fetch queues the fetch of sectors of a line.
func (c *traffic) fetch(m *mshr.Register, r *request, mask uint8, cycle uint64) {
	m.Have |= mask
	for mask != 0 {
		f := fetch{ready: cycle + c.tag, order: r.order, mshr: m.Number, hint: c.keep(r)}
		f.from, f.to, mask = c.layout.Run(m.Line, mask)
		c.fresh = append(c.fresh, f)
		m.Unsent++
		c.drain = max(c.drain, c.buffered(f.from, f.to))
	}
}

// fetchLine is fetch of a line of one sector, for a new register.
func (c *traffic) fetchLine(m *mshr.Register, r *request, cycle uint64) {
	from := c.layout.Start(m.Line)
	hint := c.keep(r)
	if len(c.fresh) == cap(c.fresh) {
		c.fresh = append(c.fresh, fetch{})[:len(c.fresh)]
	}
	c.fresh = c.fresh[:len(c.fresh)+1]
	f := &c.fresh[len(c.fresh)-1] // field by field: a copy in one piece waits for what was just written
	f.from, f.to, f.ready, f.order, f.tag, f.mshr, f.hint = from, from+c.layout.Bytes(), cycle+c.tag, r.order, 0, m.Number, hint
	m.Have = 1
	m.Unsent++
	if c.writes.Len() > 0 {
		c.drain = max(c.drain, c.buffered(from, from+c.layout.Bytes()))
	}
}

// queueFetches queues the fetches of this cycle. Lines of one request go below in the order of
// addresses, whatever bank found them missing.
func (c *traffic) queueFetches() {
	f := c.fresh
	for i := 1; i < len(f); i++ {
		for j := i; j > 0 && f[j].before(&f[j-1]); j-- {
			f[j], f[j-1] = f[j-1], f[j]
		}
	}
	for i := range f {
		*c.fetches.More() = f[i]
	}
}

// sendBelow sends what the wire takes: reads first, unless a read wants what is
// still to be written, or the write buffer is three quarters full. It returns the
// cycle in which there is more to send; what the wire does not take, it will say.
func (c *traffic) sendBelow(now sim.VTimeInSec, cycle uint64) (next uint64, err error) {
	for {
		if err := c.below.Flush(now, cycle); err != nil || c.below.Queue.Len() > 0 {
			return never, err
		}
		ready := c.fetches.Len() > 0 && c.fetches.At(0).ready <= cycle
		switch {
		case c.writes.Len() > 0 && (!ready || c.drain > 0 || 4*c.held >= 3*c.writeBuffer):
			if !c.below.CanSend(cycle) {
				return never, nil
			}
			err = c.sendWrite()
		case ready:
			if !c.below.CanSend(cycle) {
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
func (c *traffic) sendRead(now sim.VTimeInSec, cycle uint64) error {
	f := *c.fetches.At(0)
	c.fetches.Drop()
	to := f.to
	c.run = append(c.run[:0], f.mshr)
	c.mshrs.Registers[f.mshr].Unsent--
	for c.fetches.Len() > 0 && !c.incl.Below { // which has each line for itself
		g := c.fetches.At(0)
		if g.from != to || to&(uint64(c.spec.Burst)-1) == 0 || g.ready > cycle {
			break
		}
		to = g.to
		if g.mshr != c.run[len(c.run)-1] { // else another sector of the same line
			c.run = append(c.run, g.mshr)
		}
		c.mshrs.Registers[g.mshr].Unsent--
		c.dropHint(g)
		c.fetches.Drop()
	}
	home, i, run, ok := c.below.Homes.Find(f.from)
	whole := ok && run >= to-f.from && c.bytes == nil
	mshr := int32(0)
	if whole {
		mshr = c.chain()
	}
	if mshr > 0 && !c.core.Sectored() && c.below.Direct(home.Ports[i]) {
		c.dropHint(&f)
		c.below.Fill(f.from, to-f.from, mshr, cycle)
		return nil
	}
	o := below.Order{Addr: f.from, Bytes: to - f.from, Purpose: below.Purpose{Tag: below.NoRequester}}
	c.hinted(&o, &f)
	if whole {
		o.Dst, o.MSHR = home.Ports[i], mshr
		return c.below.Pass(&o, now, cycle)
	}
	return c.sendPieces(o)
}

// sendPieces queues a read that has several homes, or that brings bytes.
func (c *traffic) sendPieces(o below.Order) error {
	pieces := c.below.Push(o)
	c.carry(pieces)
	for i := c.below.Queue.Len() - pieces; i < c.below.Queue.Len(); i++ {
		p := c.below.Queue.At(i)
		for line := c.layout.Of(p.Addr); line <= c.layout.Of(p.Addr+p.Bytes-1); line++ {
			c.mshrs.Of(line).Pieces++
		}
	}
	for line := c.layout.Of(o.Addr); line <= c.layout.Of(o.Addr+o.Bytes-1); line++ {
		if c.mshrs.Of(line).Pieces == 0 {
			return below.Homeless(c.Name(), c.layout.Start(line), "a request")
		}
	}
	return nil
}

// chain notes that one request below brings the lines of the run, and returns the number of
// the first one's register plus 1; 0 if the answer has to find them by their addresses: of
// lines with sectors several requests may be under way.
func (c *traffic) chain() int32 {
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
func (c *traffic) sendWrite() error {
	f := *c.writes.At(0)
	c.writes.Drop()
	to, n := f.to, 1
	for c.writes.Len() > 0 && !c.incl.Below {
		g := c.writes.At(0)
		if g.tag != f.tag || g.from != to || to&(uint64(c.spec.Burst)-1) == 0 {
			break
		}
		to = g.to
		n++
		c.dropHint(g)
		c.writes.Drop()
	}
	c.drain = max(c.drain-n, 0)
	o := below.Order{Addr: f.from, Bytes: to - f.from, Write: true, Purpose: below.Purpose{Tag: f.tag, Entries: n}}
	c.hinted(&o, &f)
	pieces := c.below.Push(o)
	if pieces == 0 {
		return below.Homeless(c.Name(), f.from, "a write")
	}
	c.carry(pieces)
	if f.tag != below.NoRequester {
		c.requests.At(f.tag).left += int32(pieces - n)
	}
	return nil
}
