package coherent

import (
	"github.com/causeway-sim/causeway/memory/cxl/coherence"
	"github.com/causeway-sim/causeway/memory/cxl/flit"
	"github.com/causeway-sim/causeway/memory/cxl/hdm"
	"github.com/causeway-sim/causeway/memory/cxl/link"
	"github.com/causeway-sim/causeway/memory/cxl/transit"
)

// A System is the coherent parts of all nodes of a fabric, and the messages in flight between
// them.
type System struct {
	Network *transit.Network
	Space   *hdm.Space
	// Hosts and HomeAgents are by root, Devices and Agents by device; nil entries are nodes
	// without one.
	Hosts      []*Host
	HomeAgents []*HomeAgent
	Devices    []*Device
	Agents     []*Agent

	notes []note // messages under way; 0 is none
	spare []int32
}

// A note is a message in flight. It travels as a line.
type note struct {
	coherence.Message
	peer bool // of CXL.cache, for the host's memory
}

// snooped is a snoop that is not answered.
type snooped struct {
	at    int64 // at the pins
	quick bool  // answered as soon as it was looked up
}

// New makes the System of a network with so many roots and devices.
func New(n *transit.Network, roots, devices int) *System {
	return &System{
		Network: n, Hosts: make([]*Host, roots), HomeAgents: make([]*HomeAgent, roots),
		Devices: make([]*Device, devices), Agents: make([]*Agent, devices), notes: make([]note, 1),
	}
}

// post makes a line carry a message.
func (s *System) post(l *transit.Line, m coherence.Message, peer bool) {
	var n int32
	if k := len(s.spare); k > 0 {
		n = s.spare[k-1]
		s.spare = s.spare[:k-1]
	} else {
		n = int32(len(s.notes))
		s.notes = append(s.notes, note{})
	}
	s.notes[n] = note{m, peer}
	l.Note, l.Carries = n, m.Channel()
}

// take ends the way of a message.
func (s *System) take(l *transit.Line) coherence.Message {
	s.spare = append(s.spare, l.Note)
	return s.notes[l.Note].Message
}

// Sent is called when the first link has sent a message.
func (s *System) Sent(l *transit.Line, at link.Times) {
	n := &s.notes[l.Note]
	switch m := &n.Message; {
	case n.peer && l.Up:
		s.Agents[l.Device].sent(l, m, at)
	case n.peer:
	case l.Up:
		s.Devices[l.Device].sent(s.Hosts[l.Root], m, at)
	default:
		s.Hosts[l.Root].sent(l, m, at)
	}
}

// Arrived is called when a message arrives at the end of its route.
func (s *System) Arrived(i int32, l *transit.Line, by *transit.Hop, at link.Times) {
	n := &s.notes[l.Note]
	if l.Up {
		by.Release(at.At, l.Carries)
		to := s.Network.Host(l.Root)
		if n.peer {
			s.Network.Add(at.At+s.HomeAgents[l.Root].Port, i, to, transit.Deliver)
			return
		}
		s.Network.Add(s.Hosts[l.Root].arrived(l, &n.Message, at), i, to, transit.Deliver)
		return
	}
	l.In = by.Index
	to := s.Network.Device(l.Device)
	if n.peer {
		s.Network.Add(at.At+s.Agents[l.Device].arrived(l, &n.Message, at), i, to, transit.Deliver)
		return
	}
	if n.Op == coherence.MemRd || n.Op == coherence.MemWr {
		s.Hosts[l.Root].trip(n.Tag).pin = at.At
	}
	l.Add(transit.Device, at.At+s.Devices[l.Device].Protocol)
	s.Network.Add(l.Mark, i, to, transit.Deliver)
}

// Deliver passes a message to the state machine of its destination.
func (s *System) Deliver(i int32, t int64) {
	l := s.Network.Lines.At(i)
	if s.notes[l.Note].peer {
		s.deliverPeer(i, l, t)
		return
	}
	m := s.take(l)
	if l.Up {
		s.Hosts[l.Root].receive(i, m, t)
	} else {
		s.Network.Hops[l.In].Release(t, l.Carries)
		s.Devices[l.Device].receive(l, m, t)
	}
	s.Network.Lines.Free(i)
}

// deliverPeer does so with messages of CXL.cache for the host's memory. A snoop that has
// overtaken a GO for the same line waits for it.
func (s *System) deliverPeer(i int32, l *transit.Line, t int64) {
	m := s.notes[l.Note].Message
	if l.Up {
		s.take(l)
		s.Network.Lines.Free(i)
		s.HomeAgents[l.Root].receive(m, t)
		return
	}
	a := s.Agents[l.Device]
	order := &a.home.order
	key := lineOf{l.Device, m.Addr}
	s.Network.Hops[l.In].Release(t, l.Carries)
	if l.Carries == flit.H2DReq && order.hold(key, i) {
		return
	}
	s.take(l)
	granted := l.Carries == flit.H2DRsp
	snoop := l.Carries == flit.H2DReq
	s.Network.Lines.Free(i)
	a.receive(m, snoop, t)
	if !granted {
		return
	}
	if n, ok := order.arrived(key); ok {
		m := s.take(s.Network.Lines.At(n))
		s.Network.Lines.Free(n)
		a.Receive(m)
	}
}
