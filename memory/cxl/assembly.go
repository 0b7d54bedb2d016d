package cxl

import (
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/memory/cxl/coherent"
	"github.com/causeway-sim/causeway/memory/cxl/pool"
	"github.com/causeway-sim/causeway/memory/cxl/transit"
)

// An assembly is a fabric while it is made: the parts that it is made of, by kind.
type assembly struct {
	*fabric
	*system.Fusion
	roots    []*Root
	switches []*Switch
	nets     []*PBR
	devices  []*Type3
	sides    [][2]side // of links
	refilled bool      // tables were filled again after a loss
}

// A side is the fabric with port-based routing at an end of a link; nil: there is none.
type side struct {
	net              *PBR
	router, terminal int
}

// newAssembly sorts parts by their kind and numbers them.
func newAssembly(x *system.Fusion) (*assembly, error) {
	a := &assembly{fabric: &fabric{}, Fusion: x}
	f := a.fabric
	for _, n := range x.Parts {
		switch p := n.(type) {
		case *Root:
			p.index = int32(len(a.roots))
			a.roots = append(a.roots, p)
		case *Switch:
			a.switches = append(a.switches, p)
		case *PBR:
			a.nets = append(a.nets, p)
		case *Type3:
			p.index, p.first = int32(len(a.devices)), int32(len(f.lds))
			a.devices = append(a.devices, p)
			f.lds = append(f.lds, p.lds...)
			for _, l := range p.lds {
				l.device, l.coherent = p.index, p.spec.HDM != "h"
			}
		default:
			return nil, fmt.Errorf("%s is no part of a CXL fabric (%T)", n.Name(), n)
		}
	}
	if len(a.roots) == 0 {
		return nil, fmt.Errorf("no host: a CXL fabric needs a cxl_root")
	}
	if n := len(a.roots) + len(a.devices); n > 1<<16 {
		return nil, fmt.Errorf("%d roots and devices (want at most %d)", n, 1<<16)
	}
	a.number()
	return a, nil
}

// number gives roots and devices their places among the fabric's nodes.
func (a *assembly) number() {
	f := a.fabric
	f.Devices = len(a.devices)
	add := func(n node, p *face) {
		p.fabric, p.number = f, uint16(len(f.nodes))
		f.nodes, f.Sinks = append(f.nodes, n), append(f.Sinks, n)
	}
	for _, d := range a.devices {
		add(d, &d.face)
		if d.dev != nil {
			d.dev.fabric, d.dev.number, d.dev.device = f, d.number, d.index
		}
	}
	for _, w := range a.switches {
		w.fabric = f
	}
	for _, p := range a.nets {
		p.fabric = f
	}
	for _, r := range a.roots {
		add(r, &r.face)
		if r.spec.Throttle {
			r.throttles = slices.Repeat([]pool.Throttle{pool.NewThrottle(r.spec.Outstanding)}, len(f.lds))
		}
	}
	f.Ready, f.received = transit.NewSet(len(f.nodes)), transit.NewSet(len(f.nodes))
	f.coherent = coherent.New(&f.Network, len(a.roots), len(a.devices))
}
