package route

import (
	"slices"

	"github.com/causeway-sim/causeway/noc/routing"
	"github.com/causeway-sim/causeway/noc/topology"
)

// A Table holds the channels by which the routers of a fabric forward messages to terminals.
type Table struct {
	t       topology.Topology
	a       routing.Algorithm // nil: shortest
	leaving [][]Leg           // by router and port; -1: no channel
	to      []int32           // router, by leg
	used    []int             // routes, by leg, so that the next takes another
	// next is the channel by terminal and router, if it is the same for all routes; made on first
	// use, one terminal at a time
	next [][]Leg

	sight  sight
	packet routing.Packet // that the algorithm is asked about
}

// NewTable makes the table of a topology, filled on demand by algorithm a, or by shortest routes
// if a is nil; leaving has the channels by router and port.
func NewTable(t topology.Topology, a routing.Algorithm, leaving [][]Leg) *Table {
	x := &Table{t: t, a: a, leaving: leaving, next: make([][]Leg, t.Terminals())}
	x.sight.x = x
	last := None
	for _, legs := range leaving {
		for _, l := range legs {
			last = max(last, l)
		}
	}
	x.to, x.used = make([]int32, last+1), make([]int, last+1)
	for r, legs := range leaving {
		for port, l := range legs {
			if to, _, ok := t.Peer(r, port); ok {
				x.to[l] = int32(to)
			}
		}
	}
	return x
}

// Route appends the channels from router from to terminal dst; false if there is no route. src is
// the terminal of the packet, -1 if unknown to the algorithm.
func (x *Table) Route(out []Leg, from, src, dst int) ([]Leg, bool) {
	home, _ := x.t.Home(dst)
	if x.next[dst] == nil {
		x.next[dst] = x.towards(home)
	}
	next := x.next[dst]
	x.packet = routing.Packet{Src: int32(src), Dst: int32(dst)}
	plain := routing.Packet{Src: int32(src), Dst: int32(dst), Hops: 1} // nothing remembered
	for r := from; r != home; {
		l := next[r]
		if x.a != nil && (l == None || x.packet != plain) {
			was := x.packet
			l = x.lookup(r)
			if was == plain && x.packet == plain && !x.sight.used { // so it is for all
				next[r] = l
			}
			x.packet.Hops = 1
		}
		if l == None {
			return out, false
		}
		out = append(out, l)
		x.used[l]++
		r = int(x.to[l])
	}
	return out, true
}

// lookup has the algorithm decide about the packet at a router.
func (x *Table) lookup(router int) Leg {
	x.sight.router, x.sight.used = router, false
	return x.leaving[router][x.a.Next(&x.sight, &x.packet).Port]
}

// towards finds a channel of a shortest route from every router to another: of several the one
// that fewest routes use. With an algorithm it is left empty, for a call per router.
func (x *Table) towards(home int) []Leg {
	out := slices.Repeat([]Leg{None}, len(x.leaving))
	if x.a != nil {
		return out
	}
	far := slices.Repeat([]int{-1}, len(x.leaving))
	far[home] = 0
	queue := []int{home}
	for i := 0; i < len(queue); i++ {
		r := queue[i]
		for port := range x.t.Ports(r) {
			if to, _, ok := x.t.Peer(r, port); ok && far[to] < 0 { // channels run both ways
				far[to] = far[r] + 1
				queue = append(queue, to)
			}
		}
	}
	for r := range out {
		if far[r] <= 0 {
			continue
		}
		for port := range x.t.Ports(r) {
			to, _, ok := x.t.Peer(r, port)
			if !ok || far[to] != far[r]-1 {
				continue
			}
			if l := x.leaving[r][port]; out[r] == None || x.used[l] < x.used[out[r]] {
				out[r] = l
			}
		}
	}
	return out
}

// A sight is what an algorithm sees while tables are made: how many routes use a
// channel.
type sight struct {
	routing.Blind
	x      *Table
	router int
	used   bool // the algorithm has asked how many
}

// Router implements routing.View.
func (s *sight) Router() int { return s.router }

// Queue implements routing.View.
func (s *sight) Queue(port int) int { return s.Remote(s.router, port) }

// QueueClass implements routing.View.
func (s *sight) QueueClass(port, _ int) int { return s.Remote(s.router, port) }

// Remote implements routing.View.
func (s *sight) Remote(router, port int) int {
	s.used = true
	if l := s.x.leaving[router][port]; l != None {
		return s.x.used[l]
	}
	return 0
}

// Intn implements routing.View.
func (*sight) Intn(int) int { return 0 }
