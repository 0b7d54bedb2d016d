package coherence

import (
	"fmt"
	"math/bits"
)

// A DeviceSink is the links, the memory and the accelerator of a Device.
type DeviceSink interface {
	// Send sends a message to the host that Message.Host names.
	Send(Message)
	// Fetch reads a line from the memory; Fetched(id) is the answer. It sees all
	// stores before it, and none after it.
	Fetch(id int32, addr uint64)
	// Store writes a line to the memory.
	Store(addr, value uint64)
	// Done reports the end of an access of the accelerator, and the value read.
	Done(ref int32, value uint64)
}

// A Model is the way in which device memory is kept coherent.
type Model uint8

// The models of device coherence.
const (
	HDMDB Model = iota // back-invalidate snoops
	HDMD               // CXL.cache requests to the only host
)

// DeviceCounters counts the events of a Device.
type DeviceCounters struct {
	Hits, Misses uint64 // accesses of the accelerator without, and with, a snoop of hosts
	CacheHits    uint64 // of Hits and of hosts' requests, hits in the device's cache
	Requests     uint64 // of hosts
	Snoops       uint64 // BISnp, or D2H requests, sent
	Invalidates  uint64 // of Snoops, those that evict an entry of a full filter
	Evictions    uint64 // entries evicted from a full filter
	ToDevice     uint64 // lines that changed from host bias to device bias
	ToHost       uint64 // and back
	Conflicts    uint64 // BIConflict
	Blocked      uint64 // requests that found their line busy
	Stalled      uint64 // requests without a place in the filter
	Writes       uint64 // MemWr
	Most         int    // peak entries in the filter
}

// A Device is the coherence engine (DCOH) of a device, with its snoop filter and its own cache.
// It orders the transactions of each line.
type Device struct {
	Count  DeviceCounters
	Cache  Cache
	Filter Filter

	model  Model
	sink   DeviceSink
	all    []transaction
	free   []int32
	active map[uint64]int32 // the transaction that has a line
	// stalled wait for a place in the filter, oldest first.
	stalled []int32
}

// A transaction is a request in the device.
type transaction struct {
	addr    uint64
	host    int16 // that asks; local: the device; -2: the filter wants the place
	req     Op    // of the host
	snp     Op
	tag     uint32
	kind    Access // of the accelerator
	ref     int32
	value   uint64
	waiting uint64 // hosts whose answers have not come
	next    int32  // that waits for the same line
	last    int32  // of those that wait for this one
	nested  bool   // at the same time as another one of its line
	live    bool
}

const (
	local  = -1
	nobody = -2
)

// NewDevice makes the engine of a device with a cache of sets x ways lines.
func NewDevice(m Model, f Filter, sets, ways int, sink DeviceSink) *Device {
	return &Device{model: m, Filter: f, Cache: NewCache(sets, ways), sink: sink, active: map[uint64]int32{}}
}

// Access is an access of the accelerator. If hit is false, it ends with a call of Done.
func (d *Device) Access(addr uint64, kind Access, ref int32, value uint64) (hit bool, read uint64) {
	if _, busy := d.active[addr]; !busy {
		if read, ok := d.Cache.access(addr, kind, value); ok {
			d.Count.Hits++
			d.Count.CacheHits++
			return true, read
		}
	}
	d.begin(transaction{addr: addr, host: local, kind: kind, ref: ref, value: value})
	return false, 0
}

// Receive handles a message of a host. It panics for an unexpected one.
func (d *Device) Receive(m Message) {
	switch m.Op {
	case MemRd, MemInv, MemClnEvct:
		d.Count.Requests++
		d.begin(transaction{addr: m.Addr, host: int16(m.Host), req: m.Op, snp: m.Snp, tag: m.Tag})
	case MemWr: // never waits: what it may wait for waits for it
		d.Count.Writes++
		d.sink.Store(m.Addr, m.Value)
		d.noteState(m.Host, m.Addr, m.Meta)
		d.sink.Send(Message{Op: Cmp, Host: m.Host, Tag: m.Tag, Addr: m.Addr})
	case BIConflict:
		d.Count.Conflicts++
		d.sink.Send(Message{Op: BIConflictAck, Host: m.Host, Tag: m.Tag, Addr: m.Addr})
	case BIRspI, BIRspS, BIRspE, MemRdFwd, MemWrFwd:
		k := int32(m.Tag)
		if int(k) >= len(d.all) || !d.all[k].live || d.all[k].addr != m.Addr || d.all[k].waiting>>m.Host&1 == 0 {
			panic(fmt.Sprintf("coherence: a device does not expect %s of host %d for %#x", m, m.Host, m.Addr))
		}
		d.noteState(m.Host, m.Addr, m.Meta)
		if d.model == HDMD && m.Meta == I {
			d.Count.ToDevice++
		}
		t := &d.all[k]
		if t.waiting &^= 1 << m.Host; t.waiting == 0 {
			d.resolved(k)
		}
	default:
		panic(fmt.Sprintf("coherence: a device does not expect %s", m))
	}
}

// noteState notes the state that a host has kept.
func (d *Device) noteState(host uint8, addr uint64, s State) {
	e := d.Filter.get(addr)
	switch {
	case s == I:
		e.sharers &^= 1 << host
	case s == S:
		e.alone = false
	}
	e.alone = e.alone && e.sharers != 0
	_, busy := d.active[addr]
	d.Filter.put(addr, e, busy)
}

// begin takes a request in: it waits if its line is busy.
func (d *Device) begin(t transaction) {
	var k int32
	if n := len(d.free); n > 0 {
		k = d.free[n-1]
		d.free = d.free[:n-1]
	} else {
		k = int32(len(d.all))
		d.all = append(d.all, transaction{})
	}
	t.next, t.last, t.live = -1, -1, true
	d.all[k] = t
	owner, busy := d.active[t.addr]
	switch {
	case !busy:
		d.active[t.addr] = k
		d.start(k)
	case d.model == HDMD && t.host >= 0 && d.all[owner].waiting != 0:
		// The host answers our request after its own, so this one goes first.
		d.all[k].nested = true
		d.resolved(k)
	default:
		d.Count.Blocked++
		o := &d.all[owner]
		if o.last < 0 {
			o.next = k
		} else {
			d.all[o.last].next = k
		}
		o.last = k
	}
}

// start begins a transaction that has its line.
func (d *Device) start(k int32) {
	t := &d.all[k]
	if t.installs() {
		victim, found, ok := d.Filter.reserve(t.addr, d.pinned)
		if !ok {
			d.Count.Stalled++
			d.stalled = append(d.stalled, k)
			if found {
				d.Count.Evictions++
				d.begin(transaction{addr: victim, host: nobody})
			}
			return
		}
		d.Count.Most = max(d.Count.Most, d.Filter.Entries())
	}
	others, op := t.snoops(d.Filter.get(t.addr))
	if t.host == local {
		if others == 0 {
			d.Count.Hits++
			if d.Cache.find(t.addr) >= 0 {
				d.Count.CacheHits++
			}
		} else {
			d.Count.Misses++
		}
	}
	if others == 0 {
		d.resolved(k)
		return
	}
	if d.model == HDMD {
		switch { // what a device cache would ask for its host's memory
		case t.kind == Load:
			op = RdAny
		case t.kind == Store:
			op = RdOwnNoData
		default:
			op = RdOwn
		}
	}
	t.waiting = others
	addr, invalidate := t.addr, t.host == nobody
	for w := others; w != 0; w &= w - 1 {
		d.Count.Snoops++
		if invalidate {
			d.Count.Invalidates++
		}
		d.sink.Send(Message{Op: op, Host: uint8(bits.TrailingZeros64(w)), Tag: uint32(k), Addr: addr})
	}
	if d.model == HDMD {
		d.overtake(k)
	}
}

// snoops are the hosts that a transaction must ask before it, and with what.
func (t *transaction) snoops(e entry) (others uint64, op Op) {
	others, op = e.sharers, BISnpInv
	if t.host >= 0 {
		others &^= 1 << t.host
	}
	switch {
	case t.req == MemClnEvct:
		others = 0
	case t.req == MemRd && t.snp == SnpCur:
		op = BISnpCur
	case t.req == MemRd && t.snp == SnpData, t.host == local && t.kind == Load:
		op = BISnpData
	}
	if op != BISnpInv && !e.alone {
		others = 0 // shared copies are those of the memory
	}
	return others, op
}

// overtake lets requests of the host that wait behind transaction k go first: the
// host answers k after them.
func (d *Device) overtake(k int32) {
	before := k
	for i := d.all[k].next; i >= 0; i = d.all[before].next {
		n := &d.all[i]
		if n.host < 0 {
			before = i
			continue
		}
		d.all[before].next = n.next
		if d.all[k].last == i {
			if d.all[k].last = before; before == k {
				d.all[k].last = -1
			}
		}
		n.nested, n.next = true, -1
		d.resolved(i)
	}
}

// installs reports whether a host will hold the line after the transaction.
func (t *transaction) installs() bool {
	return t.req == MemInv || t.req == MemRd && t.snp != SnpCur
}

// pinned reports whether a line cannot leave the filter now.
func (d *Device) pinned(addr uint64) bool { _, busy := d.active[addr]; return busy }

// resolved goes on when no other host has what the transaction does not allow.
func (d *Device) resolved(k int32) {
	t := &d.all[k]
	addr := t.addr
	i := d.Cache.find(addr)
	if t.host >= 0 && i >= 0 && t.req != MemClnEvct {
		// the device's own copy
		d.Count.CacheHits++
		value, s := d.Cache.value[i], d.Cache.state[i]
		if s == M {
			d.sink.Store(addr, value)
			d.Cache.state[i] = E
		}
		if t.snp == SnpData {
			d.Cache.state[i] = S
		} else if t.snp != SnpCur {
			d.Cache.state[i] = I
		}
		d.finish(k, value)
		return
	}
	needs := t.req == MemRd
	if t.host == local {
		needs = i < 0 && t.kind != Store
	}
	switch {
	case needs:
		d.sink.Fetch(k, addr)
	case i >= 0:
		d.finish(k, d.Cache.value[i])
	default:
		d.finish(k, 0)
	}
}

// Fetched is the answer to Fetch.
func (d *Device) Fetched(id int32, value uint64) { d.finish(id, value) }

// finish ends a transaction: value is that of the line.
func (d *Device) finish(k int32, value uint64) {
	t := d.all[k]
	switch {
	case t.host == local:
		d.install(&t, value)
	case t.host >= 0:
		d.grant(&t, value)
	}
	d.all[k] = transaction{}
	d.free = append(d.free, k)
	if t.nested {
		return
	}
	// the next transaction that waits for the line
	if t.next >= 0 {
		n := &d.all[t.next]
		if n.last = t.last; t.last == t.next {
			n.last = -1
		}
		d.active[t.addr] = t.next
	} else {
		delete(d.active, t.addr)
	}
	if e := d.Filter.get(t.addr); e.sharers == 0 {
		d.Filter.put(t.addr, e, false)
	}
	if t.next >= 0 {
		d.start(t.next)
	}
	d.retryStalled(d.Filter.set(t.addr))
}

// retryStalled tries those that wait for a place in a set of the filter.
func (d *Device) retryStalled(set uint64) {
	for i := 0; i < len(d.stalled); {
		k := d.stalled[i]
		if d.Filter.set(d.all[k].addr) != set {
			i++
			continue
		}
		d.stalled = append(d.stalled[:i], d.stalled[i+1:]...)
		d.start(k)
		if n := len(d.stalled); n > 0 && d.stalled[n-1] == k {
			return // it waits again, and so will the others
		}
		i = 0 // others may have come and gone
	}
}

// grant answers a host.
func (d *Device) grant(t *transaction, value uint64) {
	e := d.Filter.get(t.addr)
	bit := uint64(1) << t.host
	m := Message{Op: Cmp, Host: uint8(t.host), Tag: t.tag, Addr: t.addr}
	before := e.sharers
	switch {
	case t.req == MemClnEvct:
		e.sharers &^= bit
		e.alone = e.alone && e.sharers != 0
	case !t.installs():
	case t.snp == SnpInv:
		e = entry{bit, true}
		m.Op = CmpE
	case e.sharers&^bit == 0 && d.Cache.State(t.addr) == I:
		e = entry{bit, true}
		m.Op = CmpE
	default:
		e = entry{e.sharers | bit, false}
		m.Op = CmpS
	}
	if d.model == HDMD && before == 0 && e.sharers != 0 {
		d.Count.ToHost++
	}
	d.Filter.put(t.addr, e, true)
	d.sink.Send(m)
	if t.req == MemRd {
		d.sink.Send(Message{Op: MemData, Host: uint8(t.host), Tag: t.tag, Addr: t.addr, Value: value})
	}
}

// install gives a line to the accelerator, and to the device's cache if that has any
// place.
func (d *Device) install(t *transaction, value uint64) {
	s := E
	if d.Filter.get(t.addr).sharers != 0 {
		s = S
	}
	s = max(s, d.Cache.State(t.addr)) // an earlier store may have found it
	if t.kind != Load {
		s, value = M, t.value
	}
	if old, data, dirty := d.Cache.replace(t.addr, s, value); dirty {
		d.sink.Store(old, data)
	}
	d.sink.Done(t.ref, value)
}

// Busy returns the lines with a transaction in flight.
func (d *Device) Busy() int { return len(d.active) }

// Requester returns the host and the tag of the request of transaction id; ok is false if no host
// requested it.
func (d *Device) Requester(id int32) (host int, tag uint32, ok bool) {
	t := &d.all[id]
	return int(t.host), t.tag, t.host >= 0
}
