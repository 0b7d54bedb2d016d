package channel

import (
	"math"
	"slices"

	"github.com/causeway-sim/causeway/noc/routing"
	"github.com/causeway-sim/causeway/noc/topology"
)

// Where buffers have an end, a packet that a failing channel carries goes back to the router
// before it, as out of the replay buffer of a link that repeats what was not acknowledged:
// the room that it took beyond is free at once, and it takes none at the router. What waits
// there for the channel keeps its room. From then on both take the ways of a
// routing.Detour, whose classes of virtual channels close no circle.

// avoid prepares ways around channels that fail during the run.
func (n *Network) avoid() (err error) {
	if n.cfg.Buffer == 0 || len(n.cfg.Outages) == 0 {
		return nil
	}
	n.out.detour, err = routing.NewDetour(n.cfg.Topology, n.cfg.Routing, topology.Spells(n.cfg.Outages))
	if err == nil {
		n.own = n.out.detour.Classes()
	}
	return err
}

// close notes the links that are down in the spell that begins.
func (n *Network) close() {
	n.out.detour.Begin(n.out.now - 1)
	clear(n.out.closed)
	for _, end := range n.down() {
		for _, l := range n.pairOf(end) {
			n.out.closed[l] = true
		}
	}
}

// pairOf are the links of both directions of a channel.
func (n *Network) pairOf(end [2]int) [2]int32 {
	r, p, _ := n.cfg.Topology.Peer(end[0], end[1])
	return [2]int32{n.base[end[0]] + int32(end[1]), n.base[r] + int32(p)}
}

// shut reports whether a link is down, where buffers have an end.
func (n *Network) shut(l int32) bool { return n.out.closed != nil && n.out.closed[l] }

// around sends what waits for links that have gone down another way.
func (n *Network) around(was [][2]int) {
	for _, end := range n.down() {
		if slices.Contains(was, end) {
			continue
		}
		for _, l := range n.pairOf(end) {
			for i := l * int32(n.classes); i < (l+1)*int32(n.classes); i++ {
				for p := n.lanes[i].first; p != 0; p = n.lanes[i].first {
					n.unqueue(p, i)
					k := &n.packets[p]
					k.hops--
					n.hops--
					k.Hops, k.Again = uint8(min(k.hops, math.MaxUint8)), true
					n.forward(n.now, p)
				}
			}
		}
	}
	for l := range n.links {
		if n.links[l].waiting > 0 {
			n.arm(int32(l)) // room may have become free
		}
	}
}

// restart starts the route of a packet again at its router.
func (n *Network) restart(p int32) {
	k := &n.packets[p]
	k.Packet = routing.Packet{Dst: k.Dst, Src: n.messages[k.message].Src}
	if k.around = n.out.around != nil; n.out.detour != nil {
		n.out.detour.Take(&k.Packet)
	}
}

// unqueue takes a packet out of a lane.
func (n *Network) unqueue(p, i int32) {
	k, q := &n.packets[p], &n.lanes[i]
	l := &n.links[i/int32(n.classes)]
	if q.first == p {
		q.first = k.next
	} else {
		at := q.first
		for n.packets[at].next != p {
			at = n.packets[at].next
		}
		n.packets[at].next = k.next
		if q.last == p {
			q.last = at
		}
	}
	k.next, k.waits = 0, 0
	l.waiting--
	l.pending -= k.flits
	n.perClass[i] -= k.flits
}

// retreat ends a packet that another goes on for from a router before: what it holds is
// free.
func (n *Network) retreat(p int32) {
	k := &n.packets[p]
	x := &n.links[k.via]
	switch {
	case k.waits > 0: // at a router, for the next link
		n.unqueue(p, k.waits-1)
		n.vacate(k)
		n.drop(p)
		return
	case n.lanes == nil || x.in:
		x.pending -= k.flits
		n.perClass[int(k.via)*n.classes+int(k.class)] -= k.flits
	default:
		n.vacate(k)
	}
	if n.lanes != nil {
		x.flying -= k.flits
	}
	k.lost = true // its event is still to come
}

// vacate gives up the room that a packet holds.
func (n *Network) vacate(k *packet) {
	n.lanes[k.held].used -= k.flits
	n.links[k.held/int32(n.classes)].pending -= k.flits
	n.perClass[k.held] -= k.flits
}
