package tiering

import (
	"fmt"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/ring"
	"github.com/causeway-sim/causeway/memory"
)

// An order is a request to a memory that is not sent yet.
type order struct {
	addr, bytes uint64
	at          uint64 // cycle in which it began
	hint        memory.Hint
	dst         sim.Port
	request     int32 // whose piece it is, or -1
	move        int32 // whose page it carries, or -1
	walk        int32 // whose entry it reads, plus 1, or 0
	page        uint32
	write       bool
}

// below is the port to one tier. Its orders are sent in sequence, as fast as the wire takes them.
type below struct {
	port  *engine.Port
	homes *memory.Map
	queue ring.Of[order]
	calls memory.Calls[order]
}

// push takes an order, cut where addresses change their home, and returns the
// number of pieces.
func (b *below) push(o order) (pieces int32) {
	for o.bytes > 0 {
		home, i, run, ok := b.homes.Find(o.addr)
		if !ok {
			panic(fmt.Sprintf("tiering: %s: frame at %#x has no home", b.port.Name(), o.addr))
		}
		p := o
		p.bytes, p.dst = min(o.bytes, run, memory.MaxBurst), home.Ports[i]
		b.queue.Push(p)
		pieces++
		o.addr += p.bytes
		o.bytes -= p.bytes
	}
	return pieces
}

// send sends orders while the wire takes them; the wire notifies when it takes more.
func (b *below) send(now sim.VTimeInSec) error {
	for b.queue.Len() > 0 && b.port.CanSend() {
		o := b.queue.Pop()
		s := b.calls.Take()
		s.Note, s.Hint = o, o.hint
		if b.port.Send(s.Message(o.write, o.addr, o.bytes, o.dst, now)) != nil {
			return fmt.Errorf("tiering: %s: the wire refused a message after it had room", b.port.Name())
		}
	}
	return nil
}
