package fabric

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/noc/fabric/setting"
	"github.com/causeway-sim/causeway/noc/routing"
	"github.com/causeway-sim/causeway/noc/topology"
)

// A line of three routers, flits of two cycles: what goes from end to end is on both
// channels of one direction, in both routers.
func TestBusy(t *testing.T) {
	top, err := topology.New("mesh", topology.GridSpec{Dims: []int{3}})
	require.NoError(t, err)
	alg, err := routing.New("dor", top, nil)
	require.NoError(t, err)
	for _, config := range []func(topology.Topology, routing.Algorithm) setting.Config{setting.Standard, setting.FOGSim} {
		cfg := config(top, alg)
		cfg.LocalInterval = 2
		n, err := New(cfg)
		require.NoError(t, err)
		for range 5 {
			n.Send(0, 2, 3, false)
		}
		n.Send(2, 1, 4, false)
		for range 2000 {
			n.Step()
		}
		require.Zero(t, n.InFlight())
		most, sum, channels := n.Busy()
		require.Equal(t, 4, channels)
		require.InDelta(t, 2*5*3, most, 1e-9)
		require.InDelta(t, 2*(2*5*3+4), sum, 1e-9)
	}
}

// The count of a port is exact beyond 2^32, in both routers.
func TestCarriedBeyond(t *testing.T) {
	top, err := topology.New("mesh", topology.GridSpec{Dims: []int{2}})
	require.NoError(t, err)
	alg, err := routing.New("dor", top, nil)
	require.NoError(t, err)
	for _, config := range []func(topology.Topology, routing.Algorithm) setting.Config{setting.Standard, setting.FOGSim} {
		n, err := New(config(top, alg))
		require.NoError(t, err)
		out := -1
		for p := range n.p {
			if q := &n.ports[p]; !q.terminal && q.peer != none {
				out = p
			}
		}
		n.ports[out].carried = math.MaxUint32 - 5
		for range 4 {
			n.Send(0, 1, 3, false)
		}
		for range 500 {
			n.Step()
		}
		require.EqualValues(t, math.MaxUint32+7, n.Carried(0, out))
	}
}
