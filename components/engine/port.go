package engine

import (
	"fmt"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/ring"
)

// A Port is a sim.Port with a ring buffer. It does not lock, and allocates only
// while its buffer grows, not beyond its capacity to the next power of two:
// connections put messages in by secondary events, the component takes them
// out in its primary ones, and no engine runs both kinds at once. A component
// must therefore not call Retrieve from NotifyRecv or NotifyPortFree.
type Port struct {
	sim.HookableBase
	name string
	comp sim.Component
	conn sim.Connection
	wire *Wire // conn, if it is ours
	end  int   // index of this port in wire

	buf      ring.Of[sim.Msg]
	capacity int
	shown    sim.Buffer // buf, for Akita's monitor
	refused  bool       // a message found no room: notify the connection of the next free slot
}

var refusal = sim.NewSendError()

// NewPort returns a port of component c that holds up to capacity messages. It
// panics for a capacity below 1 and for a name that Akita does not allow. The
// component may be nil, for a port that is polled.
func NewPort(c sim.Component, name string, capacity int) *Port {
	sim.NameMustBeValid(name)
	if capacity < 1 {
		panic(fmt.Sprintf("engine: port %s of capacity %d", name, capacity))
	}
	p := &Port{name: name, comp: c, capacity: capacity}
	p.shown = &monitoredBuffer{port: p}
	return p
}

// Name is the name of the port.
func (p *Port) Name() string { return p.name }

// Component is the owner of the port.
func (p *Port) Component() sim.Component { return p.comp }

// Len is the number of messages in the port.
func (p *Port) Len() int { return p.buf.Len() }

// Capacity is the number of messages that fit.
func (p *Port) Capacity() int { return p.capacity }

// SetConnection is called by the connection that the port is plugged into.
func (p *Port) SetConnection(c sim.Connection) {
	p.conn = c
	p.wire, _ = c.(*Wire)
}

// CanSend reports whether Send would take a message. After a false the component
// gets a NotifyPortFree.
func (p *Port) CanSend() bool {
	if p.wire != nil {
		return p.wire.canSend(p.wire.endOf(p))
	}
	p.mustBeConnected()
	return p.conn.CanSend(p)
}

// Send offers a message to the connection. An error means that there is no room; the component
// gets NotifyPortFree when there is. On a Wire, Src may be another port, as for a message that a
// network forwards.
func (p *Port) Send(m sim.Msg) *sim.SendError {
	var err *sim.SendError
	if p.wire != nil {
		err = p.wire.send(p.wire.endOf(p), m)
	} else {
		p.mustBeConnected()
		err = p.conn.Send(m)
	}
	if err == nil && p.NumHooks() > 0 {
		p.InvokeHook(sim.HookCtx{Domain: p, Pos: sim.HookPosPortMsgSend, Item: m})
	}
	return err
}

func (p *Port) mustBeConnected() {
	if p.conn == nil {
		panic("engine: port " + p.name + " is not connected")
	}
}

// Recv is called by the connection to deliver a message.
func (p *Port) Recv(m sim.Msg) *sim.SendError {
	if p.buf.Len() == p.capacity {
		p.refused = true
		return refusal
	}
	if p.NumHooks() > 0 {
		p.InvokeHook(sim.HookCtx{Domain: p, Pos: sim.HookPosPortMsgRecvd, Item: m})
	}
	p.buf.Push(m)
	if p.comp != nil {
		p.comp.NotifyRecv(m.Meta().RecvTime, p)
	}
	return nil
}

// Peek is the oldest message, nil if there is none.
func (p *Port) Peek() sim.Msg {
	if p.buf.Len() == 0 {
		return nil
	}
	return *p.buf.At(0)
}

// Retrieve removes the oldest message and returns it, nil if there is none.
func (p *Port) Retrieve(now sim.VTimeInSec) sim.Msg {
	if p.buf.Len() == 0 {
		return nil
	}
	m := p.buf.Pop()
	if p.NumHooks() > 0 {
		p.InvokeHook(sim.HookCtx{Domain: p, Pos: sim.HookPosPortMsgRetrieve, Item: m})
	}
	if p.refused {
		p.refused = false
		p.conn.NotifyAvailable(now, p)
	}
	return m
}

// NotifyAvailable is called by the connection when Send works again.
func (p *Port) NotifyAvailable(now sim.VTimeInSec) {
	if p.comp != nil {
		p.comp.NotifyPortFree(now, p)
	}
}

// Alike reports whether two ports have links of two ends with the same options at each end.
func (p *Port) Alike(q *Port) bool {
	a, b := p.wire, q.wire
	if a == nil || b == nil || len(a.ends) != 2 || len(b.ends) != 2 {
		return false
	}
	i, j := a.index[p], b.index[q]
	return a.ends[i].opts == b.ends[j].opts && a.ends[1-i].opts == b.ends[1-j].opts
}
