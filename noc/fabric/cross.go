package fabric

import (
	"slices"

	"github.com/causeway-sim/causeway/noc/allocator"
	"github.com/causeway-sim/causeway/noc/fabric/setting"
)

// cross sends the front flit of input lane i to output o, and a credit back.
func (p *part) cross(r, i, o int, last bool) {
	n := p.n
	at := r*n.pv + i
	l := &n.lanes[at]
	in := r*n.p + int(n.portOf[i])
	q, out := &n.ports[in], &n.ports[r*n.p+o]
	flit := n.pop(at, l)
	q.vcPtr = allocator.Next(n.vcOf[i], n.v)
	p.flitHops++
	p.lastMove = p.now

	p.back(n.vcOf[i], q)
	if n.claims {
		l.promised--
	} else {
		n.charge(&n.lanes[(r*n.p+o)*n.v+int(l.outVC)].used, &out.pool)
	}
	rest := way(0)
	if flit&headFlit != 0 && n.sourceRouting != nil {
		rest = l.rest
	}
	p.leave(r*n.p+o, out, int(l.outVC), flit, rest, last)

	if flit&tailFlit != 0 {
		out.busy &^= 1 << l.outVC
		n.forgo(l, r*n.p+o) // of a packet that a failure has cut
		m := &n.masks[r*n.words+i>>6]
		m.ready &^= 1 << (i & 63)
		m.vain = 0
		l.state = idle
		if l.count > 0 {
			p.front(r, i, l, n.pool.at(l.front>>flitShift).way)
		}
	} else if l.count == 0 {
		n.masks[r*n.words+i>>6].ready &^= 1 << (i & 63)
	}
}

// leave sends a flit out of a virtual channel of an output port. Of a head that carries a
// source route, w is its rest.
func (p *part) leave(o int, out *port, vc int, flit int32, w way, last bool) {
	n := p.n
	out.used++
	if out.carried++; out.carried == 0 {
		p.wrap(o)
	}
	n.sense.leave(int32(o), 1)
	leave := p.now
	if last {
		leave++ // crosses the switch in the next cycle
	}
	out.lastOut = max(leave<<setting.TickBits, out.lastOut+int64(out.interval))
	come := setting.Whole(out.lastOut) + int64(out.come)
	if out.terminal {
		p.blocks.push(&p.at(come).terminals, int32(o*n.v+vc), flit, 0)
		return
	}
	lane := out.peer*int32(n.v) + int32(vc)
	if flit&headFlit != 0 {
		switch {
		case n.sourceRouting == nil && n.cfg.RoutingDelay == 0:
			p.decideLater(o, out, come, lane, flit)
			return
		case n.sourceRouting == nil:
			p.hop(n.pool.at(flit>>flitShift), flit, o)
		case w == 0:
			w = n.nextHops(int(n.next[o]), n.pool.at(flit>>flitShift), steps)
		}
		if n.sourceRouting != nil && n.watch != nil {
			p.passes(n.pool.at(flit>>flitShift), flit, o)
		}
	}
	p.toRouter(out.far, come, lane, flit, w)
}

// decideLater puts a head off that is routed at the next router. It goes on at the end of
// the cycle. No router sees it before, and then the decision does not depend on which router
// worked first.
func (p *part) decideLater(o int, out *port, come int64, lane, flit int32) {
	k := len(p.heads)
	if k == cap(p.heads) {
		p.heads = slices.Grow(p.heads, 1)
	}
	p.heads = p.heads[:k+1]
	h := &p.heads[k]
	h.come, h.lane, h.flit, h.out, h.far = come, lane, flit, int32(o), out.far
}

// hop counts the hop of a packet whose head leaves a router by output port o.
func (p *part) hop(x *packet, flit int32, o int) {
	x.Hops++
	x.Again = false
	p.passes(x, flit, o)
}

// passes tells the watcher of a head that leaves a router.
func (p *part) passes(x *packet, flit int32, o int) {
	if x.sampled {
		p.n.watch.Pass(flit>>flitShift, o/p.n.p)
	}
}

// backTo returns the credit of virtual channel vc to output port o, which sent the flit.
func (p *part) backTo(o int32, come int64, vc int) {
	n := p.n
	if p.refundAhead(&n.lanes[int(o)*n.v+vc].used, come) {
		n.ports[o].used--
	} else {
		p.credit(o, come, vc)
	}
}

// back returns the credit of virtual channel vc of input port q to the sender of that port.
func (p *part) back(vc int16, q *port) {
	n := p.n
	leave := max(p.now, q.lastBack+1)
	q.lastBack = leave
	come := leave + int64(q.back)
	if n.sense.flying != nil && !q.terminal {
		n.sense.flying[q.peer]++
	}
	switch {
	case q.far != none:
		p.postBack(q.far, come, q.peer*int32(n.v)+int32(vc))
	case q.terminal:
		if !p.refundAhead(&n.sent[int(q.peer)*n.v+int(vc)], come) {
			p.credit(q.credit, come, int(vc))
		}
	default:
		p.backTo(q.peer, come, int(vc))
	}
}
