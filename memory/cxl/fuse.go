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
		case *Type3:
			p.index, p.fabric = int32(len(f.devices)), f
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
	f.tail = link.Never
	for _, d := range f.devices {
		f.tail = min(f.tail, d.protocol)
	}
	for _, r := range f.roots {
		r.paces = make([]pace, len(f.lds))
		for i := range r.paces {
			r.paces[i].limit = r.spec.Outstanding
		}
		f.tail = min(f.tail, r.times.protocol+r.times.bridge)
	}
	f.ticker = engine.NewTicker(f.roots[0].engine, fine, f)
	return nil
}

// join makes the links and finds the paths.
func (f *fabric) join(x *system.Fusion) error {
	var errs configs.Errors
	from := map[system.Node][]int{} // joints by their upper end
	for n, j := range x.Joints {
		if _, ok := j.From.(*Type3); ok || strings.HasPrefix(j.FromPort, "up") {
			j.From, j.To, j.FromPort, j.ToPort = j.To, j.From, j.ToPort, j.FromPort
		}
		up, down, port := j.From, j.To, j.FromPort
		h := &hop{f: f, index: int32(n)}
		x.Joints[n] = j
		from[up] = append(from[up], n)
		var spec LinkSpec
		var seed uint64
		switch p := up.(type) {
		case *Root:
			spec, seed = p.spec.Link, p.seed
		case *Switch:
			spec, seed = p.spec.Link, p.seed
		}
		if s, ok := up.(*Switch); ok {
			h.ends[0] = &s.junction
			if d, ok := down.(*Type3); ok {
				errs.Add(s.knows(index(port), d))
			}
		}
		if s, ok := down.(*Switch); ok {
			h.ends[1] = &s.junction
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
			errs.Add(fmt.Errorf("%s.%s: %w", up.Name(), port, err))
			continue
		}
		f.links = append(f.links, h)
		switch p := up.(type) {
		case *Root:
			p.count.links = append(p.count.links, h)
		}
	}
	if err := errs.Err(); err != nil {
		return err
	}
	f.ways = slices.Repeat([]way{{-1, -1}}, len(f.roots)*len(f.lds))
	for _, r := range f.roots {
		if err := f.walk(r, r, "", nil, nil, from, x.Joints); err != nil {
			return err
		}
	}
	return nil
}

// walk goes down from n, which it came to by a port, and notes the ways to logical
// devices. only are the LD-IDs that switches on the way are bound to; nil: any.
func (f *fabric) walk(r *Root, n system.Node, port string, path []leg, only []int, from map[system.Node][]int, joints []system.Joint) error {
	if len(path) > len(joints) {
		return fmt.Errorf("the switches under %s form a ring", r.Name())
	}
	for _, k := range from[n] {
		j := &joints[k]
		only := only
		if s, ok := n.(*Switch); ok {
			if only, ok = s.bound(index(port), index(j.FromPort), only); !ok {
				continue
			}
		}
		p := append(slices.Clone(path), leg(k))
		d, ok := j.To.(*Type3)
		if !ok {
			if err := f.walk(r, j.To, j.ToPort, p, only, from, joints); err != nil {
				return err
			}
			continue
		}
		if err := f.meet(r, d, index(j.ToPort), p, only); err != nil {
			return err
		}
	}
	return nil
}

// meet notes a way to the logical devices that a root may see by a head.
func (f *fabric) meet(r *Root, d *Type3, head int, path []leg, only []int) error {
	new := way{-1, -1}
	for i, x := range f.lds {
		if x.device != d || !x.offered(r, head, only) {
			continue
		}
		w := &f.ways[int(r.index)*len(f.lds)+i]
		if w.down >= 0 {
			return fmt.Errorf("%s reaches %s in two ways", r.Name(), x.name())
		}
		if new.down < 0 {
			new = f.addRoute(path)
		}
		*w = new
	}
	return nil
}

// index is the number of a port: "down[3]" is 3, "up" is 0.
func index(port string) int {
	_, text, _ := strings.Cut(strings.TrimSuffix(port, "]"), "[")
	n, _ := strconv.Atoi(text)
	return n
}
