package fabric

import (
	"math/bits"

	"github.com/causeway-sim/causeway/noc/fabric/setting"
	"github.com/causeway-sim/causeway/noc/routing"
)

// Ordered says whether an observer follows what happens in a cycle, in its order.
func (n *Network) Ordered(on bool) { n.ordered = on }

// Step simulates one cycle.
func (n *Network) Step() {
	if n.ioq != nil {
		n.ioq.step()
		n.publish()
		return
	}
	if n.outage != nil {
		n.outage.step(n.parts[0])
	}
	if len(n.parts) > 1 {
		for _, p := range n.parts {
			p.collect()
		}
	}
	for _, p := range n.parts {
		p.step()
	}
	n.publish()
}

// publish brings the totals up to date.
func (n *Network) publish() {
	n.flitHops = n.FlitHops()
	n.sentPackets = n.sum(func(c *counts) uint64 { return c.sentPackets })
}

// step simulates one cycle of a part.
func (p *part) step() {
	s := p.receive()
	for w := range p.active {
		for set := p.active[w]; set != 0; set &= set - 1 {
			p.inject(p.term + w*64 + bits.TrailingZeros64(set))
		}
	}
	p.settle(s)
	for w, set := range p.awake {
		for ; set != 0; set &= set - 1 {
			p.work(p.first + w*64 + bits.TrailingZeros64(set))
		}
	}
	p.lookAhead()
	if p.n.fused && p.n.stalls != nil {
		p.crowdAll()
	}
	if p.now++; p.now%era == 0 {
		p.recountAll()
	}
}

// receive lets terminals take the flits that have arrived for them in this cycle.
func (p *part) receive() *slot {
	n := p.n
	s := &p.wheel[p.now&n.wheelMask]
	for x := s.terminals.first; x != nil; x = x.next {
		for k := range x.arrivals[:x.n] { // loads that wait for nothing wait together
			p.touched ^= n.pool.at(x.arrivals[k].flit >> flitShift).Dst
		}
	}
	for x := s.terminals.first; x != nil; x = p.blocks.drop(x) {
		for _, a := range x.arrivals[:x.n] {
			p.eject(a)
		}
	}
	s.terminals = list{}
	return s
}

// settle gives the routers the flits that have arrived for them in this cycle, before any
// of them works. The credits of this cycle count from here on.
func (p *part) settle(s *slot) {
	n := p.n
	fused := n.fused && !n.ordered
	for x := s.routers.first; x != nil; x = p.blocks.drop(x) {
		for k := range x.arrivals[:x.n] {
			a := &x.arrivals[k]
			if fused {
				p.expect(a.lane, a.flit, a.way)
			} else {
				p.arrive(a.lane, a.flit, a.way)
			}
		}
	}
	s.routers = list{}
	p.creditedUntil = p.now
	n.sense.update(p)
	if fused {
		p.pass()
	}
}

// A head is the first flit of a packet, which comes into a lane of the next router in a
// cycle. The router before routes it.
type head struct {
	come       int64
	lane, flit int32
	out        int32 // port that it left by
	far        int16 // see port
}

// lookAhead routes the packets that have left a router in this cycle at the next one.
// All routers have worked by then, so that the decision does not depend on which of
// them came first.
func (p *part) lookAhead() {
	for i := range p.heads {
		h := &p.heads[i]
		x := p.n.pool.at(h.flit >> flitShift)
		p.hop(x, h.flit, int(h.out))
		x.way = p.routeAt(int(p.n.where[h.lane].router), int(h.out)/p.n.p, x)
		p.toRouter(h.far, h.come, h.lane, h.flit, x.way)
	}
	p.heads = p.heads[:0]
}

// routeAt lets the algorithm decide about a packet at a router. draws is the stream
// that the algorithm draws from: that of the router or terminal where the packet stands.
func (p *part) routeAt(router, draws int, x *packet) way {
	n := p.n
	first := int(x.net) * n.classes
	hop := p.decide(router, draws, x)
	if hop.Class == routing.AnyClass {
		return wayTo(hop.Port, n.class[first], n.class[first+n.own]-1)
	}
	if hop.Port < 0 {
		return wayTo(nowhere, 0, 0)
	}
	return wayTo(hop.Port, n.class[first+hop.Class], n.class[first+hop.Class+1]-1)
}

func (p *part) decide(router, draws int, x *packet) routing.Hop {
	n := p.n
	first := int(x.net) * n.classes
	p.view.router, p.view.draws, p.view.flits, p.view.first = router, draws, x.flits, first
	hop := n.routing.Next(&p.view, &x.Packet)
	x.optional = hop.Optional
	return hop
}

// toRouter sends a flit to another router, of a part that is far or of this one.
func (p *part) toRouter(far int16, come int64, lane, flit int32, w way) {
	if far != none {
		p.post(far, come, lane, flit, w)
	} else {
		p.blocks.push(&p.at(come).routers, lane, flit, w)
	}
}

// inject sends the next flit of a terminal, if its virtual channel has room.
func (p *part) inject(t int) {
	n := p.n
	q := &n.nics[t]
	if q.next > p.now<<setting.TickBits {
		return
	}
	id := q.first
	x := n.pool.at(id)
	var flit int32
	if x.left == x.flits {
		vc := p.chooseVC(t, q, x)
		if vc == none {
			return
		}
		x.vc = uint8(vc)
		x.injected = p.now
		q.lastVC = int16(vc)
		flit = headFlit
		if x.sampled {
			n.watch.Enter(id, x.tag, x.flits, t)
		}
		switch r := int(n.where[int(q.port)*n.v].router); {
		case n.sourceRouting != nil:
			x.way = p.sourceRoute(r, t, x)
		case n.cfg.RoutingDelay == 0:
			x.way = p.routeAt(r, n.routers+t, x)
		}
	} else if n.sent[t*n.v+int(x.vc)] >= n.depth && int(q.pool) >= n.cfg.Shared {
		if p.recountTerminal(t); n.sent[t*n.v+int(x.vc)] >= n.depth && int(q.pool) >= n.cfg.Shared {
			return
		}
	}
	x.left--
	if x.left == 0 {
		flit |= tailFlit
		if q.first = x.next; q.first == 0 {
			i := t - p.term
			p.active[i>>6] &^= 1 << (i & 63)
		}
	}
	n.charge(&n.sent[t*n.v+int(x.vc)], &q.pool)
	p.injected++
	p.lastMove = p.now
	port := &n.ports[q.port]
	q.next = setting.After(p.now, q.next, int64(port.interval))
	s := p.at(p.now + int64(port.come))
	p.blocks.push(&s.routers, q.port*int32(n.v)+int32(x.vc), id<<flitShift|flit, x.way)
}

// chooseVC finds a virtual channel for a packet at its terminal, or none. No
// channel is held by another: a terminal sends one packet after the other.
func (p *part) chooseVC(t int, q *nic, x *packet) int {
	n := p.n
	need := int32(1)
	if n.cfg.Flow == setting.CutThrough {
		need = x.flits
	}
	room := func(vc int) bool {
		return n.fits(n.sent[t*n.v+vc], q.pool, need) || p.recountTerminal(t) && n.fits(n.sent[t*n.v+vc], q.pool, need)
	}
	first := int(n.class[int(x.net)*n.classes])
	vcs := int(n.class[int(x.net)*n.classes+n.own]) - first
	if n.cfg.InjectVC == setting.Random {
		if vc := first + n.streams.IntN(n.routers+t, vcs); room(vc) {
			return vc
		}
		return none
	}
	if n.cfg.InjectVC == setting.ByDst {
		if vc := first + int(x.Dst)*vcs/len(n.nics); room(vc) {
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
func (p *part) eject(a arrival) {
	n := p.n
	f := a.flit
	id := f >> flitShift
	at := n.where[a.lane].port
	out := &n.ports[at]
	if q := &n.nics[out.peer]; q.held {
		q.owed = append(q.owed, a.lane)
	} else {
		p.backTo(at, p.now+int64(out.latency)+1+n.creditDelay, int(a.lane)-int(at)*n.v)
	}
	x := n.pool.at(id)
	p.ejected++
	p.waiting--
	p.created -= x.created
	p.lastMove = p.now
	if f&tailFlit != 0 {
		p.come(id, x)
	}
}

// come ends a packet whose last flit has come.
func (p *part) come(id int32, x *packet) {
	n := p.n
	if x.pieces > 0 {
		p.piece(id)
		return
	}
	p.gotPackets++
	if x.sampled {
		n.watch.Leave(id)
	}
	switch {
	case p.driven != nil:
		p.arrived(id, x)
	case n.Delivered != nil:
		n.Delivered(x.delivery(p.now))
	}
	p.release(id)
}

// arrive puts a flit into its input lane.
func (p *part) arrive(lane, flit int32, w way) {
	n := p.n
	l := &n.lanes[lane]
	if n.sense.flying != nil {
		if q := &n.ports[n.where[lane].port]; !q.terminal {
			n.sense.come(q.peer, 1)
		}
	}
	switch l.count {
	case 0:
		l.front = flit
	case n.most:
		panic("fabric: a flit comes into a full buffer")
	case 1:
		l.head = 0
		fallthrough
	default:
		if flit&headFlit != 0 && n.sourceRouting != nil {
			n.pool.at(flit >> flitShift).way = w // until it is at the front
		}
		n.ring[int(lane)<<n.shift+int((l.head+l.count-1)&n.mask)] = flit
	}
	l.count++
	r := int(n.where[lane].router)
	i := int(lane) - r*n.pv
	switch {
	case l.state == idle:
		p.front(r, i, l, w)
	case l.state == switching && l.count == 1:
		n.masks[r*n.words+i>>6].ready |= 1 << (i & 63)
	default:
		return
	}
	p.wake(r)
}

// pop takes the flit at the front out of input lane at.
func (n *Network) pop(at int, l *lane) (flit int32) {
	flit = l.front
	if l.count--; l.count > 0 {
		l.front = n.ring[at<<n.shift+int(l.head)]
		l.head = (l.head + 1) & n.mask
	}
	return flit
}

// front starts the packet whose head has come to the front of lane i of router r, and
// whose way is known unless routing has a stage of its own.
func (p *part) front(r, i int, l *lane, w way) {
	n := p.n
	if n.outage != nil {
		n.outage.owns(r*n.pv+i, l)
	}
	if n.cfg.RoutingDelay > 0 {
		l.state, l.staged = toRoute, false
		n.masks[r*n.words+i>>6].route |= 1 << (i & 63)
		return
	}
	if n.sourceRouting != nil {
		l.rest = w >> stepBits
	}
	l.way = n.at(w)
	l.state = toAlloc
	n.masks[r*n.words+i>>6].alloc |= 1 << (i & 63)
	if n.outage != nil {
		n.outage.settle(p, r, i, l)
	}
}
