package coherence

import "fmt"

// A HostSink is the link to the device, and the cores, of a Host.
type HostSink interface {
	// Send sends a message to the device.
	Send(Message)
	// Done reports the end of an access, and the value read.
	Done(ref int32, value uint64)
}

// HostCounters counts the events of a Host.
type HostCounters struct {
	Hits, Misses      uint64 // accesses that hit and miss the cache
	Writebacks        uint64 // MemWr
	CleanEvicts       uint64 // MemClnEvct
	Snoops            uint64 // BISnp that came
	Flips             uint64 // D2H requests for lines of the device's memory
	Early, Late       uint64 // conflicts of a BISnp with a request in flight, by outcome
	Invalidated, Left uint64 // copies invalidated by snoops, copies that remained in some state
}

// A Host is the cache and home agent of a host for coherent memory of devices: HDM-D or HDM-DB.
type Host struct {
	Count HostCounters
	Cache Cache

	id    uint8
	sink  HostSink
	pend  []pending
	free  []int32
	index map[uint64]int32 // pending by line
	queue accesses
}

// pending is a line with a transaction in flight.
type pending struct {
	addr        uint64
	req         Op // M2S Req outstanding
	grant       State
	cmp, data   bool // have come
	needs       bool // data
	wb          bool // MemWr outstanding
	value       uint64
	snoop       Op // BISnp or D2H request that waits for its answer
	tag         uint32
	shake       handshake
	first, last int32 // accesses; -1: none
	live        bool
}

// A handshake finds out which came first, a request of the host or a BISnp.
type handshake uint8

const (
	calm   handshake = iota
	asking           // BIConflict is on its way
	early            // the device has not seen the request: it gets the answer first
	late             // the request was first, the snoop means what it grants
)

type waiter struct {
	next  int32
	ref   int32
	kind  Access
	value uint64
}

// NewHost makes host number id with a cache of sets x ways lines.
func NewHost(id uint8, sets, ways int, sink HostSink) *Host {
	return &Host{id: id, Cache: NewCache(sets, ways), sink: sink, index: map[uint64]int32{}}
}

// Access accesses a line; value is that of a store. If hit is false, the access ends with a call
// of Done.
func (h *Host) Access(addr uint64, kind Access, ref int32, value uint64) (hit bool, read uint64) {
	if k, busy := h.index[addr]; busy {
		h.Count.Misses++
		h.queue.push(&h.pend[k].first, &h.pend[k].last, waiter{ref: ref, kind: kind, value: value})
		return false, 0
	}
	if read, ok := h.Cache.access(addr, kind, value); ok {
		h.Count.Hits++
		return true, read
	}
	h.Count.Misses++
	k := h.open(addr)
	h.queue.push(&h.pend[k].first, &h.pend[k].last, waiter{ref: ref, kind: kind, value: value})
	h.settle(k)
	return false, 0
}

// Receive handles a message of the device. It panics for an unexpected one.
func (h *Host) Receive(m Message) {
	switch m.Op {
	case Cmp, CmpS, CmpE:
		p := h.tagged(m)
		if p.wb {
			p.wb = false
		} else {
			p.cmp = true
			p.grant = granted(m.Op)
		}
		h.settle(int32(m.Tag))
	case MemData:
		p := h.tagged(m)
		p.data, p.value = true, m.Value
		h.settle(int32(m.Tag))
	case BIConflictAck:
		p := h.tagged(m)
		if p.shake != asking {
			h.unexpected(m)
		}
		p.shake = early
		h.Count.Early++
		if p.cmp || p.req == None { // NDR keeps Cmp and BI-ConflictAck in order
			p.shake = late
			h.Count.Early--
			h.Count.Late++
		}
		h.settle(int32(m.Tag))
	case BISnpInv, BISnpData, BISnpCur:
		h.Count.Snoops++
		h.snooped(m)
	case RdCurr, RdOwn, RdShared, RdAny, RdOwnNoData, CLFlush, WOWrInvF:
		h.Count.Flips++
		h.snooped(m)
	default:
		h.unexpected(m)
	}
}

// settle does what can be done about a line.
func (h *Host) settle(k int32) {
	for {
		p := &h.pend[k]
		if p.wb {
			return
		}
		if p.req != None {
			switch {
			case p.cmp && (p.data || !p.needs):
				h.complete(k)
				continue
			case p.snoop != None && p.shake == early:
				h.answer(k)
			}
			return
		}
		switch {
		case p.shake == asking:
			return
		case p.snoop != None:
			h.answer(k)
			if !h.pend[k].wb && h.pend[k].snoop != None {
				panic("coherence: a snoop without an answer")
			}
		case p.first >= 0:
			if !h.serve(k) {
				h.request(k)
			}
		default:
			h.close(k)
			return
		}
	}
}

// request sends the request that the first access needs.
func (h *Host) request(k int32) {
	p := &h.pend[k]
	m := Message{Op: MemRd, Host: h.id, Meta: E, Snp: SnpInv, Tag: uint32(k), Addr: p.addr}
	p.needs = true
	switch h.queue.all[p.first].kind {
	case Load:
		if m.Meta, m.Snp = S, SnpData; h.Cache.ways == 0 {
			m.Meta, m.Snp = I, SnpCur // nowhere to keep it
		}
	case Store:
		m.Op, p.needs = MemInv, false
	}
	p.req, p.cmp, p.data = m.Op, false, false
	h.sink.Send(m)
}

// complete ends a request: the line is here.
func (h *Host) complete(k int32) {
	p := &h.pend[k]
	req, grant := p.req, p.grant
	p.req, p.cmp = None, false
	if req == MemClnEvct {
		return
	}
	addr, value := p.addr, p.value
	if !p.needs {
		value = h.Cache.Value(addr)
	}
	cached := grant != I && h.room(addr)
	if cached {
		h.Cache.put(addr, grant, value)
		for h.pend[k].first >= 0 && h.serve(k) {
		}
		return
	}
	// without a place the line is used and given back; a snoop that waits takes the
	// place of MemClnEvct, which the device would not look at before its answer
	if s := h.use(k, grant, &value); s == M {
		h.write(k, I, value)
	} else if s != I && h.pend[k].snoop == None {
		h.evict(k)
	}
}

func granted(o Op) State {
	switch o {
	case CmpS:
		return S
	case CmpE:
		return E
	}
	return I
}

// use serves accesses of a line without a place in the cache, and returns the state that remains.
func (h *Host) use(k int32, s State, value *uint64) State {
	uncached := s == I
	for {
		p := &h.pend[k]
		if p.first < 0 {
			return s
		}
		w := h.queue.all[p.first]
		if w.kind != Load {
			if s < E {
				return s
			}
			s, *value = M, w.value
		}
		h.queue.pop(&h.pend[k].first)
		h.sink.Done(w.ref, *value)
		if uncached {
			return s
		}
	}
}

// room makes room for a line: false if there is none.
func (h *Host) room(addr uint64) bool {
	if h.Cache.ways == 0 {
		return false
	}
	if h.Cache.find(addr) >= 0 {
		return true
	}
	victim, free, ok := h.Cache.victim(addr, func(a uint64) bool { _, busy := h.index[a]; return busy })
	if !ok || free {
		return ok
	}
	s, value := h.Cache.State(victim), h.Cache.Value(victim)
	h.Cache.turn(victim, I)
	k := h.open(victim)
	if s == M {
		h.write(k, I, value)
	} else {
		h.evict(k)
	}
	return true
}

// serve carries out the first access of a line, if its state allows.
func (h *Host) serve(k int32) bool {
	p := &h.pend[k]
	w := h.queue.all[p.first]
	value, ok := h.Cache.access(p.addr, w.kind, w.value)
	if !ok {
		return false
	}
	h.queue.pop(&h.pend[k].first)
	h.sink.Done(w.ref, value)
	return true
}

// write sends a line back, and keeps it in a state.
func (h *Host) write(k int32, keep State, value uint64) {
	p := &h.pend[k]
	p.wb = true
	h.Count.Writebacks++
	h.sink.Send(Message{Op: MemWr, Host: h.id, Meta: keep, Tag: uint32(k), Addr: p.addr, Value: value})
}

// evict reports the eviction of a clean copy to the device.
func (h *Host) evict(k int32) {
	p := &h.pend[k]
	p.req, p.cmp, p.data, p.needs = MemClnEvct, false, false, false
	h.Count.CleanEvicts++
	h.sink.Send(Message{Op: MemClnEvct, Host: h.id, Meta: I, Tag: uint32(k), Addr: p.addr})
}

// open makes a line pending.
func (h *Host) open(addr uint64) int32 {
	var k int32
	if n := len(h.free); n > 0 {
		k = h.free[n-1]
		h.free = h.free[:n-1]
	} else {
		k = int32(len(h.pend))
		h.pend = append(h.pend, pending{})
	}
	h.pend[k] = pending{addr: addr, first: -1, last: -1, live: true}
	h.index[addr] = k
	return k
}

func (h *Host) close(k int32) {
	delete(h.index, h.pend[k].addr)
	h.pend[k] = pending{first: -1, last: -1}
	h.free = append(h.free, k)
}

// Busy returns the lines with a transaction in flight.
func (h *Host) Busy() int { return len(h.index) }

// tagged is the pending line that an answer belongs to.
func (h *Host) tagged(m Message) *pending {
	if int(m.Tag) >= len(h.pend) || !h.pend[m.Tag].live || h.pend[m.Tag].addr != m.Addr {
		h.unexpected(m)
	}
	return &h.pend[m.Tag]
}

func (h *Host) unexpected(m Message) {
	panic(fmt.Sprintf("coherence: host %d does not expect %s for %#x, tag %d", h.id, m, m.Addr, m.Tag))
}

// First returns the access for which the request of a tag was sent; -1 is none.
func (h *Host) First(tag uint32) int32 {
	if p := &h.pend[tag]; p.first >= 0 {
		return h.queue.all[p.first].ref
	}
	return -1
}

// SnoopTag returns the tag of the snoop that waits for the line of request tag; ok is false if
// none waits.
func (h *Host) SnoopTag(tag uint32) (snoop uint32, ok bool) {
	p := &h.pend[tag]
	return p.tag, p.snoop != None
}
