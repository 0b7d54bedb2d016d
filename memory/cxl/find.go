package cxl

import (
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/memory/cxl/link"
	"github.com/causeway-sim/causeway/noc/routing"
	"github.com/causeway-sim/causeway/noc/topology"
)

// A finder looks for the ways from a root to logical devices.
type finder struct {
	f        *fabric
	root     *Root
	down, up []leg // between the root and where the walk is, both from the root on
	back     []leg // scratch
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
	return newTable(t, a, p.leaving)
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
	f.packed = packed{routes: make([]packedRoute, 0, 2*len(f.ways))}
	for _, p := range f.nets {
		p.count = pbrCount{}
	}
	x := finder{f: f}
	for _, r := range f.roots {
		x.root = r
		if err := x.walk(r, "", nil); err != nil {
			return err
		}
	}
	return nil
}

// walk goes down from n, which it came to by a port, and notes the ways to logical
// devices. only are the LD-IDs that switches on the way are bound to; nil: any.
func (x *finder) walk(n system.Node, port string, only []int) error {
	if len(x.down) > len(x.f.links) {
		return fmt.Errorf("the switches under %s form a ring", x.root.Name())
	}
	at := index(port)
	for _, k := range x.f.from[n] {
		down, up := len(x.down), len(x.up)
		if err := x.take(n, at, k, only); err != nil {
			return err
		}
		x.down, x.up = x.down[:down], x.up[:up]
	}
	return nil
}

// take goes on from port at of n by joint k, if n leads there.
func (x *finder) take(n system.Node, at, k int, only []int) error {
	h, j := x.f.links[k], &x.f.joints[k]
	if h.dead {
		return nil
	}
	switch p := n.(type) {
	case *Switch:
		var ok bool
		if only, ok = p.bound(at, index(j.FromPort), only); !ok {
			return nil
		}
	case *PBR:
		down, up := len(x.down), len(x.up)
		var there, back bool
		x.down, there = p.between(x.down, at, h.terminals[0])
		x.up, back = p.between(x.up, h.terminals[0], at)
		if !there || !back {
			return nil
		}
		slices.Reverse(x.up[up:])
		n := uint64(len(x.down) - down + 1)
		p.count.ways++
		p.count.hops += n
		p.count.longest = max(p.count.longest, n)
	}
	x.down, x.up = append(x.down, leg(2*k)), append(x.up, leg(2*k+1))
	if d, ok := j.To.(*Type3); ok {
		return x.meet(d, index(j.ToPort), only)
	}
	return x.walk(j.To, j.ToPort, only)
}

// meet notes a way to the logical devices that the root may see by a head.
func (x *finder) meet(d *Type3, head int, only []int) error {
	new := way{-1, -1}
	for i, l := range d.lds {
		if !l.offered(x.root, head, only) {
			continue
		}
		w := &x.f.ways[int(x.root.index)*len(x.f.lds)+int(d.first)+i]
		if w.down >= 0 {
			return fmt.Errorf("%s reaches %s in two ways", x.root.Name(), l.name())
		}
		if new.down < 0 {
			x.back = append(x.back[:0], x.up...)
			slices.Reverse(x.back)
			new = way{x.f.packed.add(x.down), x.f.packed.add(x.back)}
		}
		*w = new
	}
	return nil
}

// span makes the links between the switches of a fabric.
func (p *PBR) span(f *fabric) error {
	p.leaving = make([][]leg, p.net.Routers())
	for r := range p.leaving {
		p.leaving[r] = slices.Repeat([]leg{noLeg}, p.net.Ports(r))
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

// between appends the channels from one terminal to another; false: there is no way.
func (p *PBR) between(out []leg, a, b int) ([]leg, bool) {
	from, _ := p.net.Home(a)
	return p.table.way(out, from, a, b)
}
