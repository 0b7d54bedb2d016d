package deadlock

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/noc/routing"
	"github.com/causeway-sim/causeway/noc/topology"
)

// The dumb twin of Check: every packet of every pair of terminals, with all that is
// known of it, hop by hop; and a graph without cycles is one whose channels can be
// taken away one by one, each when none is left after it.
type twin struct {
	t     topology.Topology
	a     routing.Algorithm
	exact bool
	seen  map[visit]bool
	steps map[[2]Channel]bool
}

type visit struct {
	p    routing.Packet
	r    int
	held Channel
}

func newTwin(t topology.Topology, a routing.Algorithm, exact bool) *twin {
	w := &twin{t: t, a: a, exact: exact, seen: map[visit]bool{}, steps: map[[2]Channel]bool{}}
	for src := range t.Terminals() {
		for dst := range t.Terminals() {
			r, _ := t.Home(src)
			w.walk(visit{routing.Packet{Src: int32(src), Dst: int32(dst)}, r, Channel{Router: absent}})
		}
	}
	return w
}

func (w *twin) walk(at visit) {
	if w.seen[at] {
		return
	}
	w.seen[at] = true
	c := choices{router: at.r, exact: w.exact}
	for c.reset(); ; {
		p := at.p
		hop := w.a.Next(&c, &p)
		if to, _, ok := w.t.Peer(at.r, hop.Port); ok {
			ch := Channel{at.r, hop.Port, hop.Class}
			if !hop.Optional && at.held.Router != absent {
				w.steps[[2]Channel{at.held, ch}] = true
			}
			q := p
			q.Hops, q.Again = q.Hops+1, false
			w.walk(visit{q, to, ch})
		}
		p.Again = true
		w.walk(visit{p, at.r, at.held})
		if !c.advance() {
			return
		}
	}
}

func (w *twin) free() bool {
	left := map[[2]Channel]bool{}
	for s := range w.steps {
		left[s] = true
	}
	for before := -1; before != len(left); {
		before = len(left)
		goesOn := map[Channel]bool{}
		for s := range left {
			goesOn[s[0]] = true
		}
		for s := range left {
			if !goesOn[s[1]] {
				delete(left, s)
			}
		}
	}
	return len(left) == 0
}

// remapped has other classes than its algorithm, as a wrong map has.
type remapped struct {
	routing.Algorithm
	to []int
}

func (m remapped) Next(v routing.View, p *routing.Packet) routing.Hop {
	h := m.Algorithm.Next(v, p)
	if h.Class >= 0 {
		h.Class = m.to[h.Class]
	}
	return h
}

func drawDragonfly(t *rapid.T) topology.Dragonfly {
	s := topology.DragonflySpec{P: 1, A: rapid.SampledFrom([]int{1, 2, 3, 3, 4}).Draw(t, "a"), H: rapid.SampledFrom([]int{0, 1, 1, 2, 2, 2}).Draw(t, "h")}
	s.G = rapid.IntRange(1, min(s.A*s.H+1, 6)).Draw(t, "g")
	if s.G > 1 {
		s.Links = rapid.IntRange(1, s.A*s.H/(s.G-1)).Draw(t, "links")
	}
	s.Arrangement = rapid.SampledFrom([]topology.Arrangement{topology.Absolute, topology.Palmtree, topology.Relative, topology.Random}).Draw(t, "arrangement")
	if s.Arrangement == topology.Random {
		s.Seed = rapid.Uint64().Draw(t, "seed")
	}
	d, err := topology.NewDragonfly(s)
	require.NoError(t, err, s)
	return d
}

// specs are other parameters than the defaults that change which ways there are.
var specs = map[string][]any{
	"par":    {routing.DivertSpec{Global: "crg"}, routing.DivertSpec{Global: "nrg", Local: true}, routing.DivertSpec{Global: "rrg", Queue: "vc"}},
	"rlm":    {routing.DivertSpec{Global: "crg"}, routing.DivertSpec{Global: "nrg", Local: true}, routing.DivertSpec{Global: "rrg", Local: true}},
	"olm":    {routing.DivertSpec{Global: "mm", Local: true}, routing.DivertSpec{Global: "nrg"}},
	"ugal_l": {routing.UGALSpec{VCMap: "booksim"}, routing.UGALSpec{Via: "group"}},
}

// drawNetwork draws a small network, and channels of it that fail. What is drawn is
// a dragonfly, mostly.
func drawNetwork(t *rapid.T) topology.Topology {
	name := rapid.SampledFrom([]string{"dragonfly", "dragonfly", "dragonfly", "mesh", "torus", "ring", "hyperx", "fully_connected", "fat_tree", "dragonfly_plus"}).Draw(t, "topology")
	var spec any
	switch side := rapid.IntRange(2, 4); name {
	case "dragonfly":
		return drawDragonfly(t)
	case "mesh", "torus":
		spec = topology.GridSpec{Dims: []int{side.Draw(t, "x"), side.Draw(t, "y")}}
	case "hyperx":
		spec = topology.HyperXSpec{Dims: []int{2, side.Draw(t, "y")}}
	case "ring":
		spec = topology.RingSpec{Size: 1 + side.Draw(t, "size")}
	case "fully_connected":
		spec = topology.FullSpec{Routers: side.Draw(t, "routers")}
	case "fat_tree":
		spec = topology.FatTreeSpec{K: 2, N: 2}
	case "dragonfly_plus":
		spec = topology.DragonflyPlusSpec{P: 1, Leaves: 2, Spines: 2, H: 1}
	}
	top, err := topology.New(name, spec)
	require.NoError(t, err)
	whole, failed := top, [][2]int{}
	for range rapid.IntRange(0, 2).Draw(t, "failures") {
		r := rapid.IntRange(0, top.Routers()-1).Draw(t, "router")
		next := append(failed, [2]int{r, rapid.IntRange(0, max(0, top.Ports(r)-1)).Draw(t, "port")})
		if less, err := topology.Without(whole, next); err == nil {
			top, failed = less, next
		}
	}
	return top
}

// Whatever the network, its failures, the algorithm and the map of classes, a wrong
// one, too: Check says what the twin says, and knows every step that it finds.
func TestCheckAgreesWithTheTwin(t *testing.T) {
	verdicts := map[bool]int{}
	rapid.Check(t, func(t *rapid.T) {
		top := drawNetwork(t)
		type chosen struct {
			a    routing.Algorithm
			spec any
		}
		var fit []chosen
		names := routing.All.Names()
		if _, fly := top.(topology.Dragonfly); fly && rapid.Bool().Draw(t, "diverts") {
			names = []string{"par", "par_ph", "piar", "olm", "rlm"}
		}
		for _, name := range names {
			for _, spec := range append(specs[name], nil) {
				if a, err := routing.New(name, top, spec); err == nil {
					fit = append(fit, chosen{a, spec})
				}
			}
		}
		if fit == nil {
			return // a router is cut off
		}
		one := rapid.SampledFrom(fit).Draw(t, "algorithm")
		a := one.a
		u, _ := one.spec.(routing.UGALSpec)
		shipped := u.VCMap != "booksim"
		b, _ := a.(routing.Bulk)
		_, byTerminal := a.(routing.TerminalRouted) // which remapped hides
		if n := a.Classes(); n > 0 && !byTerminal && rapid.Bool().Draw(t, "wrong") {
			shipped = false
			a = remapped{a, rapid.SliceOfN(rapid.IntRange(0, n-1), n, n).Draw(t, "map")}
			if b != nil {
				a = remappedBulk{b, a.(remapped)}
			}
		}
		d, fly := top.(topology.Dragonfly)
		w := newTwin(top, a, fly && d.A()*d.H() < 5)
		free := w.free()
		require.True(t, free || !shipped)
		c := newChecker(top, a, b, 0)
		require.NoError(t, c.explore())
		require.NoError(t, c.depths())
		c.connect()
		for s := range w.steps {
			from := (int(c.first[s[0].Router])+s[0].Port)*c.classes + s[0].Class
			bit := s[1].Port*c.classes + s[1].Class
			require.NotZero(t, c.edges[from*c.words+bit/64]&(1<<(bit%64)), "%v to %v", s[0], s[1])
		}
		if b == nil {
			require.Len(t, w.steps, c.proof.Steps)
		}
		if shipped {
			require.Nil(t, c.cycle(), "packets that no network has")
		}
		proof, err := Check(top, a, 0)
		require.NoError(t, err)
		require.Equal(t, free, proof.Free(), proof)
		verdicts[free]++
	})
	require.Positive(t, verdicts[true])
	require.Positive(t, verdicts[false])
}

// remappedBulk is a Bulk algorithm that is remapped.
type remappedBulk struct {
	routing.Bulk
	of remapped
}

func (m remappedBulk) Next(v routing.View, p *routing.Packet) routing.Hop { return m.of.Next(v, p) }
