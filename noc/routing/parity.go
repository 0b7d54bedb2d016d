package routing

import "github.com/causeway-sim/causeway/noc/topology"

// rlm lets a packet take two local channels of one class in a group, one after the other. Local
// channels from x to y fall into four kinds by their direction (up or down) and by the parity of
// y-x. A second channel must be of a kind that does not precede that of the first:
//
//	down and odd, up and even, up and odd, down and even
//
// No cycle is left: along one the kinds would have to stay the same, and channels
// of one kind lead one way only. Every router can pass some intermediate ones to
// every other.
func kindOf(x, y int) int {
	odd := (y-x)%2 != 0
	switch {
	case x > y && odd:
		return 0
	case x < y && !odd:
		return 1
	case x < y:
		return 2
	}
	return 3
}

// allowed reports whether a packet at router r may be diverted to router i of the
// group: after the local channel that it came by, and before the one that it
// will need then.
func (a *par) allowed(r, i int, p *Packet, flags uint8) bool {
	if p.Phase&stepped != 0 {
		return kindOf(int(p.Via), r) <= kindOf(r, i)
	}
	if flags&mustLeave != 0 {
		return true // a global channel follows
	}
	port, global, home := a.minimalPort(i, p)
	if global || home {
		return true
	}
	to, _, _ := a.d.Peer(i, port)
	return kindOf(r, i) <= kindOf(i, to)
}

// step takes a local port, by the class of the last local hop if that was in this
// group.
func (a *par) step(r int, p *Packet, port int, flags uint8) Hop {
	if p.Phase&stepped == 0 {
		hop := a.take(p, port, false, flags|stepped)
		p.Via = int32(r)
		return hop
	}
	class, after := a.lad.below(p.Phase & foothold)
	p.Pending = after | p.Phase&^foothold | flags
	return Hop{Port: port, Class: class}
}

// Arrives implements Bulk. Of the router that a packet stepped from only the kind
// of the channel matters.
func (a *par) Arrives(by topology.Class, r int, p *Packet) {
	a.sequence.Arrives(by, r, p)
	if p.Via == none {
		return
	}
	kind := kindOf(int(p.Via), r)
	for x := range int32(a.d.A()) {
		x += int32(a.d.Group(r) * a.d.A())
		if int(x) != r && kindOf(int(x), r) == kind {
			p.Via = x
			return
		}
	}
}
