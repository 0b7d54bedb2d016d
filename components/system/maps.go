package system

import (
	"fmt"
	"slices"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/memory"
)

// A handed map belongs to one requesting port.
type handed struct {
	port endpoint
	m    *memory.Map
}

// makeMaps computes the address map of every requesting port.
func (b *build) makeMaps(sp *space) []handed {
	if sp == nil || len(b.errs) > 0 {
		return nil // what is missing would only be reported again
	}
	b.number()
	defer func() { b.known, b.under, b.stops, b.spareWays, b.spareFound = nil, nil, nil, nil, nil }() // large, and of no use later
	var out []handed
	m := mapper{b: b, sp: sp, homed: make([]bool, len(b.all)), found: make([]*way, len(b.all))}
	for _, t := range sp.tiers {
		for _, h := range t.homes {
			m.homed[h.order] = true
		}
	}
	for _, el := range b.all {
		for i := range el.specs {
			for j := range el.specs[i].Ports {
				p := endpoint{el, i, j}
				if p.def().Role != Requests || p.def().Protocol != Mem || len(b.at[p]) == 0 {
					continue
				}
				if x := m.of(p); x != nil {
					out = append(out, handed{p, x})
				}
			}
		}
	}
	return out
}

// A mapper makes maps, one after the other.
type mapper struct {
	b     *build
	sp    *space
	homed []bool // by number of the element: has addresses
	found []*way // that requests of the port take to it
}

// of gathers the memories that p reaches. Every complaint is made once, even if many ports
// give rise to it.
func (m *mapper) of(p endpoint) *memory.Map {
	b := m.b
	ways := b.ways(p)
	defer b.spareWays.give(ways)
	for i := range ways {
		w := &ways[i]
		switch {
		case w.other != nil:
			b.errs.Add(p.el.shown.Errorf(nil, "%s reaches %s in two ways, by %s and by %s", p, w.home.name, w.first.port, w.other.port))
			return nil
		case !m.homed[w.home.order]:
			b.errs.Add(w.home.shown.Errorf(nil, "%s reaches %s, but the memory section gives it no addresses", p, w.home.name))
			return nil
		}
	}
	if len(ways) == 0 {
		if b.homeless[p.el.shown] {
			return nil
		}
		b.homeless[p.el.shown] = true
		b.errs.Add(p.el.shown.Errorf(nil, "%s reaches no memory: its addresses have no home", p))
		return nil
	}
	for i := range ways {
		m.found[ways[i].home.order] = &ways[i]
	}
	ranges := m.ranges(p)
	for i := range ways {
		m.found[ways[i].home.order] = nil
	}
	if ranges == nil {
		return nil
	}
	x, err := memory.NewMap(ranges...)
	if err != nil {
		panic("system: " + err.Error()) // readMemory has checked this
	}
	return x
}

// ranges are those of p; nil if there are holes in them.
func (m *mapper) ranges(p endpoint) []memory.Range {
	b := m.b
	out := make([]memory.Range, 0, len(m.sp.tiers))
	// of all ranges; many have one port in common, which leads to them all
	var ports []sim.Port
	var paths []memory.Path
	for _, t := range m.sp.tiers {
		r := memory.Range{Tier: t.name, Base: t.base, Size: t.size, Interleave: t.interleave, Placed: m.sp.placement.sends(t.family)}
		first := len(ports)
		var missing *element
		for _, h := range t.homes {
			way := m.found[h.order]
			if way == nil {
				missing = h
				continue
			}
			ports = append(ports, way.first.port.port())
			paths = append(paths, way.first.path)
		}
		if len(ports) == first {
			if !m.hasOwn(t) {
				b.outOfReach(m.sp, t, p)
			}
			continue
		}
		if missing != nil {
			if b.holes[t] {
				return nil
			}
			b.holes[t] = true
			b.errs.Add(t.at.Errorf(nil, "tier %s is spread over %d memories, and %s does not reach %s: addresses without a home", t.name, len(t.homes), p, missing.name))
			return nil
		}
		if port := ports[first]; !slices.ContainsFunc(ports[first:], func(x sim.Port) bool { return x != port }) {
			ports, paths, r.Interleave = ports[:first+1], paths[:first+1], 0
			if first > 0 && ports[first-1] == port {
				ports, paths = ports[:first], paths[:first]
				first--
			}
		}
		r.Ports, r.Paths = slices.Clip(ports[first:]), slices.Clip(paths[first:])
		out = append(out, r)
	}
	return out
}

// hasOwn reports whether the port reaches a private memory of the same family.
func (m *mapper) hasOwn(t *tier) bool {
	return slices.ContainsFunc(m.sp.tiers, func(o *tier) bool {
		return o != t && o.family == t.family && m.found[o.homes[0].order] != nil
	})
}

// reached is the tier of each family that requests of each node come to.
func reached(sp *space, maps []handed) map[Node]map[string]string {
	out := map[Node]map[string]string{}
	for _, h := range maps {
		of := out[h.port.el.node]
		if of == nil {
			of = map[string]string{}
			out[h.port.el.node] = of
		}
		for _, r := range h.m.Ranges() {
			for _, t := range sp.tiers {
				if t.name == r.Tier && of[t.family] == "" {
					of[t.family] = t.name
				}
			}
		}
	}
	return out
}

// homesOf is the node that all requests of each node go to first; "" where there are several.
func homesOf(maps []handed) map[Node]string {
	out := map[Node]string{}
	for _, h := range maps {
		n, name := h.port.el.node, h.m.HomeName()
		if was, ok := out[n]; ok && was != name {
			name = ""
		}
		out[n] = name
	}
	return out
}

// outOfReach returns an error if tensors may be placed in a tier that a requester cannot reach. A
// relay needs to reach only what is below it.
func (b *build) outOfReach(sp *space, t *tier, p endpoint) {
	if _, relay := p.el.node.(Relay); relay {
		return
	}
	for _, v := range sp.placement.uses(sp, t.family) {
		b.errs.Add(v.Errorf(nil, "%s does not reach tier %s", p, t.name))
	}
}

// deliverMaps calls SetMap of all requesters.
func deliverMaps(maps []handed) error {
	for _, h := range maps {
		r, ok := h.port.el.node.(Requester)
		if !ok {
			panic(fmt.Sprintf("system: %s sends requests, but its node (%T) is no Requester", h.port, h.port.el.node))
		}
		if err := r.SetMap(h.port.local(), h.m); err != nil {
			return located(h.port.el.shown, err)
		}
	}
	return nil
}
