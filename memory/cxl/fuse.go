package cxl

import (
	"fmt"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/memory/cxl/hdm"
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
		default:
			return fmt.Errorf("%s is no part of a CXL fabric (%T)", n.Name(), n)
		}
	}
	if len(f.roots) == 0 {
		return fmt.Errorf("no host: a CXL fabric needs a cxl_root")
	}
	errs.Add(f.join(x))
	errs.Add(f.decode(x))
	if err := errs.Err(); err != nil {
		return err
	}
	f.tail = link.Never
	for _, d := range f.devices {
		f.tail = min(f.tail, d.protocol)
	}
	for _, r := range f.roots {
		r.paces = make([]pace, len(f.devices))
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
		up, down, port := j.From, j.To, j.FromPort
		if _, ok := up.(*Type3); ok || strings.HasPrefix(port, "up") {
			up, down, port = j.To, j.From, j.ToPort
		}
		h := &hop{f: f, index: int32(n)}
		x.Joints[n].From, x.Joints[n].To = up, down
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
	f.ways = slices.Repeat([]way{{-1, -1}}, len(f.roots)*len(f.devices))
	for _, r := range f.roots {
		if err := f.walk(r, r, nil, from, x.Joints); err != nil {
			return err
		}
	}
	return nil
}

// walk goes down from n and notes the path of every device.
func (f *fabric) walk(r *Root, n system.Node, path []leg, from map[system.Node][]int, joints []system.Joint) error {
	if len(path) > len(joints) {
		return fmt.Errorf("the switches under %s form a ring", r.Name())
	}
	for _, k := range from[n] {
		p := append(slices.Clone(path), leg(k))
		d, ok := joints[k].To.(*Type3)
		if !ok {
			if err := f.walk(r, joints[k].To, p, from, joints); err != nil {
				return err
			}
			continue
		}
		w := &f.ways[int(r.index)*len(f.devices)+int(d.index)]
		if w.down >= 0 {
			return fmt.Errorf("%s reaches %s in two ways", r.Name(), d.Name())
		}
		f.addWay(w, p)
	}
	return nil
}

// decode programs the address decoders.
func (f *fabric) decode(x *system.Fusion) error {
	var ranges []hdm.Range
	mine := 0
	for _, t := range x.Tiers {
		r := hdm.Range{Decoder: hdm.Decoder{Base: t.Base, Size: t.Size, Ways: len(t.Homes), Granularity: t.Interleave}}
		if len(t.Homes) == 1 {
			r.Granularity = hdm.MinGranularity
		}
		for _, h := range t.Homes {
			if d, ok := h.(*Type3); ok && d.fabric == f {
				r.Devices = append(r.Devices, int(d.index))
			}
		}
		switch {
		case len(r.Devices) == 0:
			r.Elsewhere = true
		case len(r.Devices) < len(t.Homes):
			return t.At.Errorf(nil, "tier %s takes turns between devices of this fabric and other memories", t.Name)
		default:
			mine++
		}
		ranges = append(ranges, r)
	}
	// what lies in front of and behind the ranges of the fabric is no gap
	for len(ranges) > 0 && ranges[0].Elsewhere {
		ranges = ranges[1:]
	}
	for len(ranges) > 0 && ranges[len(ranges)-1].Elsewhere {
		ranges = ranges[:len(ranges)-1]
	}
	if mine == 0 {
		return nil
	}
	sizes := make([]uint64, len(f.devices))
	for i, d := range f.devices {
		sizes[i] = d.Home()
	}
	var err error
	if f.space, err = hdm.NewSpace(sizes, ranges...); err != nil {
		return fmt.Errorf("address decoders: %w", err)
	}
	return nil
}
