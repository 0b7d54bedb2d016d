package cxl

import (
	"math/bits"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/block"
	"github.com/causeway-sim/causeway/memory/cxl/link"
	"github.com/causeway-sim/causeway/memory/cxl/setting"
	"github.com/causeway-sim/causeway/memory/cxl/transit"
)

// carried is the memory of a device.
type carried struct {
	device *Type3
	index  int // among those of the carrier
	node   block.Node
	link   *block.Link
	ticker *engine.Ticker // of its clock
	clock  clock.Clock
	// due are the cycles in which it acts. As with messages it does so too where it no longer
	// has to: how far a DRAM has run shows in its last refresh.
	due     block.Times
	tickets []ticket // of lines at the memory
	free    []uint32 // tickets that no line has
	listen  *task.Source
	acted   uint64 // its last cycle
	sent    int    // requests of the instant sentAt
	sentAt  int64
}

// A ticket is a line at the memory, and what goes there with it.
type ticket struct {
	line int32
	hint memory.Hint
}

// newCarried looks whether the memory of a device can do without messages.
func newCarried(d *Type3, e *engine.Engine) (m *carried, ok bool) {
	to, ours := d.dst.(*engine.Port)
	if !ours || d.dev != nil || d.dcoh != nil || d.spec.Entries > to.Capacity() || d.clock.Num() > 1<<20 {
		return nil, false
	}
	_, far, of, ok := d.port.Carries()
	if !ok || of != e || len(far) != 1 {
		return nil, false
	}
	n, ok := to.Component().(block.Node)
	if !ok {
		return nil, false
	}
	if below, _, ok := n.Asks(); !ok || below != nil {
		return nil, false
	}
	m = &carried{device: d, node: n, clock: d.clock, sentAt: -1, tickets: make([]ticket, d.spec.Entries)}
	for k := range m.tickets {
		m.free = append(m.free, uint32(len(m.tickets)-1-k))
	}
	if r, ok := n.(task.Reporter); ok {
		m.listen = r.Tasks()
	}
	return m, true
}

// first is when it acts next, in ps, rounded down.
func (m *carried) first() int64 {
	if m.due.First() == block.Never {
		return link.Never
	}
	return m.floor(m.due.First())
}

// floor is the last picosecond not after a cycle.
func (m *carried) floor(cycle uint64) int64 {
	hi, lo := bits.Mul64(cycle, m.clock.Num()*setting.Fine.Den())
	t, _ := bits.Div64(hi, lo, m.clock.Den())
	return int64(t)
}

// after is the first cycle after a picosecond.
func (m *carried) after(t int64) uint64 {
	hi, lo := bits.Mul64(uint64(t), m.clock.Den())
	n, _ := bits.Div64(hi, lo, m.clock.Num()*setting.Fine.Den())
	return n + 1
}

// takes reports whether the memory's wire takes another request at t.
func (m *carried) takes(t int64) bool { return m.sentAt != t || m.sent < wireBuffer }

// ask sends the request of a line at t; there must be a place.
func (m *carried) ask(c *carrier, t int64, i int32, l *transit.Line) {
	if m.sentAt != t {
		m.sentAt, m.sent = t, 0
	}
	m.sent++
	k := m.free[len(m.free)-1]
	m.free = m.free[:len(m.free)-1]
	x := &m.tickets[k]
	x.line, x.hint.AcceptedIn = i, 0
	if m.listen != nil && m.listen.On() {
		x.hint.Task = c.fabric.requests.reason(l).Task
	}
	at := m.after(t)
	m.link.Ask(block.Request{At: at, Addr: l.Addr, Bytes: 64, Hint: &x.hint, Tag: k, Write: l.Write})
	c.promise(m, at)
}

// answered returns the line of a ticket, and the time at which the memory took it into its
// queues, in ps; 0 if unknown.
func (m *carried) answered(k uint32) (i int32, accepted int64) {
	x := &m.tickets[k]
	m.free = append(m.free, k)
	if x.hint.AcceptedIn > 0 {
		accepted = m.floor(x.hint.AcceptedIn - 1)
	}
	return x.line, accepted
}
