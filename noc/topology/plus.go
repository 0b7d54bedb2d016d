package topology

// DragonflyPlusSpec describes a dragonfly+.
type DragonflyPlusSpec struct {
	P      int `yaml:"p" doc:"Terminals per leaf"`
	Leaves int `yaml:"leaves" doc:"Routers with terminals, per group"`
	Spines int `yaml:"spines" doc:"Routers with global ports, per group"`
	H      int `yaml:"h" doc:"Global ports per spine; 0 is a single group"`
	G      int `yaml:"g" doc:"Groups; 0 is spines*h+1"`
}

func init() {
	add("dragonfly_plus", "Groups of leaves, each joined to all spines of its group; the spines join the groups.",
		"Shpiner, Haramaty, Eliad, Zdornov, Gafni, Zahavi, HiPINEB 2017, section III", DragonflyPlusSpec{P: 2, Leaves: 2, Spines: 2, H: 2},
		func(s DragonflyPlusSpec) (Topology, error) { return NewDragonflyPlus(s) })
}

// A DragonflyPlus numbers the routers of a group leaves first. A leaf has p ports
// to terminals, then one to each spine; a spine one to each leaf, then h global
// ones. The global channels are those of a Dragonfly whose groups are the spines,
// in the absolute arrangement.
type DragonflyPlus struct {
	p, leaves, spines int
	global            Dragonfly
}

// NewDragonflyPlus checks the spec and returns the dragonfly+.
func NewDragonflyPlus(s DragonflyPlusSpec) (DragonflyPlus, error) {
	b := bounds{what: "dragonfly_plus"}
	b.check("p", s.P, 1, 1<<12)
	b.check("leaves", s.Leaves, 1, 1<<12)
	b.check("spines", s.Spines, 1, 1<<12)
	b.check("h", s.H, 0, 1<<12)
	if err := b.err(); err != nil {
		return DragonflyPlus{}, err
	}
	b.check("g", s.G, 0, s.Spines*s.H+1)
	if err := b.err(); err != nil {
		return DragonflyPlus{}, err
	}
	g, err := NewDragonfly(DragonflySpec{P: 1, A: s.Spines, H: s.H, G: s.G})
	d := DragonflyPlus{s.P, s.Leaves, s.Spines, g}
	if err == nil {
		b.product("ports", g.Groups(), s.Leaves*(s.P+s.Spines)+s.Spines*(s.Leaves+s.H))
		err = b.err()
	}
	return d, err
}

// size is the number of routers of a group.
func (d DragonflyPlus) size() int { return d.leaves + d.spines }

// Groups is the number of groups.
func (d DragonflyPlus) Groups() int { return d.global.Groups() }

// Group is the group of a router.
func (d DragonflyPlus) Group(router int) int { return router / d.size() }

// Leaf reports whether a router has terminals.
func (d DragonflyPlus) Leaf(router int) bool { return router%d.size() < d.leaves }

// Spines is the number of spines of a group.
func (d DragonflyPlus) Spines() int { return d.spines }

// Links is the number of channels between two groups.
func (d DragonflyPlus) Links() int { return d.global.Links() }

// Up returns the port by which a leaf faces a spine of its group.
func (d DragonflyPlus) Up(spine int) int { return d.p + spine }

// Down returns the port by which a spine faces a leaf of its group.
func (d DragonflyPlus) Down(leaf int) int { return leaf % d.size() }

// Exit returns the spine, as a router and by its number in the group, and the port of the k-th
// channel from group from to group to.
func (d DragonflyPlus) Exit(from, to, k int) (router, spine, port int) {
	r, p := d.global.Exit(from, to, k)
	spine = r % d.spines
	return from*d.size() + d.leaves + spine, spine, d.leaves + p - d.spines
}

// Routers implements Topology.
func (d DragonflyPlus) Routers() int { return d.global.Groups() * d.size() }

// Terminals implements Topology.
func (d DragonflyPlus) Terminals() int { return d.global.Groups() * d.leaves * d.p }

// Ports implements Topology.
func (d DragonflyPlus) Ports(router int) int {
	if d.Leaf(router) {
		return d.p + d.spines
	}
	return d.leaves + d.global.H()
}

// Home implements Topology.
func (d DragonflyPlus) Home(t int) (router, port int) {
	leaf := t / d.p
	return leaf/d.leaves*d.size() + leaf%d.leaves, t % d.p
}

// Class implements Topology.
func (d DragonflyPlus) Class(router, port int) Class {
	switch leaf := d.Leaf(router); {
	case leaf && port < d.p:
		return Terminal
	case leaf || port < d.leaves:
		return Local
	}
	return d.global.Class(d.twin(router, port))
}

// twin is a global port in the dragonfly of spines. Its routers have one
// terminal port and spines-1 local ones before.
func (d DragonflyPlus) twin(router, port int) (r, p int) {
	return d.Group(router)*d.spines + router%d.size() - d.leaves, port - d.leaves + d.spines
}

// Peer implements Topology.
func (d DragonflyPlus) Peer(router, port int) (r, p int, ok bool) {
	at := router % d.size()
	first := router - at
	switch {
	case d.Leaf(router):
		return first + d.leaves + port - d.p, at, port >= d.p
	case port < d.leaves:
		return first + port, d.p + at - d.leaves, true
	}
	if r, p, ok = d.global.Peer(d.twin(router, port)); !ok {
		return 0, 0, false
	}
	return r/d.spines*d.size() + d.leaves + r%d.spines, p - d.spines + d.leaves, true
}
