package cache

import (
	"fmt"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/ring"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/block"
	"github.com/causeway-sim/causeway/memory/direct"
)

// noRequester is the tag of a request below whose answer no other request waits for.
const noRequester = ^uint32(0)

// An order is a request below that is not sent yet.
type order struct {
	addr, bytes uint64
	hint        memory.Hint
	tag         uint32 // of the request that waits for the answer
	entries     int    // of the write buffer, that the answer frees
	write       bool
	dst         sim.Port
	load        *load // of a write that carries bytes
	extra       bool  // a read for its bytes only: see Timed.fetchLacking
	mshr        int32 // of a read, the number plus 1 of its first line's MSHR; 0: they are to be searched
}

// A load is the bytes of a write, and which of them count; a nil mask is all.
type load struct {
	data []byte
	mask []bool
}

// below sends requests to the memories beneath a cache, in the order in which
// they are pushed, as fast as the wire takes them.
type below struct {
	port        *engine.Port
	out         *block.Outlet // nil outside of a block
	only        block.Only    // of quick requests
	direct      *direct.Link  // to a memory that is asked directly; nil where messages are needed
	directLater *direct.Link  // that may be so later
	neverDirect bool          // it never will
	asked       int           // reads of the memory that is asked directly, which fill registers
	homes       *memory.Map
	queue       ring.Of[order]
	calls       memory.Calls[purpose]

	reads, writes         uint64
	readBytes, writeBytes uint64
}

// A purpose is what a call below is for.
type purpose struct {
	tag     uint32
	entries int  // of the write buffer, that the answer frees
	extra   bool // bytes only
	mshr    int32
}

// push takes an order, cut where its addresses change their home, and returns
// the number of pieces: 0 if the first byte has no home. The end of a line that
// lies after the last byte of a memory is left out.
func (b *below) push(o order) (pieces int) {
	for o.bytes > 0 {
		home, i, run, ok := b.homes.Find(o.addr)
		if !ok {
			return pieces
		}
		p := o
		p.bytes, p.dst = min(o.bytes, run), home.Ports[i]
		if p.bytes < o.bytes {
			p.entries = 0 // those of the last piece
		}
		b.queue.Push(p)
		pieces++
		o.addr += p.bytes
		o.bytes -= p.bytes
	}
	return pieces
}

// send sends what the wire takes. What it does not, it will say when it does.
func (b *below) send(now sim.VTimeInSec) error {
	for b.queue.Len() > 0 {
		if !b.port.CanSend() {
			return nil
		}
		o := b.queue.Pop()
		if err := b.put(&o, now); err != nil {
			return err
		}
	}
	return nil
}

// flush is send, or ask in a block.
func (b *below) flush(now sim.VTimeInSec, cycle uint64) error {
	switch {
	case b.out != nil:
		b.ask(cycle)
	case b.direct != nil:
		for b.queue.Len() > 0 && b.direct.CanSend(cycle) {
			o := b.queue.Pop()
			b.hand(&o, cycle)
		}
	default:
		return b.send(now)
	}
	return nil
}

// pass sends one order that goes to one memory, on a wire that has room.
func (b *below) pass(o *order, now sim.VTimeInSec, cycle uint64) error {
	switch {
	case b.out != nil:
		b.askFor(o, cycle)
	case b.direct != nil:
		b.hand(o, cycle)
	default:
		return b.put(o, now)
	}
	return nil
}

// hand hands one order to a memory that is asked directly.
func (b *below) hand(o *order, cycle uint64) {
	x := b.calls.Take()
	x.Note = purpose{o.tag, o.entries, o.extra, o.mshr}
	b.count(o.bytes, o.write)
	x.Ask(o.write, o.addr, o.bytes, o.dst)
	b.direct.Send(cycle, memory.Request{Addr: o.addr, Bytes: o.bytes, Write: o.write}, 2*x.Number())
}

// fill is hand of a read that fills registers, given the number plus 1 of the first. It is no
// call: the tag names the register, which must have no other request under way.
func (b *below) fill(addr, bytes uint64, mshr int32, cycle uint64) {
	b.asked++
	b.count(bytes, false)
	b.direct.Send(cycle, memory.Request{Addr: addr, Bytes: bytes}, 2*uint32(mshr)+1)
}

// canSend reports whether the wire takes a request. What it does not, it will say when
// it does.
func (b *below) canSend(cycle uint64) bool {
	switch {
	case b.out != nil:
		return b.out.CanSend(cycle)
	case b.direct != nil:
		return b.direct.CanSend(cycle)
	}
	return b.port.CanSend()
}

// call is an order's call, under way and counted.
func (b *below) call(o *order) *memory.Call[purpose] {
	x := b.calls.Take()
	x.Hint, x.Note = o.hint, purpose{o.tag, o.entries, o.extra, o.mshr}
	b.count(o.bytes, o.write)
	return x
}

// count counts an order that is sent.
func (b *below) count(bytes uint64, write bool) {
	if write {
		b.writes++
		b.writeBytes += bytes
	} else {
		b.reads++
		b.readBytes += bytes
	}
}

// put sends one order on a wire that has room.
func (b *below) put(o *order, now sim.VTimeInSec) error {
	x := b.call(o)
	msg := x.Message(o.write, o.addr, o.bytes, o.dst, now)
	if o.load != nil {
		x.Carry(o.load.data, o.load.mask)
	}
	if b.port.Send(msg) != nil {
		return fmt.Errorf("cache: %s: the wire refused a message after it had room", b.port.Name())
	}
	return nil
}

// take is the call that a message answers; it may be read until the next send.
func (b *below) take(m sim.Msg) (*memory.Call[purpose], error) {
	x, err := b.calls.Answered(m)
	if err != nil {
		return nil, fmt.Errorf("cache: %w", err)
	}
	return x, nil
}

// inFlight is the number of requests without an answer.
func (b *below) inFlight() int { return b.calls.InFlight() + b.asked }

// waits is where the first of them went; nil if there is none.
func (b *below) waits() sim.Port {
	if b.asked > 0 {
		return b.direct.To
	}
	return b.calls.Waits()
}

// homeless is the error of a request for an address that no memory below has.
func homeless(cache string, addr uint64, from string) error {
	return memory.BadInputf("%s: address %#x, which %s asks for, has no home below", cache, addr, from)
}
