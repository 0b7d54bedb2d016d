package fabric

import (
	"math/bits"

	"github.com/causeway-sim/causeway/noc/fabric/setting"
	"github.com/causeway-sim/causeway/noc/routing"
)

// With source routing the ways of a packet follow from its destination once it has left its
// source. Its head then carries a source route in place of a way: the next four hops, a byte
// each, so that no router has to fetch the packet from memory. A byte is a port and one more
// than the class of virtual channels; 0 ends the route, and the next hops follow from the packet.
const (
	stepBits = 8
	portBits = 5
	steps    = 4                              // of a source route
	anyClass = 1<<(stepBits-portBits) - 1 - 1 // stands for routing.AnyClass
)

// planSourceRoutes prepares source routes, if the ports and classes of the network fit.
func (n *Network) planSourceRoutes() {
	c := &n.cfg
	sourceRouted, ok := c.Routing.(routing.SourceRouted)
	if !ok || n.outage != nil || c.RoutingDelay > 0 || c.Queueing == setting.InputOutput || n.p > 1<<portBits || n.classes > anyClass || c.NetworkCount() > 1 {
		return
	}
	n.sourceRouting = sourceRouted
	for port := range n.p {
		for class := range n.classes {
			n.ways[stepOf(port, class)] = wayTo(port, n.class[class], n.class[class+1]-1)
		}
		n.ways[stepOf(port, routing.AnyClass)] = wayTo(port, n.class[0], n.class[n.classes]-1)
	}
	n.next = make([]int32, len(n.ports))
	for i := range n.ports {
		n.next[i] = none
		if q := &n.ports[i]; q.peer != none && !q.terminal {
			n.next[i] = q.peer / int32(n.p)
		}
	}
	n.oblivious = !routing.Adapts(c.Topology, c.Routing)
	if n.oblivious && n.routers*n.routers <= mostKnown {
		n.routes, n.homes = make([]way, n.routers*n.routers), make([]where, len(n.nics))
		for t := range n.homes {
			r, port := c.Topology.Home(t)
			n.homes[t] = where{int32(port), int32(r)}
		}
	}
}

func stepOf(port, class int) way {
	if class == routing.AnyClass {
		class = anyClass
	}
	return way((class+1)<<portBits | port)
}

// at is the way at the router that a head comes to, of what it carries.
func (n *Network) at(w way) way {
	if n.sourceRouting == nil {
		return w
	}
	return n.ways[w&(1<<stepBits-1)]
}

// mostKnown bounds the source routes that are kept: 16 MB, of a dragonfly of 16,512 terminals.
const mostKnown = 1 << 22

// sourceRoute is the source route of a packet that enters the network at a router. Where an
// oblivious routing draws no random number, all packets between two routers take the same
// route but for its last port: it is found once.
func (p *part) sourceRoute(r, t int, x *packet) way {
	n := p.n
	if n.routes == nil {
		return n.routeVia(r, x, p.decide(r, n.routers+t, x))
	}
	home := &n.homes[x.Dst]
	known := &n.routes[r*n.routers+int(home.router)]
	if c := *known; c != 0 {
		last := (bits.Len32(uint32(c)) - 1) / stepBits
		x.Hops = uint8(last)
		return c | way(home.port)<<(last*stepBits)
	}
	p.view.drawn = false
	c := n.routeVia(r, x, p.decide(r, n.routers+t, x))
	if last := (bits.Len32(uint32(c)) - 1) / stepBits; !p.view.drawn && last == int(x.Hops) {
		*known = c &^ ((1<<portBits - 1) << (last * stepBits))
	}
	return c
}

// routeVia is the source route of a packet that enters the network at a router and takes hop
// there.
func (n *Network) routeVia(router int, x *packet, hop routing.Hop) way {
	first := stepOf(hop.Port, hop.Class)
	to := n.next[router*n.p+hop.Port]
	if to == none {
		return first
	}
	x.Hops++
	return first | n.nextHops(int(to), x, steps-1)<<stepBits
}

// nextHops are the next ways of a packet, at most so many, from a router on.
func (n *Network) nextHops(router int, x *packet, most int) (c way) {
	for s := 0; s < most*stepBits; s += stepBits {
		port, class := n.sourceRouting.Onward(router, &x.Packet)
		c |= stepOf(port, class) << s
		to := n.next[router*n.p+port]
		if to == none {
			return c
		}
		x.Hops++
		router = int(to)
	}
	return c
}
