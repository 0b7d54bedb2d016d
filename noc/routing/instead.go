package routing

import "github.com/causeway-sim/causeway/noc/topology"

// instead looks for a port to divert a packet to.
func (a *par) instead(v View, p *Packet, min int, global bool) (Hop, bool) {
	r := v.Router()
	inside := a.d.Group(r) == a.d.Group(a.home(p.Dst))
	switch {
	case p.Phase&away == 0 && !inside:
		first := p.Hops == 0
		policy := a.Global
		if policy == mixedGlobal {
			policy = ownGlobal
			if !first {
				policy = neighbourGlobal
			}
		}
		if policy == anyGlobal {
			policy = neighbourGlobal
			if oneIn(v, a.d.A()) {
				policy = ownGlobal
			}
		}
		if policy == ownGlobal {
			return a.divertGlobal(v, p, min, global)
		}
		if p.Phase&localDone != 0 {
			return Hop{}, false
		}
		return a.divertLocal(v, p, min, global, localDone|mustLeave)
	case a.Local && p.Phase&localDone == 0 && !global && (!inside || a.again || a.parity):
		return a.divertLocal(v, p, min, global, localDone)
	}
	return Hop{}, false
}

// divertGlobal takes a global port of this router.
func (a *par) divertGlobal(v View, p *Packet, min int, global bool) (Hop, bool) {
	class, _ := a.lad.climb(p.Phase&foothold, true)
	port, ok := a.choose(v, p, min, global, a.globalPort(0), a.d.H(), true, class, func(port int) bool {
		return a.d.Class(v.Router(), port) == topology.Global
	})
	if !ok {
		return Hop{}, false
	}
	return a.take(p, port, true, 0), true
}

// divertLocal takes a local port, as the second local hop in a row where the ladder has one.
func (a *par) divertLocal(v View, p *Packet, min int, global bool, flags uint8) (Hop, bool) {
	r := v.Router()
	at := p.Phase & foothold
	class := int(a.lad.class[0][at])
	reuse := a.again && at != 0 || p.Phase&stepped != 0
	if reuse {
		class, _ = a.lad.below(at)
	}
	port, ok := a.choose(v, p, min, global, a.d.P(), a.d.A()-1, false, class, func(port int) bool {
		i, _, _ := a.d.Peer(r, port)
		return (flags&mustLeave == 0 || a.leaves(i)) && (!a.parity || a.allowed(r, i, p, flags))
	})
	switch {
	case !ok:
		return Hop{}, false
	case a.parity:
		return a.step(r, p, port, flags), true
	case reuse:
		class, after := a.lad.below(at)
		p.Pending = after | p.Phase&^foothold | flags
		return Hop{Port: port, Class: class, Optional: true}, true
	}
	return a.take(p, port, false, flags), true
}

// leaves reports whether a router has a global channel.
func (a *divert) leaves(r int) bool {
	for i := range a.d.H() {
		if a.d.Class(r, a.globalPort(i)) == topology.Global {
			return true
		}
	}
	return false
}

// choose draws a port among n from first that is fit: other than the minimal one,
// ready, and not too full.
func (a *divert) choose(v View, p *Packet, min int, minGlobal bool, first, n int, global bool, class int, fit func(int) bool) (int, bool) {
	minClass := a.classOf(p, minGlobal)
	i, ok := pick(v, n, a.once, func(i int) bool { return first+i != min && fit(first+i) }, func(i int) bool {
		return v.Ready(first+i, class) &&
			100*a.used(v, first+i, global, a.Queue, class) <= a.Percent*a.used(v, min, minGlobal, a.Queue, minClass)
	})
	return first + i, ok
}

// leave sends a packet out of its first group by a global port of this router,
// one that is ready if there is any.
func (a *par) leave(v View, p *Packet) Hop {
	class, _ := a.lad.climb(p.Phase&foothold, true)
	r, first, wait := v.Router(), a.globalPort(0), none
	i, ok := pick(v, a.d.H(), false, func(i int) bool { return a.d.Class(r, first+i) == topology.Global }, func(i int) bool {
		if wait == none {
			wait = i
		}
		return v.Ready(first+i, class)
	})
	if !ok {
		for i = max(wait, 0); a.d.Class(r, first+i) != topology.Global; {
			i++
		}
	}
	return a.take(p, first+i, true, 0)
}
