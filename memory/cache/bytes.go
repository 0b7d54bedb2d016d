package cache

import (
	"github.com/sarchlab/akita/v3/mem/mem"
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/cache/tagstore"
)

// takeBytes takes the bytes of a request that was accepted.
func (b *base) takeBytes(r *request) {
	if b.bytes == nil {
		return
	}
	b.bytes.Hold(r.addr, r.addr+r.bytes)
	if m, ok := r.msg.(*mem.WriteReq); ok {
		b.bytes.Write(m)
		for lo, hi := range memory.Dirty(m) {
			r.holes = r.holes || lo > 0 || hi < r.bytes
		}
	}
}

// overtakes reports whether a message has to wait at the port: it writes bytes that an
// open read has not copied yet.
func (b *base) overtakes(m sim.Msg) bool {
	w, ok := m.(*mem.WriteReq)
	if b.bytes == nil || !ok {
		return false
	}
	for i := range b.requests.All() {
		r := &b.requests.All()[i]
		if r.msg != nil && !r.write && r.bytes > 0 && r.addr < w.Address+uint64(len(w.Data)) && w.Address < r.addr+r.bytes {
			return true
		}
	}
	return false
}

// lacking reports whether a request cannot be answered since bytes of it are under way.
func (b *base) lacking(i uint32) bool {
	if b.bytes == nil {
		return false
	}
	r := b.requests.At(i)
	if _, read := r.msg.(*mem.ReadReq); !read {
		return false
	}
	_, ok := b.bytes.Read(r.addr, r.bytes)
	return !ok
}

// giveBytes gives a response its bytes, and lets those of the request go. What waits at the
// port may be taken from the next cycle on.
func (b *base) giveBytes(r *request, rsp sim.Msg, cycle uint64) {
	if b.bytes == nil {
		return
	}
	if d, ok := rsp.(*mem.DataReadyRsp); ok {
		d.Data, _ = b.bytes.Read(r.addr, r.bytes)
	}
	b.bytes.Release(r.addr, r.addr+r.bytes)
	if b.top.Len() > 0 {
		b.ticker.WakeAt(cycle + 1)
	}
}

// unmasked takes sectors that a write with holes in its mask does not cover out of
// those that it covers whole.
func (b *base) unmasked(r *request, line uint64, whole uint8) uint8 {
	m, ok := r.msg.(*mem.WriteReq)
	if !ok || !r.holes {
		return whole
	}
	for s := range uint64(8) {
		if whole&(1<<s) == 0 {
			continue
		}
		from := line<<b.shift + s<<b.sector
		for i := range uint64(1) << b.sector {
			if !m.DirtyMask[from+i-m.Address] {
				whole &^= 1 << s
				break
			}
		}
	}
	return whole
}

// lapse notes that a line has left the tags.
func (b *base) lapse(res *tagstore.Result) {
	if b.bytes != nil && res.Evicted {
		b.bytes.Lapse(res.Victim)
	}
}

// carry gives the last orders below their bytes, and holds those of reads until they
// are answered.
func (b *base) carry(pieces int) {
	if b.bytes == nil {
		return
	}
	q := &b.below.queue
	for i := q.Len() - pieces; i < q.Len(); i++ {
		o := q.At(i)
		if !o.write {
			b.bytes.Hold(o.addr, o.addr+o.bytes)
			continue
		}
		data, mask := b.bytes.Take(o.addr, o.addr+o.bytes)
		o.load = &load{data, mask}
		b.bytes.Each(o.addr, o.addr+o.bytes, func(line, _, _ uint64) { b.bytes.Lapse(line) })
	}
}

// unsettled reports whether bytes are under way, which an operation on all lines waits
// for.
func (b *base) unsettled() bool {
	return b.bytes != nil && (b.open() > 0 || b.below.inFlight() > 0 || b.below.queue.Len() > 0)
}

// sweep drops what is not needed any more, at the end of a cycle, and goes on with an
// operation of the cache's own that waits until all bytes are settled.
func (b *base) sweep(cycle uint64) {
	if b.bytes == nil {
		return
	}
	b.bytes.Sweep()
	if b.flushDue(cycle) {
		b.ticker.WakeAt(cycle + 1)
	}
}

// fillBytes fills the bytes that an answer from below brings.
func (b *base) fillBytes(m sim.Msg, s *memory.Call[purpose]) error {
	d, ok := m.(*mem.DataReadyRsp)
	if b.bytes == nil || !ok {
		return nil
	}
	from, to := s.Span()
	if uint64(len(d.Data)) != to-from {
		return memory.BadInputf("%s: functional: the memory below answered a read of %d bytes at %#x with %d (functional: true is wanted there too)", b.Name(), to-from, from, len(d.Data))
	}
	b.bytes.Fill(from, d.Data)
	b.bytes.Release(from, to)
	return nil
}

// fetchLacking reads the lines of a request whose bytes are missing though its lookups
// are done: a write to a part of a sector while its line was under way with
// allocate: fill makes the sector present and fetches nothing.
func (c *Timed) fetchLacking(i uint32, now sim.VTimeInSec) error {
	r := c.requests.At(i)
	if r.extra {
		return nil // under way
	}
	r.extra = true
	for k := range c.lines(r) {
		line := r.addr>>c.shift + uint64(k)
		pieces := c.below.push(order{addr: line << c.shift, bytes: uint64(c.spec.Line), tag: noRequester, extra: true})
		if pieces == 0 {
			return homeless(c.Name(), line<<c.shift, r.msg.Meta().Src.Name())
		}
		c.carry(pieces)
	}
	return c.below.send(now)
}
