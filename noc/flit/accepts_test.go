package flit

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/noc/fabric/setting"
	"github.com/causeway-sim/causeway/noc/network"
	"github.com/causeway-sim/causeway/noc/topology"
)

// A node takes whole packets by value only, and none where channels fail.
func TestWhatIsTakenByValue(t *testing.T) {
	node := func(tune func(*setting.Spec)) *core {
		s := setting.DefaultSpec()
		s.Topology = network.Topology{Name: "dragonfly", Spec: topology.DragonflySpec{P: 2, A: 4, H: 2}}
		tune(&s)
		c, err := NewNode("Net", engine.New(), s, 1)
		require.NoError(t, err)
		return c.core
	}
	k := node(func(*setting.Spec) {})
	require.True(t, k.Accepts(1<<20), "packets have no limit")
	k = node(func(s *setting.Spec) { s.Packet = 4 })
	require.True(t, k.Accepts(4))
	require.False(t, k.Accepts(5))
	port, at, until := 2, units.InCycles(10), units.InCycles(20)
	k = node(func(s *setting.Spec) {
		s.Router.VCs = 16
		s.Failed = []network.Failure{{Router: 0, Port: &port, At: &at, Until: &until}}
	})
	require.False(t, k.Accepts(1))
}
