package routing

import (
	"github.com/causeway-sim/causeway/components/registry"
	"github.com/causeway-sim/causeway/noc/topology"
)

func init() {
	All.Add(registry.Entry[Factory]{
		Name: "anynet",
		Doc:  "Mesh of two dimensions: the way that BookSim finds for a mesh listed in a file: to routers of higher rows along the row first, to those of lower rows along the column first.",
		// Dijkstra's search there (networks/anynet.cpp) takes the router with the smallest
		// number among the nearest, and keeps the first way that it finds to a router. So
		// the last router but one of a way is the one with the smallest number that has a
		// shortest way: the one in the row before, or else the one in the same row.
		Source: "Jiang et al., BookSim 2.0, ISPASS 2013: topology anynet, routing function min",
		New: func(t topology.Topology, _ any) (Algorithm, error) {
			if g, ok := t.(*topology.Grid); ok && !g.Wraps() && len(g.Dims()) == 2 {
				return &anynet{g}, nil
			}
			return nil, &TopologyError{Algorithm: "anynet", Want: "meshes of two dimensions"}
		},
	})
}

type anynet struct{ g *topology.Grid }

// Classes implements Algorithm. Ways turn from rows to higher columns and from lower
// columns to rows only, so channels cannot wait for each other in a ring.
func (a *anynet) Classes() int { return 1 }

// Next implements Algorithm.
func (a *anynet) Next(v View, p *Packet) Hop {
	home, port := a.g.Home(int(p.Dst))
	at, to := [2]int{a.g.At(v.Router(), 0), a.g.At(v.Router(), 1)}, [2]int{a.g.At(home, 0), a.g.At(home, 1)}
	switch {
	case to[1] < at[1]:
		return Hop{Port: a.g.Up(1) + 1}
	case to[0] < at[0]:
		return Hop{Port: a.g.Up(0) + 1}
	case to[0] > at[0]:
		return Hop{Port: a.g.Up(0)}
	case to[1] > at[1]:
		return Hop{Port: a.g.Up(1)}
	}
	return Hop{Port: port, Class: AnyClass}
}
