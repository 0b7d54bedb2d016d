package cxl

import (
	"fmt"
	"strings"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/memory/cxl/flit"
	"github.com/causeway-sim/causeway/memory/cxl/link"
	"github.com/causeway-sim/causeway/memory/cxl/setting"
	"github.com/causeway-sim/causeway/memory/cxl/transit"
)

// fuse makes one fabric of parts that links join.
func fuse(x *system.Fusion) error {
	a, err := newAssembly(x)
	if err != nil {
		return err
	}
	var errs configs.Errors
	errs.Add(a.join())
	if len(errs) == 0 {
		errs.Add(a.decode())
	}
	if err := errs.Err(); err != nil {
		return err
	}
	if err := a.cohere(); err != nil {
		return err
	}
	a.CountWaits(len(a.roots))
	for _, r := range a.roots {
		r.count.at = make([][atDevice]int64, len(a.devices))
	}
	a.Tail = link.Never
	for _, d := range a.devices {
		a.Tail = min(a.Tail, d.protocol)
	}
	for _, r := range a.roots {
		a.Tail = min(a.Tail, r.times.protocol+r.times.bridge)
	}
	// A time at which a line may be given up is promised only where nothing happens before;
	// with links that put things off that would be so more often, and runs would end later.
	if _, ok := a.carries(a.roots[0].engine); !ok {
		a.Exact()
	}
	a.ticker = engine.NewTicker(a.roots[0].engine, setting.Fine, a.fabric)
	return nil
}

// join makes the links and finds the routes.
func (a *assembly) join() error {
	var errs configs.Errors
	for n := range a.Joints {
		j := &a.Joints[n]
		if _, ok := j.From.(*Type3); ok || strings.HasPrefix(j.FromPort, "up") || strings.HasPrefix(j.ToPort, "down") {
			j.From, j.To, j.FromPort, j.ToPort = j.To, j.From, j.ToPort, j.FromPort
		}
		errs.Add(a.connect(n, j))
	}
	if err := errs.Err(); err != nil {
		return err
	}
	for _, p := range a.nets {
		if err := p.span(&a.Network); err != nil {
			return err
		}
	}
	a.Seal()
	if err := a.findRoutes(); err != nil {
		return err
	}
	a.bound = make([]bool, len(a.pairs))
	for i, p := range a.pairs {
		a.bound[i] = p.Reachable()
	}
	return a.interrupt()
}

// connect makes the link of the n-th joint, by the configuration of its upper node.
func (a *assembly) connect(n int, j *system.Joint) error {
	var errs configs.Errors
	up, down := j.From, j.To
	h := &transit.Hop{Names: [2]string{up.Name() + "." + j.FromPort, down.Name() + "." + j.ToPort}}
	var spec setting.LinkSpec
	var seed uint64
	switch p := up.(type) {
	case *Root:
		spec, seed = p.spec.Link, p.seed
		p.count.links = append(p.count.links, h)
		p.own(h, spec)
	case *Switch:
		spec, seed = p.spec.Link, p.seed
		p.own(h, spec)
		if d, ok := down.(*Type3); ok {
			errs.Add(p.checkLDs(index(j.FromPort), d.Name(), len(d.lds)))
		}
	case *PBR:
		spec, seed = p.spec.Link, p.seed
		p.own(h, spec)
		if _, ok := down.(*PBR); ok {
			errs.Add(j.At.Errorf(nil, "%s and %s are fabrics of their own: a link between their switches belongs into the topology of one", up.Name(), down.Name()))
		}
	}
	var sides [2]side
	for i, end := range []struct {
		node system.Node
		port string
	}{{up, j.FromPort}, {down, j.ToPort}} {
		switch p := end.node.(type) {
		case *Switch:
			h.Ends[i] = &p.Switch
		case *PBR:
			h.Ends[i] = &p.Switch
			sides[i] = side{net: p, terminal: index(end.port)}
			sides[i].router, _ = p.net.Home(sides[i].terminal)
		}
	}
	a.sides = append(a.sides, sides)
	if j.Latency != nil {
		h.Latency = setting.Ps(*j.Latency)
	}
	if j.Bandwidth != 0 {
		errs.Add(j.At.Errorf(nil, "the bandwidth of a CXL link is its rate and lanes"))
	}
	cfg, err := spec.Config(h.Latency, seed+uint64(n)<<32)
	if err == nil {
		err = a.AddHop(h, cfg)
	}
	if p, ok := up.(*Root); ok && err == nil {
		for d := range p.count.wires {
			h.Watch(flit.Direction(d), &p.count.wires[d])
		}
	}
	if err != nil {
		errs.Add(fmt.Errorf("%s.%s: %w", up.Name(), j.FromPort, err))
	}
	return errs.Err()
}
