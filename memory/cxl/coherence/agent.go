package coherence

import "fmt"

// An AgentSink receives the messages and results of an Agent.
type AgentSink interface {
	// Send sends a message to the host.
	Send(Message)
	// Done reports the end of an access, and the value read.
	Done(ref int32, value uint64)
}

// AgentCounters counts the events of an Agent.
type AgentCounters struct {
	Hits, Misses uint64
	Evictions    uint64 // DirtyEvict, CleanEvict and CleanEvictNoData
	Through      uint64 // RdCurr and WrInv: accesses without a place in the cache
	Snoops       uint64
	Forwarded    uint64 // snoops that took modified data
	Bogus        uint64 // pulled data that a snoop had taken before
}

// An Agent is a device's cache of its host's memory, by CXL.cache.
type Agent struct {
	Count AgentCounters
	Cache Cache

	id       uint8
	sink     AgentSink
	pend     []claim
	free     []int32
	index    map[uint64]int32
	queue    accesses
	reserved []int // places of each set for lines that are to come
}

// A claim is a line with a transaction of the agent in flight.
type claim struct {
	addr        uint64
	req         Op
	gone        bool // GO has come
	data        bool // have come
	needs       bool // data
	place       bool // is reserved
	grant       State
	held        State // of a line that is on its way out
	lost        bool  // a snoop took its data
	value       uint64
	snoop       Op // waits for the data of a granted line
	tag         uint32
	first, last int32 // accesses; -1: none
	live        bool
}

// NewAgent makes agent number id of a host, with a cache of sets x ways lines.
func NewAgent(id uint8, sets, ways int, sink AgentSink) *Agent {
	return &Agent{id: id, Cache: NewCache(sets, ways), sink: sink, index: map[uint64]int32{}, reserved: make([]int, max(sets, 1))}
}

// Access accesses a line; value is that of a store. If hit is false, the access ends with a call
// of Done.
func (a *Agent) Access(addr uint64, kind Access, ref int32, value uint64) (hit bool, read uint64) {
	w := waiter{ref: ref, kind: kind, value: value}
	if k, busy := a.index[addr]; busy {
		a.Count.Misses++
		a.queue.push(&a.pend[k].first, &a.pend[k].last, w)
		return false, 0
	}
	if read, ok := a.Cache.access(addr, kind, value); ok {
		a.Count.Hits++
		return true, read
	}
	a.Count.Misses++
	k := a.open(addr)
	a.queue.push(&a.pend[k].first, &a.pend[k].last, w)
	a.request(k)
	return false, 0
}

// Receive handles a message of the host. It panics for an unexpected one.
func (a *Agent) Receive(m Message) {
	if m.Op == SnpData || m.Op == SnpInv || m.Op == SnpCur {
		a.Count.Snoops++
		if k, busy := a.index[m.Addr]; busy {
			// GO was first: the snoop means what it grants, once that is here
			if p := &a.pend[k]; p.gone && p.needs && !p.data {
				p.snoop, p.tag = m.Op, m.Tag
				return
			}
		}
		a.snooped(m.Op, m.Tag, m.Addr)
		return
	}
	k := int32(m.Tag)
	if int(k) >= len(a.pend) || !a.pend[k].live || a.pend[k].addr != m.Addr {
		panic(fmt.Sprintf("coherence: agent %d does not expect %s for %#x", a.id, m, m.Addr))
	}
	p := &a.pend[k]
	switch m.Op {
	case GO:
		p.gone, p.grant = true, m.Meta
	case H2DData:
		p.data, p.value = true, m.Value
	case GOWritePullDrop:
		p.gone = true
	case GOWritePull, WritePull:
		if p.lost {
			a.Count.Bogus++
		}
		a.sink.Send(Message{Op: D2HData, Host: a.id, Tag: m.Pull, Addr: p.addr, Value: p.value, Bogus: p.lost})
		p.gone = m.Op == GOWritePull // else GO comes after the data
	default:
		panic(fmt.Sprintf("coherence: agent %d does not expect %s", a.id, m))
	}
	a.settle(k)
}

// settle ends what is complete about a line and goes on with what waits for it.
func (a *Agent) settle(k int32) {
	p := &a.pend[k]
	switch {
	case p.req == RdCurr: // whose data come without GO
		if !p.data {
			return
		}
		a.over(k, p.value)
	case !p.gone || p.needs && !p.data:
		return
	case p.req == WrInv:
		a.over(k, p.value)
	case p.req == RdShared || p.req == RdAny || p.req == RdOwn || p.req == RdOwnNoData:
		a.placed(k)
		a.Cache.put(p.addr, p.grant, p.value)
		for a.pend[k].first >= 0 && a.serve(k) {
		}
	}
	p = &a.pend[k]
	p.req, p.gone, p.data, p.held, p.lost = None, false, false, I, false
	if op := p.snoop; op != None {
		p.snoop = None
		a.snooped(op, p.tag, p.addr)
	}
	for a.pend[k].first >= 0 {
		if !a.serve(k) {
			a.request(k)
			return
		}
	}
	a.close(k)
}

// request sends the request that the first access of a line needs.
func (a *Agent) request(k int32) {
	w := a.queue.all[a.pend[k].first]
	place := a.room(k)
	p := &a.pend[k]
	p.needs = true
	switch {
	case !place && w.kind == Load:
		p.req = RdCurr
		a.Count.Through++
	case !place:
		p.req, p.needs, p.value = WrInv, false, w.value
		a.Count.Through++
	case w.kind == Load:
		p.req = RdAny
	case w.kind == Store:
		p.req, p.needs = RdOwnNoData, false
	default:
		p.req = RdOwn
	}
	a.sink.Send(Message{Op: p.req, Host: a.id, Tag: uint32(k), Addr: p.addr})
}

// room reserves a place for a line, unless it has one; false if there is none.
func (a *Agent) room(k int32) bool {
	addr := a.pend[k].addr
	if a.pend[k].place || a.Cache.find(addr) >= 0 {
		return true
	}
	set := a.Cache.number(addr)
	if a.Cache.held(addr)+a.reserved[set] >= int(a.Cache.ways) {
		victim, free, ok := a.Cache.victim(addr, func(x uint64) bool { _, busy := a.index[x]; return busy })
		if free || !ok {
			return false // all places are for lines that are to come, or in use
		}
		a.evict(victim)
	}
	a.pend[k].place = true
	a.reserved[set]++
	return true
}

// placed gives up a reserved place.
func (a *Agent) placed(k int32) {
	if p := &a.pend[k]; p.place {
		p.place = false
		a.reserved[a.Cache.number(p.addr)]--
	}
}

// evict gives a line back.
func (a *Agent) evict(addr uint64) {
	s, value := a.Cache.State(addr), a.Cache.Value(addr)
	a.Cache.turn(addr, I)
	k := a.open(addr)
	p := &a.pend[k]
	p.held, p.value = s, value
	p.req = [...]Op{S: CleanEvictNoData, E: CleanEvict, M: DirtyEvict}[s]
	a.Count.Evictions++
	a.sink.Send(Message{Op: p.req, Host: a.id, Tag: uint32(k), Addr: addr})
}

// snooped answers a snoop from the present state of the line. A line that is being evicted is
// present until GO; if a snoop takes its data, data pulled later are bogus.
func (a *Agent) snooped(op Op, tag uint32, addr uint64) {
	i := a.Cache.find(addr)
	k, busy := a.index[addr]
	s, value := I, uint64(0)
	switch {
	case i >= 0:
		s, value = a.Cache.state[i], a.Cache.value[i]
	case busy:
		s, value = a.pend[k].held, a.pend[k].value
	}
	left := s
	switch op {
	case SnpInv:
		left = I
	case SnpData:
		left = min(s, S)
	}
	m := Message{Host: a.id, Tag: tag, Addr: addr, Meta: left}
	switch {
	case s == I:
		m.Op = RspIHitI
	case op == SnpCur && s == M:
		m.Op = RspVFwdV
	case op == SnpCur:
		m.Op = RspVHitV
	case op == SnpInv && s == M:
		m.Op = RspIFwdM
	case op == SnpInv:
		m.Op = RspIHitSE
	case s == M:
		m.Op = RspSFwdM
	default:
		m.Op = RspSHitSE
	}
	switch {
	case i >= 0:
		a.Cache.state[i] = left
		if left == I && busy { // its place is kept for what it waits for
			a.pend[k].place = true
			a.reserved[a.Cache.number(addr)]++
		}
	case busy:
		a.pend[k].held = left
		a.pend[k].lost = a.pend[k].lost || s == M && left != M
	}
	a.sink.Send(m)
	if s == M {
		a.Count.Forwarded++
		a.sink.Send(Message{Op: D2HData, Host: a.id, Tag: tag, Addr: addr, Value: value})
	}
}

// over ends the first access of a line.
func (a *Agent) over(k int32, value uint64) {
	w := a.queue.pop(&a.pend[k].first)
	a.sink.Done(w.ref, value)
}

// serve carries out the first access of a line, if its state allows.
func (a *Agent) serve(k int32) bool {
	p := &a.pend[k]
	w := a.queue.all[p.first]
	value, ok := a.Cache.access(p.addr, w.kind, w.value)
	if !ok {
		return false
	}
	a.over(k, value)
	return true
}

func (a *Agent) open(addr uint64) int32 {
	var k int32
	if n := len(a.free); n > 0 {
		k = a.free[n-1]
		a.free = a.free[:n-1]
	} else {
		k = int32(len(a.pend))
		a.pend = append(a.pend, claim{})
	}
	a.pend[k] = claim{addr: addr, first: -1, last: -1, live: true}
	a.index[addr] = k
	return k
}

func (a *Agent) close(k int32) {
	a.placed(k)
	delete(a.index, a.pend[k].addr)
	a.pend[k] = claim{first: -1, last: -1}
	a.free = append(a.free, k)
}

// Busy returns the lines with a transaction in flight.
func (a *Agent) Busy() int { return len(a.index) }
