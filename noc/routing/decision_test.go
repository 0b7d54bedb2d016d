package routing_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/noc/routing"
	"github.com/causeway-sim/causeway/noc/topology"
)

func dragonfly(t testing.TB, p, a, h int) topology.Dragonfly {
	d, err := topology.NewDragonfly(topology.DragonflySpec{P: p, A: a, H: h})
	require.NoError(t, err)
	return d
}

// A Valiant path between two groups passes exactly one other group if both are
// excluded, each equally often; without exclusion some paths are minimal.
func TestValiantGroups(t *testing.T) {
	d := dragonfly(t, 2, 4, 2)
	for _, name := range []string{"val_group", "val_router"} {
		for _, ex := range []routing.Exclusion{routing.ExcludeBoth, routing.ExcludeSource, routing.ExcludeNone} {
			alg, err := routing.New(name, d, routing.ValiantSpec{Exclude: ex})
			require.NoError(t, err)
			v := &calm{rng: rand.New(rand.NewPCG(1, 2))}
			passed := map[int]int{} // group passed between, -1 none
			const n = 9000
			for range n {
				groups := []int{}
				for _, r := range walk(t, d, alg, v, 3, 30) { // group 0 to group 3
					if g := d.Group(r); len(groups) == 0 || groups[len(groups)-1] != g {
						groups = append(groups, g)
					}
				}
				via := -1
				if len(groups) == 3 {
					via = groups[1]
				}
				require.LessOrEqual(t, len(groups), 3)
				passed[via]++
			}
			share := map[routing.Exclusion]float64{routing.ExcludeBoth: n / 7., routing.ExcludeSource: n / 8., routing.ExcludeNone: n / 9.}[ex]
			for g := range 9 {
				if g != 0 && g != 3 {
					require.InDelta(t, share, passed[g], 5*35, "%s %s group %d", name, ex, g)
				}
			}
			require.InDelta(t, n-7*share, passed[-1], 5*45, "%s %s minimal", name, ex)
		}
	}
}

// fixed is a View of router 0 with given queues; draws take turns.
type fixed struct {
	routing.Blind
	draws  []int
	port   map[int]int    // queue of a port
	class  map[[2]int]int // of a port and class
	remote map[[2]int]int // of a router and port
	depth  int            // of a virtual channel
}

func (f *fixed) Capacity(topology.Class) int { return f.depth }

func (f *fixed) Router() int                { return 0 }
func (f *fixed) Queue(port int) int         { return f.port[port] }
func (f *fixed) QueueClass(port, c int) int { return f.class[[2]int{port, c}] }
func (f *fixed) Remote(r, port int) int     { return f.remote[[2]int{r, port}] }
func (f *fixed) Intn(int) int {
	x := f.draws[0]
	f.draws = f.draws[1:]
	return x
}

// 72 terminals. From router 0, group 1 is reached by its own port 5, group 5 by
// router 2 (port 3 leads there, whose port 5 is the channel).
func TestUGALDecision(t *testing.T) {
	d := dragonfly(t, 2, 4, 2)
	const (
		own, viaRouter = 5, 3
		dst            = 10 // router 5 of group 1; its entry from group 0 is router 4
		via            = 5  // group; router 21 is drawn, entry router 20
	)
	minHop, nonHop := 5, 3
	for _, c := range []struct {
		name       string
		spec       routing.UGALSpec
		qmin, qnon int
		wantMin    bool
		depth      int // 0 is 256
	}{
		// 1*Qmin <= 2*Qnon + 30
		{"ugal_l", routing.UGALSpec{Threshold: 30}, 30, 0, true, 0},
		{"ugal_l", routing.UGALSpec{Threshold: 30}, 31, 0, false, 0},
		{"ugal_l", routing.UGALSpec{Threshold: 30}, 50, 10, true, 0},
		{"ugal_l", routing.UGALSpec{Threshold: 30}, 51, 10, false, 0},
		// Over a depth of 32 the threshold is kept, over one of 8 it is 30/256 of it: 1.
		{"ugal_l", routing.UGALSpec{Threshold: 30}, 30, 0, true, 32},
		{"ugal_l", routing.UGALSpec{Threshold: 30}, 31, 0, false, 32},
		{"ugal_l", routing.UGALSpec{Threshold: 30}, 1, 0, true, 8},
		{"ugal_l", routing.UGALSpec{Threshold: 30}, 2, 0, false, 8},
		{"ugal_l", routing.UGALSpec{Threshold: -30}, 0, 1, true, 8},
		{"ugal_l", routing.UGALSpec{Threshold: -30}, 0, 0, false, 8},
		// 2 channels against 3 to router 21 and 3 on: 2*Qmin <= 6*Qnon
		{"ugal_l", routing.UGALSpec{Hops: "actual"}, 30, 10, true, 0},
		{"ugal_l", routing.UGALSpec{Hops: "actual"}, 31, 10, false, 0},
		{"ugal_l", routing.UGALSpec{Hops: "actual", Queue: "vc"}, 31, 10, false, 0},
		// to the group only: 2 channels to router 20, and 2 on, for it has the channel to group 1: 2*Qmin <= 4*Qnon
		{"ugal_l", routing.UGALSpec{Hops: "actual", Via: "group"}, 20, 10, true, 0},
		{"ugal_l", routing.UGALSpec{Hops: "actual", Via: "group"}, 21, 10, false, 0},
		{"ugal_g", routing.UGALSpec{Hops: "actual", Via: "group", Exclude: "none"}, 20, 10, true, 0},
		{"ugal_g", routing.UGALSpec{Hops: "actual", Via: "group", Exclude: "none"}, 21, 10, false, 0},
	} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			alg, err := routing.New(c.name, d, c.spec)
			require.NoError(t, err)
			v := &fixed{draws: []int{via, 1}, port: map[int]int{}, class: map[[2]int]int{}, remote: map[[2]int]int{}, depth: cmp.Or(c.depth, 256)}
			switch {
			case c.name == "ugal_g":
				v.remote[[2]int{0, own}] = c.qmin
				v.remote[[2]int{2, 5}] = c.qnon
			case c.spec.Queue == "vc":
				v.class[[2]int{own, 3}] = c.qmin // the global channel of a minimal packet
				v.class[[2]int{viaRouter, 0}] = c.qnon
			default:
				v.port[own], v.port[viaRouter] = c.qmin, c.qnon
			}
			hop := alg.Next(v, &routing.Packet{Dst: dst})
			want := nonHop
			if c.wantMin {
				want = minHop
			}
			require.Equal(t, want, hop.Port)
		})
	}
}

// The emptier of two permitted ports wins.
func TestOddEvenLooksAtQueues(t *testing.T) {
	g, err := topology.NewGrid(topology.GridSpec{Dims: []int{4, 4}}, false)
	require.NoError(t, err)
	alg, err := routing.New("odd_even", g, nil)
	require.NoError(t, err)
	east, north := g.Up(0), g.Up(1)
	for want, queues := range map[int]map[int]int{east: {east: 1, north: 2}, north: {east: 2, north: 1}} {
		require.Equal(t, want, alg.Next(&fixed{port: queues}, &routing.Packet{Dst: 15}).Port)
	}
}
