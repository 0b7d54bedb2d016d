package system

import (
	"fmt"
	"slices"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/memory"
)

// A handed map goes to one requesting port.
type handed struct {
	port endpoint
	m    *memory.Map
}

// makeMaps computes the address map of every requesting port.
func (b *build) makeMaps(sp *space) []handed {
	if sp == nil || len(b.errs) > 0 {
		return nil // what is missing would only be reported again
	}
	var out []handed
	homed := map[*element]bool{}
	for _, t := range sp.tiers {
		for _, h := range t.homes {
			homed[h] = true
		}
	}
	for _, el := range b.all {
		for i := range el.specs {
			for j := range el.specs[i].Ports {
				p := endpoint{el, i, j}
				if p.def().Role != Requests || p.def().Protocol != Mem || len(b.at[p]) == 0 {
					continue
				}
				if m := b.makeMap(sp, p, homed); m != nil {
					out = append(out, handed{p, m})
				}
			}
		}
	}
	return out
}

// makeMap gathers what lies behind p. Every complaint is made once, even if
// many ports give rise to it.
func (b *build) makeMap(sp *space, p endpoint, homed map[*element]bool) *memory.Map {
	by := map[*element]reach{}
	for _, w := range b.ways(p) {
		switch {
		case w.other != nil:
			b.errs.Add(p.el.shown.Errorf(nil, "%s reaches %s in two ways, by %s and by %s", p, w.home.name, w.first.port, w.other.port))
			return nil
		case !homed[w.home]:
			b.errs.Add(w.home.shown.Errorf(nil, "%s reaches %s, but the memory section gives it no addresses", p, w.home.name))
			return nil
		}
		by[w.home] = w.first
	}
	if len(by) == 0 {
		if b.homeless[p.el.shown] {
			return nil
		}
		b.homeless[p.el.shown] = true
		b.errs.Add(p.el.shown.Errorf(nil, "%s reaches no memory: its addresses have no home", p))
		return nil
	}
	var ranges []memory.Range
	for _, t := range sp.tiers {
		r := memory.Range{Tier: t.name, Base: t.base, Size: t.size, Interleave: t.interleave}
		var missing *element
		for _, h := range t.homes {
			way, ok := by[h]
			if !ok {
				missing = h
				continue
			}
			r.Ports = append(r.Ports, way.port.port())
			r.Paths = append(r.Paths, way.path)
		}
		if len(r.Ports) == 0 {
			b.outOfReach(sp, t, p)
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
		if !slices.ContainsFunc(r.Ports, func(x sim.Port) bool { return x != r.Ports[0] }) {
			r.Ports, r.Paths, r.Interleave = r.Ports[:1], r.Paths[:1], 0
		}
		ranges = append(ranges, r)
	}
	m, err := memory.NewMap(ranges...)
	if err != nil {
		panic("system: " + err.Error()) // readMemory has checked this
	}
	return m
}

// outOfReach complains where tensors may be placed into a tier that a
// requester cannot reach. A relay only sees what is beneath it.
func (b *build) outOfReach(sp *space, t *tier, p endpoint) {
	if _, relay := p.el.node.(Relay); relay {
		return
	}
	for _, v := range sp.placement.uses(sp, t.name) {
		b.errs.Add(v.Errorf(nil, "%s does not reach tier %s", p, t.name))
	}
}

// deliverMaps hands the maps out.
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
