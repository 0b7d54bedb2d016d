package routing

import "github.com/causeway-sim/causeway/noc/topology"

// Starts implements Bulk. Before the intermediate place the destination of a packet is not read,
// so one packet per intermediate group represents all; after it, and on a minimal path, one per
// destination group. All of them have decided at the source, since Hops is not 0.
func (l *legs) Starts(r int, yield func(Packet)) {
	for k := range max(1, l.d.Links()) {
		p := Packet{Hops: 1, Link: int16(k)}
		q := p
		q.Phase = toVia
		for g := range l.d.Groups() {
			if q.Via = int32(g * l.d.A()); g != l.d.Group(r) && (l.lad != nil || l.class[toVia] != noClass) {
				yield(q)
			}
		}
		l.destinations(r, p, func(p Packet) {
			p.Phase = toDst
			if l.d.Group(l.home(p.Dst)) == l.d.Group(r) {
				p.Phase = l.inside
			}
			yield(p)
		})
	}
}

// Spread implements Bulk.
func (l *legs) Spread(by topology.Class, r int, p Packet, yield func(Packet)) {
	p.Pending >>= 4 // what the next decision begins with
	p.Pending <<= 4
	if p.Phase >= toDst {
		p.Via, p.Mode = 0, 0 // not read any more
		l.enter(by, r, p, yield)
		return
	}
	if l.d.Group(r) != l.d.Group(int(p.Via)) {
		yield(p)
		return
	}
	router := l.atRouter(&p)
	for x := range l.d.A() {
		if router && by == topology.Global {
			p.Via = int32(l.d.Group(r)*l.d.A() + x)
		}
		if !router || int(p.Via) == r {
			l.destinations(r, p, yield)
		} else {
			yield(p)
		}
		if !router || by != topology.Global {
			return
		}
	}
}

// enter yields p or, if it has just arrived in the group of its destination, one packet to each
// router of it.
func (l *legs) enter(by topology.Class, r int, p Packet, yield func(Packet)) {
	g := l.d.Group(r)
	if by != topology.Global || g != l.d.Group(l.home(p.Dst)) {
		yield(p)
		return
	}
	for x := range l.d.A() {
		p.Dst = int32((g*l.d.A() + x) * l.d.P())
		yield(p)
	}
}

// destinations yields p to one router of every other group and to every router
// of the own one.
func (l *legs) destinations(r int, p Packet, yield func(Packet)) {
	a := l.d.A()
	for g := range l.d.Groups() {
		for x := range a {
			p.Dst = int32((g*a + x) * l.d.P())
			yield(p)
			if g != l.d.Group(r) {
				break
			}
		}
	}
}

// Arrives implements Bulk.
func (*legs) Arrives(topology.Class, int, *Packet) {}

// Waits implements Bulk.
func (l *legs) Waits(p *Packet) { p.Pending &= 0x0f }
