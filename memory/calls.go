package memory

import (
	"fmt"
	"strconv"

	"github.com/sarchlab/akita/v3/mem/mem"
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/pool"
)

// Calls are the requests that a port has in flight. Messages are reused after their answer. Their
// IDs are the port's name and a number. T is the requester's own data about a call.
type Calls[T any] struct {
	port sim.Port
	all  pool.Of[*Call[T], int32]
}

// A Call is one request in flight.
type Call[T any] struct {
	Note T

	n           int32
	wrote       bool // it is the write
	busy        bool
	to          sim.Port
	addr, bytes uint64

	Hint  Hint // of the request
	id    string
	read  mem.ReadReq
	write mem.WriteReq
}

// NewCalls returns the empty calls of a port.
func NewCalls[T any](port sim.Port) Calls[T] { return Calls[T]{port: port} }

// Take returns a new call in flight. Note and Hint keep the values of its last use.
func (c *Calls[T]) Take() *Call[T] {
	i := c.all.Take()
	if x := *c.all.At(i); x != nil {
		x.busy = true
		return x
	}
	x := &Call[T]{n: i, id: c.port.Name() + "." + strconv.Itoa(int(i)), busy: true}
	x.read.ID, x.write.ID = x.id, x.id
	x.read.Src, x.write.Src = c.port, c.port
	x.read.Info, x.write.Info = &x.Hint, &x.Hint
	*c.all.At(i) = x
	return x
}

// Number returns the call's number, unique among calls in flight.
func (x *Call[T]) Number() uint32 { return uint32(x.n) }

// Ask sets what the call requests without making a message, for memory/block. The answer names
// the call's number.
func (x *Call[T]) Ask(write bool, addr, bytes uint64, dst sim.Port) {
	x.wrote, x.to, x.addr, x.bytes = write, dst, addr, bytes
}

// Over ends the call of a number, like Answered. It panics if that call is not in flight.
func (c *Calls[T]) Over(number uint32) *Call[T] {
	x := *c.all.At(int32(number))
	if !x.busy {
		panic(fmt.Sprintf("memory: %s: an answer to call %d, which is not outstanding", c.port.Name(), number))
	}
	x.busy = false
	c.all.Give(int32(number))
	return x
}

// Message returns the call's message, to be sent at now.
func (x *Call[T]) Message(write bool, addr, bytes uint64, dst sim.Port, now sim.VTimeInSec) sim.Msg {
	x.Ask(write, addr, bytes, dst)
	if write {
		x.write.Address, x.write.Data = addr, Zeros(bytes)
		x.write.Dst, x.write.SendTime, x.write.TrafficBytes = dst, now, int(bytes)
		return &x.write
	}
	x.read.Address, x.read.AccessByteSize = addr, bytes
	x.read.Dst, x.read.SendTime, x.read.TrafficBytes = dst, now, 0
	return &x.read
}

// Wrote reports whether the request is a write.
func (x *Call[T]) Wrote() bool { return x.wrote }

// Span returns the first address of the request and the address after its last byte.
func (x *Call[T]) Span() (from, to uint64) {
	return x.addr, x.addr + x.bytes
}

// Answered ends and returns the call that a message answers; it may be read until the next Take.
// A failed request, and an answer to no call in flight, are errors. A message that is no answer
// panics.
func (c *Calls[T]) Answered(m sim.Msg) (*Call[T], error) {
	switch r := m.(type) {
	case *mem.DataReadyRsp, *mem.WriteDoneRsp:
	case *ErrorRsp:
		return nil, fmt.Errorf("%s: a request failed: %s", c.port.Name(), r.Code)
	default:
		panic(fmt.Sprintf("memory: %s: %T is no answer", c.port.Name(), m))
	}
	id := m.(sim.Rsp).GetRspTo()
	n, unit := 0, 1 // the number at the end
	for i := len(id) - 1; i >= 0 && '0' <= id[i] && id[i] <= '9' && unit < 1e9; i-- {
		n += int(id[i]-'0') * unit
		unit *= 10
	}
	if n < c.all.Len() {
		if x := *c.all.At(int32(n)); x.busy && x.id == id {
			x.busy = false
			c.all.Give(int32(n))
			return x, nil
		}
	}
	return nil, fmt.Errorf("%s: an answer to %q, which is not outstanding", c.port.Name(), id)
}

// InFlight returns the number of calls in flight.
func (c *Calls[T]) InFlight() int { return c.all.Taken() }

// Waits returns the destination of some call in flight, or nil.
func (c *Calls[T]) Waits() sim.Port {
	for _, x := range c.all.All() {
		if x.busy {
			return x.to
		}
	}
	return nil
}
