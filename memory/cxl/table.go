package cxl

import (
	"fmt"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/noc/routing"
	"github.com/causeway-sim/causeway/noc/topology"
)

// A table is the ports by which the routers of a fabric send messages to terminals.
type table struct {
	t topology.Topology
	a routing.Algorithm // nil: shortest
	// next is the port by router and terminal, of shortest; made when first asked
	// for, one destination at a time
	next    [][]int16
	used    [][]int // ways by router and port, so that the next takes another
	scratch [][2]int
}

func newTable(t topology.Topology, a routing.Algorithm) *table {
	x := &table{t: t, a: a, next: make([][]int16, t.Terminals()), used: make([][]int, t.Routers())}
	for r := range x.used {
		x.used[r] = make([]int, t.Ports(r))
	}
	return x
}

// way lists the routers and ports from one router to a terminal; false: there is none.
// The list is used again.
func (x *table) way(from, src, dst int) ([][2]int, bool) {
	out := x.scratch[:0]
	defer func() { x.scratch = out }()
	home, _ := x.t.Home(dst)
	if x.a == nil {
		if x.next[dst] == nil {
			x.next[dst] = x.towards(dst)
		}
		for r := from; r != home; {
			port := x.next[dst][r]
			if port < 0 {
				return nil, false
			}
			out = append(out, [2]int{r, int(port)})
			x.used[r][port]++
			r, _, _ = x.t.Peer(r, int(port))
		}
		return out, true
	}
	p := routing.Packet{Src: int32(src), Dst: int32(dst)}
	for r := from; r != home; {
		hop := x.a.Next(sight{x: x, router: r}, &p)
		out = append(out, [2]int{r, hop.Port})
		x.used[r][hop.Port]++
		p.Hops = 1
		r, _, _ = x.t.Peer(r, hop.Port)
	}
	return out, true
}

// towards finds a port of a shortest way from every router to a terminal: of several
// the one that fewest ways use.
func (x *table) towards(dst int) []int16 {
	home, _ := x.t.Home(dst)
	far := make([]int, x.t.Routers())
	for i := range far {
		far[i] = -1
	}
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
	out := make([]int16, len(far))
	for r := range out {
		out[r] = -1
		if far[r] <= 0 {
			continue
		}
		for port := range x.t.Ports(r) {
			to, _, ok := x.t.Peer(r, port)
			if ok && far[to] == far[r]-1 && (out[r] < 0 || x.used[r][port] < x.used[r][out[r]]) {
				out[r] = int16(port)
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
}

// Router implements routing.View.
func (s sight) Router() int { return s.router }

// Queue implements routing.View.
func (s sight) Queue(port int) int { return s.x.used[s.router][port] }

// QueueClass implements routing.View.
func (s sight) QueueClass(port, _ int) int { return s.x.used[s.router][port] }

// Remote implements routing.View.
func (s sight) Remote(router, port int) int { return s.x.used[router][port] }

// Intn implements routing.View.
func (sight) Intn(int) int { return 0 }

// waiting is which links messages may wait for while they keep their buffer behind
// another, by leg: a message keeps it until it is sent on the next of its route.
// Requests and answers have buffers of their own, and graphs of their own.
type waiting [][]leg

// waits is the graph of routes.
func (f *fabric) waits(routes []int32) waiting {
	w := make(waiting, 2*len(f.links))
	for _, n := range routes {
		legs := f.routes[n]
		for i := range legs[1:] {
			if x := &w[legs[i]]; !slices.Contains(*x, legs[i+1]) { // few: ports of a switch
				*x = append(*x, legs[i+1])
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
