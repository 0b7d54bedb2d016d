package cxl

import (
	"fmt"
	"slices"
	"strings"

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

// waiting is which links messages may wait for while they keep their buffer behind
// another, by leg: a message keeps it until it is sent on the next of its route.
// Requests and answers have buffers of their own, and graphs of their own.
type waiting [][]leg

// waits is the graph of one of the two routes of all ways.
func (f *fabric) waits(route func(*way) int32) waiting {
	w := make(waiting, 2*len(f.links))
	last := slices.Repeat([]leg{noLeg}, len(w)) // by leg, as most go on as the one before
	var legs []leg
	for i := range f.ways {
		n := route(&f.ways[i])
		if n < 0 {
			continue
		}
		legs = f.packed.list(legs[:0], n)
		for i, next := range legs[1:] {
			if at := legs[i]; last[at] != next {
				last[at] = next
				if !slices.Contains(w[at], next) { // few: ports of a switch
					w[at] = append(w[at], next)
				}
			}
		}
	}
	return w
}

// add puts a route in, unless it would close a ring.
func (w waiting) add(legs []leg) bool {
	for i := range legs[1:] {
		a, b := legs[i], legs[i+1]
		if slices.Contains(w[a], b) {
			continue
		}
		if w.reaches(b, a, map[leg]bool{}) {
			return false // what it has added so far closes none, and may stay
		}
		w[a] = append(w[a], b)
	}
	return true
}

// reaches tells whether a message on one leg may wait, by others, for another.
func (w waiting) reaches(from, to leg, seen map[leg]bool) bool {
	if from == to {
		return true
	}
	if seen[from] {
		return false
	}
	seen[from] = true
	return slices.ContainsFunc(w[from], func(x leg) bool { return w.reaches(x, to, seen) })
}

// ring looks for legs that may wait for each other in a ring.
//
// Source: Dally and Seitz 1987, theorem 1.
func (w waiting) ring() []leg {
	const (
		white = iota
		grey
		black
	)
	color := make([]uint8, len(w))
	at := make([]int, len(w))
	for root := range w {
		if color[root] != white {
			continue
		}
		color[root] = grey
		for path := []leg{leg(root)}; len(path) > 0; {
			n := path[len(path)-1]
			if at[n] == len(w[n]) {
				color[n] = black
				path = path[:len(path)-1]
				continue
			}
			next := w[n][at[n]]
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
				return append(path[i:len(path):len(path)], next)
			}
		}
	}
	return nil
}

// show prints legs by the names of their ends.
func (f *fabric) show(legs []leg) string {
	var out []string
	for _, l := range legs {
		h := f.links[l.link()]
		a, b := h.names[0], h.names[1]
		if l.back() {
			a, b = b, a
		}
		out = append(out, fmt.Sprintf("%s to %s", a, b))
	}
	return strings.Join(out, " -> ")
}
