package cache

import (
	"fmt"
	"strconv"

	"github.com/sarchlab/akita/v3/mem/mem"
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/memory"
)

// nobody is the tag of a request below whose answer nobody waits for.
const nobody = ^uint32(0)

// An order is a request below that is not sent yet.
type order struct {
	addr, bytes uint64
	hint        memory.Hint
	tag         uint32 // of whoever waits for the answer
	entries     int    // of the write buffer, that the answer frees
	write       bool
	dst         sim.Port
}

// below sends requests to the memories beneath a cache, in the order in which
// they are pushed, as fast as the wire takes them.
type below struct {
	port  *engine.Port
	homes *memory.Map
	queue ring[order]
	slots []*slot
	idle  []int32

	reads, writes         uint64
	readBytes, writeBytes uint64
}

// A slot is one message in flight; it is made once and used again.
type slot struct {
	read    mem.ReadReq
	write   mem.WriteReq
	hint    memory.Hint
	id      string
	tag     uint32
	entries int
	to      sim.Port
	wrote   bool // the message is the write
	busy    bool
}

// push takes an order, cut where its addresses change their home, and returns
// the number of pieces: 0 if the first byte has no home. The end of a line that
// lies behind the last byte of a memory is left out.
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
		b.queue.push(p)
		pieces++
		o.addr += p.bytes
		o.bytes -= p.bytes
	}
	return pieces
}

// send sends what the wire takes. What it does not, it will say when it does.
func (b *below) send(now sim.VTimeInSec) error {
	for b.queue.n > 0 {
		if !b.port.CanSend() {
			return nil
		}
		o := b.queue.pop()
		if err := b.put(&o, now); err != nil {
			return err
		}
	}
	return nil
}

// put sends one order on a wire that has room.
func (b *below) put(o *order, now sim.VTimeInSec) error {
	s := b.slot()
	s.hint, s.tag, s.entries, s.to, s.wrote, s.busy = o.hint, o.tag, o.entries, o.dst, o.write, true
	var msg sim.Msg
	if o.write {
		s.write.Address, s.write.Data = o.addr, memory.Zeros(o.bytes)
		s.write.Dst, s.write.SendTime, s.write.TrafficBytes = o.dst, now, int(o.bytes)
		b.writes++
		b.writeBytes += o.bytes
		msg = &s.write
	} else {
		s.read.Address, s.read.AccessByteSize = o.addr, o.bytes
		s.read.Dst, s.read.SendTime, s.read.TrafficBytes = o.dst, now, 0
		b.reads++
		b.readBytes += o.bytes
		msg = &s.read
	}
	if b.port.Send(msg) != nil {
		return fmt.Errorf("cache: %s: the wire refused a message after it had room", b.port.Name())
	}
	return nil
}

func (b *below) slot() *slot {
	if n := len(b.idle); n > 0 {
		i := b.idle[n-1]
		b.idle = b.idle[:n-1]
		return b.slots[i]
	}
	s := &slot{id: b.port.Name() + "." + strconv.Itoa(len(b.slots))}
	s.read.ID, s.write.ID = s.id, s.id
	s.read.Src, s.write.Src = b.port, b.port
	s.read.Info, s.write.Info = &s.hint, &s.hint
	b.slots = append(b.slots, s)
	return s
}

// take frees the slot of an answer and returns what it answers. The slot may be
// read until the next push.
func (b *below) take(m sim.Msg) (*slot, error) {
	switch r := m.(type) {
	case *mem.DataReadyRsp, *mem.WriteDoneRsp:
	case *memory.ErrorRsp:
		return nil, fmt.Errorf("cache: %s: a request failed: %s", b.port.Name(), r.Code)
	default:
		panic(fmt.Sprintf("cache: %s: %T is no answer", b.port.Name(), m))
	}
	id := m.(sim.Rsp).GetRspTo()
	n, unit := 0, 1
	for i := len(id) - 1; i >= 0 && '0' <= id[i] && id[i] <= '9' && unit < 1e9; i-- {
		n += int(id[i]-'0') * unit
		unit *= 10
	}
	if n >= len(b.slots) || !b.slots[n].busy || b.slots[n].id != id {
		return nil, fmt.Errorf("cache: %s: an answer to %q, which is not outstanding", b.port.Name(), id)
	}
	b.slots[n].busy = false
	b.idle = append(b.idle, int32(n))
	return b.slots[n], nil
}

// inFlight is the number of requests without an answer.
func (b *below) inFlight() int { return len(b.slots) - len(b.idle) }

// homeless is the error of a request for an address that no memory below has.
type homeless struct {
	cache string
	addr  uint64
	from  string
}

func (e *homeless) Error() string {
	return fmt.Sprintf("%s: address %#x, which %s asks for, has no home below", e.cache, e.addr, e.from)
}

// BadInput marks the error as one of the input.
func (e *homeless) BadInput() {}
