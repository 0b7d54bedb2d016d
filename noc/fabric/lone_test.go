package fabric

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/noc/routing"
	"github.com/causeway-sim/causeway/noc/topology"
)

// trips drives a network with random packets and returns, by cycle, what has come.
func trips(t *testing.T, n *Network, load float64, flits int) [][]Delivery {
	rng := rand.New(rand.NewPCG(1, 2))
	const cycles = 400
	var out [][]Delivery
	var now []Delivery
	n.Delivered = func(d Delivery) { now = append(now, d) }
	for c := 0; c < cycles || !n.Quiet(); c++ {
		for src := 0; c < cycles && src < n.Terminals(); src++ {
			if rng.Float64() < load/float64(flits) && n.Backlog(src) < 4*flits {
				n.Send(src, rng.IntN(n.Terminals()), 1+rng.IntN(2*flits-1), false)
			}
		}
		now = nil
		n.Step()
		slices.SortFunc(now, func(a, b Delivery) int { return a.Dst - b.Dst })
		out = append(out, now)
		require.Less(t, c, 20*cycles)
	}
	require.NoError(t, n.Check())
	return out
}

// Heads that pass a router as they come, and those that carry their course, arrive when they
// would if every router allocated and routed each of them.
func TestShortcutsChangeNothing(t *testing.T) {
	for _, shape := range []topology.DragonflySpec{{P: 2, A: 4, H: 2}, {P: 3, A: 3, H: 1, G: 3}} {
		top, err := topology.New("dragonfly", shape)
		require.NoError(t, err)
		for _, name := range []string{"min", "val_group", "val_router", "ugal_l"} {
			for _, load := range []float64{.05, .4, .9} {
				for _, flits := range []int{1, 4} {
					t.Run(fmt.Sprint(shape, name, load, flits), func(t *testing.T) {
						run := func(set func(n *Network)) [][]Delivery {
							alg, err := routing.New(name, top, nil)
							require.NoError(t, err)
							c := BookSim(top, alg)
							c.GlobalLatency, c.Depth = 20, 12
							n, err := New(c)
							require.NoError(t, err)
							require.True(t, n.fused && n.settled != nil)
							set(n)
							return trips(t, n, load, flits)
						}
						got := run(func(*Network) {})
						require.Equal(t, run(func(n *Network) { n.fused = false }), got, "each allocated")
						require.Equal(t, run(func(n *Network) { n.fused, n.settled = false, nil }), got, "each allocated and routed")
					})
				}
			}
		}
	}
}

// A lone head does pass, and leaves its lane as it was; one that meets another does not.
func TestLoneHeadsPass(t *testing.T) {
	top, err := topology.New("dragonfly", topology.DragonflySpec{P: 2, A: 4, H: 2})
	require.NoError(t, err)
	alg, err := routing.New("min", top, nil)
	require.NoError(t, err)
	n, err := New(BookSim(top, alg))
	require.NoError(t, err)
	touched := func(dst ...int) (lanes int) {
		for src, to := range dst {
			n.Send(src, to, 1, false)
		}
		for !n.Quiet() {
			n.Step()
			for _, m := range n.masks {
				if m.alloc|m.ready != 0 {
					lanes++
				}
			}
		}
		return lanes
	}
	require.Zero(t, touched(70))
	require.Zero(t, touched(4, 6), "two of one router to two others")
	require.NotZero(t, touched(70, 71), "two that need one channel")
}
