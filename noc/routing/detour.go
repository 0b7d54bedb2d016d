package routing

import (
	"math"

	"github.com/causeway-sim/causeway/noc/topology"
)

// A Detour is an algorithm for a network whose channels fail during the run. A packet follows the
// embedded algorithm until its next channel is down. From there on it takes routes of the Detour
// to its terminal, in separate classes above those of the algorithm.
//
// These routes go up and down a fixed order of the routers, the breadth-first levels of the
// intact topology. A packet that turns from down to up takes the next class. So within a class
// packets go up first and then down, and classes only rise, so that channels form no cycle,
// whichever are down and whenever packets chose their routes (up*/down*: Schroeder et al., IEEE
// JSAC 1991; classes that only rise: Gunther 1981). Routes have the fewest such turns, and among
// those the fewest channels.
type Detour struct {
	Algorithm
	t      topology.Topology
	rank   []int32 // of a router; up is to a lower rank
	spells []topology.Spell
	links  [][]exit // of routers, as they are now
	rows   []row    // by router of the destination, made when they are asked for
	own    int      // classes of the algorithm
	turns  int      // classes of the ways
}

// detoured, in Mode, is a packet on a detour. Its Phase is twice the number of its turns,
// and 1 more after a channel down.
const detoured = 0xff

// An exit is a channel of a router that is up.
type exit struct {
	port, to int
	up       bool
}

// A row holds the cost of the ways of all routers to one, of packets that may still go up
// for free and of those that went down last: the turns, shifted, and the channels.
type row [2][]uint32

const (
	turnBits = 16
	noWay    = math.MaxUint32
)

// NewDetour makes a Detour. spells, known before the run, are the channels that are down, so that
// Classes suffices in every spell. A packet that meets a change may need more turns; it then has
// no route, like a packet whose terminal is unreachable.
func NewDetour(t topology.Topology, a Algorithm, spells []topology.Spell) (*Detour, error) {
	if t.Routers() > maxTable {
		return nil, &TopologyError{Algorithm: "a way around failed channels", Want: "networks of at most 4096 routers"}
	}
	d := &Detour{Algorithm: a, t: t, rank: ranks(t), spells: spells, own: a.Classes(), turns: 1}
	for i := range spells {
		d.Begin(i)
		for to, end := range homes(t) {
			if !end {
				continue
			}
			for _, cost := range d.measure(to)[0] {
				if cost != noWay {
					d.turns = max(d.turns, int(cost>>turnBits)+1)
				}
			}
		}
	}
	d.Begin(-1)
	return d, nil
}

// ranks orders routers by their distance from router 0, and by their number.
func ranks(t topology.Topology) []int32 {
	n := t.Routers()
	out, order := make([]int32, n), make([]int, 0, n)
	for i := range out {
		out[i] = none
	}
	for root := range n { // more than one only where the topology is in pieces
		if out[root] != none {
			continue
		}
		out[root] = int32(len(order))
		order = append(order, root)
		for i := len(order) - 1; i < len(order); i++ {
			for port := range t.Ports(order[i]) {
				if to, _, ok := t.Peer(order[i], port); ok && out[to] == none {
					out[to] = int32(len(order))
					order = append(order, to)
				}
			}
		}
	}
	return out
}

// Classes implements Algorithm; the classes of the embedded algorithm come first.
func (d *Detour) Classes() int { return d.own + d.turns }

// Turns returns the number of classes of detours.
func (d *Detour) Turns() int { return d.turns }

// Begin starts a spell; -1 is the time before the first.
func (d *Detour) Begin(spell int) {
	t := d.t
	down := map[[2]int]bool{}
	if spell >= 0 {
		for _, end := range d.spells[spell].Down {
			r, p, _ := t.Peer(end[0], end[1])
			down[end], down[[2]int{r, p}] = true, true
		}
	}
	d.links, d.rows = make([][]exit, t.Routers()), make([]row, t.Routers())
	for r := range d.links {
		for port := range t.Ports(r) {
			if to, _, ok := t.Peer(r, port); ok && !down[[2]int{r, port}] {
				d.links[r] = append(d.links[r], exit{port, to, !d.Falls(r, to)})
			}
		}
	}
}

// Next implements Algorithm. The port is -1 without a route.
func (d *Detour) Next(v View, p *Packet) Hop {
	switch {
	case p.Mode != detoured:
		hop := d.Algorithm.Next(v, p)
		if d.open(v.Router(), hop.Port) {
			return hop
		}
		p.Mode, p.Phase = detoured, 0
	case !p.Again:
		p.Phase = p.Pending
	}
	return d.onward(v, p)
}

// Take starts a detour of a packet at its present router, as if it entered the network there. The
// packet must hold no buffer.
func (d *Detour) Take(p *Packet) { *p = Packet{Dst: p.Dst, Src: p.Src, Mode: detoured, Again: true} }

// open reports whether a port leads to a terminal or to a channel that is up.
func (d *Detour) open(r, port int) bool {
	if _, _, ok := d.t.Peer(r, port); !ok {
		return true
	}
	for _, x := range d.links[r] {
		if x.port == port {
			return true
		}
	}
	return false
}

// onward takes a packet on along its detour: of the channels that lead nearer the one with
// the shortest queue.
func (d *Detour) onward(v View, p *Packet) Hop {
	r := v.Router()
	home, port := d.t.Home(int(p.Dst))
	if r == home {
		return Hop{Port: port, Class: AnyClass}
	}
	if d.rows[home][0] == nil {
		d.rows[home] = d.measure(home)
	}
	cost := &d.rows[home]
	turns, last := int(p.Phase>>1), p.Phase&1
	want := cost[last][r]
	if want == noWay || turns+int(want>>turnBits) >= d.turns {
		return Hop{Port: none}
	}
	best, least := none, 0
	for _, x := range d.links[r] {
		step, next := hopCost(x.up, last)
		if cost[next][x.to] == noWay || cost[next][x.to]+step != want {
			continue
		}
		if q := v.Queue(x.port); best == none || q < least {
			best, least = x.port, q
			p.Pending = uint8(turns+int(step>>turnBits))<<1 | next
		}
	}
	return Hop{Port: best, Class: d.own + int(p.Pending>>1)}
}

// hopCost is what a channel costs a packet, and whether it has gone down last then.
func hopCost(up bool, last uint8) (cost uint32, next uint8) {
	switch {
	case !up:
		return 1, 1
	case last == 1:
		return 1<<turnBits + 1, 0
	}
	return 1, 0
}

// A standing is a router, and whether a packet there has gone down last.
type standing struct {
	r    int
	last uint8
}

// measure finds the cost of all ways to a router, backwards and in rounds: a round has all
// that needs as many turns, in the order of the channels.
func (d *Detour) measure(to int) row {
	var cost row
	for k := range cost {
		cost[k] = make([]uint32, d.t.Routers())
		for i := range cost[k] {
			cost[k][i] = noWay
		}
		cost[k][to] = 0
	}
	at := func(s standing) uint32 { return cost[s.last][s.r] }
	var late []standing // what the round before leads to by a turn
	near := []standing{{to, 0}, {to, 1}}
	for len(near)+len(late) > 0 {
		var turned []standing
		for len(near)+len(late) > 0 {
			s := standing{}
			if len(late) == 0 || len(near) > 0 && at(near[0]) <= at(late[0]) {
				s, near = near[0], near[1:]
			} else {
				s, late = late[0], late[1:]
			}
			for _, x := range d.links[s.r] { // channels run both ways: x.to leads here
				for last := range uint8(2) {
					step, next := hopCost(!x.up, last)
					from := standing{x.to, last}
					if next != s.last || at(from) <= at(s)+step {
						continue
					}
					cost[last][x.to] = at(s) + step
					if step>>turnBits > 0 {
						turned = append(turned, from)
					} else {
						near = append(near, from)
					}
				}
			}
		}
		late = turned
	}
	return cost
}

// Falls reports whether a channel from one router to another leads down.
func (d *Detour) Falls(from, to int) bool { return d.rank[to] > d.rank[from] }
