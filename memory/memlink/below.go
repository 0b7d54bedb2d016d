package memlink

import (
	"fmt"
	"strconv"

	"github.com/sarchlab/akita/v3/mem/mem"
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/memory"
)

// An order is a part of a packet at the memory: all of one home.
type order struct {
	addr, bytes uint64
	dst         sim.Port
	hint        memory.Hint
	packet      int32
	write       bool
}

// A slot is one message to the memory; it is made once and used again.
type slot struct {
	order
	read  mem.ReadReq
	store mem.WriteReq
	id    string
	busy  bool
}

// far is the port to the memory.
type far struct {
	port  *engine.Port
	homes *memory.Map
	queue ring[order]
	slots []*slot
	idle  []int32
}

// push takes an order, cut where addresses change their home.
func (f *far) push(o order) (pieces int32, err error) {
	for left := o.bytes; left > 0; {
		home, i, run, ok := f.homes.Find(o.addr)
		if !ok {
			return 0, &homeless{fmt.Sprintf("%s: address %#x has no home behind the link", f.port.Name(), o.addr)}
		}
		p := o
		p.bytes, p.dst = min(left, run), home.Ports[i]
		f.queue.push(p)
		pieces++
		o.addr += p.bytes
		left -= p.bytes
	}
	return pieces, nil
}

// homeless is an error of the input.
type homeless struct{ text string }

func (e *homeless) Error() string { return e.text }

// BadInput marks the error as one of the input.
func (e *homeless) BadInput() {}

// send sends what the wire takes; it says when it takes more.
func (f *far) send(now sim.VTimeInSec) error {
	for f.queue.n > 0 && f.port.CanSend() {
		s := f.take()
		s.order, s.busy = f.queue.pop(), true
		var m sim.Msg = &s.read
		if s.write {
			s.store.Address, s.store.Data = s.addr, memory.Zeros(s.bytes)
			s.store.Dst, s.store.SendTime, s.store.TrafficBytes = s.dst, now, int(s.bytes)
			m = &s.store
		} else {
			s.read.Address, s.read.AccessByteSize = s.addr, s.bytes
			s.read.Dst, s.read.SendTime, s.read.TrafficBytes = s.dst, now, 0
		}
		if f.port.Send(m) != nil {
			return fmt.Errorf("memlink: %s: the wire refused a message after it had room", f.port.Name())
		}
	}
	return nil
}

func (f *far) take() *slot {
	if n := len(f.idle); n > 0 {
		i := f.idle[n-1]
		f.idle = f.idle[:n-1]
		return f.slots[i]
	}
	s := &slot{id: f.port.Name() + "." + strconv.Itoa(len(f.slots))}
	s.read.ID, s.store.ID = s.id, s.id
	s.read.Src, s.store.Src = f.port, f.port
	s.read.Info, s.store.Info = &s.hint, &s.hint
	f.slots = append(f.slots, s)
	return s
}

// answered frees the slot of an answer, and says whose packet it is.
func (f *far) answered(m sim.Msg) (packet int32, err error) {
	switch r := m.(type) {
	case *mem.DataReadyRsp, *mem.WriteDoneRsp:
	case *memory.ErrorRsp:
		return 0, fmt.Errorf("memlink: %s: a request failed: %s", f.port.Name(), r.Code)
	default:
		panic(fmt.Sprintf("memlink: %s: %T is no answer", f.port.Name(), m))
	}
	id := m.(sim.Rsp).GetRspTo()
	n, unit := 0, 1
	for i := len(id) - 1; i >= 0 && '0' <= id[i] && id[i] <= '9' && unit < 1e9; i-- {
		n += int(id[i]-'0') * unit
		unit *= 10
	}
	if n >= len(f.slots) || !f.slots[n].busy || f.slots[n].id != id {
		return 0, fmt.Errorf("memlink: %s: an answer to %q, which is not outstanding", f.port.Name(), id)
	}
	f.slots[n].busy = false
	f.idle = append(f.idle, int32(n))
	return f.slots[n].packet, nil
}

// inFlight is the number of messages without an answer.
func (f *far) inFlight() int { return len(f.slots) - len(f.idle) }

// A ring is a first-in first-out queue that reuses its memory. Its length is a
// power of two.
type ring[T any] struct {
	buf      []T
	first, n int
}

func (r *ring[T]) push(v T) {
	if r.n == len(r.buf) {
		buf := make([]T, max(16, 2*len(r.buf)))
		for i := range r.n {
			buf[i] = *r.at(i)
		}
		r.buf, r.first = buf, 0
	}
	r.n++
	*r.at(r.n - 1) = v
}

// at is the i-th from the front.
func (r *ring[T]) at(i int) *T { return &r.buf[(r.first+i)&(len(r.buf)-1)] }

func (r *ring[T]) pop() T {
	v := *r.at(0)
	r.first = (r.first + 1) & (len(r.buf) - 1)
	r.n--
	return v
}
