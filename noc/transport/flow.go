package transport

import (
	"math"

	"github.com/causeway-sim/causeway/components/ring"
	"github.com/causeway-sim/causeway/noc/congestion"
	"github.com/causeway-sim/causeway/noc/routing"
)

// A flow is the packets from one terminal to another, with the state of both ends.
type flow struct {
	src, dst int32
	key      uint64
	control  congestion.Control
	notified congestion.Notified // control, if it is one

	// Sender.
	sending     int32 // message whose packets are sent, 0 is none; later ones follow by next
	lastMessage int32
	acked       uint32 // all packets before are acknowledged
	next        uint32 // packet that is sent next for the first time, or again with go_back_n
	high        uint32 // one more than the highest packet sent
	top         uint32 // one more than the last packet of all messages
	flight      int64  // bytes
	records     []record
	lost        ring.Of[uint32] // packets to be sent again
	ready       bool            // it waits for its turn at the terminal
	paced       bool            // an event makes it ready
	timer       bool            // an event checks for timeouts
	backoff     uint            // timeouts since the last acknowledgement
	free        uint64          // when pacing lets the next packet leave
	nextReady   int32

	// Receiver.
	expected uint32   // all packets before have come
	came     []uint64 // bits of packets that have come, of a window of a power of two
	pending  [listed]uint32
	n        uint8 // of pending: packets that have come and are not acknowledged
	waits    int64 // their bytes
	asked    bool  // go_back_n: the packet that is expected was asked for
	told     uint64
	hasTold  bool
	tell     bool // a marked packet has come since the last notification
}

// A record is what a sender keeps of a packet.
type record struct {
	at      uint64 // when it was sent
	message int32
	bytes   int32
	state   state
	again   bool
}

type state uint8

const (
	unsent state = iota
	flying
	gone // lost, to be sent again
	settled
)

// flowOf finds or makes a flow.
func (n *Network) flowOf(src, dst int32) int32 {
	key := uint64(uint32(src))<<32 | uint64(uint32(dst))
	f, ok := n.index[key]
	if !ok {
		f = int32(len(n.flows))
		c := n.cfg.Algorithm.Start(n.path(src, dst))
		x := flow{src: src, dst: dst, key: mix(key + n.cfg.Seed), control: c, records: make([]record, 16), came: make([]uint64, 1)}
		x.notified, _ = c.(congestion.Notified)
		n.flows = append(n.flows, x)
		n.index[key] = f
	}
	return f
}

// record is that of a packet of the window.
func (f *flow) record(psn uint32) *record { return &f.records[psn&uint32(len(f.records)-1)] }

// grow makes room for one more record.
func (f *flow) grow() {
	old := f.records
	if int(f.high-f.acked) < len(old) {
		return
	}
	f.records = make([]record, 2*len(old))
	for psn := f.acked; psn != f.high; psn++ {
		*f.record(psn) = old[psn&uint32(len(old)-1)]
	}
}

// A nic is a terminal's end: its flows that may send take turns.
type nic struct {
	first, last int32 // flows, plus 1
	waiting     int32 // messages that have not left whole
	paths       uint32
}

// Spray sets the number of paths that packets of a terminal take, before the first message; 1 is
// one per flow.
func (n *Network) Spray(terminal int, paths uint32) { n.nics[terminal].paths = paths }

// upcoming is the packet that a flow would send now.
func (n *Network) upcoming(f *flow) (psn uint32, bytes int32, ok bool) {
	for f.lost.Len() > 0 {
		psn = *f.lost.At(0)
		if r := f.record(psn); psn-f.acked < f.high-f.acked && r.state == gone {
			return psn, r.bytes, true
		}
		f.lost.Pop() // it has come after all
	}
	if f.next == f.top {
		return 0, 0, false
	}
	if f.next != f.high {
		return f.next, f.record(f.next).bytes, true
	}
	m := &n.messages[f.sending]
	payload := min(int64(n.cfg.Packet), m.bytes-int64(f.next-m.first)*int64(n.cfg.Packet))
	return f.next, int32(max(payload, 0)) + int32(n.cfg.Header), true
}

// wake gives a flow that may send its turn, or an event if pacing delays it.
func (n *Network) wake(i int32) {
	f := &n.flows[i]
	if f.ready || f.paced || !n.may(f) {
		return
	}
	if f.free > n.now {
		f.paced = true
		n.events.Add(f.free, event{paces, i})
		return
	}
	q := &n.nics[f.src]
	f.ready, f.nextReady = true, 0
	if q.first == 0 {
		q.first = i + 1
	} else {
		n.flows[q.last-1].nextReady = i + 1
	}
	q.last = i + 1
	n.kick(n.first + f.src)
}

// may reports whether the window of a flow lets its next packet leave.
func (n *Network) may(f *flow) bool {
	_, bytes, ok := n.upcoming(f)
	if !ok || f.flight == 0 {
		return ok
	}
	window, _ := f.control.Allow(n.ns(n.now))
	return float64(f.flight+int64(bytes)) <= window
}

// pull takes the next packet of a terminal's flows, 0 if none may send.
func (n *Network) pull(t int32) int32 {
	q := &n.nics[t]
	for q.first != 0 {
		i := q.first - 1
		f := &n.flows[i]
		q.first = f.nextReady
		f.ready = false
		if !n.may(f) {
			continue
		}
		if f.free > n.now {
			n.wake(i)
			continue
		}
		p := n.emit(i)
		n.wake(i)
		return p
	}
	return 0
}

// emit makes the next packet of a flow.
func (n *Network) emit(i int32) int32 {
	f := &n.flows[i]
	psn, bytes, _ := n.upcoming(f)
	if f.lost.Len() > 0 {
		f.lost.Pop()
	} else {
		if f.next == f.high {
			n.advance(f, bytes)
		}
		f.next++
	}
	r := f.record(psn)
	if r.again {
		n.count.resent++
	}
	r.state, r.at, r.again = flying, n.now, true
	f.flight += int64(bytes)
	p := n.blank()
	k := &n.packets[p]
	k.Packet = routing.Packet{Dst: f.dst, Src: f.src}
	k.kind, k.flow, k.message, k.psn, k.bytes = data, i, r.message, psn, bytes
	k.flits, k.at, k.via, k.sent, k.ready = n.flits(bytes), f.src, none, n.now, n.now
	if paths := n.nics[f.src].paths; paths > 1 {
		k.entropy = uint32(mix(f.key+uint64(psn/paths))+uint64(psn)) % paths
	}
	n.count.packets++
	now := n.ns(n.now)
	f.control.Sent(now, float64(bytes))
	if _, rate := f.control.Allow(now); rate < n.rate(n.first+f.src) {
		f.free = max(f.free, n.now) + uint64(float64(bytes)/(rate*n.period))
	}
	k.request = !n.may(f)
	if !f.timer {
		f.timer = true
		n.events.Add(n.now+n.timeout, event{expires, i})
	}
	return p
}

// advance records a packet that is sent for the first time.
func (n *Network) advance(f *flow, bytes int32) {
	f.grow()
	m := &n.messages[f.sending]
	*f.record(f.next) = record{message: f.sending, bytes: bytes}
	if m.entered == 0 {
		m.entered = n.now>>tickBits + 1
	}
	f.high++
	if f.high == m.first+m.packets {
		f.sending = m.next
		n.nics[f.src].waiting--
	}
}

// answered handles what a receiver has sent back.
func (n *Network) answered(p int32) {
	k := &n.packets[p]
	i := k.flow
	f := &n.flows[i]
	if k.kind == notice {
		f.notified.Notify(n.ns(n.now))
		n.free(p)
		return
	}
	bytes := n.settle(f, k)
	if k.kind == nack {
		n.asked(f, k)
	} else {
		a := &n.report
		*a = congestion.Ack{Now: n.ns(n.now), RTT: n.ns(n.now - k.sent), Bytes: float64(bytes), InFlight: float64(f.flight),
			Marked: k.marked, Last: uint64(k.psn), Next: uint64(f.high), Telemetry: k.telemetry}
		f.control.Acked(a)
		n.overtaken(f, k)
	}
	n.free(p)
	n.wake(i)
}

// settle notes what an answer acknowledges, and returns its bytes.
func (n *Network) settle(f *flow, k *packet) (bytes int64) {
	for int32(k.expected-f.acked) > 0 {
		bytes += n.settleOne(f, f.acked)
		f.acked++
	}
	if int32(f.acked-f.next) > 0 {
		f.next = f.acked // go_back_n had started too early
	}
	for _, psn := range k.got[:k.n] {
		if int32(psn-f.acked) >= 0 {
			bytes += n.settleOne(f, psn)
		}
	}
	if bytes > 0 {
		f.backoff = 0
	}
	return bytes
}

// settleOne notes that a packet is acknowledged, and returns its bytes, 0 if it was before.
func (n *Network) settleOne(f *flow, psn uint32) int64 {
	r := f.record(psn)
	switch r.state {
	case settled:
		return 0
	case flying:
		f.flight -= int64(r.bytes)
	}
	r.state = settled
	m := &n.messages[r.message]
	if m.unacked--; m.unacked == 0 {
		n.count.complete(n.ns(n.now - m.begun))
		m.next, n.freeM = n.freeM, r.message
	}
	return int64(r.bytes)
}

// asked handles a request for a packet.
func (n *Network) asked(f *flow, k *packet) {
	if n.cfg.InOrder {
		if int32(f.high-f.acked) > 0 {
			n.rewind(f, false)
		}
		return
	}
	if r := f.record(k.psn); k.psn-f.acked < f.high-f.acked && r.state == flying && r.at == k.sent {
		n.lose(f, k.psn, false)
	}
}

// rewind starts again from the first packet that is not acknowledged.
func (n *Network) rewind(f *flow, timeout bool) {
	first := f.record(f.acked)
	for psn := f.acked; psn != f.high; psn++ {
		if r := f.record(psn); r.state == flying {
			r.state = unsent
			f.flight -= int64(r.bytes)
		}
	}
	f.next = f.acked
	n.tellLost(f, first.bytes, timeout)
}

// tellLost reports a lost packet to the control of its flow.
func (n *Network) tellLost(f *flow, bytes int32, timeout bool) {
	n.loss = congestion.Loss{Now: n.ns(n.now), Bytes: float64(bytes), InFlight: float64(f.flight), Timeout: timeout}
	f.control.Lost(&n.loss)
}

// lose queues a packet to be sent again.
func (n *Network) lose(f *flow, psn uint32, timeout bool) {
	r := f.record(psn)
	r.state = gone
	f.flight -= int64(r.bytes)
	f.lost.Push(psn)
	n.tellLost(f, r.bytes, timeout)
}

// overtaken finds packets that were lost, because as many later ones as Reorder have come.
func (n *Network) overtaken(f *flow, k *packet) {
	if n.cfg.InOrder || n.cfg.Reorder == 0 || n.nics[f.src].paths > 1 || int32(k.psn-f.acked) < int32(n.cfg.Reorder) {
		return
	}
	for psn := f.acked; psn != k.psn-uint32(n.cfg.Reorder)+1; psn++ {
		if r := f.record(psn); r.state == flying && r.at < k.sent {
			n.lose(f, psn, false)
		}
	}
}

// expire checks a flow for packets that were not acknowledged in time.
func (n *Network) expire(i int32) {
	f := &n.flows[i]
	oldest := uint64(math.MaxUint64)
	for psn := f.acked; psn != f.high; psn++ {
		if r := f.record(psn); r.state == flying {
			oldest = min(oldest, r.at)
		}
	}
	wait := n.timeout << f.backoff
	if f.timer = oldest != math.MaxUint64; !f.timer {
		return
	}
	if oldest+wait > n.now {
		n.events.Add(oldest+wait, event{expires, i})
		return
	}
	n.count.timeouts++
	f.backoff = min(f.backoff+1, 6)
	if n.cfg.InOrder {
		n.rewind(f, true)
	} else {
		for psn := f.acked; psn != f.high; psn++ {
			if r := f.record(psn); r.state == flying && r.at+wait <= n.now {
				n.lose(f, psn, true)
			}
		}
	}
	n.events.Add(n.now+n.timeout<<f.backoff, event{expires, i})
	n.wake(i)
}
