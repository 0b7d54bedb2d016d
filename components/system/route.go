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
		n += c.Cycles(l.cycles*l.clock.Num(), l.clock.Den())
	}
	return n
}

// responders walks from a requesting port to the first ports that answer,
// through whatever passes requests on.
func (b *build) responders(from endpoint) []reach {
	w := walk{b: b, from: from, seen: map[endpoint]bool{from: true}}
	w.leave(from, nil, nil)
	return w.found
}

type walk struct {
	b     *build
	from  endpoint
	seen  map[endpoint]bool
	found []reach
}

// leave follows the links of p. there and back are the legs between the
// requester and p.
func (w *walk) leave(p endpoint, there, back []leg) {
	for _, l := range w.b.at[p] {
		q := l.other(p)
		if w.seen[q] || q.el == w.from.el {
			continue
		}
		w.seen[q] = true
		there := append(there[:len(there):len(there)], leg{w.b.cycles[q], q.def().Clock, l.bandwidth()})
		back := append(back[:len(back):len(back)], leg{w.b.cycles[p], p.def().Clock, l.bandwidth()})
		if q.def().Role == Responds {
			w.found = append(w.found, w.b.reach(w.from, q, there, back))
			continue
		}
		t, ok := q.el.node.(Transparent)
		if !ok {
			continue // it ends here; whoever lacks a memory says so
		}
		exits, latency := t.Through(q.local())
		inside := leg{latency, q.def().Clock, 0}
		there, back = append(there, inside), append(back, inside)
		for _, exit := range exits {
			x, ok := q.el.find(exit)
			if !ok {
				panic(fmt.Sprintf("system: %s passes requests on to %q, which is none of its ports", q.el.name, exit))
			}
			if !w.seen[x] {
				w.seen[x] = true
				w.leave(x, there, back)
			}
		}
	}
}

func (b *build) reach(from, to endpoint, there, back []leg) reach {
	r, ok := to.el.node.(Responder)
	if !ok {
		panic(fmt.Sprintf("system: %s answers requests, but its node (%T) is no Responder", to, to.el.node))
	}
	latency, bandwidth := r.Nominal()
	for _, l := range there {
		if l.limit > 0 && (bandwidth == 0 || l.limit < bandwidth) {
			bandwidth = l.limit
		}
	}
	c := to.def().Clock
	return reach{to, memory.Path{
		Clock: c, Request: in(there, c), Response: in(back, from.def().Clock),
		Latency: latency, Bandwidth: bandwidth,
	}}
}

// homes lists the memories that a responding port speaks for: itself, or what
// lies beneath it.
func (b *build) homes(p endpoint, seen map[*element]bool) []*element {
	switch n := p.el.node.(type) {
	case Home:
		return []*element{p.el}
	case Relay:
		if seen[p.el] {
			return nil
		}
		seen[p.el] = true
		defer delete(seen, p.el)
		var out []*element
		dup := map[*element]bool{}
		for _, below := range n.Below(p.local()) {
			q, ok := p.el.find(below)
			if !ok {
				panic(fmt.Sprintf("system: %s has no port %q to send requests from", p.el.name, below))
			}
			for _, r := range b.responders(q) {
				for _, h := range b.homes(r.port, seen) {
					if !dup[h] {
						dup[h] = true
						out = append(out, h)
					}
				}
			}
		}
		return out
	}
	panic(fmt.Sprintf("system: %s answers requests, but its node (%T) is no Home and no Relay", p, p.el.node))
}
