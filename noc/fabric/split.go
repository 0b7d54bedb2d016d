package fabric

import (
	"fmt"
	"math"

	"github.com/causeway-sim/causeway/noc/routing/deadlock"
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
func (n *Network) split(proof *deadlock.Proof) {
	routers, terminals := n.apart(proof)
	if n.whole != "" {
		return
	}
	n.pool.fix()
	n.divide(routers, terminals)
}

// apart finds where the parts would end and how long they know nothing of each other, or
// why there is one part.
func (n *Network) apart(proof *deadlock.Proof) (routers, terminals []int) {
	n.whole = ""
	senses := !proof.Complete || proof.Beyond || proof.Ahead && n.cfg.RoutingDelay == 0
	n.lookahead, n.window = math.MaxInt32, math.MaxInt32
	t := topology.Intact(n.cfg.Topology)
	g, ok := t.(topology.Grouped)
	switch {
	case !ok || g.Groups() < 2:
		n.whole = "its topology has no groups of routers"
	case n.outage != nil:
		n.whole = "its channels fail during the run"
	case n.ioq != nil:
		n.whole = "its routers have queues at inputs and outputs"
	case n.sense.flying != nil || n.sense.rate != nil:
		n.whole = "its routing measures what is under way"
	case senses:
		n.whole = "its routing asks for the state of routers in other groups"
	}
	if n.whole != "" {
		return nil, nil
	}
	routers, terminals, ok = n.groupEnds(g)
	if !ok {
		n.whole = "routers or terminals of a group do not follow each other"
		return nil, nil
	}
	ahead := n.between(g)
	switch {
	case ahead < leastWindow:
		n.whole = fmt.Sprintf("its groups are %d cycles apart (want %d or more: the latency of global channels)", ahead, leastWindow)
	case len(routers) > math.MaxInt16 || (n.wheelMask+1)*int64(len(routers)) > mostSlots:
		n.whole = "it has too many groups for its buffers"
	}
	if n.whole == "" {
		n.lookahead, n.window = ahead, max(ahead, n.quantum)
	}
	return routers, terminals
}

// Stride is the cycles in which parts of the network cannot affect each other. It does not
// depend on the player. 0: the network is one part.
func (n *Network) Stride(proof *deadlock.Proof) int64 {
	if n.apart(proof); n.whole != "" {
		return 0
	}
	return n.lookahead
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
		least = min(least, int64(q.come), int64(q.back))
	}
	return least
}
