package fabric

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/noc/fabric/setting"
	"github.com/causeway-sim/causeway/noc/routing"
	"github.com/causeway-sim/causeway/noc/topology"
)

// trips drives a network with random packets and returns, by cycle, what has come.
func trips(t *testing.T, n *Network, load float64, flits int) [][]Delivery {
	rng := rand.New(rand.NewPCG(1, 2))
	cycles := 400
	if testing.Short() {
		cycles = 150
	}
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

// same compares what has come, up to the first cycle that differs: all of it takes minutes to
// print.
func same(t *testing.T, want, got [][]Delivery, what string) {
	t.Helper()
	for c := range min(len(want), len(got)) {
		require.Equal(t, want[c], got[c], "cycle %d, %s", c, what)
	}
	require.Len(t, got, len(want), what)
}

// Shortcuts change nothing: heads that pass a router as they come, requests that are decided
// without the allocator, source routes that are known, credits that count when they leave. Flits
// arrive when they would if every router allocated and routed each of them. Buffers of 12
// flits are full most of the time at high load, those of 48 now and then.
func TestShortcutsChangeNothing(t *testing.T) {
	for i, shape := range []topology.DragonflySpec{{P: 2, A: 4, H: 2}, {P: 3, A: 3, H: 1, G: 3}} {
		top, err := topology.New("dragonfly", shape)
		require.NoError(t, err)
		for j, name := range []string{"min", "val_group", "val_router", "ugal_l"} {
			for k, load := range []float64{.05, .4, .9} {
				for _, flits := range []int{1, 4} {
					depth, alloc := []int{12, 48}[(k+flits/4)%2], []setting.Allocator{setting.InputFirst, setting.ISLIP}[(i+j)%2]
					t.Run(fmt.Sprint(shape, name, load, flits, depth, alloc), func(t *testing.T) {
						run := func(set func(n *Network)) [][]Delivery {
							alg, err := routing.New(name, top, nil)
							require.NoError(t, err)
							c := setting.BookSim(top, alg)
							c.GlobalLatency, c.Depth, c.Allocator = 20, depth, alloc
							n, err := New(c)
							require.NoError(t, err)
							require.True(t, n.fused && n.sourceRouting != nil)
							require.Equal(t, name != "ugal_l", n.oblivious && n.ample && n.routes != nil)
							set(n)
							return trips(t, n, load, flits)
						}
						got := run(func(*Network) {})
						same(t, run(func(n *Network) { n.routes, n.ample = nil, false }), got, "each route found, each credit on its way")
						same(t, run(func(n *Network) { n.fused, n.routes, n.ample = false, nil, false }), got, "each allocated")
						same(t, run(func(n *Network) { n.fused, n.sourceRouting, n.routes, n.ample = false, nil, nil, false }), got, "each allocated and routed")
					})
				}
			}
		}
	}
}

// Ports and pairs of lanes fill a line of a processor's cache, so that none lies in two.
func TestLines(t *testing.T) {
	require.EqualValues(t, 64, unsafe.Sizeof(port{}))
	require.EqualValues(t, 32, unsafe.Sizeof(lane{}))
	require.EqualValues(t, 64, unsafe.Sizeof(packet{}))
}

// A lone head does pass, and leaves its lane as it was; one that meets another does not.
func TestLoneHeadsPass(t *testing.T) {
	top, err := topology.New("dragonfly", topology.DragonflySpec{P: 2, A: 4, H: 2})
	require.NoError(t, err)
	alg, err := routing.New("min", top, nil)
	require.NoError(t, err)
	n, err := New(setting.BookSim(top, alg))
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
