package cxl

import (
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/memory/cxl/link"
)

// A finder looks for the ways from roots to logical devices.
type finder struct {
	f      *fabric
	root   *Root
	from   map[system.Node][]int // joints by their upper end
	joints []system.Joint
	tables map[*PBR]*table
}

// find finds all ways, and checks that no messages can wait for each other in a ring.
func (f *fabric) find(from map[system.Node][]int, joints []system.Joint) error {
	f.ways = slices.Repeat([]way{{-1, -1}}, len(f.roots)*len(f.lds))
	x := finder{f: f, from: from, joints: joints, tables: map[*PBR]*table{}}
	for _, p := range f.nets {
		x.tables[p] = newTable(p.net, p.algorithm)
	}
	for _, r := range f.roots {
		x.root = r
		if err := x.walk(r, "", nil, nil, nil); err != nil {
			return err
		}
	}
	if len(f.nets) == 0 {
		return nil // trees have no rings
	}
	var down, up []int32
	for _, w := range f.ways {
		if w.down >= 0 {
			down, up = append(down, w.down), append(up, w.up)
		}
	}
	for _, routes := range [][]int32{down, up} {
		if c := f.cycle(routes); c != nil {
			p := f.nets[0]
			return p.at.Get("routing").Errorf(nil, "messages may wait for each other in a ring (try up_down): %s", f.show(c))
		}
	}
	return nil
}

// walk goes down from n, which it came to by a port, and notes the ways to logical
// devices. only are the LD-IDs that switches on the way are bound to; nil: any.
func (x *finder) walk(n system.Node, port string, down, up []leg, only []int) error {
	if len(down) > len(x.f.links) {
		return fmt.Errorf("the switches under %s form a ring", x.root.Name())
	}
	for _, k := range x.from[n] {
		j := &x.joints[k]
		only, down, up := only, down, up
		switch p := n.(type) {
		case *Switch:
			var ok bool
			if only, ok = p.bound(index(port), index(j.FromPort), only); !ok {
				continue
			}
		case *PBR:
			a, b := index(port), index(j.FromPort)
			there, back := p.between(x.tables[p], a, b), p.between(x.tables[p], b, a)
			if there == nil || back == nil {
				continue
			}
			p.count.ways++
			p.count.hops += uint64(len(there) + 1)
			p.count.longest = max(p.count.longest, uint64(len(there)+1))
			down, up = slices.Concat(down, there), slices.Concat(back, up)
		}
		down = append(slices.Clone(down), leg(2*k))
		up = slices.Concat([]leg{leg(2*k + 1)}, up)
		d, ok := j.To.(*Type3)
		if !ok {
			if err := x.walk(j.To, j.ToPort, down, up, only); err != nil {
				return err
			}
			continue
		}
		if err := x.meet(d, index(j.ToPort), down, up, only); err != nil {
			return err
		}
	}
	return nil
}

// meet notes a way to the logical devices that the root may see by a head.
func (x *finder) meet(d *Type3, head int, down, up []leg, only []int) error {
	new := way{-1, -1}
	for i, l := range x.f.lds {
		if l.device != d || !l.offered(x.root, head, only) {
			continue
		}
		w := &x.f.ways[int(x.root.index)*len(x.f.lds)+i]
		if w.down >= 0 {
			return fmt.Errorf("%s reaches %s in two ways", x.root.Name(), l.name())
		}
		if new.down < 0 {
			new = x.f.addRoute(down, up)
		}
		*w = new
	}
	return nil
}

// span makes the links between the switches of a fabric.
func (p *PBR) span(f *fabric) error {
	p.leaving = make([][]leg, p.net.Routers())
	for r := range p.leaving {
		p.leaving[r] = slices.Repeat([]leg{-1}, p.net.Ports(r))
	}
	for _, c := range p.channels {
		h := &hop{f: f, index: int32(len(f.links)), ends: [2]*junction{&p.junction, &p.junction}}
		h.names = [2]string{fmt.Sprintf("%s router %d port %d", p.Name(), c.router, c.port), fmt.Sprintf("%s router %d port %d", p.Name(), c.to, c.back)}
		h.latency = ps(p.spec.Channel.at(p.net.Class(c.router, c.port)))
		cfg, err := p.spec.Channel.config(h.latency, p.seed+uint64(h.index)<<32)
		cfg.Both = true
		if err == nil {
			h.Link, err = link.New(cfg, h)
		}
		if err != nil {
			return p.at.Get("channel").Errorf(nil, "%s", err)
		}
		f.links = append(f.links, h)
		p.leaving[c.router][c.port] = leg(2 * h.index)
		p.leaving[c.to][c.back] = leg(2*h.index + 1)
	}
	return nil
}

// between is the channels from one terminal to another; nil if there is no way.
func (p *PBR) between(x *table, a, b int) []leg {
	from, _ := p.net.Home(a)
	hops := x.way(from, a, b)
	if hops == nil {
		return nil
	}
	out := []leg{}
	for _, h := range hops {
		out = append(out, p.leaving[h[0]][h[1]])
	}
	return out
}
