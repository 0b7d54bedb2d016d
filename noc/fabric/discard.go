package fabric

import "github.com/causeway-sim/causeway/noc/network"

// nowhere is the port of a way that the routing did not find.
const nowhere = 1<<16 - 1

// sink makes an input lane discard its packet up to the tail.
func (o *outage) sink(r, i int, l *lane) {
	n := o.n
	m, b := &n.masks[r*n.words+i>>6], uint64(1)<<(i&63)
	m.route, m.alloc, m.ready = m.route&^b, m.alloc&^b, m.ready&^b
	l.state, l.way = sinking, wayTo(nowhere, 0, 0)
	o.fresh = append(o.fresh, int32(r*n.pv+i))
}

// discard takes a flit out of each lane that discards its packet.
func (o *outage) discard(p *part) {
	o.sinks = append(o.sinks, o.fresh...)
	o.fresh = o.fresh[:0]
	keep := o.sinks[:0]
	for _, at := range o.sinks {
		if !o.swallow(p, int(at)) {
			keep = append(keep, at)
		}
	}
	o.sinks = keep
}

// swallow discards the flit at the front of a lane, if there is one, and gives its room back.
// It reports whether it was the tail, after which the lane goes on with the next packet.
func (o *outage) swallow(p *part, at int) (tail bool) {
	n := o.n
	l := &n.lanes[at]
	if l.count == 0 {
		return false
	}
	flit := n.pop(at, l)
	r := int(n.where[at].router)
	i := at - r*n.pv
	p.lastMove = p.now
	p.back(n.vcOf[i], &n.ports[n.where[at].port])
	id := flit >> flitShift
	p.lose(n.pool.at(id))
	if flit&tailFlit == 0 {
		return false
	}
	p.piece(id)
	l.state = idle
	if l.count > 0 {
		p.front(r, i, l, n.pool.at(l.front>>flitShift).way)
		p.wake(r)
	}
	return true
}

// piece ends a piece of a packet that was cut; with the last of them the packet is lost.
func (p *part) piece(id int32) {
	x := p.n.pool.at(id)
	if x.pieces--; x.pieces == 0 {
		p.lost(id)
	}
}

// lost ends a packet of which nothing is left.
func (p *part) lost(id int32) {
	n := p.n
	x := n.pool.at(id)
	p.lostPackets++
	p.lostWhole += uint64(x.flits)
	if x.sampled {
		n.watch.Leave(id)
	}
	if n.Lost != nil {
		n.Lost(Loss{x.delivery(p.now), int(x.net), int(x.tries)})
	}
	p.release(id)
}

// lose counts a flit that will not come, and add one that was made to end a packet.
func (p *part) lose(x *packet) {
	p.lostFlits++
	p.waiting--
	p.created -= x.created
}

func (p *part) add(x *packet) {
	p.madeFlits++
	p.waiting++
	p.created += x.created
}

// forgo gives up the room that is held for the rest of a lane's packet at an output.
func (n *Network) forgo(l *lane, out int) {
	for ; l.promised > 0; l.promised-- {
		n.refund(&n.lanes[out*n.v+int(l.outVC)].used, &n.ports[out].pool)
	}
}

// pluck takes all flits off the channel into an input port, in no order in time.
func (p *part) pluck(in int32) (out []arrival) {
	n := p.n
	for i := range p.wheel {
		s := &p.wheel[i].routers
		var keep []arrival
		found := false
		for _, a := range s.arrivals() {
			if n.where[a.lane].port == in {
				out, found = append(out, a), true
			} else {
				keep = append(keep, a)
			}
		}
		if !found {
			continue
		}
		for x := s.first; x != nil; x = p.blocks.drop(x) {
		}
		*s = list{}
		for _, a := range keep {
			p.blocks.push(s, a.lane, a.flit, a.way)
		}
	}
	return out
}

// firstCredit takes the earliest of some credits, whenever it counts.
func (p *part) firstCredit(c *credits) (vc int) {
	vc = p.rings[c.base+c.first&c.mask].vc()
	c.first++
	c.n--
	return vc
}

// A Loss is a packet of which nothing is left in the network, in cycle Arrived.
type Loss struct {
	Delivery
	Network int // virtual network
	Tries   int // how often it was sent before
}

// SendAgain sends a packet that was lost once more.
func (n *Network) SendAgain(l Loss) {
	x := n.pool.at(n.send(l.Src, l.Dst, l.Flits, false, n.Now()))
	x.tag, x.net, x.tries = l.Tag, uint8(l.Network), uint8(l.Tries+1)
}

// Losses counts the packets and flits that were lost.
func (n *Network) Losses() network.Losses {
	return network.Losses{
		Packets: n.sum(func(c *counts) uint64 { return c.lostPackets }),
		Flits:   n.sum(func(c *counts) uint64 { return c.lostWhole }),
	}
}
