package transport

import "github.com/causeway-sim/causeway/noc/routing"

// receive handles a packet that has come whole to its terminal.
func (n *Network) receive(p int32, arrived func(Arrival)) {
	k := &n.packets[p]
	f := &n.flows[k.flow]
	switch k.kind {
	case trimmed:
		n.receiveTrimmed(p, f)
	case data:
		if k.marked && n.needs.Notify > 0 {
			n.notify(k.flow, f)
		}
		n.receiveData(p, f, arrived)
	default:
		n.answered(p)
		return
	}
	n.free(p)
}

// receiveTrimmed asks for a packet whose header has come.
func (n *Network) receiveTrimmed(p int32, f *flow) {
	switch k := &n.packets[p]; {
	case f.has(k.psn):
		n.answer(p, f, ack)
	case !n.cfg.InOrder:
		n.answer(p, f, nack)
	default:
		n.gap(p, f)
	}
}

// gap asks, with go_back_n, for the packet that is expected, once.
func (n *Network) gap(p int32, f *flow) {
	if !f.asked {
		f.asked = true
		n.answer(p, f, nack)
	}
}

// receiveData takes a packet, and acknowledges it or leaves that to a later one.
func (n *Network) receiveData(p int32, f *flow, arrived func(Arrival)) {
	k := &n.packets[p]
	switch {
	case f.has(k.psn): // sent again too early
		n.answer(p, f, ack)
		return
	case n.cfg.InOrder && k.psn != f.expected:
		n.gap(p, f)
		return
	}
	first := f.expected == 0 && f.n == 0
	f.asked = false
	filled := f.take(k.psn)
	f.pending[f.n] = k.psn
	f.n++
	f.waits += int64(k.bytes)
	m := &n.messages[k.message]
	if m.left--; m.left == 0 {
		n.count.arrived++
		arrived(Arrival{m.id, m.entered - 1, int(k.hops)})
	}
	if first || filled || k.marked || k.request || f.n == listed || f.waits >= int64(n.cfg.Every) {
		n.answer(p, f, ack)
	}
}

// has reports whether a packet has come.
func (f *flow) has(psn uint32) bool {
	d := int32(psn - f.expected)
	return d < 0 || int(d) < 64*len(f.came) && f.bit(psn)&f.came[f.word(psn)] != 0
}

func (f *flow) word(psn uint32) int   { return int(psn/64) & (len(f.came) - 1) }
func (f *flow) bit(psn uint32) uint64 { return 1 << (psn % 64) }

// take notes that a packet has come, and reports whether it filled a gap.
func (f *flow) take(psn uint32) (filled bool) {
	for int(psn-f.expected) >= 64*len(f.came) {
		f.widen()
	}
	f.came[f.word(psn)] |= f.bit(psn)
	if psn != f.expected {
		return false
	}
	for f.came[f.word(f.expected)]&f.bit(f.expected) != 0 {
		f.came[f.word(f.expected)] &^= f.bit(f.expected)
		f.expected++
	}
	return f.expected-psn > 1
}

// widen doubles the window of packets that may come.
func (f *flow) widen() {
	old := *f
	f.came = make([]uint64, 2*len(f.came))
	for psn := f.expected; psn != f.expected+uint32(64*len(old.came)); psn++ {
		if old.came[old.word(psn)]&old.bit(psn) != 0 {
			f.came[f.word(psn)] |= f.bit(psn)
		}
	}
}

// answer sends a receiver's answer to a packet, with all that is not acknowledged.
func (n *Network) answer(p int32, f *flow, what kind) {
	q := n.blank()
	k, a := &n.packets[p], &n.packets[q]
	a.Packet = routing.Packet{Dst: f.src, Src: f.dst}
	a.kind, a.flow, a.psn, a.entropy, a.marked, a.sent = what, k.flow, k.psn, k.entropy, k.marked, k.sent
	a.expected, a.n = f.expected, f.n
	copy(a.got[:], f.pending[:f.n])
	f.n, f.waits = 0, 0
	a.telemetry = append(a.telemetry, k.telemetry...)
	n.reply(q, f.dst)
}

// reply sends a packet of a receiver, before its data.
func (n *Network) reply(q, terminal int32) {
	a := &n.packets[q]
	a.bytes, a.at, a.via, a.ready = int32(n.cfg.Ack), terminal, none, n.now
	a.flits = n.flits(a.bytes)
	l := n.first + terminal
	n.push(&n.links[l].control, q)
	n.kick(l)
}

// notify sends a congestion notification packet for a marked packet, or leaves it until one may be
// sent again.
func (n *Network) notify(i int32, f *flow) {
	least := n.ticks(n.needs.Notify)
	if f.hasTold && n.now-f.told < least {
		if !f.tell {
			f.tell = true
			n.events.Add(f.told+least, event{notifies, i})
		}
		return
	}
	f.tell, f.hasTold, f.told = false, true, n.now
	n.count.notices++
	q := n.blank()
	a := &n.packets[q]
	a.Packet = routing.Packet{Dst: f.src, Src: f.dst}
	a.kind, a.flow = notice, i
	n.reply(q, f.dst)
}

// renotify sends the notification that was left.
func (n *Network) renotify(i int32) {
	if f := &n.flows[i]; f.tell {
		n.notify(i, f)
	}
}
