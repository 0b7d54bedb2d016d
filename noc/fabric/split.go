package fabric

import (
	"math"

	"github.com/causeway-sim/causeway/noc/routing"
	"github.com/causeway-sim/causeway/noc/topology"
)

// leastWindow is the cycles below which a window is not worth it.
const leastWindow = 8

// mostSlots bounds the wheels of all parts, of 32 bytes a slot: a wheel is as long as
// full buffers take to drain, and a network of many groups with deep buffers stays whole.
const mostSlots = 1 << 22

// split makes a part of each group of a topology whose groups are far from each other. It
// stays one part where the routing may ask, in one group, for the state of a router in
// another one, as far as the proof knows. Partitions follow from the configuration only.
func (n *Network) split(proof *routing.Proof) {
	senses := !proof.Complete || proof.Beyond || proof.Ahead && n.cfg.RoutingDelay == 0
	n.lookahead, n.window = math.MaxInt32, math.MaxInt32
	t := topology.Intact(n.cfg.Topology)
	g, ok := t.(topology.Grouped)
	if !ok || g.Groups() < 2 || n.ioq != nil || n.sense.flying != nil || n.sense.rate != nil || senses {
		return
	}
	routers, terminals, ok := n.groupEnds(g)
	if !ok {
		return
	}
	ahead := n.between(g)
	if ahead < leastWindow || len(routers) > math.MaxInt16 || (n.wheelMask+1)*int64(len(routers)) > mostSlots {
		return
	}
	n.lookahead, n.window = ahead, max(ahead, n.quantum)
	n.pool.fix()
	n.divide(routers, terminals)
}

// groupEnds is where the routers and the terminals of each group end; not ok: those of a
// group do not follow each other.
func (n *Network) groupEnds(g topology.Grouped) (routers, terminals []int, ok bool) {
	for r := range n.routers {
		switch i := g.Group(r); {
		case i == len(routers):
			routers = append(routers, r+1)
		case i == len(routers)-1:
			routers[i] = r + 1
		default:
			return nil, nil, false
		}
	}
	terminals = make([]int, len(routers))
	last := 0
	for term := range n.nics {
		r, _ := n.cfg.Topology.Home(term)
		i := g.Group(r)
		if i < last {
			return nil, nil, false
		}
		last = i
		terminals[i] = term + 1
	}
	for i := range terminals {
		if i > 0 {
			terminals[i] = max(terminals[i], terminals[i-1])
		}
	}
	return routers, terminals, true
}

// between is the least cycles that a flit or a credit takes from one group to another.
func (n *Network) between(g topology.Grouped) int64 {
	least := int64(math.MaxInt32)
	for i := range n.ports {
		q := &n.ports[i]
		if q.terminal || q.peer == none || g.Group(i/n.p) == g.Group(int(q.peer)/n.p) {
			continue
		}
		least = min(least, int64(q.latency+q.cycles), int64(q.latency)+1+int64(n.cfg.CreditDelay))
	}
	return least
}
