package deadlock_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/noc/routing"
	"github.com/causeway-sim/causeway/noc/routing/deadlock"
	"github.com/causeway-sim/causeway/noc/topology"
)

func dragonfly(t testing.TB, p, a, h int) topology.Dragonfly {
	d, err := topology.NewDragonfly(topology.DragonflySpec{P: p, A: a, H: h})
	require.NoError(t, err)
	return d
}

// BookSim's UGAL map has one class for the source group, the first global hop
// and the way to the intermediate router. Reference: NOTES, section 1.4.
func TestFindsTheCycleOfBookSim(t *testing.T) {
	d := dragonfly(t, 2, 4, 2)
	alg, err := routing.New("ugal_l", d, routing.UGALSpec{VCMap: "booksim", Threshold: 30})
	require.NoError(t, err)
	require.Equal(t, 3, alg.Classes())
	proof, err := deadlock.Check(d, alg, 0)
	require.NoError(t, err)
	require.False(t, proof.Free())
	require.Equal(t, proof.Cycle[0], proof.Cycle[len(proof.Cycle)-1])
	for i, c := range proof.Cycle[1:] {
		before := proof.Cycle[i]
		r, _, ok := d.Peer(before.Router, before.Port)
		require.True(t, ok && r == c.Router, "%v leads to %v", before, c)
		require.Zero(t, c.Class, "the cycle is in class 0, as the notes say")
	}
	require.Contains(t, proof.String(), "cycle of channels: router ")
}

// oneClass is dimension order on a ring without a second class: the classical
// deadlock.
type oneClass struct{ routing.Algorithm }

func (oneClass) Classes() int { return 1 }
func (o oneClass) Next(v routing.View, p *routing.Packet) routing.Hop {
	h := o.Algorithm.Next(v, p)
	h.Class = min(h.Class, 0)
	return h
}

func TestRingNeedsTwoClasses(t *testing.T) {
	top, err := topology.New("ring", topology.RingSpec{Size: 5})
	require.NoError(t, err)
	alg, err := routing.New("dor", top, nil)
	require.NoError(t, err)
	proof, err := deadlock.Check(top, oneClass{alg}, 0)
	require.NoError(t, err)
	require.Len(t, proof.Cycle, 6, "all five channels of one direction")
}

// freeTurns is minimal adaptive without any rule about turns.
type freeTurns struct{ g *topology.Grid }

func (freeTurns) Classes() int { return 1 }
func (a freeTurns) Next(v routing.View, p *routing.Packet) routing.Hop {
	home, port := a.g.Home(int(p.Dst))
	var ways []int
	for d := range a.g.Dims() {
		if at, to := a.g.At(v.Router(), d), a.g.At(home, d); at < to {
			ways = append(ways, a.g.Up(d))
		} else if at > to {
			ways = append(ways, a.g.Up(d)+1)
		}
	}
	if ways == nil {
		return routing.Hop{Port: port, Class: routing.AnyClass}
	}
	return routing.Hop{Port: ways[v.Intn(len(ways))]}
}

// Without turn rules four packets around a square block each other.
func TestFreeTurnsBlock(t *testing.T) {
	g, err := topology.NewGrid(topology.GridSpec{Dims: []int{2, 2}}, false)
	require.NoError(t, err)
	proof, err := deadlock.Check(g, freeTurns{g}, 0)
	require.NoError(t, err)
	require.Len(t, proof.Cycle, 5)
}

// broken answers with one hop, always.
type broken struct{ routing.Hop }

func (broken) Classes() int                                     { return 1 }
func (b broken) Next(routing.View, *routing.Packet) routing.Hop { return b.Hop }

func TestCheckFindsBrokenAlgorithms(t *testing.T) {
	ring, err := topology.New("ring", topology.RingSpec{Size: 3})
	require.NoError(t, err)
	for want, hop := range map[string]routing.Hop{
		"routing: packet to terminal 0 at router 0 takes port 7 class 0: there is no such port":                {Port: 7},
		"routing: packet to terminal 1 at router 0 takes port 0 class 0: it faces another terminal, or nobody": {Port: 0},
		"routing: packet to terminal 0 at router 0 takes port 1 class 1: there is no such class":               {Port: 1, Class: 1},
		"routing: packet to terminal 0 at router 0 takes port 1 class -1: there is no such class":              {Port: 1, Class: -1},
		"routing: packet to terminal 0 at router 0 takes port 0 class 3: there is no such class":               {Port: 0, Class: 3},
		"routing: packet to terminal 0 at router 0 takes port 1 class 0: it wanders":                           {Port: 1},
	} {
		_, err := deadlock.Check(ring, broken{hop}, 0)
		require.EqualError(t, err, want)
	}
}

func TestBudget(t *testing.T) {
	d := dragonfly(t, 2, 4, 2)
	alg, err := routing.New("min", d, nil)
	require.NoError(t, err)
	proof, err := deadlock.Check(d, alg, 100)
	require.NoError(t, err)
	require.False(t, proof.Free())
	require.Nil(t, proof.Cycle)
	require.Contains(t, proof.String(), "after 100 decisions, not all of them")
}

func TestBadSpecs(t *testing.T) {
	d := dragonfly(t, 2, 4, 2)
	for _, c := range []struct {
		name string
		spec any
		want string
	}{
		{"dor", nil, "routing algorithm dor runs on mesh, torus, ring, hyperx, fully_connected and crossbar only"},
		{"val_group", routing.ValiantSpec{Exclude: "all"}, `routing algorithm val_group: exclude "all" (want one of: both none source)`},
		{"val_router", 3, "routing algorithm val_router: spec is a int, want a routing.ValiantSpec"},
		{"ugal_l", routing.UGALSpec{Via: "x", Queue: "y"}, `routing algorithm ugal_l: via "x" (want one of: router group); queue "y" (want one of: port vc)`},
		{"ugal_g", routing.UGALSpec{Queue: "vc"}, "routing algorithm ugal_g: queue vc (the queues of other routers are known by port only)"},
		{"ugal_l", routing.UGALSpec{Via: "group", VCMap: "booksim"}, "routing algorithm ugal_l: vc_map booksim (goes with via router)"},
		{"ugal_x", nil, `unknown routing algorithm "ugal_x" (want one of: ` + strings.Join(routing.All.Names(), ", ") + ")"},
	} {
		_, err := routing.New(c.name, d, c.spec)
		require.EqualError(t, err, c.want)
	}
}

func ExampleCheck() {
	d, _ := topology.NewDragonfly(topology.DragonflySpec{P: 2, A: 4, H: 2})
	alg, _ := routing.New("min", d, nil)
	proof, _ := deadlock.Check(d, alg, 0)
	fmt.Println(proof)
	// Output:
	// no cycle among 288 channels and 432 steps (1368 decisions in 864 states, at most 3 hops)
}

func BenchmarkCheck(b *testing.B) {
	d := dragonfly(b, 2, 4, 2)
	alg, err := routing.New("ugal_l", d, nil)
	require.NoError(b, err)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := deadlock.Check(d, alg, 0); err != nil {
			b.Fatal(err)
		}
	}
}
