package routing

import (
	"github.com/causeway-sim/causeway/components/registry"
	"github.com/causeway-sim/causeway/noc/topology"
)

func init() {
	All.Add(registry.Entry[Factory]{
		Name:   "dor",
		Doc:    "Dimension order: each dimension in turn by the shorter way, ties at random.",
		Source: "Dally and Seitz, IEEE Transactions on Computers 1987",
		New: func(t topology.Topology, _ any) (Algorithm, error) {
			if g := topology.AsGrid(t); g != nil {
				if g.Wraps() {
					return &torusDOR{g}, nil
				}
				return &meshDOR{g}, nil
			}
			if x, ok := t.(*topology.HyperX); ok {
				return &hyperxDOR{x}, nil
			}
			return nil, &TopologyError{Algorithm: "dor", Want: "mesh, torus, ring, hyperx, fully_connected and crossbar"}
		},
	})
}

type meshDOR struct{ g *topology.Grid }

// Classes implements Algorithm.
func (a *meshDOR) Classes() int { return 1 }

// Next implements Algorithm.
func (a *meshDOR) Next(v View, p *Packet) Hop {
	home, port := a.g.Home(int(p.Dst))
	for d := range a.g.Dims() {
		if at, to := a.g.At(v.Router(), d), a.g.At(home, d); at < to {
			return Hop{Port: a.g.Up(d), Class: 0}
		} else if at > to {
			return Hop{Port: a.g.Up(d) + 1, Class: 0}
		}
	}
	return Hop{Port: port, Class: AnyClass}
}

type torusDOR struct{ g *topology.Grid }

// Classes implements Algorithm.
func (a *torusDOR) Classes() int { return 2 }

// Next implements Algorithm. Phase is 0 before the first dimension, then
// 1 + 4*dimension + 2*down + class.
func (a *torusDOR) Next(v View, p *Packet) Hop {
	home, port := a.g.Home(int(p.Dst))
	if p.Hops == 0 && !p.Again {
		p.Phase = 0
	}
	for d, k := range a.g.Dims() {
		at, to := a.g.At(v.Router(), d), a.g.At(home, d)
		if at == to {
			continue
		}
		if p.Phase == 0 || int(p.Phase-1)/4 != d { // turns into this dimension
			up := (to - at + k) % k
			down, class := 0, 0
			if 2*up > k || 2*up == k && v.Intn(2) == 0 {
				down = 1
			}
			if (down == 0) == (at > to) {
				class = 1 // crosses the wrap-around channel
			}
			p.Phase = uint8(1 + 4*d + 2*down + class)
		}
		s := int(p.Phase-1) % 4
		return Hop{Port: a.g.Up(d) + s/2, Class: s % 2}
	}
	return Hop{Port: port, Class: AnyClass}
}

type hyperxDOR struct{ x *topology.HyperX }

// Classes implements Algorithm.
func (a *hyperxDOR) Classes() int { return 1 }

// Next implements Algorithm.
func (a *hyperxDOR) Next(v View, p *Packet) Hop {
	home, port := a.x.Home(int(p.Dst))
	for d := range a.x.Dims() {
		if to := a.x.At(home, d); a.x.At(v.Router(), d) != to {
			return Hop{Port: a.x.Port(v.Router(), d, to), Class: 0}
		}
	}
	return Hop{Port: port, Class: AnyClass}
}
