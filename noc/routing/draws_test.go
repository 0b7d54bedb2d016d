package routing_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/noc/routing"
	"github.com/causeway-sim/causeway/noc/topology"
)

// Without load each of the ways that an algorithm may draw is taken equally often: o1turn goes in x
// or in y first; a dragonfly+ takes each channel between two groups, and each spine inside of one; a
// fat tree takes each way up.
//
// Reference: Seo et al., Near-Optimal Worst-Case Throughput Routing for Two-Dimensional Mesh Networks,
// ISCA 2005 (o1turn); Shpiner et al., Dragonfly+, HiPINEB 2017.
func TestDrawsAreFair(t *testing.T) {
	plus := topology.DragonflyPlusSpec{P: 1, Leaves: 2, Spines: 2, H: 2, G: 3}
	for _, c := range []struct {
		shape, alg string
		spec       any
		src, dst   int
		ways       int
	}{
		{"mesh", "o1turn", topology.GridSpec{Dims: []int{4, 4}}, 0, 15, 2},
		{"mesh", "o1turn", topology.GridSpec{Dims: []int{4, 4}}, 0, 3, 1},
		{"dragonfly_plus", "min", plus, 0, 1, 2}, // two spines between leaves of a group
		{"dragonfly_plus", "min", plus, 0, 3, 2}, // two channels to the group, each from a spine of its own
		{"fat_tree", "nca", topology.FatTreeSpec{K: 2, N: 3}, 0, 7, 4},
		{"fat_tree", "nca", topology.FatTreeSpec{K: 2, N: 3}, 0, 1, 1},
	} {
		top, err := topology.New(c.shape, c.spec)
		require.NoError(t, err)
		alg, err := routing.New(c.alg, top, nil)
		require.NoError(t, err)
		v := &calm{rng: rand.New(rand.NewPCG(1, 2))}
		const n = 4000
		taken, hops := map[string]int{}, map[int]bool{}
		for range n {
			way := walk(t, top, alg, v, c.src, c.dst)
			taken[fmt.Sprint(way)]++
			hops[len(way)] = true
		}
		require.Len(t, taken, c.ways, "%s from %d to %d: %v", c.alg, c.src, c.dst, taken)
		require.Len(t, hops, 1, "all ways are equally long")
		for way, k := range taken {
			require.InDelta(t, n/c.ways, k, 5*32, "%s takes %s", c.alg, way)
		}
	}
}

// A hop has a class that its algorithm asks for, and where no queue matters there is a topology on which
// all of those are used.
func TestEveryClassIsUsed(t *testing.T) {
	whole := map[string]bool{}
	pairs(t, func(t *testing.T, top topology.Topology, name string, alg routing.Algorithm) {
		used := map[int]bool{}
		v := &calm{rng: rand.New(rand.NewPCG(1, 2))}
		for range 1000 {
			p := routing.Packet{Src: int32(v.rng.IntN(top.Terminals())), Dst: int32(v.rng.IntN(top.Terminals()))}
			v.r, _ = top.Home(int(p.Src))
			for {
				hop := alg.Next(v, &p)
				to, _, ok := top.Peer(v.r, hop.Port)
				if !ok {
					break
				}
				if hop.Class != routing.AnyClass {
					require.Less(t, int(hop.Class), alg.Classes())
					used[int(hop.Class)] = true
				}
				v.r = to
				p.Hops++
			}
		}
		whole[name] = whole[name] || len(used) == alg.Classes()
	})
	for _, name := range []string{"anynet", "dor", "min", "nca", "o1turn", "odd_even", "shortest", "up_down", "val_group", "val_router"} {
		require.True(t, whole[name], name)
	}
}
