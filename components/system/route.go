package system

import (
	"fmt"
	"maps"
	"slices"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
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
		if w.seen[q] {
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

// A way is how requests of a port get to a memory.
type way struct {
	home  *element
	first reach  // the port that answers them
	depth int    // relays on the way
	other *reach // a second first port on a way as deep, which is a fault
}

// ways lists how requests of p get to each memory, by name of the memory. Where
// several ways lead to one, the one through most relays counts: with caches and
// memories on one network, requests go through the cache.
func (b *build) ways(p endpoint) []way {
	if out, ok := b.known[p]; ok {
		return out
	}
	best := map[*element]way{}
	for _, r := range b.responders(p) {
		for _, w := range b.behind(p, r) {
			old, ok := best[w.home]
			switch {
			case !ok || w.depth > old.depth:
				best[w.home] = w
			case w.depth == old.depth && old.first.port != r.port && old.other == nil:
				old.other = &r
				best[w.home] = old
			}
		}
	}
	out := slices.SortedFunc(maps.Values(best), func(x, y way) int { return configs.CompareNames(x.home.name, y.home.name) })
	b.known[p] = out
	return out
}

// behind lists the memories that r speaks for when p asks.
func (b *build) behind(p endpoint, r reach) []way {
	el := r.port.el
	switch n := el.node.(type) {
	case Home:
		out := []way{{home: el, first: r}}
		if g, ok := n.(Gateway); ok {
			for _, q := range b.beyond(el, g, r.port) {
				for _, w := range b.ways(q) {
					out = append(out, way{home: w.home, first: r, depth: w.depth + 1})
				}
			}
		}
		return out
	case Relay:
		if b.beneath(el)[p.el] {
			return nil // a neighbour whose requests may come here
		}
		var out []way
		for _, q := range b.below(el, n, r.port) {
			for _, w := range b.ways(q) {
				out = append(out, way{home: w.home, first: r, depth: w.depth + 1})
			}
		}
		return out
	}
	panic(fmt.Sprintf("system: %s answers requests, but its node (%T) is no Home and no Relay", r.port, el.node))
}

// below lists the requesting ports behind a port of a relay.
func (b *build) below(el *element, n Relay, p endpoint) []endpoint {
	var out []endpoint
	for _, name := range n.Below(p.local()) {
		q, ok := el.find(name)
		if !ok {
			panic(fmt.Sprintf("system: %s has no port %q to send requests from", el.name, name))
		}
		out = append(out, q)
	}
	return out
}

// beyond lists the requesting ports of relays above a gateway that are wired.
func (b *build) beyond(el *element, g Gateway, p endpoint) []endpoint {
	var out []endpoint
	seen := map[endpoint]bool{}
	var climb func(q endpoint)
	climb = func(q endpoint) {
		for _, l := range b.at[q] {
			o := l.other(q)
			if seen[o] {
				continue
			}
			seen[o] = true
			relay, isRelay := o.el.node.(Relay)
			through, passes := o.el.node.(Transparent)
			for i := range o.el.specs {
				for j := range o.el.specs[i].Ports {
					x := endpoint{o.el, i, j}
					switch {
					case isRelay && x.def().Role == Responds:
						for _, y := range b.below(o.el, relay, x) {
							if !y.def().Fused && !slices.Contains(out, y) {
								out = append(out, y)
							}
						}
					case passes && x != o:
						if exits, _ := through.Through(x.local()); slices.Contains(exits, o.local()) {
							climb(x)
						}
					}
				}
			}
		}
	}
	for _, name := range g.Beyond(p.local()) {
		if q, ok := el.find(name); ok {
			climb(q)
		}
	}
	return out
}

// beneath is the set of nodes that requests of a relay may come to, by whatever
// way.
func (b *build) beneath(el *element) map[*element]bool {
	if out, ok := b.under[el]; ok {
		return out
	}
	out := map[*element]bool{}
	b.under[el] = out
	work := []*element{el}
	for len(work) > 0 {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		if _, ok := x.node.(Relay); !ok {
			continue
		}
		for i := range x.specs {
			for j := range x.specs[i].Ports {
				p := endpoint{x, i, j}
				if p.def().Role != Requests {
					continue
				}
				for _, r := range b.responders(p) {
					if !out[r.port.el] {
						out[r.port.el] = true
						work = append(work, r.port.el)
					}
				}
			}
		}
	}
	return out
}
