package routing

import (
	"github.com/causeway-sim/causeway/components/registry"
	"github.com/causeway-sim/causeway/noc/topology"
)

func init() {
	All.Add(registry.Entry[Factory]{
		Name:   "min",
		Doc:    "The one minimal way: in a dragonfly to the router that owns the direct global channel, over it, to the destination; elsewhere the direct channel.",
		Source: "Kim, Dally, Scott, Abts, ISCA 2008, section 4.1",
		New: func(t topology.Topology, _ any) (Algorithm, error) {
			switch t := t.(type) {
			case topology.Dragonfly:
				m := &minimal{newLegs(t, minimalMap, false)}
				m.inside = toDst
				return m, nil
			case *topology.HyperX:
				if len(t.Dims()) == 1 {
					return &hyperxDOR{t}, nil
				}
			}
			return nil, &TopologyError{"min", "dragonfly, fully_connected and crossbar"}
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
