package coherent

import (
	"github.com/causeway-sim/causeway/memory/cxl/coherence"
	"github.com/causeway-sim/causeway/memory/cxl/flit"
	"github.com/causeway-sim/causeway/memory/cxl/link"
	"github.com/causeway-sim/causeway/memory/cxl/pool"
	"github.com/causeway-sim/causeway/memory/cxl/transit"
)

// A Host is the coherent part of a root: its cache of lines of coherent devices.
type Host struct {
	*coherence.Host
	HostSpec
	system *System
	index  int32
	trips  []trip             // by tag
	pinned map[uint64]snooped // snoops that are at the pins, by device and tag
	now    int64
	// arriving is the message that is delivered, -1 none; tag is its line's.
	arriving int32
	tag      uint32
	snooping bool // it is a snoop
	answered bool // what arrives answers a request of this host: its tag names a trip
	count    struct {
		quick, quickTime uint64 // snoops answered without a write
		slow, slowTime   uint64
	}
}

// HostSpec is the parameters of a Host.
type HostSpec struct {
	Sets, Ways int
	Port       int64 // bridge and protocol layers, ps
	Snoop      int64 // latency of a snoop in the caches, ps
	// NewLine makes a line for an address of the host.
	NewLine func(addr uint64) (int32, error)
}

// A trip is one request to a device, from its sending to its answer.
type trip struct {
	line    int32 // that it was sent for; -1: none
	sent    int64
	pin     int64 // at the device
	wrote   bool  // a MemWr
	load    pool.Load
	parts   [transit.Parts]int64 // on the way to the device, and in its memory
	arrived int64                // at the device's engine
}

// AddHost adds the coherent part of a root.
func (s *System) AddHost(index int32, spec HostSpec) *Host {
	h := &Host{HostSpec: spec, system: s, index: index, pinned: map[uint64]snooped{}, arriving: -1}
	h.Host = coherence.NewHost(uint8(index), spec.Sets, spec.Ways, h)
	s.Hosts[index] = h
	return h
}

func (h *Host) trip(tag uint32) *trip {
	for int(tag) >= len(h.trips) {
		h.trips = append(h.trips, trip{})
	}
	return &h.trips[tag]
}

// snoopKey names a snoop at the pins.
func snoopKey(device int32, tag uint32) uint64 { return uint64(device)<<32 | uint64(tag) }

// accessOf returns the kind of a line's access.
func accessOf(l *transit.Line) coherence.Access {
	switch {
	case !l.Write:
		return coherence.Load
	case l.Partial:
		return coherence.Update
	}
	return coherence.Store
}

// Lookup looks up a line in the cache.
func (h *Host) Lookup(i int32, t int64) {
	n := h.system.Network
	l := n.Lines.At(i)
	h.now = t
	d := h.system.Devices[l.Device]
	addr, _ := h.system.Space.Host(int(l.LD), l.Addr)
	if hit, _ := h.Access(addr, accessOf(l), i, 0); hit {
		n.Lines.At(i).Load = d.Pool.Load(0)
		n.Add(t, i, n.Host(h.index), transit.Complete)
	}
}

// receive takes a message of a device.
func (h *Host) receive(i int32, m coherence.Message, t int64) {
	h.now, h.arriving, h.tag = t, i, m.Tag
	h.snooping = m.Channel() == flit.S2MBISnp || m.Channel() == flit.D2HReq
	h.answered = !h.snooping && m.Op != coherence.BIConflictAck // whose tag is of the device's snoop
	h.Receive(m)
	h.arriving = -1
}

// Send implements coherence.HostSink.
func (h *Host) Send(m coherence.Message) {
	n := h.system.Network
	i, err := h.NewLine(m.Addr)
	if err != nil {
		n.Fail(err)
		return
	}
	l := n.Lines.At(i)
	m.Addr = l.Addr
	h.system.post(l, m, false)
	l.Begin(h.now)
	switch m.Op {
	case coherence.MemRd, coherence.MemInv:
		*h.trip(m.Tag) = trip{line: h.First(m.Tag), sent: h.now}
	case coherence.MemWr:
		*h.trip(m.Tag) = trip{line: -1, sent: h.now, wrote: true}
	case coherence.MemClnEvct:
		*h.trip(m.Tag) = trip{line: -1, sent: h.now}
	case coherence.BIRspI, coherence.BIRspS, coherence.BIRspE, coherence.MemRdFwd:
		key := snoopKey(l.Device, m.Tag)
		s := h.pinned[key]
		s.quick = h.snooping && h.tag == m.Tag && n.Lines.At(h.arriving).Device == l.Device
		h.pinned[key] = s
	}
	l.Add(transit.Port, h.now+h.Port)
	n.Add(l.Mark, i, n.Host(h.index), transit.Issue)
}

// sent counts the answer to a snoop, when the first link has sent it.
func (h *Host) sent(l *transit.Line, m *coherence.Message, at link.Times) {
	switch m.Op {
	case coherence.BIRspI, coherence.BIRspS, coherence.BIRspE, coherence.MemRdFwd:
		key := snoopKey(l.Device, m.Tag)
		s := h.pinned[key]
		took := uint64(at.Start - s.at)
		delete(h.pinned, key)
		if !s.quick {
			h.count.slow++
			h.count.slowTime += took
			return
		}
		h.count.quick++
		h.count.quickTime += took
	}
}

// arrived takes a message at the pins and returns when the cache has it.
func (h *Host) arrived(l *transit.Line, m *coherence.Message, at link.Times) int64 {
	snoop := l.Carries == flit.S2MBISnp || l.Carries == flit.D2HReq
	if snoop {
		h.pinned[snoopKey(l.Device, m.Tag)] = snooped{at: at.At}
	}
	l.Add(transit.Return, at.At+h.Port)
	if snoop {
		l.Add(transit.Host, l.Mark+h.Snoop)
	}
	return l.Mark
}

// Done implements coherence.HostSink.
func (h *Host) Done(ref int32, _ uint64) {
	n := h.system.Network
	l := n.Lines.At(ref)
	t := h.now
	if x := h.trip(h.tag); h.arriving >= 0 && h.answered && x.line == ref {
		back := n.Lines.At(h.arriving)
		l.Add(transit.Host, x.sent)
		l.AddAll(&x.parts)
		l.Add(transit.Device, back.Start) // what is left of the time there
		l.AddAll(&back.Parts)
		l.Load = x.load
	}
	l.Add(transit.Host, t) // waits for another access of the same line
	n.Add(t, ref, n.Host(h.index), transit.Complete)
}
