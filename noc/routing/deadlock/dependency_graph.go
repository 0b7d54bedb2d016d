package deadlock

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/causeway-sim/causeway/noc/routing"
	"github.com/causeway-sim/causeway/noc/topology"
)

// A place is a packet at a router. A Bulk algorithm spreads a raw one over others.
type place struct {
	p      routing.Packet
	router int32
	raw    bool
}

// A node is what is known of a place.
type node struct {
	place
	first, n int32 // of arcs
	depth    int16 // channels still to go, at most
	color    uint8 // of the search for depths
	entered  bool  // by a global channel
	sensed   bool  // a decision asks for the state of the router
}

// An arc leads to another place: by a channel, or by none (absent) to what a raw place is
// spread over.
type arc struct{ channel, to int32 }

// spreading is a raw place whose arcs wait until those of the place before are
// complete.
type spreading struct {
	id   int32
	over []arc
}

type checker struct {
	t       topology.Topology
	a       routing.Algorithm
	bulk    routing.Bulk
	budget  int
	classes int
	first   []int32 // number of the first port of a router
	owner   []int32 // router of a port
	words   int     // of a row over the channels that leave one router
	proof   Proof

	ids    map[place]int32
	nodes  []node
	arcs   []arc
	outs   []uint64 // [node*words] channels it may wait for
	todo   []int32
	spread []spreading

	edges  []uint64 // [channel*words] steps, as channels of the router it leads to
	leads  []int32  // router that the channel leads to, -1 if no packet uses it
	choice choices
	same   []routing.Packet // scratch: a packet as earlier calls left it
}

func newChecker(t topology.Topology, a routing.Algorithm, bulk routing.Bulk, budget int) *checker {
	c := &checker{t: t, a: a, bulk: bulk, budget: budget, classes: a.Classes(), ids: map[place]int32{}}
	widest := 0
	for r := range t.Routers() {
		c.first = append(c.first, int32(len(c.owner)))
		widest = max(widest, t.Ports(r))
		for range t.Ports(r) {
			c.owner = append(c.owner, int32(r))
		}
	}
	c.choice.groups, _ = topology.Intact(t).(topology.Grouped)
	c.words = (widest*c.classes + 63) / 64
	n := len(c.owner) * c.classes
	c.edges = make([]uint64, n*c.words)
	c.leads = slices.Repeat([]int32{absent}, n)
	return c
}

// explore finds every place that a packet may reach.
func (c *checker) explore() error {
	c.proof.Complete = true
	var ends []int
	last := absent
	for term := range c.t.Terminals() {
		if r, _ := c.t.Home(term); r != last {
			ends, last = append(ends, term), r
		}
	}
	to := ends
	if _, ok := c.a.(routing.TerminalRouted); ok {
		to = nil
		for term := range c.t.Terminals() {
			to = append(to, term)
		}
	}
	for _, src := range ends {
		r, _ := c.t.Home(src)
		if c.bulk != nil {
			c.bulk.Starts(r, func(p routing.Packet) {
				p.Src = int32(src)
				c.place(r, p, false)
			})
			if err := c.drain(); err != nil || !c.proof.Complete {
				return err
			}
			continue
		}
		for _, dst := range to {
			c.place(r, routing.Packet{Src: int32(src), Dst: int32(dst)}, false)
			if err := c.drain(); err != nil || !c.proof.Complete {
				return err
			}
		}
	}
	return nil
}

// place returns the node of a place; a new one is put on the list to do.
func (c *checker) place(r int, p routing.Packet, raw bool) int32 {
	key := place{p, int32(r), raw}
	id, ok := c.ids[key]
	if !ok {
		id = int32(len(c.nodes))
		c.ids[key] = id
		c.nodes = append(c.nodes, node{place: key})
		for range c.words {
			c.outs = append(c.outs, 0)
		}
		c.todo = append(c.todo, id)
	}
	return id
}

func (c *checker) drain() error {
	for len(c.todo) > 0 && c.proof.Complete {
		id := c.todo[len(c.todo)-1]
		c.todo = c.todo[:len(c.todo)-1]
		c.nodes[id].first = int32(len(c.arcs))
		if err := c.expand(id); err != nil {
			return err
		}
		c.nodes[id].n = int32(len(c.arcs)) - c.nodes[id].first
		for _, s := range c.spread {
			c.nodes[s.id].first, c.nodes[s.id].n = int32(len(c.arcs)), int32(len(s.over))
			c.arcs = append(c.arcs, s.over...)
		}
		c.spread = c.spread[:0]
	}
	return nil
}

// expand follows every decision of the algorithm for the packet of a node, also those of repeated
// calls while the packet waits.
func (c *checker) expand(id int32) error {
	at := c.nodes[id].place
	r := int(at.router)
	c.choice.router, c.choice.sensed = r, false
	defer func() { c.nodes[id].sensed = c.choice.sensed }()
	c.same = append(c.same[:0], at.p)
	for i := 0; i < len(c.same); i++ {
		for c.choice.reset(); ; {
			if c.budget > 0 && c.proof.Decisions >= c.budget {
				c.proof.Complete = false
				return nil
			}
			c.proof.Decisions++
			c.choice.promised = false
			p := c.same[i]
			hop := c.a.Next(&c.choice, &p)
			if err := c.follow(id, r, p, hop); err != nil {
				return err
			}
			p.Again = true
			if c.bulk != nil {
				c.bulk.Waits(&p)
			}
			if !slices.Contains(c.same, p) {
				c.same = append(c.same, p)
			}
			if !c.choice.advance() {
				break
			}
		}
	}
	return nil
}

// follow records the result of one decision.
func (c *checker) follow(id int32, r int, p routing.Packet, hop routing.Hop) error {
	bad := func(what string) error {
		return fmt.Errorf("routing: packet to terminal %d at router %d takes port %d class %d: %s", p.Dst, r, hop.Port, hop.Class, what)
	}
	if hop.Port < 0 || hop.Port >= c.t.Ports(r) {
		return bad("there is no such port")
	}
	to, _, ok := c.t.Peer(r, hop.Port)
	if !ok {
		if home, port := c.t.Home(int(p.Dst)); home != r || port != hop.Port {
			return bad("it faces another terminal, or nobody")
		}
		if hop.Class < routing.AnyClass || hop.Class >= c.classes {
			return bad("there is no such class")
		}
		return nil // an ejection channel waits for no other channel
	}
	if hop.Class < 0 || hop.Class >= c.classes {
		return bad("there is no such class")
	}
	if hop.Optional && !c.choice.promised {
		return bad("it is optional, and not known to be ready")
	}
	ch := (int(c.first[r])+hop.Port)*c.classes + hop.Class
	if c.leads[ch] == absent {
		c.leads[ch] = int32(to)
		c.proof.Channels++
	}
	if !hop.Optional {
		bit := hop.Port*c.classes + hop.Class
		c.outs[int(id)*c.words+bit/64] |= 1 << (bit % 64)
	}
	p.Src, p.Hops, p.Again = absent, 1, false
	next, known := c.arrive(c.t.Class(r, hop.Port), to, p)
	a := arc{int32(ch), next}
	if known && slices.Contains(c.arcs[c.nodes[id].first:], a) {
		return nil
	}
	c.arcs = append(c.arcs, a)
	return nil
}

// arrive returns the node of a packet that arrives at router to by a channel of a class, and
// whether it was known.
func (c *checker) arrive(by topology.Class, to int, p routing.Packet) (id int32, known bool) {
	id = int32(len(c.nodes))
	if c.bulk == nil {
		got := c.place(to, p, false)
		c.enter(by, got)
		return got, got < id
	}
	c.bulk.Arrives(by, to, &p)
	key := place{p, int32(to), true}
	key.p.Src -= int32(by) // what it is spread over may depend on it
	if got, ok := c.ids[key]; ok {
		return got, true
	}
	c.ids[key] = id
	c.nodes = append(c.nodes, node{place: key})
	for range c.words {
		c.outs = append(c.outs, 0)
	}
	s := spreading{id: id}
	c.bulk.Spread(by, to, p, func(q routing.Packet) {
		at := c.place(to, q, false)
		c.enter(by, at)
		s.over = append(s.over, arc{absent, at})
	})
	c.spread = append(c.spread, s)
	return id, false
}

// enter records the class of channels by which a place is entered. A raw place is entered by one
// class only, which is in its key.
func (c *checker) enter(by topology.Class, id int32) {
	if by == topology.Global {
		c.nodes[id].entered = true
	}
}

// depths finds the longest way of any packet, and one that never ends.
func (c *checker) depths() error {
	const (
		white = iota
		grey
		black
	)
	type frame struct {
		id  int32
		arc int32
	}
	for root := range c.nodes {
		if c.nodes[root].color != white {
			continue
		}
		c.nodes[root].color = grey
		path := []frame{{int32(root), 0}}
		for len(path) > 0 {
			f := &path[len(path)-1]
			n := &c.nodes[f.id]
			if f.arc == n.n {
				n.color = black
				path = path[:len(path)-1]
				continue
			}
			a := c.arcs[n.first+f.arc]
			to := &c.nodes[a.to]
			switch to.color {
			case white:
				to.color = grey
				path = append(path, frame{a.to, 0})
				continue // back here when it is black
			case grey:
				ch := c.channel(max(a.channel, 0))
				return fmt.Errorf("routing: packet to terminal %d at router %d takes port %d class %d: it wanders", n.p.Dst, n.router, ch.Port, ch.Class)
			}
			step := int16(1)
			if a.channel == absent {
				step = 0
			}
			n.depth = max(n.depth, to.depth+step)
			f.arc++
		}
		c.proof.MaxHops = max(c.proof.MaxHops, int(c.nodes[root].depth))
	}
	return nil
}

// connect makes a step from every channel to those that a packet after it may
// wait for.
func (c *checker) connect() {
	for i := range c.nodes {
		n := &c.nodes[i]
		for _, a := range c.arcs[n.first : n.first+n.n] {
			if a.channel != absent {
				continue
			}
			for w := range c.words {
				c.outs[i*c.words+w] |= c.outs[int(a.to)*c.words+w]
			}
		}
	}
	for _, a := range c.arcs {
		if a.channel == absent {
			continue
		}
		for w := range c.words {
			c.edges[int(a.channel)*c.words+w] |= c.outs[int(a.to)*c.words+w]
		}
	}
	for _, w := range c.edges {
		c.proof.Steps += bits.OnesCount64(w)
	}
}
