package routing

import (
	"github.com/causeway-sim/causeway/components/registry"
	"github.com/causeway-sim/causeway/noc/topology"
)

func init() {
	All.Add(registry.Entry[Factory]{
		Name:   "acor",
		Doc:    "Valiant that lengthens its paths as it is blocked: at first by a global channel of the own router to any router of that group, then on to a random one, then by a global channel of any router.",
		Source: "rule of FOGSim 2021, routing/acor.cc (state per packet)",
		New: func(t topology.Topology, _ any) (Algorithm, error) {
			d, ok := t.(topology.Dragonfly)
			if !ok {
				return nil, &TopologyError{Algorithm: "acor", Want: "dragonfly"}
			}
			a := &acor{newLegs(d, routerMap, true)}
			a.climb("lgllgl")
			return a, nil
		},
	})
}

// acor keeps in Mode how often a packet was refused, and viaGroup.
type acor struct{ legs }

// The stages of acor.
const (
	ownToGroup = iota
	ownToRouter
	anyToRouter
)

// Next implements Algorithm. Each call at the source draws a new path.
func (a *acor) Next(v View, p *Packet) Hop {
	if p.Hops == 0 {
		stage := uint8(ownToGroup)
		if p.Again {
			stage = min(p.Mode&^viaGroup+1, anyToRouter)
		}
		if a.start(v, p) {
			p.Phase = toVia
			p.Via = int32(a.group(v, stage)*a.d.A() + v.Intn(a.d.A()))
			if p.Mode = stage; stage == ownToGroup {
				p.Mode |= viaGroup
			}
		}
	}
	return a.next(v, p)
}

// group draws the group at the far end of a global channel, of the own router if the stage
// says so and it has one.
func (a *acor) group(v View, stage uint8) int {
	r := v.Router()
	if stage != anyToRouter {
		first := a.d.P() + a.d.A() - 1
		start := v.Intn(max(1, a.d.H()))
		for i := range a.d.H() {
			if to, _, ok := a.d.Peer(r, first+(start+i)%a.d.H()); ok {
				return a.d.Group(to)
			}
		}
	}
	// Every other group has as many channels.
	g := v.Intn(a.d.Groups() - 1)
	if g >= a.d.Group(r) {
		g++
	}
	return g
}

// Starts implements Bulk.
func (a *acor) Starts(r int, yield func(Packet)) {
	a.legs.Starts(r, func(p Packet) {
		yield(p)
		p.Mode = viaGroup
		yield(p)
	})
}
