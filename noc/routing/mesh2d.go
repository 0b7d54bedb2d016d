package routing

import (
	"github.com/causeway-sim/causeway/components/registry"
	"github.com/causeway-sim/causeway/noc/topology"
)

func init() {
	add := func(name, doc, source string, make func(*topology.Grid) Algorithm) {
		All.Add(registry.Entry[Factory]{Name: name, Doc: doc, Source: source, New: func(t topology.Topology, _ any) (Algorithm, error) {
			if g, ok := t.(*topology.Grid); ok && !g.Wraps() && len(g.Dims()) == 2 {
				return make(g), nil
			}
			return nil, &TopologyError{Algorithm: name, Want: "mesh of two dimensions"}
		}})
	}
	add("o1turn", "Each packet draws X before Y or Y before X; the two orders have a class each.",
		"Seo, Ali, Lim, Rafique, Thottethodi, ISCA 2005, section 3", func(g *topology.Grid) Algorithm { return &o1turn{g} })
	add("odd_even", "Minimal adaptive: no turn from east to north or south in even columns, none from north or south to west in odd ones; the emptier port wins, ties at random.",
		"Chiu, IEEE TPDS 2000, section 4", func(g *topology.Grid) Algorithm { return &oddEven{g} })
}

// step is the port along dimension d, and whether there is anything to go.
func step(g *topology.Grid, r, home, d int) (port int, ok bool) {
	switch at, to := g.At(r, d), g.At(home, d); {
	case at < to:
		return g.Up(d), true
	case at > to:
		return g.Up(d) + 1, true
	}
	return 0, false
}

type o1turn struct{ g *topology.Grid }

// Classes implements Algorithm.
func (a *o1turn) Classes() int { return 2 }

// Next implements Algorithm. Phase is the dimension that comes first.
func (a *o1turn) Next(v View, p *Packet) Hop {
	if p.Hops == 0 && !p.Again {
		p.Phase = uint8(v.Intn(2))
	}
	home, port := a.g.Home(int(p.Dst))
	first := int(p.Phase)
	if q, ok := step(a.g, v.Router(), home, first); ok {
		return Hop{Port: q, Class: first}
	}
	if q, ok := step(a.g, v.Router(), home, 1-first); ok {
		return Hop{Port: q, Class: first}
	}
	return Hop{Port: port, Class: AnyClass}
}

type oddEven struct{ g *topology.Grid }

// Classes implements Algorithm.
func (a *oddEven) Classes() int { return 1 }

// Next implements Algorithm. East is up dimension 0. Via is the column of the
// source.
func (a *oddEven) Next(v View, p *Packet) Hop {
	r := v.Router()
	if p.Hops == 0 {
		p.Via = int32(a.g.At(r, 0))
	}
	home, port := a.g.Home(int(p.Dst))
	ns, vertical := step(a.g, r, home, 1)
	ew, horizontal := step(a.g, r, home, 0)
	switch {
	case !vertical && !horizontal:
		return Hop{Port: port, Class: AnyClass}
	case !horizontal:
		return Hop{Port: ns, Class: 0}
	case !vertical:
		return Hop{Port: ew, Class: 0}
	}
	col, dst := a.g.At(r, 0), a.g.At(home, 0)
	if col < dst { // eastbound
		if col%2 == 0 && col != int(p.Via) {
			return Hop{Port: ew, Class: 0}
		}
		if dst%2 == 0 && dst == col+1 {
			return Hop{Port: ns, Class: 0}
		}
	} else if col%2 == 1 { // westbound
		return Hop{Port: ew, Class: 0}
	}
	qns, qew := v.Queue(ns), v.Queue(ew)
	if qns < qew || qns == qew && v.Intn(2) == 0 {
		return Hop{Port: ns, Class: 0}
	}
	return Hop{Port: ew, Class: 0}
}
