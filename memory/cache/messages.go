package cache

import (
	"fmt"
	"math/bits"

	"github.com/sarchlab/akita/v3/mem/mem"
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/cache/below"
	"github.com/causeway-sim/causeway/memory/cache/content"
	"github.com/causeway-sim/causeway/memory/cache/tagstore"
)

// messages is the third layer: requests that come as messages, with the bytes that they carry.
type messages struct {
	requestTable
	responses memory.Responses
	bytes     *content.Lines // nil: the cache keeps time only
}

// accept enters the request of a message and returns its number.
func (b *messages) accept(msg sim.Msg, cycle uint64) (uint32, error) {
	q, ok := memory.RequestOf(msg)
	if !ok {
		panic(fmt.Sprintf("cache: %s at cycle %d: %T is no memory request", b.Name(), cycle, msg))
	}
	i := b.note(q, cycle)
	r := b.requests.At(i)
	r.msg = msg
	if b.tasks.On() {
		b.beginTask(r)
	}
	b.takeBytes(r)
	if b.foresight.on {
		return i, b.foreseen(r)
	}
	return i, nil
}

// takeBytes takes the bytes of a request that was accepted.
func (b *messages) takeBytes(r *request) {
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
func (b *messages) overtakes(m sim.Msg) bool {
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
func (b *messages) lacking(i uint32) bool {
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

// giveBytes gives a response its bytes, and lets those of the request go.
func (b *messages) giveBytes(r *request, rsp sim.Msg) {
	if b.bytes == nil {
		return
	}
	if d, ok := rsp.(*mem.DataReadyRsp); ok {
		d.Data, _ = b.bytes.Read(r.addr, r.bytes)
	}
	b.bytes.Release(r.addr, r.addr+r.bytes)
}

// unmasked takes sectors that a write with holes in its mask does not cover out of
// those that it covers whole.
func (b *messages) unmasked(r *request, line uint64, whole uint8) uint8 {
	m, ok := r.msg.(*mem.WriteReq)
	if !ok || !r.holes {
		return whole
	}
	for left := whole; left != 0; left &= left - 1 {
		s := bits.TrailingZeros8(left)
		from := line<<b.layout.Shift + uint64(s)<<b.layout.Sector
		for i := range uint64(1) << b.layout.Sector {
			if !m.DirtyMask[from+i-m.Address] {
				whole &^= 1 << s
				break
			}
		}
	}
	return whole
}

// lapse notes that a line has left the tags.
func (b *messages) lapse(res *tagstore.Result) {
	if b.bytes != nil && res.Evicted {
		b.bytes.Lapse(res.Victim)
	}
}

// carry gives the last orders below their bytes, and holds those of reads until they
// are answered.
func (b *messages) carry(pieces int) {
	if b.bytes == nil {
		return
	}
	q := &b.below.Queue
	for i := q.Len() - pieces; i < q.Len(); i++ {
		o := q.At(i)
		if !o.Write {
			b.bytes.Hold(o.Addr, o.Addr+o.Bytes)
			continue
		}
		data, mask := b.bytes.Take(o.Addr, o.Addr+o.Bytes)
		o.Load = &below.Load{Data: data, Mask: mask}
		b.bytes.Each(o.Addr, o.Addr+o.Bytes, func(line, _, _ uint64) { b.bytes.Lapse(line) })
	}
}

// unsettled reports whether bytes are under way, which an operation on all lines waits
// for.
func (b *messages) unsettled() bool {
	return b.bytes != nil && (b.open() > 0 || b.below.InFlight() > 0 || b.below.Queue.Len() > 0)
}

// sweep drops what is not needed any more, at the end of a cycle, and goes on with an
// operation of the cache's own that waits until all bytes are settled.
func (b *messages) sweep(cycle uint64) {
	if b.bytes == nil {
		return
	}
	b.bytes.Sweep()
	if b.flush.Due(cycle) {
		b.ticker.WakeAt(cycle + 1)
	}
}

// fillBytes fills the bytes that an answer from below brings.
func (b *messages) fillBytes(d *mem.DataReadyRsp, s *below.Call) error {
	from, to := s.Span()
	if uint64(len(d.Data)) != to-from {
		return memory.BadInputf("%s: functional: the memory below answered a read of %d bytes at %#x with %d (functional: true is wanted there too)", b.Name(), to-from, from, len(d.Data))
	}
	b.bytes.Fill(from, d.Data)
	b.bytes.Release(from, to)
	return nil
}
