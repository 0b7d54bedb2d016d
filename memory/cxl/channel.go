package cxl

import (
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/memory/cxl/route"
	"github.com/causeway-sim/causeway/memory/cxl/setting"
	"github.com/causeway-sim/causeway/memory/cxl/transit"
	"github.com/causeway-sim/causeway/noc/routing"
	"github.com/causeway-sim/causeway/noc/topology"
)

// span makes the links between the switches of a fabric.
func (p *PBR) span(n *transit.Network) error {
	p.leaving = make([][]route.Leg, p.net.Routers())
	for r := range p.leaving {
		p.leaving[r] = slices.Repeat([]route.Leg{route.None}, p.net.Ports(r))
	}
	for _, c := range p.channels {
		index := len(n.Hops)
		h := &transit.Hop{Ends: [2]*transit.Switch{&p.Switch, &p.Switch}}
		h.Names = [2]string{fmt.Sprintf("%s router %d port %d", p.Name(), c.router, c.port), fmt.Sprintf("%s router %d port %d", p.Name(), c.to, c.back)}
		h.Latency = setting.Ps(p.spec.Channel.At(p.net.Class(c.router, c.port)))
		cfg, err := p.spec.Channel.Config(h.Latency, p.seed+uint64(index)<<32)
		cfg.Both = true
		if err == nil {
			err = n.AddHop(h, cfg)
		}
		if err != nil {
			return p.at.Get("channel").Errorf(nil, "%s", err)
		}
		p.hops = append(p.hops, h)
		p.own(h, p.spec.Channel.LinkSpec)
		p.leaving[c.router][c.port] = route.Down(index)
		p.leaving[c.to][c.back] = route.Up(index)
	}
	return nil
}

// fill makes the tables of the links that are left. An algorithm that does not know
// losses gives way to shortest ways.
func (p *PBR) fill(a routing.Algorithm) {
	t := p.left()
	if a == p.algorithm && t != p.net {
		a = nil
		if p.spec.Routing.Name == "up_down" {
			if again, err := routing.New("up_down", t, nil); err == nil {
				a = again
			}
		}
	}
	p.table = route.NewTable(t, a, p.leaving)
}

// left is the topology without the links that are lost.
func (p *PBR) left() topology.Topology {
	var broken [][2]int
	for i, c := range p.channels {
		if p.hops[i].Dead() {
			broken = append(broken, [2]int{c.router, c.port})
		}
	}
	if len(broken) == 0 {
		return p.net
	}
	t, err := topology.Without(p.net, broken)
	if err != nil {
		panic("cxl: " + p.Name() + ": " + err.Error()) // its own channels
	}
	return t
}

// A wire is a link whose energy is a node's: those below it, and the channels between the
// switches of a fabric.
type wire struct {
	hop    *transit.Hop
	bits   float64 // per ps, of all lanes of a direction
	perBit float64 // pJ
}

// own makes a link one of the node.
func (f *face) own(h *transit.Hop, s setting.LinkSpec) {
	perBit, _, _ := s.PerBit() // checked with the link
	f.wires = append(f.wires, wire{h, float64(s.Lanes*s.Rate) / 1000, perBit})
}

// wireEnergy is the energy of the bits that flits took on all wires, both ways.
func (f *face) wireEnergy() (pj float64) {
	for _, w := range f.wires {
		pj += w.perBit * w.bits * float64(w.hop.Count[0].Busy+w.hop.Count[1].Busy)
	}
	return pj
}
