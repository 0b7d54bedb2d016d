package tiering

import (
	"fmt"
	"strconv"

	"github.com/sarchlab/akita/v3/mem/mem"
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/engine"
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

// below is the port to one tier. Its orders are sent as they come, as fast as the
// wire takes them.
type below struct {
	port  *engine.Port
	homes *memory.Map
	queue ring[order]
	slots []*slot
	idle  []int32
}

// A slot is one message in flight; it is made once and used again.
type slot struct {
	order
	readReq  mem.ReadReq
	writeReq mem.WriteReq
	id       string
	busy     bool
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
		b.queue.push(p)
		pieces++
		o.addr += p.bytes
		o.bytes -= p.bytes
	}
	return pieces
}

// send sends what the wire takes. What it does not, it will say when it does.
func (b *below) send(now sim.VTimeInSec) error {
	for b.queue.n > 0 && b.port.CanSend() {
		s := b.slot()
		s.order, s.busy = b.queue.pop(), true
		var msg sim.Msg
		if s.write {
			s.writeReq.Address, s.writeReq.Data = s.addr, memory.Zeros(s.bytes)
			s.writeReq.Dst, s.writeReq.SendTime, s.writeReq.TrafficBytes = s.dst, now, int(s.bytes)
			msg = &s.writeReq
		} else {
			s.readReq.Address, s.readReq.AccessByteSize = s.addr, s.bytes
			s.readReq.Dst, s.readReq.SendTime, s.readReq.TrafficBytes = s.dst, now, 0
			msg = &s.readReq
		}
		if b.port.Send(msg) != nil {
			return fmt.Errorf("tiering: %s: the wire refused a message after it had room", b.port.Name())
		}
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
	s.readReq.ID, s.writeReq.ID = s.id, s.id
	s.readReq.Src, s.writeReq.Src = b.port, b.port
	s.readReq.Info, s.writeReq.Info = &s.hint, &s.hint
	b.slots = append(b.slots, s)
	return s
}

// take frees the slot of an answer and returns what it answers. The slot may be
// read until the next send.
func (b *below) take(m sim.Msg) (*slot, error) {
	switch r := m.(type) {
	case *mem.DataReadyRsp, *mem.WriteDoneRsp:
	case *memory.ErrorRsp:
		return nil, fmt.Errorf("tiering: %s: a request failed: %s", b.port.Name(), r.Code)
	default:
		panic(fmt.Sprintf("tiering: %s: %T is no answer", b.port.Name(), m))
	}
	id := m.(sim.Rsp).GetRspTo()
	n, unit := 0, 1
	for i := len(id) - 1; i >= 0 && '0' <= id[i] && id[i] <= '9' && unit < 1e9; i-- {
		n += int(id[i]-'0') * unit
		unit *= 10
	}
	if n >= len(b.slots) || !b.slots[n].busy || b.slots[n].id != id {
		return nil, fmt.Errorf("tiering: %s: an answer to %q, which is not outstanding", b.port.Name(), id)
	}
	b.slots[n].busy = false
	b.idle = append(b.idle, int32(n))
	return b.slots[n], nil
}

// inFlight is the number of requests without an answer.
func (b *below) inFlight() int { return len(b.slots) - len(b.idle) }
