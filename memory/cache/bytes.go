package cache

import (
	"github.com/sarchlab/akita/v3/mem/mem"
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/memory"
)

// contents is the bytes of the lines of a cache with functional: true.
//
// Requests take effect in the order in which they are taken from the port: a write
// changes its lines at once, whenever its lookup comes. A block of a line lives while
// the line is in the tags, a request to it is open or a fetch of it is under way; so
// what a fetch brings fills only bytes that nothing has written since it was asked
// for. A read copies its bytes when it is answered, and until then no write to them is
// taken. What is written below is what is known, with a mask where that is not all.
type contents struct {
	size   uint64 // of a line
	blocks map[uint64]*lineBytes
	lapsed []uint64 // lines that may not be needed any more
	inUse  func(line uint64) bool
}

// A lineBytes is the bytes of one line.
type lineBytes struct {
	data  []byte
	known []bool
	holds int // open requests and fetches under way
}

// of is the block of a line, made if there is none.
func (c *contents) of(line uint64) *lineBytes {
	b := c.blocks[line]
	if b == nil {
		b = &lineBytes{data: make([]byte, c.size), known: make([]bool, c.size)}
		c.blocks[line] = b
	}
	return b
}

// each calls do for every line of the bytes from..to, with the part of it in them.
func (c *contents) each(from, to uint64, do func(line, at, end uint64)) {
	for from < to {
		line := from / c.size
		end := min(to, (line+1)*c.size)
		do(line, from-line*c.size, end-line*c.size)
		from = end
	}
}

// hold keeps the blocks of some bytes.
func (c *contents) hold(from, to uint64) {
	c.each(from, max(to, from+1), func(line, _, _ uint64) { c.of(line).holds++ })
}

// release ends a hold.
func (c *contents) release(from, to uint64) {
	c.each(from, max(to, from+1), func(line, _, _ uint64) {
		c.blocks[line].holds--
		c.lapsed = append(c.lapsed, line)
	})
}

// sweep drops the blocks that nothing needs any more.
func (c *contents) sweep() {
	for _, line := range c.lapsed {
		if b := c.blocks[line]; b != nil && b.holds == 0 && !c.inUse(line) {
			delete(c.blocks, line)
		}
	}
	c.lapsed = c.lapsed[:0]
}

// write lets a request change its bytes.
func (c *contents) write(m *mem.WriteReq) {
	for lo, hi := range memory.Dirty(m) {
		c.each(m.Address+lo, m.Address+hi, func(line, at, end uint64) {
			b := c.of(line)
			copy(b.data[at:end], m.Data[line*c.size+at-m.Address:])
			for i := at; i < end; i++ {
				b.known[i] = true
			}
		})
	}
}

// fill takes what came from below. Bytes that are known are newer.
func (c *contents) fill(from uint64, data []byte) {
	c.each(from, from+uint64(len(data)), func(line, at, end uint64) {
		b := c.of(line)
		for i := at; i < end; i++ {
			if !b.known[i] {
				b.data[i], b.known[i] = data[line*c.size+i-from], true
			}
		}
	})
}

// read copies bytes; ok is false while one of them is under way.
func (c *contents) read(from, bytes uint64) (out []byte, ok bool) {
	out, known := c.take(from, from+bytes)
	return out, known == nil
}

// take copies bytes, and says which are known: nil is all.
func (c *contents) take(from, to uint64) (data []byte, known []bool) {
	data, known = make([]byte, to-from), make([]bool, to-from)
	all := true
	c.each(from, to, func(line, at, end uint64) {
		if b := c.blocks[line]; b != nil {
			copy(data[line*c.size+at-from:], b.data[at:end])
			copy(known[line*c.size+at-from:], b.known[at:end])
		}
	})
	for _, k := range known {
		all = all && k
	}
	if all {
		known = nil
	}
	return data, known
}

// takeBytes takes the bytes of a request that was accepted.
func (b *base) takeBytes(r *request) {
	if b.bytes == nil {
		return
	}
	b.bytes.hold(r.addr, r.addr+r.bytes)
	if m, ok := r.msg.(*mem.WriteReq); ok {
		b.bytes.write(m)
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
	_, ok := b.bytes.read(r.addr, r.bytes)
	return !ok
}

// giveBytes gives a response its bytes, and lets those of the request go. What waits at the
// port may be taken from the next cycle on.
func (b *base) giveBytes(r *request, rsp sim.Msg, cycle uint64) {
	if b.bytes == nil {
		return
	}
	if d, ok := rsp.(*mem.DataReadyRsp); ok {
		d.Data, _ = b.bytes.read(r.addr, r.bytes)
	}
	b.bytes.release(r.addr, r.addr+r.bytes)
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
func (b *base) lapse(res *Result) {
	if b.bytes != nil && res.Evicted {
		b.bytes.lapsed = append(b.bytes.lapsed, res.Victim)
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
			b.bytes.hold(o.addr, o.addr+o.bytes)
			continue
		}
		data, mask := b.bytes.take(o.addr, o.addr+o.bytes)
		o.load = &load{data, mask}
		b.bytes.each(o.addr, o.addr+o.bytes, func(line, _, _ uint64) { b.bytes.lapsed = append(b.bytes.lapsed, line) })
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
	b.bytes.sweep()
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
	b.bytes.fill(from, d.Data)
	b.bytes.release(from, to)
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
		pieces := c.below.push(order{addr: line << c.shift, bytes: c.bytes.size, tag: noRequester, extra: true})
		if pieces == 0 {
			return homeless(c.Name(), line<<c.shift, r.msg.Meta().Src.Name())
		}
		c.carry(pieces)
	}
	return c.below.send(now)
}
