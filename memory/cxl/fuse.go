package cxl

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/memory/cxl/link"
)

// fuse makes one fabric of parts that links join.
func fuse(x *system.Fusion) error {
	f := &fabric{}
	var errs configs.Errors
	for _, n := range x.Parts {
		switch p := n.(type) {
		case *Root:
			p.index, p.fabric = int32(len(f.roots)), f
			f.roots = append(f.roots, p)
		case *Switch:
			p.fabric = f
			f.switches = append(f.switches, p)
		case *PBR:
			p.fabric = f
			f.nets = append(f.nets, p)
		case *Type3:
			p.index, p.fabric = int32(len(f.devices)), f
			p.first = int32(len(f.lds))
			f.devices = append(f.devices, p)
			f.lds = append(f.lds, p.lds...)
		default:
			return fmt.Errorf("%s is no part of a CXL fabric (%T)", n.Name(), n)
		}
	}
	if len(f.roots) == 0 {
		return fmt.Errorf("no host: a CXL fabric needs a cxl_root")
	}
	errs.Add(f.join(x))
	if len(errs) == 0 {
		errs.Add(f.decode(x))
	}
	if err := errs.Err(); err != nil {
		return err
	}
	if err := f.cohere(x); err != nil {
		return err
	}
	f.tail = link.Never
	for _, d := range f.devices {
		f.tail = min(f.tail, d.protocol)
	}
	for _, r := range f.roots {
		if r.spec.Throttle {
			r.paces = slices.Repeat([]pace{{limit: r.spec.Outstanding}}, len(f.lds))
		}
		f.tail = min(f.tail, r.times.protocol+r.times.bridge)
	}
	f.ticker = engine.NewTicker(f.roots[0].engine, fine, f)
	return nil
}

// join makes the links and finds the paths.
func (f *fabric) join(x *system.Fusion) error {
	var errs configs.Errors
	f.joints, f.from = x.Joints, map[system.Node][]int{}
	for n := range f.joints {
		j := &f.joints[n]
		if _, ok := j.From.(*Type3); ok || strings.HasPrefix(j.FromPort, "up") || strings.HasPrefix(j.ToPort, "down") {
			j.From, j.To, j.FromPort, j.ToPort = j.To, j.From, j.ToPort, j.FromPort
		}
		f.from[j.From] = append(f.from[j.From], n)
		errs.Add(f.connect(n, j))
	}
	if err := errs.Err(); err != nil {
		return err
	}
	for _, p := range f.nets {
		if err := p.span(f); err != nil {
			return err
		}
	}
	f.agenda = newAgenda(len(f.links))
	if err := f.find(); err != nil {
		return err
	}
	f.bound = make([]bool, len(f.ways))
	for i, w := range f.ways {
		f.bound[i] = w.down >= 0
	}
	if err := f.losses(); err != nil {
		return err
	}
	for _, r := range f.roots {
		if r.times.timeout > 0 {
			f.watchful = append(f.watchful, r)
		}
		if r.times.timeout > 0 || len(f.incidents) > 0 {
			r.lossStats()
		}
	}
	return nil
}

// connect makes the link of a joint, the n-th. The upper node says what it is like.
func (f *fabric) connect(n int, j *system.Joint) error {
	var errs configs.Errors
	up, down := j.From, j.To
	h := &hop{f: f, index: int32(n), names: [2]string{up.Name() + "." + j.FromPort, down.Name() + "." + j.ToPort}}
	var spec LinkSpec
	var seed uint64
	switch p := up.(type) {
	case *Root:
		spec, seed = p.spec.Link, p.seed
		p.count.links = append(p.count.links, h)
	case *Switch:
		spec, seed = p.spec.Link, p.seed
		if d, ok := down.(*Type3); ok {
			errs.Add(p.knows(index(j.FromPort), d))
		}
	case *PBR:
		spec, seed = p.spec.Link, p.seed
		if _, ok := down.(*PBR); ok {
			errs.Add(j.At.Errorf(nil, "%s and %s are fabrics of their own: a link between their switches belongs into the topology of one", up.Name(), down.Name()))
		}
	}
	h.ends = [2]*junction{passing(up), passing(down)}
	for i, port := range []string{j.FromPort, j.ToPort} {
		if p, ok := []system.Node{up, down}[i].(*PBR); ok {
			h.nets[i], h.terminals[i] = p, index(port)
			h.routers[i], _ = p.net.Home(h.terminals[i])
		}
	}
	if j.Latency != nil {
		h.latency = ps(*j.Latency)
	}
	if j.Bandwidth != 0 {
		errs.Add(j.At.Errorf(nil, "the bandwidth of a CXL link is its rate and lanes"))
	}
	cfg, err := spec.config(h.latency, seed+uint64(n)<<32)
	if err == nil {
		h.Link, err = link.New(cfg, h)
	}
	if err != nil {
		errs.Add(fmt.Errorf("%s.%s: %w", up.Name(), j.FromPort, err))
	}
	f.links = append(f.links, h)
	return errs.Err()
}

// passing is the junction of a node that passes messages on; nil of others.
func passing(n system.Node) *junction {
	switch p := n.(type) {
	case *Switch:
		return &p.junction
	case *PBR:
		return &p.junction
	}
	return nil
}

// index is the number of a port: "down[3]" is 3, "up" is 0.
func index(port string) int {
	_, text, some := strings.Cut(strings.TrimSuffix(port, "]"), "[")
	if !some {
		return 0
	}
	n, _ := strconv.Atoi(text)
	return n
}
