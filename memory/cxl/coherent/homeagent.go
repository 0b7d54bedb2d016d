package coherent

import (
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/memory/cxl/coherence"
	"github.com/causeway-sim/causeway/memory/cxl/flit"
	"github.com/causeway-sim/causeway/memory/cxl/transit"
)

// A HomeAgent orders the requests of cores and devices for a root's local memory. Cores have no
// cache here; the host latency includes theirs.
type HomeAgent struct {
	*coherence.Home
	Jobs        Jobs  // for the local memory
	Port, Local int64 // latency of bridge and protocol layers, and to the memory's port, ps
	system      *System
	index       int32
	now         int64
	moving      []Job // on their way to the memory's port, and back
	free        []int32
	current     Job   // whose line is delivered
	ref         int32 // the core's access that it is for; -1: none
	order       order
}

// AddHomeAgent adds the home agent of a root's local memory, unless there is one.
func (s *System) AddHomeAgent(index int32, port, local int64, g *stats.Group) *HomeAgent {
	if h := s.HomeAgents[index]; h != nil {
		return h
	}
	h := &HomeAgent{Port: port, Local: local, system: s, index: index, ref: -1, order: newOrder()}
	h.Home = coherence.NewHome(1, 0, h)
	s.HomeAgents[index] = h
	h.stats(g)
	return h
}

// Lookup starts the access of a core's line.
func (h *HomeAgent) Lookup(i int32, t int64) {
	l := h.system.Network.Lines.At(i)
	h.now = t
	h.Access(l.Addr, accessOf(l), i, 0)
}

// receive takes a message of a device.
func (h *HomeAgent) receive(m coherence.Message, t int64) {
	h.now = t
	h.Receive(m)
}

// Send implements coherence.HomeSink.
func (h *HomeAgent) Send(m coherence.Message) {
	s := h.system
	a := s.Agents[m.Host]
	i, l := s.Network.Lines.New()
	l.Transaction = transit.Transaction{Root: h.index, Device: a.index, LD: a.LD, Addr: m.Addr}
	s.post(l, m, true)
	if l.Carries == flit.H2DRsp {
		h.order.sent(lineOf{a.index, m.Addr})
	}
	l.Begin(h.now)
	l.Add(transit.Port, h.now+h.Port)
	s.Network.Add(l.Mark, i, s.Network.Host(h.index), transit.Issue)
}

// Fetch implements coherence.HomeSink.
func (h *HomeAgent) Fetch(id int32, addr uint64) {
	h.move(Job{Addr: addr, id: id, kind: fetch, asked: h.now}, transit.Fetch)
}

// Store implements coherence.HomeSink.
func (h *HomeAgent) Store(addr, _ uint64) {
	h.move(Job{Addr: addr, Write: true, kind: store, asked: h.now}, transit.Fetch)
}

// move takes a job to the memory's port, or back from it.
func (h *HomeAgent) move(j Job, s transit.Step) {
	var i int32
	if n := len(h.free); n > 0 {
		i = h.free[n-1]
		h.free = h.free[:n-1]
		h.moving[i] = j
	} else {
		i = int32(len(h.moving))
		h.moving = append(h.moving, j)
	}
	n := h.system.Network
	n.Add(h.now+h.Local, i, n.Host(h.index), s)
}

// Moved is called when a job arrives at the memory's port, or is back from it.
func (h *HomeAgent) Moved(i int32, s transit.Step, t int64) {
	j := h.moving[i]
	h.free = append(h.free, i)
	if s == transit.Fetch {
		h.Jobs.push(j)
		h.system.Network.Ready.Add(h.system.Network.Host(h.index))
		return
	}
	h.now, h.current, h.ref = t, j, h.Requester(j.id)
	h.Fetched(j.id, 0)
	h.ref = -1
}

// Complete handles the memory's answer to a job; accepted is the time at which the memory took it
// into its queues, 0 if unknown.
func (h *HomeAgent) Complete(job int32, accepted, t int64) {
	j := h.Jobs.done(job)
	if j.kind == store {
		return
	}
	if accepted > 0 {
		j.taken = max(j.taken, accepted)
	}
	j.back = t
	h.now = t
	h.move(j, transit.Fetched)
}

// Done implements coherence.HomeSink.
func (h *HomeAgent) Done(ref int32, _ uint64) {
	n := h.system.Network
	l := n.Lines.At(ref)
	if ref == h.ref {
		l.Add(transit.Host, h.current.asked) // waits for devices, and for other accesses
		l.Add(transit.Port, h.current.asked+h.Local)
		l.Add(transit.DRAMQueue, h.current.taken)
		l.Add(transit.DRAM, h.current.back)
		l.Add(transit.Return, h.now)
	} else { // a write, which is over when it is in order
		l.Add(transit.Host, h.now)
		l.Add(transit.Port, h.now+h.Local)
		l.Add(transit.Return, l.Mark+h.Local)
	}
	n.Add(l.Mark, ref, n.Host(h.index), transit.Complete)
}
