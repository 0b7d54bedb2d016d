package memlink

import (
	"fmt"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/ring"
	"github.com/causeway-sim/causeway/memory"
)

// An order is a part of a packet at the memory: all of one home.
type order struct {
	addr, bytes uint64
	dst         sim.Port
	hint        memory.Hint
	packet      int32
	write       bool
	frees       bool // a place in the buffer of the far end
}

// far is the port to the memory.
type far struct {
	port  *engine.Port
	homes *memory.Map
	queue ring.Of[order]
	calls memory.Calls[int32] // of packets
}

// push takes an order, cut where addresses change their home.
func (f *far) push(o order) (pieces int32, err error) {
	for left := o.bytes; left > 0; {
		home, i, run, ok := f.homes.Find(o.addr)
		if !ok {
			return 0, memory.BadInputf("%s: address %#x has no home behind the link", f.port.Name(), o.addr)
		}
		p := o
		p.bytes, p.dst = min(left, run), home.Ports[i]
		p.frees = o.frees && p.bytes == left
		f.queue.Push(p)
		pieces++
		o.addr += p.bytes
		left -= p.bytes
	}
	return pieces, nil
}

// send sends requests while the wire takes them; the wire notifies when it takes more. freed is how
// many packets have left the buffer.
func (f *far) send(now sim.VTimeInSec) (freed int, err error) {
	for f.queue.Len() > 0 && f.port.CanSend() {
		o := f.queue.Pop()
		x := f.calls.Take()
		x.Note, x.Hint = o.packet, o.hint
		if f.port.Send(x.Message(o.write, o.addr, o.bytes, o.dst, now)) != nil {
			return 0, fmt.Errorf("memlink: %s: the wire refused a message after it had room", f.port.Name())
		}
		if o.frees {
			freed++
		}
	}
	return freed, nil
}
