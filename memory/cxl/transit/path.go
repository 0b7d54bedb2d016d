package transit

import (
	"github.com/causeway-sim/causeway/memory/cxl/flit"
	"github.com/causeway-sim/causeway/memory/cxl/link"
	"github.com/causeway-sim/causeway/memory/cxl/route"
)

// Depart starts line i on a route of the book at t; number -1 is no route.
func (n *Network) Depart(i, number int32, t int64) {
	l := n.Lines.At(i)
	if l.route, l.hop = number, 0; number < 0 {
		n.drop(i, l, nil)
		return
	}
	l.route = n.Book.Open(number)
	n.onto(i, l, t)
}

// leg is the k-th leg of a line's route.
func (n *Network) leg(l *Line, k int32) route.Leg { return n.Book.Legs(l.route)[k] }

// release gives back the buffer behind the k-th leg of a line's route.
func (n *Network) release(l *Line, k int32, t int64, c flit.Class) {
	x := n.leg(l, k)
	n.Hops[x.Link()].ReleaseOn(x.Direction(), t, c)
}

// drop takes the message of a line from the network.
func (n *Network) drop(i int32, l *Line, at *Hop) {
	l.on = 0
	n.Dropper.Dropped(i, at)
}

// onto gives a line to the next link of its route.
func (n *Network) onto(i int32, l *Line, t int64) {
	x := n.leg(l, l.hop)
	h := n.Hops[x.Link()]
	if h.dead {
		if l.hop > 0 {
			n.release(l, l.hop-1, t, l.Class())
		}
		n.drop(i, l, h)
		return
	}
	l.on, l.departed = h.Index+1, false
	h.PushOn(x.Direction(), t, &flit.Message{Class: l.Class(), Ref: uint32(i), Tag: uint16(i), Addr: l.Addr, LD: l.ID})
}

// forward takes a line from a switch to the next link.
func (n *Network) forward(i int32, t int64) {
	l := n.Lines.At(i)
	l.held = false
	if l.doomed {
		n.release(l, l.hop, t, l.Class())
		n.drop(i, l, nil)
		return
	}
	l.hop++
	n.onto(i, l, t)
}

// arrivals is a hop as its link sees it.
type arrivals struct {
	n *Network
	h *Hop
}

// Departed implements link.Sink: the place in front of the link is free.
func (a *arrivals) Departed(m *flit.Message, t int64) {
	l := a.n.Lines.At(int32(m.Ref))
	l.departed = true
	if l.hop > 0 && !l.doomed {
		a.n.release(l, l.hop-1, t, m.Class)
	}
}

// Arrived implements link.Sink. Arrivals from several links at one time are in the order of link
// numbers, reported ahead or not.
func (a *arrivals) Arrived(m *flit.Message, at link.Times) {
	if !a.n.calm {
		a.arrive(m, at)
		return
	}
	a.h.arrived++
	a.n.Schedule.addAsAt(at.At, uint64(a.h.Index)<<41|a.h.arrived)
	a.arrive(m, at)
	a.n.Schedule.addAsNow()
}

// Arrives implements link.ArrivalSink. What it schedules has the order that it would have if it
// were scheduled when the message arrives.
func (a *arrivals) Arrives(m *flit.Message, at link.Times, tie uint64) (frees bool) {
	s := &a.n.Schedule
	s.addAsAt(at.At, uint64(a.h.Index)<<41|tie)
	a.h.frees = false
	a.arrive(m, at)
	s.addAsNow()
	return a.h.frees
}

// arrive has a message be at the end of its link.
func (a *arrivals) arrive(m *flit.Message, at link.Times) {
	n, h := a.n, a.h
	i := int32(m.Ref)
	l := n.Lines.At(i)
	l.on = 0
	if n.waits != nil {
		n.waits[2*(int(l.Root)*len(n.Hops)+int(h.Index))+int(n.leg(l, l.hop).Direction())] += at.Start - l.Mark
	}
	l.Travel(&at, h.Latency, h.Index)
	if l.hop == 0 {
		n.origin(l).Sent(l, at)
	}
	switch legs := n.Book.Legs(l.route); {
	case l.doomed:
		n.release(l, l.hop, at.At, m.Class)
		n.drop(i, l, nil)
	case int(l.hop) < len(legs)-1:
		l.held = true
		l.Add(Switching, at.At+h.Ends[1-legs[l.hop].Direction()].pass(l.Up))
		n.Add(l.Mark, i, 0, Forward)
	default:
		n.target(l).Arrived(i, l, h, at)
	}
}

// ArrivedIO implements link.Sink: the network sends no packets of CXL.io.
func (a *arrivals) ArrivedIO(flit.Direction, uint32, link.Times) {}

// origin and target are the ends of a line's route.
func (n *Network) origin(l *Line) Sink {
	if l.Up {
		return n.Sinks[n.Device(l.Device)]
	}
	return n.Sinks[n.Host(l.Root)]
}

func (n *Network) target(l *Line) Sink {
	if l.Up {
		return n.Sinks[n.Host(l.Root)]
	}
	return n.Sinks[n.Device(l.Device)]
}
