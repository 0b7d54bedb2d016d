package route

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/noc/routing"
	"github.com/causeway-sim/causeway/noc/topology"
)

// legsOf numbers the channels of a topology.
func legsOf(t topology.Topology) [][]Leg {
	out := make([][]Leg, t.Routers())
	n := Leg(0)
	for r := range out {
		for port := range t.Ports(r) {
			l := None
			if _, _, ok := t.Peer(r, port); ok {
				l = n
				n++
			}
			out[r] = append(out[r], l)
		}
	}
	return out
}

// asker takes every way from the algorithm, hop by hop, and remembers nothing but the
// ways that are there.
type asker struct {
	routing.Blind
	t      topology.Topology
	used   map[[2]int]int
	router int
}

func (a *asker) Router() int                 { return a.router }
func (a *asker) Queue(port int) int          { return a.used[[2]int{a.router, port}] }
func (a *asker) QueueClass(port, _ int) int  { return a.Queue(port) }
func (a *asker) Remote(router, port int) int { return a.used[[2]int{router, port}] }
func (a *asker) Intn(int) int                { return 0 }
func (a *asker) way(alg routing.Algorithm, legs [][]Leg, src, dst int) (out []Leg) {
	p := routing.Packet{Src: int32(src), Dst: int32(dst)}
	a.router, _ = a.t.Home(src)
	home, _ := a.t.Home(dst)
	for a.router != home {
		port := alg.Next(a, &p).Port
		a.used[[2]int{a.router, port}]++
		out = append(out, legs[a.router][port])
		a.router, _, _ = a.t.Peer(a.router, port)
		p.Hops = 1
	}
	return out
}

// A table that keeps what an algorithm says without looking gives the ways that it
// gives when it is asked every time.
func TestTableKeepsNothingThatChanges(t *testing.T) {
	for _, c := range []struct {
		topology string
		spec     any
		routing  string
	}{
		{"mesh", topology.GridSpec{Dims: []int{4, 5}, Concentration: 2}, "dor"},
		{"mesh", topology.GridSpec{Dims: []int{4, 5}, Concentration: 2}, "odd_even"},
		{"mesh", topology.GridSpec{Dims: []int{4, 5}, Concentration: 2}, "up_down"},
		{"torus", topology.GridSpec{Dims: []int{4, 4}, Concentration: 2}, "up_down"},
		{"hyperx", nil, "dor"},
		{"fat_tree", nil, "nca"},
		{"dragonfly", nil, "up_down"},
	} {
		t.Run(fmt.Sprintf("%s %s", c.topology, c.routing), func(t *testing.T) {
			net, err := topology.New(c.topology, c.spec)
			require.NoError(t, err)
			a, err := routing.New(c.routing, net, nil)
			require.NoError(t, err)
			require.Equal(t, 1, a.Classes())
			legs := legsOf(net)
			x, twin := NewTable(net, a, legs), &asker{t: net, used: map[[2]int]int{}}
			rng := rand.New(rand.NewPCG(1, 2))
			for range 3000 {
				src, dst := rng.IntN(net.Terminals()), rng.IntN(net.Terminals())
				from, _ := net.Home(src)
				got, ok := x.Route(nil, from, src, dst)
				require.True(t, ok)
				require.Equal(t, twin.way(a, legs, src, dst), got)
			}
		})
	}
}
