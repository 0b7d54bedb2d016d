package routing

import "github.com/causeway-sim/causeway/noc/topology"

// The phases of a packet in a dragonfly; see the package's doc.
const (
	toVia     = 0 // on the way to the intermediate group
	inVia     = 1 // in it, on the way to the intermediate router
	toDst     = 2 // minimal from here on, no global hop yet
	lastGroup = 3 // minimal, after or at the last global hop
)

// legs moves packets through a dragonfly: to the intermediate place, if there
// is one, then minimally to the destination.
type legs struct {
	d       topology.Dragonfly
	class   [4]int8 // of a phase
	classes int
	router  bool    // Via is reached at the router; else at any router of its group
	inside  uint8   // phase in which a packet within its group starts
	lad     *ladder // gives classes in place of class, if not nil
	*ways
}

// noClass marks a phase that a map does not know.
const noClass = -1

var (
	minimalMap = [4]int8{toVia: noClass, inVia: noClass, toDst: 0, lastGroup: 1}
	groupMap   = [4]int8{toVia: 0, inVia: noClass, toDst: 1, lastGroup: 2}
	routerMap  = [4]int8{toVia: 0, inVia: 1, toDst: 2, lastGroup: 3}
	booksimMap = [4]int8{toVia: 0, inVia: 0, toDst: 1, lastGroup: 2}
)

func newLegs(d topology.Dragonfly, class [4]int8, router bool) legs {
	return legs{d: d, class: class, classes: int(class[lastGroup]) + 1, router: router, inside: lastGroup, ways: newWays(d)}
}

// Classes implements Algorithm.
func (l *legs) Classes() int { return l.classes }

func (l *legs) home(terminal int32) int { return int(l.homes[terminal]) }

// viaGroup, in Mode, makes any router of the intermediate group the place that a
// packet travels to, even if others of its kind travel to a router.
const viaGroup = 0x80

func (l *legs) atRouter(p *Packet) bool { return l.router && p.Mode&viaGroup == 0 }

// climb makes the packets take the classes of a ladder.
func (l *legs) climb(rungs string) {
	l.lad = newLadder(rungs)
	l.classes = l.lad.classes
}

// start draws the parallel channel of a fresh packet and sends it minimally.
// It reports whether the packet leaves its group.
func (l *legs) start(v View, p *Packet) (leaves bool) {
	p.Link = 0
	if m := l.d.Links(); m > 1 {
		p.Link = int16(v.Intn(m))
	}
	p.Via, p.Pending, p.Mode = none, 0, 0
	p.Phase = toDst
	if l.group(v.Router()) == l.group(l.home(p.Dst)) {
		p.Phase = l.inside
		return false
	}
	return true
}

// toward is the port of router r, and whether it is global, of the minimal way
// to another router.
func (l *legs) toward(r, to int, p *Packet) (port int, global bool) {
	from, group := l.group(r), l.group(to)
	if from == group {
		return l.local(r, to), false
	}
	if l.steps != nil {
		s := l.steps[r*l.g+group]
		return int(s.port), s.global
	}
	exit, port := l.exit(from, group, int(p.Link))
	if exit == r {
		return port, true
	}
	return l.local(r, exit), false
}

// next is the hop of a packet that was started.
func (l *legs) next(v View, p *Packet) Hop {
	port, class := l.onward(v.Router(), p)
	return Hop{Port: port, Class: class}
}

// onward is next at a router.
func (l *legs) onward(r int, p *Packet) (port, class int) {
	if !p.Again {
		p.Pending >>= 4
	}
	if p.Phase < toDst {
		via := int(p.Via)
		if l.group(r) == l.group(via) {
			p.Phase = inVia
			if r == via || !l.atRouter(p) {
				p.Phase = toDst
			}
		}
		if p.Phase < toDst {
			port, global := l.toward(r, via, p)
			return port, l.classOf(p, global)
		}
	}
	home := l.home(p.Dst)
	if r == home {
		if l.lad != nil {
			return int(l.ports[p.Dst]), AnyClass
		}
		return int(l.ports[p.Dst]), int(l.class[p.Phase])
	}
	port, global := l.toward(r, home, p)
	if global {
		p.Phase = lastGroup
	}
	return port, l.classOf(p, global)
}

// classOf is the class of the next hop. On a ladder the low half of Pending is the packet's
// present rung, the high half its rung after the hop.
func (l *legs) classOf(p *Packet, global bool) int {
	if l.lad == nil {
		return int(l.class[p.Phase])
	}
	class, after := l.lad.climb(p.Pending&0x0f, global)
	p.Pending = p.Pending&0x0f | after<<4
	return class
}

// hops counts the channels of the minimal way from router r to another.
func (l *legs) hops(r, to int, p *Packet) int {
	if r == to {
		return 0
	}
	from, group := l.group(r), l.group(to)
	if from == group {
		return 1
	}
	n := 1
	exit, port := l.exit(from, group, int(p.Link))
	if exit != r {
		n++
	}
	if entry, _, _ := l.d.Peer(exit, port); entry != to {
		n++
	}
	return n
}

// An Exclusion is the groups that a Valiant path avoids.
type Exclusion string

// The exclusions. A path whose intermediate is in the source group is minimal.
const (
	ExcludeNone   Exclusion = "none"
	ExcludeSource Exclusion = "source"
	ExcludeBoth   Exclusion = "both" // source and destination
)

// drawGroup draws an intermediate group for a packet that leaves its group. It
// is the source group only if that is allowed, or if there is no other.
func (l *legs) drawGroup(v View, p *Packet, ex Exclusion) int {
	g := l.d.Groups()
	src, dst := l.group(v.Router()), l.group(l.home(p.Dst))
	switch {
	case ex == ExcludeBoth && g > 2:
		x, lo, hi := v.Intn(g-2), min(src, dst), max(src, dst)
		if x >= lo {
			x++
		}
		if x >= hi {
			x++
		}
		return x
	case ex == ExcludeBoth:
		return src
	case ex == ExcludeSource:
		x := v.Intn(g - 1)
		if x >= src {
			x++
		}
		return x
	}
	return v.Intn(g)
}

// draw sets Via for a packet that leaves its group, and reports whether the path
// through it differs from the minimal one. If not, Via is none.
func (l *legs) draw(v View, p *Packet, ex Exclusion) bool {
	g := l.drawGroup(v, p, ex)
	if g == l.group(v.Router()) {
		p.Via = none
		return false
	}
	p.Via = int32(g * l.d.A())
	if l.router {
		p.Via += int32(v.Intn(l.d.A()))
	}
	return true
}
