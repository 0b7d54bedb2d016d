package cxl

import (
	"slices"

	"github.com/causeway-sim/causeway/noc/routing"
	"github.com/causeway-sim/causeway/noc/topology"
)

// A table is the channels by which the routers of a fabric send messages to terminals.
type table struct {
	t       topology.Topology
	a       routing.Algorithm // nil: shortest
	leaving [][]leg           // by router and port; -1: no channel
	to      []int32           // router, by leg
	used    []int             // ways, by leg, so that the next takes another
	// next is the channel by terminal and router, as far as it is the same for all
	// ways there; made when first asked for, one terminal at a time
	next [][]leg

	sight  sight
	packet routing.Packet // that the algorithm is asked about
}

// noLeg stands for a channel that is not known, or not there.
const noLeg leg = -1

func newTable(t topology.Topology, a routing.Algorithm, leaving [][]leg) *table {
	x := &table{t: t, a: a, leaving: leaving, next: make([][]leg, t.Terminals())}
	x.sight.x = x
	last := noLeg
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

// way appends the channels from one router to a terminal; false: there is none.
func (x *table) way(out []leg, from, src, dst int) ([]leg, bool) {
	home, _ := x.t.Home(dst)
	if x.next[dst] == nil {
		x.next[dst] = x.towards(home)
	}
	next := x.next[dst]
	x.packet = routing.Packet{Src: int32(src), Dst: int32(dst)}
	plain := routing.Packet{Src: int32(src), Dst: int32(dst), Hops: 1} // nothing remembered
	for r := from; r != home; {
		l := next[r]
		if x.a != nil && (l == noLeg || x.packet != plain) {
			was := x.packet
			l = x.ask(r)
			if was == plain && x.packet == plain && !x.sight.used { // so it is for all
				next[r] = l
			}
			x.packet.Hops = 1
		}
		if l == noLeg {
			return out, false
		}
		out = append(out, l)
		x.used[l]++
		r = int(x.to[l])
	}
	return out, true
}

// ask has the algorithm decide about the packet at a router.
func (x *table) ask(router int) leg {
	x.sight.router, x.sight.used = router, false
	return x.leaving[router][x.a.Next(&x.sight, &x.packet).Port]
}

// towards finds a channel of a shortest way from every router to another: of several
// the one that fewest ways use. An algorithm is asked instead, router by router.
func (x *table) towards(home int) []leg {
	out := slices.Repeat([]leg{noLeg}, len(x.leaving))
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
			if l := x.leaving[r][port]; out[r] == noLeg || x.used[l] < x.used[out[r]] {
				out[r] = l
			}
		}
	}
	return out
}

// A sight is what an algorithm sees while tables are made: the ways that are there.
type sight struct {
	routing.Blind
	x      *table
	router int
	used   bool // the algorithm has asked about ways
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
	if l := s.x.leaving[router][port]; l != noLeg {
		return s.x.used[l]
	}
	return 0
}

// Intn implements routing.View.
func (*sight) Intn(int) int { return 0 }
