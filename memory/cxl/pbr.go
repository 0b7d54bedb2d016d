package cxl

import (
	"fmt"
	"slices"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/memory/cxl/route"
	"github.com/causeway-sim/causeway/memory/cxl/setting"
	"github.com/causeway-sim/causeway/memory/cxl/transit"
	"github.com/causeway-sim/causeway/noc/network"
	"github.com/causeway-sim/causeway/noc/routing"
	"github.com/causeway-sim/causeway/noc/topology"
)

// PBR is the node of kind cxl_fabric: switches of any topology with port-based routing.
type PBR struct {
	face
	transit.Switch
	spec      setting.FabricSpec
	at        configs.Value
	net       topology.Topology
	algorithm routing.Algorithm // nil: shortest
	terminals []sim.Port
	names     []string // of terminals
	channels  []channel
	hops      []*transit.Hop // of channels
	leaving   [][]route.Leg  // by router and port; route.None: no channel
	table     *route.Table
	count     pbrCount
	tables    uint64 // filled again after losses
	resumed   uint64 // messages that changed their way
}

// A channel is a link between two routers; it runs down from the first.
type channel struct{ router, port, to, back int }

// pbrCount is of ways that are in use.
type pbrCount struct{ ways, hops, longest uint64 }

// NewPBR makes the switches. Errors are at their places in v.
func NewPBR(name string, env *system.Env, s setting.FabricSpec, v configs.Value) (*PBR, error) {
	var errs configs.Errors
	errs.Add(setting.InTime(s.Latency, s.Detect, s.Channel.Latency, s.Channel.Global))
	if len(s.Lost) == 0 && !s.Detect.IsZero() {
		errs.Add(v.Get("detect").Errorf(nil, "has no effect: nothing is lost"))
	}
	shape := network.Spec{Topology: s.Topology, Routing: s.Routing, Failed: s.Failed}
	errs.Add(shape.Resolve(v, env.File))
	if err := errs.Err(); err != nil {
		return nil, err
	}
	if t, err := shape.Topology.Make(); err == nil && t.Terminals() > setting.MaxIDs {
		return nil, v.Get("topology").Errorf(nil, "%d terminals: a fabric has %d identifiers", t.Terminals(), setting.MaxIDs)
	}
	own := s.Routing.Name == "" || s.Routing.Name == "shortest"
	if own {
		shape.Routing = network.Routing{Name: "up_down"} // goes with every topology; not used
	}
	t, a, err := shape.Plan()
	if err != nil {
		return nil, err
	}
	p := &PBR{face: newFace(name, env), Switch: transit.Switch{Latency: setting.Ps(s.Latency)}, spec: s, at: v, net: t}
	if !own {
		if n := a.Classes(); n > 1 {
			return nil, v.Get("routing").Errorf(nil, "%s needs %d classes of virtual channels, a CXL link has one", s.Routing, n)
		}
		p.algorithm = a
	}
	p.terminals = p.fused(p, "Terminal", t.Terminals())
	for i := range p.terminals {
		p.names = append(p.names, fmt.Sprintf("terminal[%d]", i))
	}
	for r := range t.Routers() {
		for port := range t.Ports(r) {
			if to, back, ok := t.Peer(r, port); ok && (r < to || r == to && port < back) {
				p.channels = append(p.channels, channel{r, port, to, back})
			}
		}
	}
	p.newStats()
	return p, nil
}

// PortSpecs implements system.Node.
func (p *PBR) PortSpecs() []system.PortSpec {
	return []system.PortSpec{{Name: "terminal", Protocol: protocol, Role: system.Peers, Ports: p.terminals, Array: true, Optional: true, Fused: true, Clock: setting.Fine}}
}

// Through implements system.Transparent.
func (p *PBR) Through(port string) (exits []string, latency uint64) {
	i := index(port)
	return slices.Concat(p.names[:i], p.names[i+1:]), uint64(p.Latency)
}

// Leave implements route.Node: from one terminal to another.
func (p *PBR) Leave(w *route.Walk, in, out int, only []int) ([]int, bool) {
	down, up := len(w.Down), len(w.Up)
	var there, back bool
	w.Down, there = p.between(w.Down, in, out)
	w.Up, back = p.between(w.Up, out, in)
	if !there || !back {
		return nil, false
	}
	slices.Reverse(w.Up[up:])
	n := uint64(len(w.Down) - down + 1)
	p.count.ways++
	p.count.hops += n
	p.count.longest = max(p.count.longest, n)
	return only, true
}

// between appends the channels from one terminal to another; false: there is no way.
func (p *PBR) between(out []route.Leg, a, b int) ([]route.Leg, bool) {
	from, _ := p.net.Home(a)
	return p.table.Route(out, from, a, b)
}
