package ranks

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/noc/topology"
	"github.com/causeway-sim/causeway/workloads/comm/motif"
	"github.com/causeway-sim/causeway/workloads/player/ranks/placement"
)

// A fakeNet is what a placement asks a network for.
type fakeNet struct {
	system.Node
	t topology.Topology
}

func (f fakeNet) Topology() topology.Topology { return f.t }

// placed puts n ranks on all terminals of a topology, by a seed.
func placed(t *testing.T, how, name string, spec any, n int, seed uint64) ([]int32, error) {
	top, err := topology.New(name, spec)
	require.NoError(t, err)
	p, err := motif.Make("barrier", n, nil)
	require.NoError(t, err)
	s := DefaultSpec()
	s.Placement = how
	c, err := New("Ranks", engine.New(), s, p)
	require.NoError(t, err)
	c.random = func() *rand.Rand { return rand.New(rand.NewPCG(seed, 7)) }
	c.Grow("nic", top.Terminals())
	for i := range top.Terminals() {
		err = c.SetPeers(fmt.Sprintf("nic[%d]", i), []system.Peer{{Node: fakeNet{t: top}, Local: fmt.Sprintf("terminal[%d]", i), Port: sim.Port(nil)}})
	}
	return c.port, err
}

func TestPlacements(t *testing.T) {
	dragonfly := topology.DragonflySpec{P: 2, A: 4, H: 2} // 9 groups of 8 terminals
	for _, how := range placement.Names() {
		a, err := placed(t, how, "dragonfly", dragonfly, 27, 1)
		require.NoError(t, err)
		require.Len(t, a, 27)
		sorted := slices.Sorted(slices.Values(a))
		require.Len(t, slices.Compact(sorted), 27, "each rank its own")
		again, _ := placed(t, how, "dragonfly", dragonfly, 27, 1)
		require.Equal(t, a, again)
		other, _ := placed(t, how, "dragonfly", dragonfly, 27, 2)
		if how == placement.Linear || how == placement.Spread {
			require.Equal(t, a, other)
		} else {
			require.NotEqual(t, a, other)
		}
		for i := range a {
			switch how {
			case placement.Linear:
				require.EqualValues(t, i, a[i])
			case placement.Router:
				require.Equal(t, a[i/2*2]/2, a[i]/2, "two ranks a router")
			case placement.Group:
				require.Equal(t, a[i/8*8]/8, a[i]/8, "eight ranks a group")
				require.EqualValues(t, i%8, a[i]%8, "in order")
			case placement.Spread:
				require.EqualValues(t, i%9, a[i]/8)
			}
		}
	}
	_, err := placed(t, placement.Group, "mesh", nil, 4, 1)
	require.ErrorContains(t, err, "placement group needs a network with groups of routers")
	_, err = placed(t, placement.Linear, "dragonfly", dragonfly, 73, 1)
	require.ErrorContains(t, err, "there are 73 ranks and 72 ports linked to terminals")
}
