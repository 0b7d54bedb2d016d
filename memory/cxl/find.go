package cxl

import (
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/memory/cxl/link"
	"github.com/causeway-sim/causeway/noc/routing"
	"github.com/causeway-sim/causeway/noc/topology"
)

// A finder looks for the ways from roots to logical devices.
type finder struct {
	f    *fabric
	root *Root
}

// find finds all ways, and checks that no messages can wait for each other in a ring.
func (f *fabric) find() error {
	for _, p := range f.nets {
		p.table = p.fill(f, p.algorithm)
	}
	if err := f.search(); err != nil || len(f.nets) == 0 { // trees have no rings
		return err
	}
	c := f.ring()
	if c != nil && f.epoch > 0 {
		// ways that were sound before the loss
		for _, p := range f.nets {
			if a, err := routing.New("up_down", p.left(f), nil); err == nil {
				p.table = p.fill(f, a)
			}
		}
		if err := f.search(); err != nil {
			return err
		}
		c = f.ring()
	}
	if c != nil {
		return f.nets[0].at.Get("routing").Errorf(nil, "messages may wait for each other in a ring (try up_down): %s", f.show(c))
	}
	return nil
}

// fill makes the tables of the links that are left. An algorithm that does not know
// losses gives way to shortest ways.
func (p *PBR) fill(f *fabric, a routing.Algorithm) *table {
	t := p.left(f)
	if a == p.algorithm && t != p.net {
		a = nil
		if p.spec.Routing.Name == "up_down" {
			if again, err := routing.New("up_down", t, nil); err == nil {
				a = again
			}
		}
	}
	return newTable(t, a)
}

// left is the topology without the links that are lost.
func (p *PBR) left(f *fabric) topology.Topology {
	var broken [][2]int
	for _, c := range p.channels {
		if f.links[p.leaving[c.router][c.port].link()].dead {
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

// search walks from every root.
func (f *fabric) search() error {
	f.ways = slices.Repeat([]way{{-1, -1}}, len(f.roots)*len(f.lds))
	for _, p := range f.nets {
		p.count = pbrCount{}
	}
	for _, r := range f.roots {
		x := finder{f, r}
		if err := x.walk(r, "", nil, nil, nil); err != nil {
			return err
		}
	}
	return nil
}

// ring is links that may wait for each other; nil: there are none.
func (f *fabric) ring() []leg {
	w := f.graphs()
	if c := w[0].ring(); c != nil {
		return c
	}
	return w[1].ring()
}

// graphs are those of requests and of answers.
func (f *fabric) graphs() [2]waiting {
	var down, up []int32
	for _, w := range f.ways {
		if w.down >= 0 {
			down, up = append(down, w.down), append(up, w.up)
		}
	}
	return [2]waiting{f.waits(down), f.waits(up)}
}

// walk goes down from n, which it came to by a port, and notes the ways to logical
// devices. only are the LD-IDs that switches on the way are bound to; nil: any.
func (x *finder) walk(n system.Node, port string, down, up []leg, only []int) error {
	if len(down) > len(x.f.links) {
		return fmt.Errorf("the switches under %s form a ring", x.root.Name())
	}
	for _, k := range x.f.from[n] {
		j := &x.f.joints[k]
		if x.f.links[k].dead {
			continue
		}
		only, down, up := only, down, up
		switch p := n.(type) {
		case *Switch:
			var ok bool
			if only, ok = p.bound(index(port), index(j.FromPort), only); !ok {
				continue
			}
		case *PBR:
			a, b := index(port), index(j.FromPort)
			there, back := p.between(a, b), p.between(b, a)
			if there == nil || back == nil {
				continue
			}
			p.count.ways++
			p.count.hops += uint64(len(there) + 1)
			p.count.longest = max(p.count.longest, uint64(len(there)+1))
			down, up = slices.Concat(down, there), slices.Concat(back, up)
		}
		down = slices.Concat(down, []leg{leg(2 * k)})
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
		h.channel, h.nets, h.routers = true, [2]*PBR{p, p}, [2]int{c.router, c.to}
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
func (p *PBR) between(a, b int) []leg {
	from, _ := p.net.Home(a)
	hops, ok := p.table.way(from, a, b)
	if !ok {
		return nil
	}
	out := make([]leg, 0, len(hops))
	for _, h := range hops {
		out = append(out, p.leaving[h[0]][h[1]])
	}
	return out
}
