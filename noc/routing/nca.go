package routing

import (
	"github.com/causeway-sim/causeway/components/registry"
	"github.com/causeway-sim/causeway/noc/topology"
)

func init() {
	All.Add(registry.Entry[Factory]{
		Name:   "nca",
		Doc:    "Up by random ports to a nearest common ancestor, then down the one way.",
		Source: "Petrini and Vanneschi, IPPS 1997, section 3",
		New: func(t topology.Topology, _ any) (Algorithm, error) {
			if f, ok := t.(topology.FatTree); ok {
				return &nca{f}, nil
			}
			return nil, &TopologyError{Algorithm: "nca", Want: "fat_tree"}
		},
	})
}

type nca struct{ f topology.FatTree }

// Classes implements Algorithm.
func (a *nca) Classes() int { return 1 }

// Next implements Algorithm. A router of level l is above the destination if no digit from l on
// differs.
func (a *nca) Next(v View, p *Packet) Hop {
	home, port := a.f.Home(int(p.Dst))
	r := v.Router()
	l := a.f.Level(r)
	for d := l; d < a.f.Levels()-1; d++ {
		if a.f.Digit(r, d) != a.f.Digit(home, d) {
			return Hop{Port: a.f.K() + v.Intn(a.f.K()), Class: 0}
		}
	}
	if l == 0 {
		return Hop{Port: port, Class: AnyClass}
	}
	return Hop{Port: a.f.Digit(home, l-1), Class: 0}
}
