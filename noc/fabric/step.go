package fabric

import "math/bits"

// Step simulates one cycle.
func (n *Network) Step() {
	if n.ioq != nil {
		n.ioq.step()
		return
	}
	s := n.receive()
	for t := range n.nics {
		if q := &n.nics[t]; q.first != 0 {
			n.inject(t, q)
		}
	}
	n.settle(s)
	for w, set := range n.awake {
		for ; set != 0; set &= set - 1 {
			n.work(w*64 + bits.TrailingZeros64(set))
		}
	}
	n.lookAhead()
	n.now++
}

// receive lets terminals take what has arrived for them in this cycle: flits, and
// credits of the channels into their routers.
func (n *Network) receive() *slot {
	s := &n.wheel[n.now&n.wheelMask]
	for _, a := range s.eject {
		n.eject(a)
	}
	for _, l := range s.nic {
		q := &n.ports[int(l)/n.v]
		n.refund(&n.sent[int(q.peer)*n.v+int(l)%n.v], &n.nics[q.peer].pool)
	}
	return s
}

// settle gives the routers what has arrived for them in this cycle, before any of
// them works.
func (n *Network) settle(s *slot) {
	for _, l := range s.credits {
		q := &n.ports[int(l)/n.v]
		n.refund(&n.lanes[l].used, &q.pool)
		q.used--
		n.sense.come(l/int32(n.v), 1)
	}
	for _, a := range s.arrive {
		n.arrive(a)
	}
	s.eject, s.nic, s.arrive, s.credits = s.eject[:0], s.nic[:0], s.arrive[:0], s.credits[:0]
	n.sense.update(n)
}

// A head is a packet on its way to the next router, which the router before routes.
type head struct{ packet, from, to int32 }

// lookAhead routes the packets that have left a router in this cycle at the next one.
// All routers have worked by then, so that the decision does not depend on which of
// them came first.
func (n *Network) lookAhead() {
	for _, h := range n.heads {
		p := &n.packets[h.packet]
		p.out, p.lo, p.hi = n.routeAt(int(h.to), int(h.from), p)
	}
	n.heads = n.heads[:0]
}

// at is the slot of a coming cycle.
func (n *Network) at(cycle int64) *slot {
	if cycle-n.now > n.wheelMask || cycle <= n.now {
		panic("fabric: an event outside of the time wheel")
	}
	n.lastEvent = max(n.lastEvent, cycle)
	return &n.wheel[cycle&n.wheelMask]
}

// inject sends the next flit of a terminal, if its virtual channel has room.
func (n *Network) inject(t int, q *nic) {
	if q.next > n.now<<tickBits {
		return
	}
	id := q.first
	p := &n.packets[id]
	var flit int32
	if p.left == p.flits {
		vc := n.chooseVC(t, q, p)
		if vc == none {
			return
		}
		p.vc = uint8(vc)
		p.injected = n.now
		q.lastVC = int16(vc)
		flit = headFlit
		if p.sampled {
			n.watch.enter(id, p, t)
		}
		if n.cfg.RoutingDelay == 0 {
			p.out, p.lo, p.hi = n.routeAt(int(q.port)/n.p, n.routers+t, p)
		}
	} else if n.sent[t*n.v+int(p.vc)] >= n.depth && int(q.pool) >= n.cfg.Shared {
		return
	}
	p.left--
	if p.left == 0 {
		flit |= tailFlit
		q.first = p.next
	}
	n.charge(&n.sent[t*n.v+int(p.vc)], &q.pool)
	n.injected++
	n.lastMove = n.now
	port := &n.ports[q.port]
	q.next = after(n.now, q.next, port.interval)
	s := n.at(n.now + int64(port.latency+port.cycles))
	s.arrive = append(s.arrive, arrival{q.port*int32(n.v) + int32(p.vc), id<<flitShift | flit})
}

// chooseVC finds a virtual channel for a packet at its terminal, or none. No
// channel is held by another: a terminal sends one packet after the other.
func (n *Network) chooseVC(t int, q *nic, p *packet) int {
	need := int32(1)
	if n.cfg.Flow == CutThrough {
		need = p.flits
	}
	room := func(vc int) bool { return n.fits(n.sent[t*n.v+vc], q.pool, need) }
	first := int(n.class[int(p.net)*n.classes])
	vcs := int(n.class[int(p.net+1)*n.classes]) - first
	if n.cfg.InjectVC == Random {
		if vc := first + n.streams.IntN(n.routers+t, vcs); room(vc) {
			return vc
		}
		return none
	}
	if n.cfg.InjectVC == ByDst {
		if vc := first + int(p.Dst)*vcs/len(n.nics); room(vc) {
			return vc
		}
		return none
	}
	for i := 1; i <= vcs; i++ {
		if vc := first + (max(int(q.lastVC)-first, -1)+i)%vcs; room(vc) {
			return vc
		}
	}
	return none
}

// eject takes a flit out of the network. Its credit goes back at once, unless the
// terminal is held.
func (n *Network) eject(a arrival) {
	f := a.flit
	id := f >> flitShift
	out := &n.ports[int(a.lane)/n.v]
	if q := &n.nics[out.peer]; q.held {
		q.owed = append(q.owed, a.lane)
	} else {
		s := n.at(n.now + int64(out.latency) + 1 + int64(n.cfg.CreditDelay))
		s.credits = append(s.credits, a.lane)
	}
	p := &n.packets[id]
	n.ejected++
	n.waiting--
	n.created -= p.created
	n.lastMove = n.now
	if f&tailFlit == 0 {
		return
	}
	n.gotPackets++
	if p.sampled {
		n.watch.leave(id)
	}
	if n.Delivered != nil {
		n.Delivered(Delivery{
			Src: int(p.Src), Dst: int(p.Dst), Flits: int(p.flits), Tag: p.tag, Hops: int(p.Hops),
			Created: p.created, Injected: p.injected, Arrived: n.now, Record: p.record,
		})
	}
	n.packets[id].next = n.free // Delivered may have moved the pool
	n.free = id
}

// arrive puts a flit into its input lane.
func (n *Network) arrive(a arrival) {
	l := &n.lanes[a.lane]
	if q := &n.ports[int(a.lane)/n.v]; !q.terminal {
		n.sense.come(q.peer, 1)
	}
	if l.count == n.most {
		panic("fabric: a flit comes into a full buffer")
	}
	n.ring[int(a.lane)<<n.shift+int((l.head+l.count)&n.mask)] = a.flit
	l.count++
	r := int(a.lane) / n.pv
	i := int(a.lane) - r*n.pv
	switch {
	case l.state == idle:
		n.front(r, i, l, a.flit)
	case l.state == switching && l.count == 1:
		n.ready[r*n.words+i>>6] |= 1 << (i & 63)
	default:
		return
	}
	n.awake[r>>6] |= 1 << (r & 63)
}

// front starts the packet whose head has come to the front of lane i of router r.
func (n *Network) front(r, i int, l *lane, flit int32) {
	if n.cfg.RoutingDelay > 0 {
		l.state = toRoute
		l.ready = none
		n.route[r*n.words+i>>6] |= 1 << (i & 63)
		return
	}
	p := &n.packets[flit>>flitShift]
	l.out, l.lo, l.hi = p.out, p.lo, p.hi
	l.state = toAlloc
	n.alloc[r*n.words+i>>6] |= 1 << (i & 63)
}
