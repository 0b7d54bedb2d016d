package system

import (
	"cmp"
	"fmt"
	"slices"
)

// A way is how requests of a port get to a memory.
type way struct {
	home  *element
	first reach  // the port that answers them
	depth int    // relays on the way
	other *reach // a second first port on a way as deep, which is a fault
}

// An end describes a path that continues from a relay. It is small, because a thousand hosts and a
// thousand memories have a million of them.
type end struct {
	home  *element
	depth int
}

// ends lists the memories that p reaches, in canonical order.
func (b *build) ends(p endpoint) []end {
	if out, ok := b.known[p]; ok {
		return out
	}
	b.spareWays.give(b.ways(p))
	return b.known[p]
}

// ways lists how requests of p get to each memory, in canonical order. Where
// several ways lead to one, the one through most relays counts: with caches and
// memories on one network, requests go through the cache. The list may be given to
// spareWays.
func (b *build) ways(p endpoint) []way {
	found := b.responders(p)
	all := slices.Grow(b.spareWays.take(), len(found))
	for _, r := range found {
		all = b.behind(all, p, r)
	}
	b.spareFound.give(found)
	byHome := func(x, y way) int { return cmp.Compare(x.home.order, y.home.order) }
	if !slices.IsSortedFunc(all, byHome) {
		slices.SortStableFunc(all, byHome)
	}
	out := all[:0]
	for i := range all {
		w := &all[i]
		if len(out) == 0 || out[len(out)-1].home != w.home {
			out = append(out, *w)
			continue
		}
		switch old := &out[len(out)-1]; {
		case w.depth > old.depth:
			*old = *w
		case w.depth == old.depth && old.first.port != w.first.port && old.other == nil:
			first := w.first
			old.other = &first
		}
	}
	ends := make([]end, len(out))
	for i := range out {
		ends[i] = end{out[i].home, out[i].depth}
	}
	b.known[p] = ends
	return out
}

// behind appends the paths from p through relay r to memories.
func (b *build) behind(out []way, p endpoint, r reach) []way {
	el := r.port.el
	switch n := el.node.(type) {
	case Home:
		out = append(out, way{home: el, first: r})
		if g, ok := n.(Gateway); ok {
			for _, q := range b.beyond(el, g, r.port) {
				out = b.beyondRelay(out, q, r)
			}
		}
		return out
	case Relay:
		if p.el.answers() && b.descendants(el)[p.el] {
			return out // a neighbour whose requests may come here
		}
		for _, q := range b.below(el, n, r.port) {
			out = b.beyondRelay(out, q, r)
		}
		return out
	}
	panic(fmt.Sprintf("system: %s answers requests, but its node (%T) is no Home and no Relay", r.port, el.node))
}

// beyondRelay appends the paths that begin with r and continue from q.
func (b *build) beyondRelay(out []way, q endpoint, r reach) []way {
	ends := b.ends(q)
	out = slices.Grow(out, len(ends))
	for _, e := range ends {
		out = append(out, way{home: e.home, first: r, depth: e.depth + 1})
	}
	return out
}

// spare is lists to be used again. As many are needed as are in use at once.
type spare[T any] [][]T

// take is an empty list.
func (s *spare[T]) take() []T {
	n := len(*s)
	if n == 0 {
		return nil
	}
	out := (*s)[n-1]
	*s = (*s)[:n-1]
	return out[:0]
}

// give takes back a list.
func (s *spare[T]) give(list []T) { *s = append(*s, list) }

// answers reports whether a node takes requests.
func (el *element) answers() bool {
	return slices.ContainsFunc(el.specs, func(s PortSpec) bool { return s.Role == Responds })
}

// below lists the requesting ports that a port of a relay forwards to.
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

// descendants is the set of nodes that requests of a relay may come to, by whatever
// way.
func (b *build) descendants(el *element) map[*element]bool {
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
