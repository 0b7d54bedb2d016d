package cxl

import (
	"github.com/causeway-sim/causeway/memory/cxl/flit"
	"github.com/causeway-sim/causeway/memory/cxl/link"
)

// A hop is one link of the fabric.
type hop struct {
	*link.Link
	f       *fabric
	index   int32
	latency int64
	channel bool         // between switches of a fabric
	dead    bool         // lost
	ends    [2]*junction // towards the host (nil: a root) and the device (nil: a device)
	names   [2]string
	// of a fabric with port-based routing, at that end; nil: none
	nets      [2]*PBR
	routers   [2]int
	terminals [2]int
}

// depart sets a line on a route.
func (f *fabric) depart(i, route int32, t int64) {
	l := &f.lines[i]
	if l.route, l.hop = route, 0; route < 0 {
		f.drop(i, "a way to "+f.target(l))
		return
	}
	l.route = f.open(route)
	f.onto(i, t)
}

// target is where a line is going.
func (f *fabric) target(l *line) string {
	if l.up {
		return f.roots[l.root].Name()
	}
	return f.lds[l.ld].name()
}

// onto gives a line to the next link of its route.
func (f *fabric) onto(i int32, t int64) {
	l := &f.lines[i]
	x := f.leg(l, l.hop)
	if h := f.links[x.link()]; h.dead {
		if l.hop > 0 {
			f.release(l, l.hop-1, t, l.class())
		}
		f.drop(i, h.title())
		return
	}
	l.on, l.departed = x.link()+1, false
	f.links[x.link()].PushOn(x.side(), t, flit.Message{Class: l.class(), Ref: uint32(i), Tag: uint16(i), Addr: l.addr, LD: l.id})
}

// Departed implements link.Sink: the place in front of the link is free.
func (h *hop) Departed(m *flit.Message, t int64) {
	l := &h.f.lines[m.Ref]
	l.departed = true
	if l.hop > 0 && !l.doomed {
		h.f.release(l, l.hop-1, t, m.Class)
	}
}

// Arrived implements link.Sink.
func (h *hop) Arrived(m *flit.Message, at link.Times) {
	f := h.f
	i := int32(m.Ref)
	l := &f.lines[i]
	l.on = 0
	l.add(partQueue, at.Start)
	l.add(partSerial, at.Sent)
	l.add(partRetry, at.At-h.latency)
	l.add(partWire, at.At)
	if l.note != 0 && l.hop == 0 {
		f.leaves(l, at)
	} else if l.up && l.hop == 0 {
		f.devices[l.device].count.pin(l.write, at.Start-l.pin)
	}
	switch last := int(l.hop) == len(f.routes[l.route])-1; {
	case l.doomed:
		f.release(l, l.hop, at.At, m.Class)
		f.drop(i, "a way to "+f.target(l))
	case !last:
		l.held = true
		l.add(partSwitch, at.At+f.beyond(f.leg(l, l.hop)).pass(l.up))
		f.push(l.mark, i, stepForward)
	case l.note != 0:
		h.noted(i, at)
	case l.up:
		h.Release(at.At, m.Class)
		r := f.roots[l.root]
		l.add(partReturn, at.At+r.times.protocol+r.times.bridge)
		f.push(l.mark, i, stepDone)
	default:
		d := f.devices[l.device]
		l.pin, l.in = at.At, h.index
		l.add(partDevice, at.At+d.protocol)
		f.push(l.mark, i, stepMemory)
	}
}

// ArrivedIO implements link.Sink: the fabric sends no packets of CXL.io.
func (h *hop) ArrivedIO(flit.Direction, uint32, link.Times) {}
