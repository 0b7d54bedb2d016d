package transport

import (
	"github.com/causeway-sim/causeway/noc/congestion"
	"github.com/causeway-sim/causeway/noc/topology"
)

// paths are shortest paths between routers, found when they are needed.
type paths struct {
	net      *Network
	from     [][]leg // by router
	farthest float64 // nanoseconds, 0 before it is known
}

// A leg is the way from one router to another in the empty network.
type leg struct {
	hops      int32 // -1: no way
	wait      uint64
	data, ack uint64 // ticks of a full packet and of an acknowledgement on its channels
}

// over adds the channel of a class to a leg: both times are those of all channels with
// store-and-forward, and of the slowest one with cut-through.
func (p *paths) over(l leg, class topology.Class) leg {
	c := &p.net.cfg
	k := c.link(class)
	l.hops++
	l.wait += uint64(k.Latency) << tickBits
	if k.Rate == 0 {
		return l
	}
	data, ack := uint64(float64(c.full())*tick/k.Rate), uint64(float64(c.Ack)*tick/k.Rate)
	if c.Store {
		l.data, l.ack = l.data+data, l.ack+ack
	} else {
		l.data, l.ack = max(l.data, data), max(l.ack, ack)
	}
	return l
}

// of are the legs from a router, by breadth-first search.
func (p *paths) of(router int) []leg {
	t := p.net.cfg.Topology
	if p.from == nil {
		p.from = make([][]leg, t.Routers())
	}
	if p.from[router] != nil {
		return p.from[router]
	}
	legs := make([]leg, t.Routers())
	for i := range legs {
		legs[i].hops = none
	}
	legs[router] = leg{}
	todo := make([]int, 1, t.Routers())
	for todo[0] = router; len(todo) > 0; todo = todo[1:] {
		for port := range t.Ports(todo[0]) {
			to, _, ok := t.Peer(todo[0], port)
			if !ok || legs[to].hops != none {
				continue
			}
			legs[to] = p.over(legs[todo[0]], t.Class(todo[0], port))
			legs[to].wait += p.net.lag
			todo = append(todo, to)
		}
	}
	p.from[router] = legs
	return legs
}

// roundTrip is the time of a full packet and its acknowledgement, with the channels of a leg and of
// both terminals.
func (p *paths) roundTrip(l leg) float64 {
	l = p.over(p.over(l, topology.Terminal), topology.Terminal)
	return p.net.ns(2*(l.wait+p.net.lag) + l.data + l.ack)
}

// path is what a congestion control knows of two terminals.
func (n *Network) path(src, dst int32) congestion.Path {
	t := n.cfg.Topology
	from, _ := t.Home(int(src))
	to, _ := t.Home(int(dst))
	l := n.paths.of(from)[to]
	if l.hops == none {
		l = leg{}
	}
	return congestion.Path{
		Rate: n.rate(n.first + src), RTT: n.paths.roundTrip(l), Farthest: n.farthest(), Hops: int(l.hops) + 2,
		Packet: float64(n.cfg.full()), Payload: float64(n.cfg.Packet), Trims: n.cfg.Trim > 0,
	}
}

// sources bounds the routers from which farthest measures.
const sources = 64

// farthest is the longest round trip of any two terminals, from up to 64 of them.
func (n *Network) farthest() float64 {
	p := &n.paths
	if p.farthest > 0 {
		return p.farthest
	}
	t := n.cfg.Topology
	ends := make([]bool, t.Routers())
	for i := range t.Terminals() {
		r, _ := t.Home(i)
		ends[r] = true
	}
	for i := 0; i < t.Terminals(); i += max(1, t.Terminals()/sources) {
		r, _ := t.Home(i)
		for to, l := range p.of(r) {
			if ends[to] && l.hops != none {
				p.farthest = max(p.farthest, p.roundTrip(l))
			}
		}
	}
	return p.farthest
}

// Nominal returns the mean cycles of a message of one flit in the empty network, over the shortest
// paths between some terminals and all others.
func (n *Network) Nominal() uint64 {
	t := n.cfg.Topology
	sum, count := 0.0, 0.0
	for i := 0; i < t.Terminals(); i += max(1, t.Terminals()/16) {
		from, _ := t.Home(i)
		for k := range t.Terminals() {
			to, _ := t.Home(k)
			if l := n.paths.of(from)[to]; l.hops != none {
				sum += float64(l.wait+n.lag)/tick + float64(2*n.cfg.Terminal.Latency)
				count++
			}
		}
	}
	if rate := n.cfg.Terminal.Rate; rate > 0 {
		sum += count * float64(n.cfg.Width) / rate
	}
	return uint64(sum/max(1, count) + 0.5)
}
