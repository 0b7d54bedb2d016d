package routing

import (
	"github.com/causeway-sim/causeway/components/registry"
	"github.com/causeway-sim/causeway/noc/topology"
)

func init() {
	All.Add(registry.Entry[Factory]{
		Name:   "min",
		Doc:    "The one minimal way: in a dragonfly to the router that owns the direct global channel, over it, to the destination; in a dragonfly_plus by the spine that owns it, within a group by the emptiest spine; elsewhere the direct channel.",
		Source: "Kim, Dally, Scott, Abts, ISCA 2008, section 4.1",
		New: func(t topology.Topology, _ any) (Algorithm, error) {
			switch t := t.(type) {
			case topology.Dragonfly:
				m := &minimal{newLegs(t, minimalMap, false)}
				m.inside = toDst
				return m, nil
			case topology.DragonflyPlus:
				return &plusMin{t}, nil
			case *topology.HyperX:
				if len(t.Dims()) == 1 {
					return &hyperxDOR{t}, nil
				}
			}
			return nil, &TopologyError{Algorithm: "min", Want: "dragonfly, dragonfly_plus, fully_connected and crossbar"}
		},
	})
}

type minimal struct{ legs }

// Next implements Algorithm. Packets within a group use class 0: that is what
// BookSim does, and it spreads the load.
func (m *minimal) Next(v View, p *Packet) Hop {
	if p.Hops == 0 && !p.Again {
		m.start(v, p)
	}
	return m.next(v, p)
}

// Onward implements SourceRouted.
func (m *minimal) Onward(router int, p *Packet) (port, class int) { return m.onward(router, p) }

type plusMin struct{ d topology.DragonflyPlus }

// Classes implements Algorithm. A way leads up, across and down once.
func (m *plusMin) Classes() int { return 1 }

// Next implements Algorithm.
func (m *plusMin) Next(v View, p *Packet) Hop {
	r := v.Router()
	home, port := m.d.Home(int(p.Dst))
	from, to := m.d.Group(r), m.d.Group(home)
	if p.Hops == 0 && !p.Again {
		p.Link = 0
		if from != to && m.d.Links() > 1 {
			p.Link = int16(v.Intn(m.d.Links()))
		}
	}
	switch {
	case r == home:
		return Hop{Port: port, Class: AnyClass}
	case from == to && !m.d.Leaf(r):
		return Hop{Port: m.d.Down(home)}
	case from == to:
		best, least := 0, 0
		start := v.Intn(m.d.Spines())
		for i := range m.d.Spines() {
			up := m.d.Up((start + i) % m.d.Spines())
			if q := v.Queue(up); i == 0 || q < least {
				best, least = up, q
			}
		}
		return Hop{Port: best}
	}
	_, spine, out := m.d.Exit(from, to, int(p.Link))
	if m.d.Leaf(r) {
		return Hop{Port: m.d.Up(spine)}
	}
	return Hop{Port: out}
}
