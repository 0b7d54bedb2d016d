package routing

import (
	"github.com/causeway-sim/causeway/components/registry"
	"github.com/causeway-sim/causeway/noc/topology"
)

func init() {
	All.Add(registry.Entry[Factory]{
		Name:   "adaptive",
		Doc:    "Minimal adaptive: by any port that leads nearer, the emptiest that is ready, in a class of its own; else in dimension order by the classes below it.",
		Source: "Duato, IEEE TPDS 1993, section 4; escape classes of a torus: Dally and Seitz, IEEE ToC 1987",
		New: func(t topology.Topology, _ any) (Algorithm, error) {
			if g := topology.AsGrid(t); g != nil {
				return &adaptive{g}, nil
			}
			return nil, &TopologyError{Algorithm: "adaptive", Want: "mesh, torus and ring"}
		},
	})
}

type adaptive struct{ g *topology.Grid }

// Opportunistic implements OpportunisticAlgorithm.
func (*adaptive) Opportunistic() {}

// Classes implements Algorithm. The last one is that of the adaptive hops.
func (a *adaptive) Classes() int {
	if a.g.Wraps() {
		return 3
	}
	return 2
}

// Next implements Algorithm.
func (a *adaptive) Next(v View, p *Packet) Hop {
	r := v.Router()
	home, port := a.g.Home(int(p.Dst))
	if r == home {
		return Hop{Port: port, Class: AnyClass}
	}
	free := a.Classes() - 1
	best, least := none, 0
	escape := Hop{Port: none}
	for d := range a.g.Dims() {
		port, class, ok := a.toward(r, home, d)
		if !ok {
			continue
		}
		if escape.Port == none {
			escape = Hop{Port: port, Class: class}
		}
		if candidate(v, func() bool {
			return v.Ready(port, free) && (best == none || v.QueueClass(port, free) < least)
		}) {
			best, least = port, v.QueueClass(port, free)
		}
	}
	if best != none {
		return Hop{Port: best, Class: free, Optional: true}
	}
	return escape
}

// toward is the port that leads nearer along dimension d, up if both do, and the
// escape class: on a torus 1 as long as the wrap-around channel is ahead.
func (a *adaptive) toward(r, home, d int) (port, class int, ok bool) {
	at, to, k := a.g.At(r, d), a.g.At(home, d), a.g.Dims()[d]
	up := at < to
	if a.g.Wraps() {
		up = 2*((to-at+k)%k) <= k
		if up == (at > to) {
			class = 1
		}
	}
	if port = a.g.Up(d); !up {
		port++
	}
	return port, class, at != to
}
