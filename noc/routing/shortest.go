package routing

import (
	"fmt"

	"github.com/causeway-sim/causeway/components/registry"
	"github.com/causeway-sim/causeway/noc/topology"
)

func init() {
	All.Add(registry.Entry[Factory]{
		Name:   "shortest",
		Doc:    "Any network, also one with failed channels: a shortest way, among equals the emptiest port; the class is the number of channels passed so far, so it needs as many as the longest way has channels.",
		Source: "Gunther, \"Prevention of deadlocks in packet-switched data transport systems\", IEEE Transactions on Communications 1981 (hop classes)",
		New: func(t topology.Topology, _ any) (Algorithm, error) {
			if t.Routers() > maxTable {
				return nil, &TopologyError{Algorithm: "shortest", Want: fmt.Sprintf("networks of at most %d routers", maxTable)}
			}
			a, err := newShortest(t)
			if err == nil && a.longest > maxHopClasses {
				return nil, &TopologyError{Algorithm: "shortest", Want: fmt.Sprintf("networks whose ways have at most %d channels, not %d,", maxHopClasses, a.longest)}
			}
			return a, err
		},
	})
}

// maxHopClasses is the classes that a router may have.
const maxHopClasses = 32

// A shortest keeps distances: channels from one router to another,
// [to*routers+from].
type shortest struct {
	t       topology.Topology
	far     []uint16
	longest int // way between two routers with terminals
}

func newShortest(t topology.Topology) (*shortest, error) { return distances(t, false) }

// distances makes a shortest, parted or not: that some routers are not reached is an error
// only if not.
func distances(t topology.Topology, parted bool) (*shortest, error) {
	n := t.Routers()
	a := &shortest{t: t, far: make([]uint16, n*n)}
	ends := homes(t)
	queue := make([]int, 0, n)
	for to := range n {
		if !ends[to] {
			continue
		}
		row := a.far[to*n : (to+1)*n]
		for i := range row {
			row[i] = unreachable
		}
		row[to] = 0
		queue = append(queue[:0], to)
		for i := 0; i < len(queue); i++ { // channels run both ways
			for port := range t.Ports(queue[i]) {
				if from, _, ok := t.Peer(queue[i], port); ok && row[from] == unreachable {
					row[from] = row[queue[i]] + 1
					queue = append(queue, from)
				}
			}
		}
		for from, d := range row {
			switch {
			case !ends[from]:
			case d == unreachable && parted:
			case d == unreachable:
				return nil, apart(to, from, len(queue), n)
			default:
				a.longest = max(a.longest, int(d))
			}
		}
	}
	return a, nil
}

// homes reports which routers have terminals.
func homes(t topology.Topology) []bool {
	out := make([]bool, t.Routers())
	for i := range t.Terminals() {
		r, _ := t.Home(i)
		out[r] = true
	}
	return out
}

// Classes implements Algorithm.
func (a *shortest) Classes() int { return max(1, a.longest) }

// Next implements Algorithm. Phase is the number of channels passed.
func (a *shortest) Next(v View, p *Packet) Hop {
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
	row := a.far[home*a.t.Routers() : (home+1)*a.t.Routers()]
	best, least := none, 0
	for port := range a.t.Ports(r) {
		to, _, ok := a.t.Peer(r, port)
		if !ok || row[to]+1 != row[r] {
			continue
		}
		if q := v.Queue(port); best == none || q < least {
			best, least = port, q
		}
	}
	p.Pending = p.Phase + 1
	return Hop{Port: best, Class: int(p.Phase)}
}

// Around returns shortest routing for a network that may be disconnected: Hop.Port is -1 without
// a route. Its classes count the channels passed, without a limit.
func Around(t topology.Topology) (Algorithm, error) {
	if t.Routers() > maxTable {
		return nil, &TopologyError{Algorithm: "a way around failed channels", Want: "networks of at most 4096 routers"}
	}
	a, err := distances(t, true)
	return &around{a}, err
}

// around is a shortest that knows when to give up.
type around struct{ *shortest }

// Next implements Algorithm.
func (a *around) Next(v View, p *Packet) Hop {
	home, _ := a.t.Home(int(p.Dst))
	if a.far[home*a.t.Routers()+v.Router()] == unreachable {
		return Hop{Port: -1}
	}
	return a.shortest.Next(v, p)
}
