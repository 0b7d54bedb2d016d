package routing

import "github.com/causeway-sim/causeway/noc/topology"

// For destinations in other groups a sequence reads only the first port of the minimal path: one
// packet per such port represents all. After a local channel to the router of the path's global
// channel, it is spread over all global channels there; after a global channel off the path, over
// everything.

// Starts implements Bulk.
func (s *sequence) Starts(r int, yield func(Packet)) {
	if s.d.Links() > 1 { // the way is drawn with the parallel channel
		l := legs{d: s.d}
		l.destinations(r, Packet{}, yield)
		return
	}
	s.elsewhere(r, Packet{}, yield)
	s.here(r, Packet{}, yield)
}

// Arrives implements Bulk.
func (s *sequence) Arrives(by topology.Class, r int, p *Packet) {
	if p.Pending&(stepped|mustLeave) == 0 {
		p.Via = none // not read
	}
	p.Phase = 0 // becomes Pending
	g := s.d.Group(r)
	if by == topology.Global && g != s.d.Group(s.home(p.Dst)) {
		p.Dst = int32((g + 1) % s.d.Groups() * s.d.A() * s.d.P())
	}
}

// Spread implements Bulk.
func (s *sequence) Spread(by topology.Class, r int, p Packet, yield func(Packet)) {
	p.Phase = p.Pending
	arrived := s.d.Group(r) == s.d.Group(s.home(p.Dst))
	if by != topology.Global {
		if arrived {
			yield(p)
			return
		}
		s.behind(r, p, yield)
		return
	}
	// Where pairs of groups are joined by several channels, a packet may be diverted
	// over one to where another would have taken it.
	parallel := s.d.Links() > 1
	if arrived || parallel {
		s.here(r, p, yield)
	}
	if !arrived || parallel && s.lad.after[1][p.Phase&foothold] != noRung {
		s.elsewhere(r, p, yield)
	}
}

// here yields p to every router of the group of r.
func (s *sequence) here(r int, p Packet, yield func(Packet)) {
	g := s.d.Group(r)
	for x := range s.d.A() {
		p.Dst = int32((g*s.d.A() + x) * s.d.P())
		yield(p)
	}
}

// elsewhere yields p to one destination behind each port by which a minimal way
// leaves the group of r.
func (s *sequence) elsewhere(r int, p Packet, yield func(Packet)) {
	for x := range s.d.A() {
		s.by(s.d.Group(r)*s.d.A()+x, r, p, yield)
	}
}

// behind yields the packets that p represents, at router r of a group without its destination.
func (s *sequence) behind(r int, p Packet, yield func(Packet)) {
	exit, _ := s.d.Exit(s.d.Group(r), s.d.Group(s.home(p.Dst)), int(p.Link))
	s.by(exit, r, p, yield)
}

// by yields p to destinations whose minimal way leaves the group of r at router
// exit: if that is r, to one behind each of its channels, else to one.
func (s *sequence) by(exit, r int, p Packet, yield func(Packet)) {
	for i := range s.d.H() {
		to, _, ok := s.d.Peer(exit, s.globalPort(i))
		if !ok {
			continue
		}
		g := s.d.Group(to)
		if at, port := s.d.Exit(s.d.Group(r), g, int(p.Link)); at != exit || port != s.globalPort(i) {
			continue // a parallel channel, which this packet does not take
		}
		p.Dst = int32(g * s.d.A() * s.d.P())
		yield(p)
		if exit != r {
			return
		}
	}
}

// Waits implements Bulk. A waiting packet after its source is routed again as if it had just
// arrived.
func (s *sequence) Waits(p *Packet) {
	if p.Phase&(stepped|mustLeave) == 0 {
		p.Via = none
	}
	p.Pending = 0
	if p.Hops > 0 {
		p.Pending, p.Again = p.Phase, false
	}
}
