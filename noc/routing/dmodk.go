package routing

import (
	"github.com/causeway-sim/causeway/components/registry"
	"github.com/causeway-sim/causeway/noc/topology"
)

func init() {
	All.Add(registry.Entry[Factory]{
		Name:   "d_mod_k",
		Doc:    "Up by the ports that digits of the destination number name, then down the one way: messages of a shift of all terminals share no channel.",
		Source: "Zahavi, Fat-tree routing and node ordering providing contention free traffic for MPI global collectives, JPDC 72(11), 2012, section 3",
		New: func(t topology.Topology, _ any) (Algorithm, error) {
			if f, ok := t.(topology.FatTree); ok {
				return &dModK{f}, nil
			}
			return nil, &TopologyError{Algorithm: "d_mod_k", Want: "fat_tree"}
		},
	})
}

// dModK is static: the way of a packet depends on its two ends alone.
type dModK struct{ f topology.FatTree }

// Classes implements Algorithm.
func (a *dModK) Classes() int { return 1 }

// TerminalRouted implements routing.TerminalRouted.
func (a *dModK) TerminalRouted() {}

// Next implements Algorithm. A router at level l goes up by digit l of the terminal's number, of
// which digit 0 is its port at its router.
func (a *dModK) Next(v View, p *Packet) Hop {
	home, port := a.f.Home(int(p.Dst))
	r := v.Router()
	l := a.f.Level(r)
	for d := l; d < a.f.Levels()-1; d++ {
		if a.f.Digit(r, d) == a.f.Digit(home, d) {
			continue
		}
		up := port
		if l > 0 {
			up = a.f.Digit(home, l-1)
		}
		return Hop{Port: a.f.K() + up, Class: 0}
	}
	if l == 0 {
		return Hop{Port: port, Class: AnyClass}
	}
	return Hop{Port: a.f.Digit(home, l-1), Class: 0}
}
