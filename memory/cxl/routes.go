package cxl

import (
	"fmt"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/memory/cxl/route"
	"github.com/causeway-sim/causeway/noc/routing"
)

// findRoutes finds the routes of all roots, and checks that no messages can wait for each
// other in a ring.
func (a *assembly) findRoutes() error {
	for _, p := range a.nets {
		p.fill(p.algorithm)
	}
	if err := a.search(); err != nil || len(a.nets) == 0 { // trees have no rings
		return err
	}
	ring := a.ring()
	if ring != nil && a.refilled {
		// routes that were sound before the loss
		for _, p := range a.nets {
			if x, err := routing.New("up_down", p.left(), nil); err == nil {
				p.fill(x)
			}
		}
		if err := a.search(); err != nil {
			return err
		}
		ring = a.ring()
	}
	if ring != nil {
		return a.nets[0].at.Get("routing").Errorf(nil, "messages may wait for each other in a ring (try up_down): %s", a.show(ring))
	}
	return nil
}

// search walks from every root.
func (a *assembly) search() error {
	f := a.fabric
	f.pairs = slices.Repeat([]route.Pair{route.NoPair}, len(a.roots)*len(f.lds))
	f.Book.Reset(2 * len(f.pairs))
	for _, p := range a.nets {
		p.count = pbrCount{}
	}
	x := a.visitor()
	w := route.Walk{
		Below:   func(n route.Node) []route.Joint { return x.below[n] },
		Dead:    func(link int) bool { return f.Hops[link].Dead() },
		Longest: len(f.Hops),
	}
	for _, x.root = range a.roots {
		if err := w.From(x.root, func() error { return fmt.Errorf("the switches under %s form a ring", x.root.Name()) }); err != nil {
			return err
		}
	}
	return nil
}

// A visitor notes which logical devices a root's walk reaches.
type visitor struct {
	f     *fabric
	root  *Root
	below map[route.Node][]route.Joint
}

// visitor knows what is below each node.
func (a *assembly) visitor() *visitor {
	x := &visitor{f: a.fabric, below: map[route.Node][]route.Joint{}}
	for n := range a.Joints {
		j := &a.Joints[n]
		from, ok := j.From.(route.Node)
		if !ok {
			continue
		}
		to, ok := j.To.(route.Node)
		if d, is := j.To.(*Type3); is {
			to, ok = leaf{x, d}, true
		}
		if ok {
			x.below[from] = append(x.below[from], route.Joint{Link: n, Port: index(j.FromPort), To: to, ToPort: index(j.ToPort)})
		}
	}
	return x
}

// A leaf is a device as a walk sees it.
type leaf struct {
	*visitor
	device *Type3
}

// Leave implements route.Node: walks end here.
func (leaf) Leave(*route.Walk, int, int, []int) ([]int, bool) { return nil, false }

// Reach implements route.Leaf: it notes a way to the logical devices that the root may
// see by a head.
func (x leaf) Reach(w *route.Walk, head int, only []int) error {
	pair := route.NoPair
	for i, l := range x.device.lds {
		if !l.offered(x.root.Name(), head, only) {
			continue
		}
		at := &x.f.pairs[int(x.root.index)*len(x.f.lds)+int(x.device.first)+i]
		if at.Reachable() {
			return fmt.Errorf("%s reaches %s in two ways", x.root.Name(), l.name)
		}
		if !pair.Reachable() {
			pair = w.Enter(&x.f.Book)
		}
		*at = pair
	}
	return nil
}

// ring is links that may wait for each other; nil: there are none.
func (a *assembly) ring() []route.Leg {
	g := a.graphs()
	if ring := g[0].Ring(); ring != nil {
		return ring
	}
	return g[1].Ring()
}

// graphs are those of requests and of answers.
func (a *assembly) graphs() [2]route.Graph {
	f := a.fabric
	of := func(number func(route.Pair) int32) route.Graph {
		var legs []route.Leg
		return route.NewGraph(len(f.Hops), func(add func([]route.Leg)) {
			for _, p := range f.pairs {
				if p.Reachable() {
					legs = f.Book.List(legs[:0], number(p))
					add(legs)
				}
			}
		})
	}
	return [2]route.Graph{
		of(func(p route.Pair) int32 { return p.Down }),
		of(func(p route.Pair) int32 { return p.Up }),
	}
}

// show prints legs by the names of their ends.
func (a *assembly) show(legs []route.Leg) string {
	var out []string
	for _, l := range legs {
		from, to := a.Hops[l.Link()].Names[0], a.Hops[l.Link()].Names[1]
		if l.IsUp() {
			from, to = to, from
		}
		out = append(out, fmt.Sprintf("%s to %s", from, to))
	}
	return strings.Join(out, " -> ")
}
