package routing

import (
	"fmt"
	"strings"

	"github.com/causeway-sim/causeway/noc/topology"
)

// A Channel is one class of virtual channels of the channel that leaves a
// router through a port.
type Channel struct{ Router, Port, Class int }

func (c Channel) String() string {
	return fmt.Sprintf("router %d port %d class %d", c.Router, c.Port, c.Class)
}

// A Proof is what Check found.
type Proof struct {
	Channels  int // that some packet uses
	Steps     int // from one channel to the next, counted once
	Decisions int // that were followed
	MaxHops   int // of any packet
	// Complete tells that every decision was followed within the budget. Only
	// then does an absent Cycle prove anything.
	Complete bool
	// Cycle is a closed chain of channels, each of which some packet may hold
	// while it waits for the next. The first stands at the end again.
	Cycle []Channel
}

// Free tells whether the routing is proven free of deadlock.
func (p *Proof) Free() bool { return p.Complete && p.Cycle == nil }

func (p *Proof) String() string {
	switch {
	case p.Cycle != nil:
		steps := make([]string, len(p.Cycle))
		for i, c := range p.Cycle {
			steps[i] = c.String()
		}
		return "cycle of channels: " + strings.Join(steps, " -> ")
	case !p.Complete:
		return fmt.Sprintf("no cycle among %d channels after %d decisions, not all of them", p.Channels, p.Decisions)
	}
	return fmt.Sprintf("no cycle among %d channels and %d steps (%d decisions, at most %d hops)", p.Channels, p.Steps, p.Decisions, p.MaxHops)
}

// Check follows every packet of the topology through every decision of the
// algorithm, whatever queues and draws are, builds the graph of which channel
// may wait for which, and looks for a cycle (Dally and Seitz 1987, theorem 1).
// It follows at most budget decisions; 0 is no bound. Terminals of one router
// are alike: one of each is enough.
//
// The error is about an algorithm that breaks its contract: a port that leads
// nowhere, a class out of range, a packet that does not arrive. Such a packet is
// a bug of the program.
func Check(t topology.Topology, a Algorithm, budget int) (*Proof, error) {
	c := newChecker(t, a, budget)
	if err := c.explore(); err != nil {
		return nil, err
	}
	for _, next := range c.edges {
		c.proof.Steps += len(next)
	}
	c.proof.Cycle = c.cycle()
	return &c.proof, nil
}

// maxHops bounds the channels of one packet: a multiple of any diameter that
// fits into Packet.Hops.
const maxHops = 250

// A state is a packet that has just come to a router.
type state struct {
	router, in int32 // in is the channel it came by, -1 at the source
	p          Packet
}

type checker struct {
	t      topology.Topology
	a      Algorithm
	budget int
	first  []int32 // number of the first port of a router
	edges  [][]int32
	used   []bool
	proof  Proof
	seen   map[state]uint8
	todo   []state
	depth  []uint8 // hops of todo
	choice choices
}

func newChecker(t topology.Topology, a Algorithm, budget int) *checker {
	c := &checker{t: t, a: a, budget: budget, seen: map[state]uint8{}}
	n := 0
	for r := range t.Routers() {
		c.first = append(c.first, int32(n))
		n += t.Ports(r)
	}
	c.first = append(c.first, int32(n))
	c.edges = make([][]int32, n*a.Classes())
	c.used = make([]bool, n*a.Classes())
	return c
}

func (c *checker) explore() error {
	var ends []int
	last := -1
	for term := range c.t.Terminals() {
		if r, _ := c.t.Home(term); r != last {
			ends, last = append(ends, term), r
		}
	}
	c.proof.Complete = true
	for _, src := range ends {
		r, _ := c.t.Home(src)
		for _, dst := range ends {
			c.todo = append(c.todo, state{int32(r), -1, Packet{Src: int32(src), Dst: int32(dst)}})
			c.depth = append(c.depth, 0)
			for len(c.todo) > 0 {
				n := len(c.todo) - 1
				s, hops := c.todo[n], c.depth[n]
				c.todo, c.depth = c.todo[:n], c.depth[:n]
				for c.choice.reset(); ; {
					if c.budget > 0 && c.proof.Decisions >= c.budget {
						c.proof.Complete = false
						return nil
					}
					if err := c.follow(s, hops); err != nil {
						return err
					}
					if !c.choice.advance() {
						break
					}
				}
			}
		}
	}
	return nil
}

// follow lets the algorithm decide once and keeps what comes of it.
func (c *checker) follow(s state, hops uint8) error {
	c.proof.Decisions++
	c.choice.router = int(s.router)
	p := s.p
	hop := c.a.Next(&c.choice, &p)
	r := int(s.router)
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
		if hop.Class < AnyClass || hop.Class >= c.a.Classes() {
			return bad("there is no such class")
		}
		return nil // an ejection channel waits for nobody
	}
	if hop.Class < 0 || hop.Class >= c.a.Classes() {
		return bad("there is no such class")
	}
	if hops == maxHops {
		return bad("it wanders")
	}
	ch := (c.first[r]+int32(hop.Port))*int32(c.a.Classes()) + int32(hop.Class)
	if !c.used[ch] {
		c.used[ch] = true
		c.proof.Channels++
	}
	if s.in >= 0 {
		c.edge(s.in, ch)
	}
	c.proof.MaxHops = max(c.proof.MaxHops, int(hops)+1)
	p.Src, p.Hops = -1, 1
	next := state{int32(to), ch, p}
	// A state is followed again only if it is reached by a longer way, for the
	// sake of MaxHops and of packets that wander.
	if d, ok := c.seen[next]; !ok || hops+1 > d {
		c.seen[next] = hops + 1
		c.todo = append(c.todo, next)
		c.depth = append(c.depth, hops+1)
	}
	return nil
}

func (c *checker) edge(from, to int32) {
	for _, e := range c.edges[from] {
		if e == to {
			return
		}
	}
	c.edges[from] = append(c.edges[from], to)
}

// cycle looks for a closed chain by depth-first search.
func (c *checker) cycle() []Channel {
	const (
		white = iota
		grey
		black
	)
	color := make([]uint8, len(c.edges))
	at := make([]int32, len(c.edges)) // next edge to try
	for root := range c.edges {
		if color[root] != white {
			continue
		}
		path := []int32{int32(root)}
		color[root] = grey
		for len(path) > 0 {
			n := path[len(path)-1]
			if int(at[n]) == len(c.edges[n]) {
				color[n] = black
				path = path[:len(path)-1]
				continue
			}
			next := c.edges[n][at[n]]
			at[n]++
			switch color[next] {
			case white:
				color[next] = grey
				path = append(path, next)
			case grey:
				i := len(path) - 1
				for path[i] != next {
					i--
				}
				var out []Channel
				for _, ch := range append(path[i:], next) {
					out = append(out, c.channel(ch))
				}
				return out
			}
		}
	}
	return nil
}

func (c *checker) channel(ch int32) Channel {
	port, class := ch/int32(c.a.Classes()), int(ch)%c.a.Classes()
	lo, hi := 0, len(c.first)-1
	for hi-lo > 1 {
		if mid := (lo + hi) / 2; c.first[mid] <= port {
			lo = mid
		} else {
			hi = mid
		}
	}
	return Channel{lo, int(port - c.first[lo]), class}
}

// choices is a View that answers every question in every way, one run of Next
// after the other: a queue is empty or endless, a draw is each of its values.
type choices struct {
	router int
	script []int // answers
	of     []int // number of answers to each question
	asked  int
}

// endless is longer than any threshold, and short enough to be weighed with hop
// counts.
const endless = 1 << 24

func (c *choices) reset() { c.script, c.of, c.asked = c.script[:0], c.of[:0], 0 }

// advance moves on to the next combination of answers, false after the last.
func (c *choices) advance() bool {
	c.script, c.of = c.script[:c.asked], c.of[:c.asked]
	c.asked = 0
	for i := len(c.script) - 1; i >= 0; i-- {
		if c.script[i]++; c.script[i] < c.of[i] {
			c.script, c.of = c.script[:i+1], c.of[:i+1]
			return true
		}
	}
	return false
}

func (c *choices) Intn(n int) int {
	if c.asked == len(c.script) {
		c.script, c.of = append(c.script, 0), append(c.of, n)
	}
	c.asked++
	return c.script[c.asked-1]
}

func (c *choices) Router() int             { return c.router }
func (c *choices) Queue(int) int           { return c.Intn(2) * endless }
func (c *choices) QueueClass(int, int) int { return c.Intn(2) * endless }
func (c *choices) Remote(int, int) int     { return c.Intn(2) * endless }
