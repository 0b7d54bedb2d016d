package system

import (
	"fmt"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/memory"
)

// A reach is a responding port that requests of some port come to first.
type reach struct {
	port endpoint
	path memory.Path
}

// A leg is a part of the way: cycles of a clock, at most at a bandwidth.
type leg struct {
	cycles uint64
	clock  clock.Clock
	limit  units.Bandwidth // 0 for none
}

// in is the sum of legs in cycles of c, each leg rounded up.
func in(legs []leg, c clock.Clock) uint64 {
	var n uint64
	for _, l := range legs {
		if l.clock == c {
			n += l.cycles
			continue
		}
		n += c.Cycles(l.cycles*l.clock.Num(), l.clock.Den())
	}
	return n
}

// A stop is what walks have to know about a port.
type stop struct {
	links  []*link
	cycles uint64 // latency towards it
	walk   uint32 // the last that came to it
}

// number gives every port a number, for walks: a network has thousands of ports, and
// every requester walks through it.
func (b *build) number() {
	n := 0
	for i, el := range b.all {
		el.order = i
		el.stops = el.stops[:0]
		for j := range el.specs {
			el.stops = append(el.stops, n)
			n += len(el.specs[j].Ports)
		}
	}
	b.stops = make([]stop, n)
	for p, links := range b.at {
		b.stops[p.number()] = stop{links: links, cycles: b.cycles[p]}
	}
}

func (p endpoint) number() int { return p.el.stops[p.spec] + p.index }

// responders walks from a requesting port to the first ports that answer,
// through whatever passes requests on. The list may be given to spareFound.
func (b *build) responders(from endpoint) []reach {
	b.walks++
	w := walk{b: b, from: from, found: b.spareFound.take()}
	w.enter(from)
	w.leave(from)
	return w.found
}

type walk struct {
	b           *build
	from        endpoint
	there, back []leg // between the requester and where the walk is
	found       []reach
}

// enter reports whether p is new to the walk.
func (w *walk) enter(p endpoint) bool {
	s := &w.b.stops[p.number()]
	if s.walk == w.b.walks {
		return false
	}
	s.walk = w.b.walks
	return true
}

// leave follows the links of p.
func (w *walk) leave(p endpoint) {
	here := &w.b.stops[p.number()]
	n := len(w.there)
	for _, l := range here.links {
		q := l.other(p)
		if !w.enter(q) {
			continue
		}
		w.there = append(w.there[:n], leg{w.b.stops[q.number()].cycles, q.def().Clock, l.bandwidth()})
		w.back = append(w.back[:n], leg{here.cycles, p.def().Clock, l.bandwidth()})
		if q.def().Role == Responds {
			w.found = append(w.found, reachOf(w.from, q, w.there, w.back))
			continue
		}
		t, ok := q.el.node.(Transparent)
		if !ok {
			continue // the way ends here; a node that lacks a memory reports that
		}
		exits, latency := t.Through(q.local())
		inside := leg{latency, q.def().Clock, 0}
		w.there, w.back = append(w.there, inside), append(w.back, inside)
		for _, exit := range exits {
			x, ok := q.el.find(exit)
			if !ok {
				panic(fmt.Sprintf("system: %s passes requests on to %q, which is none of its ports", q.el.name, exit))
			}
			if w.enter(x) {
				w.leave(x)
			}
		}
	}
	w.there, w.back = w.there[:n], w.back[:n]
}

// reachOf is the port to with the way of requests there and of answers back.
func reachOf(from, to endpoint, there, back []leg) reach {
	r, ok := to.el.node.(Responder)
	if !ok {
		panic(fmt.Sprintf("system: %s answers requests, but its node (%T) is no Responder", to, to.el.node))
	}
	latency, bandwidth := r.Nominal()
	link := false
	for _, l := range there {
		if l.limit > 0 && (bandwidth == 0 || l.limit < bandwidth) {
			bandwidth, link = l.limit, true
		}
	}
	c := to.def().Clock
	return reach{to, memory.Path{
		Clock: c, Request: in(there, c), Response: in(back, from.def().Clock),
		Latency: latency, Bandwidth: bandwidth, Link: there[0].limit, EachWay: link,
	}}
}
