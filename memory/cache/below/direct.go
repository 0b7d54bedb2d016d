package below

import (
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/direct"
)

// Connect asks a memory below directly from now on, where nothing is under way and that is equal
// to messages. While tasks of the memory are reported it is not, but may be later. messages: it is to
// be asked by messages, whatever it is. others: so may other memories below. It reports whether a
// memory is asked directly.
func (b *Port) Connect(messages, others bool, wake func(cycle uint64)) bool {
	if b.direct != nil || b.neverDirect || b.InFlight() > 0 {
		return b.direct != nil
	}
	if b.directLater == nil {
		if !messages {
			b.directLater = direct.Find(b.Port, b.Homes, others, wake)
		}
		b.neverDirect = b.directLater == nil
	}
	if b.directLater != nil && b.directLater.Join() {
		b.direct = b.directLater
	}
	return b.direct != nil
}

// Hinted reports whether requests have hints: a memory that is asked directly gets none.
func (b *Port) Hinted() bool { return b.direct == nil || b.direct.Shared() }

// Direct reports whether the memory at a port is asked directly.
func (b *Port) Direct(to sim.Port) bool { return b.direct != nil && to == sim.Port(b.direct.To) }

// hand hands one order to a memory that is asked directly.
func (b *Port) hand(o *Order, cycle uint64) {
	x := b.Calls.Take()
	x.Note = o.Purpose
	b.Count(o.Bytes, o.Write)
	x.Ask(o.Write, o.Addr, o.Bytes, o.Dst)
	b.direct.Send(cycle, memory.Request{Addr: o.Addr, Bytes: o.Bytes, Write: o.Write}, 2*x.Number())
}

// Fill hands over a read that fills registers, given the number plus 1 of the first. It is no
// call: the tag names the register, which must have no other request under way.
func (b *Port) Fill(addr, bytes uint64, mshr int32, cycle uint64) {
	b.asked++
	b.Count(bytes, false)
	b.direct.Send(cycle, memory.Request{Addr: addr, Bytes: bytes}, 2*uint32(mshr)+1)
}

// Answered returns the next answer of a memory that is asked directly: of a call, or of the registers
// that a Fill named. ok is false when there is none in this cycle.
func (b *Port) Answered(cycle uint64) (call *Call, mshr int32, ok bool) {
	tag, ok := b.direct.Answered(cycle)
	switch {
	case !ok:
		return nil, 0, false
	case tag&1 == 0:
		return b.Calls.Over(tag / 2), 0, true
	}
	b.asked--
	return nil, int32(tag / 2), true
}
