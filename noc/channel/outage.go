package channel

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/noc/routing"
	"github.com/causeway-sim/causeway/noc/topology"
)

// An Outage is a channel between routers that is down for a time.
type Outage = topology.Outage

// A spell is the time between two changes of which channels are down.
type spell struct {
	topology.Spell
	around routing.Algorithm // shortest ways of what is left; nil with buffers that have an end
}

// spells orders outages in time. Where a channel is down, packets take shortest ways of
// what is left, and they stay on such ways when it is up again: the routing may have none
// from where they are. With buffers that have an end, only those that would go into it leave
// the routing, for a routing.Detour.
func (c *Config) spells() ([]spell, error) {
	if len(c.Outages) == 0 {
		return nil, nil
	}
	var out []spell
	for _, x := range topology.Spells(c.Outages) {
		s := spell{Spell: x}
		if c.Buffer == 0 {
			left, err := topology.Without(c.Topology, s.Down)
			if err != nil {
				return nil, err
			}
			if s.around, err = routing.Around(left); err != nil {
				return nil, err
			}
		}
		out = append(out, s)
	}
	return out, nil
}

// outages are those of a network, and what they did.
type outages struct {
	spells []spell
	now    int               // spells that have begun
	waits  []int32           // packets that no way is left for, where they stand
	passes map[int32][]pass  // of links that go down some time
	resent uint64            // packets that had to leave again
	detour *routing.Detour   // of buffers with an end, else nil
	closed []bool            // links that are down, of buffers with an end
	around routing.Algorithm // of the spell, nil before the first
}

// change begins the next spell: what channels that go down carry, and what waits for them,
// leaves again from the router before; so does what has found no way.
func (n *Network) change() {
	was, s := n.down(), &n.out.spells[n.out.now]
	n.out.now++
	n.out.around = s.around
	if n.out.detour != nil {
		n.close()
	}
	again := n.out.waits
	n.out.waits = nil
	for _, end := range s.Down {
		if slices.Contains(was, end) {
			continue
		}
		r, p, _ := n.cfg.Topology.Peer(end[0], end[1])
		again = append(again, n.recall(int32(end[0]), n.base[end[0]]+int32(end[1]))...)
		again = append(again, n.recall(int32(r), n.base[r]+int32(p))...)
	}
	// As they were made, so that the order does not hang on that of the list.
	slices.SortStableFunc(again, func(a, b int32) int { return cmp.Compare(n.packets[a].message, n.packets[b].message) })
	for _, p := range again {
		n.restart(p)
		n.forward(n.now, p)
	}
	if n.out.detour != nil {
		n.around(was)
	}
}

// route routes a packet from the router of the view.
func (n *Network) route(k *packet) routing.Hop {
	a := n.routing
	if n.out.around != nil {
		if k.around = k.around || len(n.down()) > 0; k.around {
			a = n.out.around
		}
	}
	hop := a.Next(&n.view, &k.Packet)
	k.Again = false
	return hop
}

// down are the channels that are down.
func (n *Network) down() [][2]int {
	if n.out.now == 0 {
		return nil
	}
	return n.out.spells[n.out.now-1].Down
}

// A pass is a packet that a link carries or will carry, until its tail has left.
type pass struct {
	packet int32
	turn   uint32 // of the packet in its pool
	tail   uint64
}

// watch notes what a link that goes down some time is given.
func (n *Network) watch(l, p int32, tail uint64) {
	list, ok := n.out.passes[l]
	if !ok {
		return
	}
	list = slices.DeleteFunc(list, func(x pass) bool { return x.tail <= n.now })
	n.out.passes[l] = append(list, pass{p, n.packets[p].turn, tail})
}

// recall takes the packets off a link of a router whose tail has not left it: each goes on
// from the router whole, wherever its head is.
func (n *Network) recall(router, l int32) (out []int32) {
	for _, x := range n.out.passes[l] {
		k := &n.packets[x.packet]
		if x.tail <= n.now || !k.alive || k.turn != x.turn || k.lost || k.via == none {
			continue
		}
		out = append(out, n.again(x.packet, router))
		n.retreat(x.packet)
	}
	n.out.passes[l] = n.out.passes[l][:0]
	n.links[l].free = n.now
	n.out.resent += uint64(len(out))
	return out
}

// again makes a packet anew, whole, at a router.
func (n *Network) again(p, router int32) int32 {
	q := n.blank()
	k, turn := n.packets[p], n.packets[q].turn
	k.lost, k.at, k.lag, k.next, k.via, k.held, k.waits, k.turn = false, router, 0, 0, none, none, 0, turn
	n.packets[q] = k
	return q
}

// park keeps a packet for which no way is left.
func (n *Network) park(p int32) {
	n.packets[p].via = none
	n.out.waits = append(n.out.waits, p)
}

// stranded reports whether packets wait for a route, and no channel will be up again.
func (n *Network) stranded() bool {
	return len(n.out.waits) > 0 && n.out.now == len(n.out.spells)
}

// blocked describes the messages that wait for a channel that stays down, one line per router and
// pair of terminals.
func (n *Network) blocked() (out []engine.Wait) {
	type way struct{ dst, src, at int32 }
	seen := map[[2]int32]bool{} // message and router
	count := map[way]int{}
	var ways []way
	for _, p := range n.out.waits {
		k := &n.packets[p]
		x := [2]int32{k.message, k.at}
		if seen[x] {
			continue
		}
		seen[x] = true
		w := way{k.Dst, n.messages[k.message].Src, k.at}
		if count[w]++; count[w] == 1 {
			ways = append(ways, w)
		}
	}
	for _, w := range ways {
		what := "a message of terminal[%d] has"
		if count[w] > 1 {
			what = strconv.Itoa(count[w]) + " messages of terminal[%d] have"
		}
		out = append(out, engine.Wait{
			For: fmt.Sprintf("terminal[%d]", w.dst),
			Why: fmt.Sprintf(what+" no way on from router %d: %d channels are down", w.src, w.at, len(n.down())),
		})
	}
	return out
}
