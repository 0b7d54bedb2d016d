package below

import (
	"fmt"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/ring"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/block"
	"github.com/causeway-sim/causeway/memory/direct"
)

// NoRequester is the tag of a request below whose answer no other request waits for.
const NoRequester = ^uint32(0)

// A Purpose is what a request below is for.
type Purpose struct {
	Tag     uint32 // of the request that waits for the answer, or NoRequester
	Entries int    // of the write buffer, that the answer frees
	Extra   bool   // a read for its bytes only: the tags have the line already
	MSHR    int32  // of a read, the number plus 1 of its first line's MSHR; 0: they are to be searched
}

// An Order is a request below that is not sent yet.
type Order struct {
	Purpose
	Addr, Bytes uint64
	Hint        memory.Hint
	Write       bool
	Dst         sim.Port
	Load        *Load // of a write that carries bytes
}

// A Load is the bytes of a write, and which of them count; a nil mask is all.
type Load struct {
	Data []byte
	Mask []bool
}

// A Call is a request below that is not answered.
type Call = memory.Call[Purpose]

// A Port is the lower port of a cache.
type Port struct {
	Port  *engine.Port
	Homes *memory.Map
	Out   *block.Outlet   // of a block; nil outside of one
	Only  block.HomeCache // the one memory that quick requests go to
	Queue ring.Of[Order]
	Calls memory.Calls[Purpose]
	Sent  memory.Traffic

	direct      *direct.Link // to a memory that is asked directly; nil where messages are needed
	directLater *direct.Link // that may be so later
	neverDirect bool         // it never will
	asked       int          // reads of the memory that is asked directly, which fill registers
}

// New returns a port that knows no memory yet.
func New(p *engine.Port) Port { return Port{Port: p, Calls: memory.NewCalls[Purpose](p)} }

// Push takes an order, cut where its addresses change their home, and returns
// the number of pieces: 0 if the first byte has no home. The end of a line that
// lies after the last byte of a memory is left out.
func (b *Port) Push(o Order) (pieces int) {
	for o.Bytes > 0 {
		home, i, run, ok := b.Homes.Find(o.Addr)
		if !ok {
			return pieces
		}
		p := o
		p.Bytes, p.Dst = min(o.Bytes, run), home.Ports[i]
		if p.Bytes < o.Bytes {
			p.Entries = 0 // those of the last piece
		}
		b.Queue.Push(p)
		pieces++
		o.Addr += p.Bytes
		o.Bytes -= p.Bytes
	}
	return pieces
}

// Send sends messages, as many as the wire takes. The port is told when it takes more.
func (b *Port) Send(now sim.VTimeInSec) error {
	for b.Queue.Len() > 0 {
		if !b.Port.CanSend() {
			return nil
		}
		o := b.Queue.Pop()
		if err := b.put(&o, now); err != nil {
			return err
		}
	}
	return nil
}

// Flush sends what the wire takes, in the way that the port has.
func (b *Port) Flush(now sim.VTimeInSec, cycle uint64) error {
	switch {
	case b.Out != nil:
		b.Ask(cycle)
	case b.direct != nil:
		return b.flushDirect(now, cycle)
	default:
		return b.Send(now)
	}
	return nil
}

// flushDirect is Flush where a memory is asked directly.
func (b *Port) flushDirect(now sim.VTimeInSec, cycle uint64) error {
	for b.Queue.Len() > 0 && b.direct.CanSend(cycle) {
		o := b.Queue.Pop()
		if err := b.Pass(&o, now, cycle); err != nil {
			return err
		}
	}
	return nil
}

// Pass sends one order that goes to one memory, on a wire that has room.
func (b *Port) Pass(o *Order, now sim.VTimeInSec, cycle uint64) error {
	switch {
	case b.Out != nil:
		b.askFor(o, cycle)
	case b.Direct(o.Dst):
		b.hand(o, cycle)
	default:
		return b.put(o, now)
	}
	return nil
}

// CanSend reports whether the wire takes a request. If it does not, the port is told when it does.
func (b *Port) CanSend(cycle uint64) bool {
	switch {
	case b.Out != nil:
		return b.Out.CanSend(cycle)
	case b.direct != nil:
		return b.direct.CanSend(cycle)
	}
	return b.Port.CanSend()
}

// call is an order's call, under way and counted.
func (b *Port) call(o *Order) *Call {
	x := b.Calls.Take()
	x.Hint, x.Note = o.Hint, o.Purpose
	b.Count(o.Bytes, o.Write)
	return x
}

// Count counts an order that is sent.
func (b *Port) Count(bytes uint64, write bool) {
	if write {
		b.Sent.Writes++
		b.Sent.WriteBytes += bytes
	} else {
		b.Sent.Reads++
		b.Sent.ReadBytes += bytes
	}
}

// put sends the message of one order on a wire that has room.
func (b *Port) put(o *Order, now sim.VTimeInSec) error {
	x := b.call(o)
	msg := x.Message(o.Write, o.Addr, o.Bytes, o.Dst, now)
	if o.Load != nil {
		x.Carry(o.Load.Data, o.Load.Mask)
	}
	if b.Port.Send(msg) != nil {
		return fmt.Errorf("cache: %s: the wire refused a message after it had room", b.Port.Name())
	}
	return nil
}

// Take returns the call that a message answers; it may be read until the next send.
func (b *Port) Take(m sim.Msg) (*Call, error) {
	x, err := b.Calls.Answered(m)
	if err != nil {
		return nil, fmt.Errorf("cache: %w", err)
	}
	return x, nil
}

// InFlight returns the number of requests without an answer.
func (b *Port) InFlight() int { return b.Calls.InFlight() + b.asked }

// Waits returns where the first of them went; nil if there is none.
func (b *Port) Waits() sim.Port {
	if b.asked > 0 {
		return b.direct.To
	}
	return b.Calls.Waits()
}

// Homeless is the error of a request for an address that no memory below has.
func Homeless(cache string, addr uint64, from string) error {
	return memory.BadInputf("%s: address %#x, which %s asks for, has no home below", cache, addr, from)
}
