package traffic_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/noc/topology"
	"github.com/causeway-sim/causeway/noc/traffic"
)

func counts(p traffic.Pattern, src, n int) map[int]float64 {
	rng := rand.New(rand.NewPCG(3, 4))
	out := map[int]float64{}
	for range n {
		out[p.Dst(src, rng)] += 1 / float64(n)
	}
	return out
}

func TestHotspotShares(t *testing.T) {
	mesh := make2(t, "mesh", topology.GridSpec{Dims: []int{4, 4}})
	p, err := traffic.NewSpec("hotspot", mesh, 1, traffic.HotspotSpec{Terminals: []int{2, 5}, Percent: 40})
	require.NoError(t, err)
	c := counts(p, 0, 100000)
	require.InDelta(t, .2+.6/16, c[2], .01)
	require.InDelta(t, .2+.6/16, c[5], .01)
	require.InDelta(t, .6/16, c[9], .005)
	for _, s := range []traffic.HotspotSpec{{}, {Terminals: []int{16}}, {Terminals: []int{-1}}, {Terminals: []int{1}, Percent: 101}} {
		_, err := traffic.NewSpec("hotspot", mesh, 1, s)
		require.Error(t, err)
	}
}

func TestMixShares(t *testing.T) {
	mesh := make2(t, "mesh", topology.GridSpec{Dims: []int{4, 4}})
	one, err := traffic.Permutation([]int{3, -1})
	require.Error(t, err)
	require.Nil(t, one)
	one, err = traffic.Permutation([]int{1, 0, -1})
	require.NoError(t, err)
	u, err := traffic.New("uniform", mesh, 1)
	require.NoError(t, err)
	c := counts(traffic.Mix(traffic.Part{Pattern: one, Weight: 3}, traffic.Part{Pattern: u, Weight: 1}), 0, 100000)
	require.InDelta(t, .75+.25/16, c[1], .01)
	_, err = traffic.Permutation([]int{1, 1})
	require.EqualError(t, err, "terminals 0 and 1 both send to 1")
}

func TestStencilAndAllToAll(t *testing.T) {
	mesh := make2(t, "mesh", topology.GridSpec{Dims: []int{5, 4}})
	open, err := traffic.NewSpec("stencil", mesh, 1, traffic.StencilSpec{Dims: []int{3, 3, 2}})
	require.NoError(t, err)
	require.Len(t, counts(open, 0, 1000), 3) // a corner: +1, +3, +9
	c := counts(open, 4, 10000)
	require.Len(t, c, 5)
	for _, to := range []int{3, 5, 1, 7, 13} {
		require.InDelta(t, .2, c[to], .02)
	}
	require.Equal(t, map[int]float64{traffic.Silent: 1}, counts(open, 18, 1))
	ring, err := traffic.NewSpec("stencil", mesh, 1, traffic.StencilSpec{Dims: []int{4}, Periodic: true})
	require.NoError(t, err)
	require.InDelta(t, .5, counts(ring, 0, 10000)[3], .02)
	_, err = traffic.NewSpec("stencil", mesh, 1, traffic.StencilSpec{Dims: []int{7, 3}})
	require.EqualError(t, err, "traffic pattern stencil: dims [7 3] are more than the 20 terminals")
	all, err := traffic.New("all_to_all", mesh, 1)
	require.NoError(t, err)
	for i := range 40 {
		require.Equal(t, (6+i%19+1)%20, all.Dst(6, nil))
	}
}

// The mean rate, and the lengths of the two states, against a source that tosses
// its coins cycle by cycle.
func TestOnOffAgainstCoins(t *testing.T) {
	const rate, alpha, beta, cycles = .2, .02, .05, 4_000_000
	o, ok := traffic.NewOnOff(rate, alpha, beta)
	require.True(t, ok)
	_, ok = traffic.NewOnOff(.3, alpha, beta)
	require.False(t, ok, "would have to send 1.05 per cycle")
	rng := rand.New(rand.NewPCG(5, 6))
	shape := func(next func() int64) (n float64, long, back float64) {
		for at := next(); at < cycles; {
			gap := next()
			n++
			if gap > 20 {
				long++
			}
			if gap == 1 {
				back++
			}
			at += gap
		}
		return n, long, back
	}
	var p traffic.Phase
	n, long, back := shape(func() int64 { return o.Gap(&p, rng) })
	on := false
	m, far, near := shape(func() int64 {
		for gap := int64(1); ; gap++ {
			if on {
				on = rng.Float64() >= beta
			} else {
				on = rng.Float64() < alpha
			}
			if on && rng.Float64() < rate*(alpha+beta)/alpha {
				return gap
			}
		}
	})
	require.InEpsilon(t, rate*cycles, n, .02)
	require.InEpsilon(t, m, n, .02)
	require.InEpsilon(t, far, long, .04)
	require.InEpsilon(t, near, back, .02)
}
