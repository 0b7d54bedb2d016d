package routing

import "github.com/causeway-sim/causeway/noc/topology"

// Around returns shortest routing for a network that may be disconnected: Hop.Port is -1 without
// a route. Its classes count the channels passed, without a limit.
func Around(t topology.Topology) (Algorithm, error) {
	if t.Routers() > maxTable {
		return nil, &TopologyError{Algorithm: "a way around failed channels", Want: "networks of at most 4096 routers"}
	}
	a, err := distances(t, true)
	return &around{a}, err
}

// around is a shortest that knows when to give up.
type around struct{ *shortest }

// Next implements Algorithm.
func (a *around) Next(v View, p *Packet) Hop {
	home, _ := a.t.Home(int(p.Dst))
	if a.far[home*a.t.Routers()+v.Router()] == unreachable {
		return Hop{Port: -1}
	}
	return a.shortest.Next(v, p)
}
