package routing

import "github.com/causeway-sim/causeway/noc/topology"

type parPH struct{ gate }

// Next implements Algorithm.
func (a *parPH) Next(v View, p *Packet) Hop {
	if !a.begin(v, p) {
		return a.rest(v, p)
	}
	r := v.Router()
	min, global, _ := a.minimalPort(r, p)
	// Lengths are those of the longest paths of their kind: l g l, g l g l and
	// l g l g l, less the hops already made.
	hmin, hnon := 3, 4
	if p.Hops > 0 {
		hmin = 2
	}
	x := 0 // of the routers of the group, the own one first
	if p.Hops == 0 {
		x = v.Intn(a.d.A())
	}
	to, port, ok := a.global(v, x, none, none)
	far := x > 0
	if far {
		hnon = 5
	}
	if !ok {
		return a.take(p, min, global, 0)
	}
	first := port
	if far {
		first = a.d.LocalPort(r, to)
	}
	switch {
	case first == min || !candidate(v, func() bool {
		return hmin*a.queue(v, min) > hnon*a.queue(v, first)+within(v, classOf(global), a.Threshold)
	}):
		return a.take(p, min, global, 0)
	case far:
		return a.over(r, to, port, p)
	}
	return a.take(p, port, true, 0)
}

type piar struct{ gate }

// Next implements Algorithm.
func (a *piar) Next(v View, p *Packet) Hop {
	if !a.begin(v, p) {
		return a.rest(v, p)
	}
	r := v.Router()
	min, global, _ := a.minimalPort(r, p)
	exit, exitPort := a.d.Exit(a.d.Group(r), a.d.Group(a.home(p.Dst)), int(p.Link))
	if candidate(v, func() bool {
		return a.open(v, min, global) && (global || !v.Notice(exit, exitPort))
	}) {
		return a.take(p, min, global, 0)
	}
	first := a.globalPort(0)
	if i, ok := pick(v, a.d.H(), false, func(i int) bool {
		return first+i != min && a.d.Class(r, first+i) == topology.Global
	}, func(i int) bool { return a.open(v, first+i, true) }); ok {
		return a.take(p, first+i, true, 0)
	}
	if p.Hops == 0 {
		x := 0
		if a.d.A() > 1 {
			x = 1 + v.Intn(a.d.A()-1)
		}
		if to, port, ok := a.global(v, x, exit, exitPort); ok && x > 0 {
			first := a.d.LocalPort(r, to)
			if candidate(v, func() bool {
				return a.open(v, first, false) && !v.Notice(to, port) && a.queue(v, min)+within(v, topology.Local, a.Threshold) >= a.queue(v, first)
			}) {
				return a.over(r, to, port, p)
			}
		}
	}
	return a.take(p, min, global, 0)
}

// open reports whether little enough waits for a port.
func (a *piar) open(v View, port int, global bool) bool {
	limit := a.Local
	if global {
		limit = a.Global
	}
	return a.queue(v, port) <= within(v, classOf(global), limit)
}

// Congested implements Notifier.
func (a *piar) Congested(v View, port int) bool {
	sum := 0
	for i := range a.d.H() {
		sum += a.queue(v, a.globalPort(i))
	}
	return a.queue(v, port)*100*a.d.H() > a.Coefficient*sum+within(v, topology.Global, a.Global)*100*a.d.H()
}
