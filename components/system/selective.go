package system

import (
	"slices"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/memory"
)

// selectTiers takes out of the maps what Selective relays do not serve, also
// through relays in front of them.
func (b *build) selectTiers(sp *space, maps []handed) {
	if !slices.ContainsFunc(b.all, func(el *element) bool { return el.refuses(sp) }) {
		return
	}
	s := selection{maps: maps, known: map[question]bool{}}
	kept := make([]*memory.Map, len(maps))
	for i, h := range maps {
		var ranges []memory.Range
		for _, r := range h.m.Ranges() {
			if s.serves(r.Ports[0].Component(), r.Tier) {
				ranges = append(ranges, r)
				continue
			}
			for _, t := range sp.tiers {
				if t.name == r.Tier {
					b.outOfReach(sp, t, h.port)
				}
			}
		}
		if len(ranges) == 0 {
			b.errs.Add(h.port.el.shown.Errorf(nil, "%s reaches no memory: none of those that it is linked to is bound to it", h.port))
			continue
		}
		m, err := memory.NewMap(ranges...)
		if err != nil {
			panic("system: " + err.Error()) // a part of a map that was right
		}
		kept[i] = m
	}
	for i, m := range kept {
		if m != nil {
			maps[i].m = m
		}
	}
}

// refuses reports whether el is a Selective relay that leaves out a tier.
func (el *element) refuses(sp *space) bool {
	n, ok := el.node.(Selective)
	return ok && sp != nil && slices.ContainsFunc(sp.tiers, func(t *tier) bool { return !n.Serves(t.name) })
}

// A selection caches which nodes serve which tiers.
type selection struct {
	maps  []handed
	known map[question]bool
}

type question struct {
	node sim.Component
	tier string
}

// serves reports whether a node that requests come to has a way for those of a tier.
func (s *selection) serves(n sim.Component, tier string) bool {
	q := question{n, tier}
	if out, ok := s.known[q]; ok {
		return out
	}
	s.known[q] = false // relays in a ring lead nowhere
	out := true
	switch x := n.(type) {
	case Home:
	case Selective:
		out = x.Serves(tier)
	case Relay:
		out = slices.ContainsFunc(s.maps, func(h handed) bool {
			return sim.Component(h.port.el.node) == n && slices.ContainsFunc(h.m.Ranges(), func(r memory.Range) bool {
				return r.Tier == tier && s.serves(r.Ports[0].Component(), tier)
			})
		})
	}
	s.known[q] = out
	return out
}
