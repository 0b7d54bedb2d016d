package flit_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/noc/fabric"
	"github.com/causeway-sim/causeway/noc/fabric/setting"
	"github.com/causeway-sim/causeway/noc/flit"
	"github.com/causeway-sim/causeway/noc/network"
	"github.com/causeway-sim/causeway/noc/topology"
)

var df72 = topology.DragonflySpec{P: 2, A: 4, H: 2}

// The default depth keeps a lone stream at full rate, and a twentieth less does not.
func TestDefaultDepthCoversTheRoundTrip(t *testing.T) {
	for _, latency := range []int{1, 10, 100, 300} {
		for _, taper := range []units.Bandwidth{1, 2} {
			s := setting.DefaultSpec()
			s.Topology = network.Topology{Name: "dragonfly", Spec: topology.DragonflySpec{P: 1, A: 1, H: 1}}
			s.Local.Latency = units.InCycles(5000) // there are none
			s.Global.Latency = units.InCycles(uint64(latency))
			s.Global.Bandwidth = s.Full() / taper
			made := func(depth int) (int, float64) {
				s.Router.Depth = depth
				c, err := flit.NewNode("Net", engine.New(), s, 1)
				require.NoError(t, err)
				cfg := c.Config()
				cfg.VCs = cfg.Routing.Classes() // one for each
				n, err := fabric.New(cfg)
				require.NoError(t, err)
				const warm, cycles = 2000, 8000
				var from uint64
				n.Send(0, 1, 2*(warm+cycles), false)
				for i := range warm + cycles {
					if i == warm {
						from = n.Ejected()
					}
					n.Step()
				}
				return cfg.Depth, float64(n.Ejected()-from) / cycles * float64(taper)
			}
			depth, rate := made(0)
			require.InDelta(t, 1, rate, .002, "%d cycles, taper %d, depth %d", latency, taper, depth)
			if depth > 8 {
				_, less := made(depth - depth/20 - 2)
				require.Less(t, less, .98, "%d cycles, taper %d, depth %d", latency, taper, depth)
			} else {
				require.Equal(t, 1, latency)
			}
		}
	}
}
