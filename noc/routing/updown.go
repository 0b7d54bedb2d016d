package routing

import (
	"strconv"

	"github.com/causeway-sim/causeway/components/registry"
	"github.com/causeway-sim/causeway/noc/topology"
)

func init() {
	All.Add(registry.Entry[Factory]{
		Name:   "up_down",
		Doc:    "Any network, also one with failed channels: the shortest way that never turns from down to up on a tree of breadth-first levels; among equals the emptiest port.",
		Source: "Schroeder et al., \"Autonet: a high-speed, self-configuring local area network using point-to-point links\", IEEE JSAC 1991, section 6.6.4",
		New: func(t topology.Topology, _ any) (Algorithm, error) {
			if t.Routers() > maxTable {
				return nil, &TopologyError{Algorithm: "up_down", Want: "networks of at most 4096 routers"}
			}
			return newUpDown(t)
		},
	})
}

// maxTable bounds the routers of a network for which a table from every router to
// every other is kept.
const maxTable = 4096

// An upDown keeps distances. A channel leads up if it leads to a lower level, or
// on the same level to a lower number.
type upDown struct {
	t     topology.Topology
	level []int32
	// far is the number of channels from one router to another, [down only?]
	// [to*routers+from]; unreachable is far away.
	far [2][]uint16
}

const unreachable = 1 << 15

func newUpDown(t topology.Topology) (Algorithm, error) {
	n := t.Routers()
	a := &upDown{t: t, level: make([]int32, n)}
	for i := range a.level {
		a.level[i] = none
	}
	a.level[0] = 0
	reached := []int{0}
	for i := 0; i < len(reached); i++ {
		a.neighbours(reached[i], func(_, to int) {
			if a.level[to] == none {
				a.level[to] = a.level[reached[i]] + 1
				reached = append(reached, to)
			}
		})
	}
	for r, l := range a.level {
		if l == none {
			return nil, apart(0, r, len(reached), n)
		}
	}
	for k := range a.far {
		a.far[k] = make([]uint16, n*n)
		for i := range a.far[k] {
			a.far[k][i] = unreachable
		}
	}
	for to := range n {
		a.measure(to)
	}
	return a, nil
}

// apart names one of two routers that are not joined: other, if most of all routers
// are reached from root, else root.
func apart(root, other, reached, all int) error {
	if 2*reached < all {
		return &UnreachableError{root}
	}
	return &UnreachableError{other}
}

// An UnreachableError names a router that cannot be reached.
type UnreachableError struct{ Router int }

func (e *UnreachableError) Error() string {
	return "routing: no channel leads to router " + strconv.Itoa(e.Router)
}

func (a *upDown) neighbours(r int, f func(port, to int)) {
	for port := range a.t.Ports(r) {
		if to, _, ok := a.t.Peer(r, port); ok {
			f(port, to)
		}
	}
}

func (a *upDown) up(from, to int) bool {
	if a.level[to] != a.level[from] {
		return a.level[to] < a.level[from]
	}
	return to < from
}

// measure finds the ways to one router, backwards: by channels down only, and by
// some up before.
func (a *upDown) measure(to int) {
	n := a.t.Routers()
	down, any := a.far[1][to*n:(to+1)*n], a.far[0][to*n:(to+1)*n]
	down[to], any[to] = 0, 0
	type state struct {
		r    int
		down bool
	}
	for queue := []state{{to, true}, {to, false}}; len(queue) > 0; queue = queue[1:] {
		s := queue[0]
		a.neighbours(s.r, func(_, from int) {
			switch {
			case s.down && !a.up(from, s.r):
				if down[from] == unreachable {
					down[from] = down[s.r] + 1
					queue = append(queue, state{from, true})
				}
				if any[from] == unreachable {
					any[from] = down[s.r] + 1
					queue = append(queue, state{from, false})
				}
			case !s.down && a.up(from, s.r):
				if any[from] == unreachable {
					any[from] = any[s.r] + 1
					queue = append(queue, state{from, false})
				}
			}
		})
	}
}

// Classes implements Algorithm.
func (a *upDown) Classes() int { return 1 }

// Next implements Algorithm. Phase is 1 after a channel down.
func (a *upDown) Next(v View, p *Packet) Hop {
	if p.Hops == 0 && !p.Again {
		p.Pending = 0
	}
	if !p.Again {
		p.Phase = p.Pending
	}
	r := v.Router()
	home, port := a.t.Home(int(p.Dst))
	if r == home {
		return Hop{Port: port, Class: AnyClass}
	}
	n := a.t.Routers()
	best, least, next := none, 0, uint8(0)
	want := a.far[p.Phase][home*n+r]
	a.neighbours(r, func(port, to int) {
		phase := uint8(1)
		if a.up(r, to) {
			if phase = 0; p.Phase == 1 {
				return
			}
		}
		if a.far[phase][home*n+to]+1 != want {
			return
		}
		if q := v.Queue(port); best == none || q < least {
			best, least, next = port, q, phase
		}
	})
	p.Pending = next
	return Hop{Port: best, Class: 0}
}
