package coherence

import (
	"fmt"
	"math/bits"
)

// A HomeSink is the links to devices, the memory and the cores of a Home.
type HomeSink interface {
	// Send sends a message to the device that Message.Host names.
	Send(Message)
	// Fetch reads a line from the memory; Fetched(id) is the answer. It sees all
	// stores before it, and none after it.
	Fetch(id int32, addr uint64)
	// Store writes a line to the memory.
	Store(addr, value uint64)
	// Done reports the end of an access of a core, and the value read.
	Done(ref int32, value uint64)
}

// HomeCounters counts the events of a Home.
type HomeCounters struct {
	Hits, Misses uint64 // of the cores
	Requests     uint64 // D2H
	Snoops       uint64 // H2D
	Pulls        uint64 // WritePull and GO_WritePull
	Bogus        uint64 // pulled data that were dropped
	Blocked      uint64 // requests that found their line busy
}

// A Home is the home agent of a host's own memory, and the cache of its cores. It orders the
// CXL.cache requests of devices.
type Home struct {
	Count HomeCounters
	Cache Cache

	sink   HomeSink
	all    []action
	free   []int32
	active map[uint64]int32
	held   map[uint64]entry // copies in devices
}

// An action is a request in the home agent.
type action struct {
	addr    uint64
	device  int16 // who asks; local: a core
	req     Op
	tag     uint32
	kind    Access
	ref     int32
	value   uint64
	answers uint64 // devices whose answers to a snoop have not come
	data    uint64 // devices whose data have not come; a bit may be there before its answer
	early   uint64 // data that came before their answer
	next    int32  // that waits for the line
	last    int32
	live    bool
}

// NewHome makes a home agent with a cache of sets x ways lines.
func NewHome(sets, ways int, sink HomeSink) *Home {
	return &Home{Cache: NewCache(sets, ways), sink: sink, active: map[uint64]int32{}, held: map[uint64]entry{}}
}

// Access is an access of a core. If hit is false, it ends with a call of Done.
func (h *Home) Access(addr uint64, kind Access, ref int32, value uint64) (hit bool, read uint64) {
	if _, busy := h.active[addr]; !busy {
		if read, ok := h.Cache.access(addr, kind, value); ok {
			h.Count.Hits++
			return true, read
		}
	}
	h.Count.Misses++
	h.begin(action{addr: addr, device: local, kind: kind, ref: ref, value: value})
	return false, 0
}

// Receive handles a message of a device. It panics for an unexpected one.
func (h *Home) Receive(m Message) {
	switch m.Op {
	case RdCurr, RdShared, RdAny, RdOwn, RdOwnNoData, CLFlush, ItoMWr, WrInv, CleanEvict, DirtyEvict, CleanEvictNoData:
		h.Count.Requests++
		h.begin(action{addr: m.Addr, device: int16(m.Host), req: m.Op, tag: m.Tag})
		return
	}
	k := int32(m.Tag)
	if int(k) >= len(h.all) || !h.all[k].live || h.all[k].addr != m.Addr {
		panic(fmt.Sprintf("coherence: a home agent does not expect %s of device %d for %#x", m, m.Host, m.Addr))
	}
	t := &h.all[k]
	bit := uint64(1) << m.Host
	switch {
	case m.Op != D2HData:
		e := h.held[m.Addr]
		switch {
		case m.Meta == I:
			e.sharers &^= bit
		case m.Meta == S:
			e.alone = false
		}
		h.setSharers(m.Addr, e)
		t.answers &^= bit
		if m.Op == RspSFwdM || m.Op == RspIFwdM || m.Op == RspVFwdV {
			t.data |= bit
		}
		t.data, t.early = t.data&^t.early, t.early&^t.data
	case t.req.pulls() && t.answers == 0 && int16(m.Host) == t.device:
		h.pulled(k, m)
		return
	default:
		h.sink.Store(m.Addr, m.Value)
		if t.answers&bit != 0 {
			t.early |= bit
		}
		t.data &^= bit
	}
	if t.answers|t.data == 0 {
		h.resolved(k)
	}
}

// pulls reports whether the host pulls data of the request.
func (o Op) pulls() bool { return o == DirtyEvict || o == ItoMWr || o == WrInv }

// pulled takes data that the host pulled.
func (h *Home) pulled(k int32, m Message) {
	t := &h.all[k]
	if m.Bogus {
		h.Count.Bogus++
	} else {
		h.sink.Store(m.Addr, m.Value)
	}
	if t.req == WrInv {
		h.sink.Send(Message{Op: GO, Host: m.Host, Meta: I, Tag: t.tag, Addr: t.addr})
	}
	h.finish(k)
}

// setSharers notes which devices have a line.
func (h *Home) setSharers(addr uint64, e entry) {
	e.alone = e.alone && e.sharers != 0
	if e.sharers == 0 {
		delete(h.held, addr)
	} else {
		h.held[addr] = e
	}
}

// begin takes a request in: it waits if its line is busy.
func (h *Home) begin(t action) {
	var k int32
	if n := len(h.free); n > 0 {
		k = h.free[n-1]
		h.free = h.free[:n-1]
	} else {
		k = int32(len(h.all))
		h.all = append(h.all, action{})
	}
	t.next, t.last, t.live = -1, -1, true
	h.all[k] = t
	owner, busy := h.active[t.addr]
	if !busy {
		h.active[t.addr] = k
		h.start(k)
		return
	}
	h.Count.Blocked++
	o := &h.all[owner]
	if o.last < 0 {
		o.next = k
	} else {
		h.all[o.last].next = k
	}
	o.last = k
}

// start snoops the devices whose copies the request does not allow.
func (h *Home) start(k int32) {
	t := &h.all[k]
	e := h.held[t.addr]
	others, op := e.sharers, SnpInv
	if t.device >= 0 {
		others &^= 1 << t.device
	}
	switch {
	case t.req == CleanEvict || t.req == DirtyEvict || t.req == CleanEvictNoData:
		others = 0
	case t.req == RdCurr:
		op = SnpCur
	case t.req == RdShared || t.req == RdAny || t.device == local && t.kind == Load:
		op = SnpData
	}
	if op != SnpInv && !e.alone {
		others = 0
	}
	if others == 0 {
		h.resolved(k)
		return
	}
	t.answers = others
	for w := others; w != 0; w &= w - 1 {
		h.Count.Snoops++
		h.sink.Send(Message{Op: op, Host: uint8(bits.TrailingZeros64(w)), Tag: uint32(k), Addr: h.all[k].addr})
	}
}

// resolved goes on when no device has what the request does not allow.
func (h *Home) resolved(k int32) {
	t := &h.all[k]
	i := h.Cache.find(t.addr)
	own := i >= 0
	value := uint64(0)
	if own {
		value = h.Cache.value[i]
	}
	if own && t.device >= 0 { // the cores' copy
		if h.Cache.state[i] == M {
			h.sink.Store(t.addr, value)
			h.Cache.state[i] = E
		}
		switch t.req {
		case RdShared, RdAny:
			h.Cache.state[i] = S
		case RdOwn, RdOwnNoData, CLFlush, ItoMWr, WrInv:
			h.Cache.state[i] = I
		}
	}
	m := Message{Host: uint8(t.device), Tag: t.tag, Addr: t.addr, Pull: uint32(k)}
	bit := uint64(1) << max(t.device, 0)
	switch t.req {
	case DirtyEvict, ItoMWr, WrInv:
		e := h.held[t.addr]
		e.sharers &^= bit
		h.setSharers(t.addr, e)
		if m.Op = GOWritePull; t.req == WrInv {
			m.Op = WritePull
		}
		h.Count.Pulls++
		h.sink.Send(m)
	case CleanEvict, CleanEvictNoData:
		e := h.held[t.addr]
		e.sharers &^= bit
		h.setSharers(t.addr, e)
		if m.Op = GOWritePullDrop; t.req == CleanEvictNoData {
			m.Op = GO
		}
		h.sink.Send(m)
		h.finish(k)
	case CLFlush:
		m.Op = GO
		h.sink.Send(m)
		h.finish(k)
	case RdOwnNoData:
		h.supply(k, 0)
	default:
		if own || t.device == local && t.kind == Store {
			h.supply(k, value)
			return
		}
		h.sink.Fetch(k, t.addr)
	}
}

// Fetched is the answer to Fetch.
func (h *Home) Fetched(id int32, value uint64) { h.supply(id, value) }

// supply sends a line to its requester.
func (h *Home) supply(k int32, value uint64) {
	t := &h.all[k]
	if t.device == local {
		h.install(t, value)
		h.finish(k)
		return
	}
	e := h.held[t.addr]
	bit := uint64(1) << t.device
	m := Message{Op: GO, Host: uint8(t.device), Meta: E, Tag: t.tag, Addr: t.addr}
	alone := e.sharers&^bit == 0 && h.Cache.State(t.addr) == I
	switch {
	case t.req == RdCurr:
		m.Op = None // data without GO
	case t.req == RdShared || t.req == RdAny && !alone:
		m.Meta = S
		h.setSharers(t.addr, entry{e.sharers | bit, false})
	default:
		h.setSharers(t.addr, entry{bit, true})
	}
	if m.Op != None {
		h.sink.Send(m)
	}
	if t.req != RdOwnNoData {
		h.sink.Send(Message{Op: H2DData, Host: uint8(t.device), Tag: t.tag, Addr: t.addr, Value: value})
	}
	h.finish(k)
}

// install gives a line to a core, and to the cache if that has any place.
func (h *Home) install(t *action, value uint64) {
	s := E
	if h.held[t.addr].sharers != 0 {
		s = S
	}
	s = max(s, h.Cache.State(t.addr))
	if t.kind != Load {
		s, value = M, t.value
	}
	if old, data, dirty := h.Cache.replace(t.addr, s, value); dirty {
		h.sink.Store(old, data)
	}
	h.sink.Done(t.ref, value)
}

// finish ends an action; the next one that waits for its line begins.
func (h *Home) finish(k int32) {
	t := h.all[k]
	h.all[k] = action{}
	h.free = append(h.free, k)
	if t.next < 0 {
		delete(h.active, t.addr)
		return
	}
	n := &h.all[t.next]
	if n.last = t.last; t.last == t.next {
		n.last = -1
	}
	h.active[t.addr] = t.next
	h.start(t.next)
}

// Busy returns the lines with a transaction in flight.
func (h *Home) Busy() int { return len(h.active) }

// Requester returns the access of a core that action id serves; -1 if it serves a device.
func (h *Home) Requester(id int32) int32 {
	if t := &h.all[id]; t.device == local {
		return t.ref
	}
	return -1
}
