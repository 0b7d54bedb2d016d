package packet

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
	_ "github.com/causeway-sim/causeway/configs/yaml"
)

func built(net string) (*system.System, error) {
	d, err := configs.Parse("f.yaml", []byte("schema: causeway/1\nnodes:\n  - {name: Net, kind: network, fidelity: packet, "+net+"}\n"), configs.Options{})
	if err != nil {
		return nil, err
	}
	return system.Build(d, &system.Env{Engine: engine.New()})
}

// What does not go together is an error at its key.
func TestBadKeys(t *testing.T) {
	for net, want := range map[string]string{
		"packet: 65536, width: 64KiB":             "nodes.Net.packet: is 65536 flits of 64KiB",
		"packet: 0, buffer: 8":                    "nodes.Net.buffer: is 8, but packets have no limit",
		"packet: 16, buffer: 8":                   "nodes.Net.buffer: is 8, but packets have up to 16 flits",
		"packet: 8, packet_header: 1B, buffer: 8": "nodes.Net.buffer: is 8, but packets have up to 9 flits, header included",
		"packet: 0, packet_fill: true":            "nodes.Net.packet_fill: has no effect without a size",
		"virtual_networks: 2":                     "nodes.Net.virtual_networks: goes with buffer",
		"virtual_networks: 2, buffer: 0":          "nodes.Net.virtual_networks: goes with buffer",
		"packet_header: 2MiB":                     "nodes.Net.packet_header: is 2MiB (want at most 1MiB)",
	} {
		_, err := built(net)
		require.ErrorContains(t, err, want, net)
	}
}

// A network of good keys has the metrics of the fidelity, and a buffer that covers a
// round trip only where the routing looks at queues.
func TestGoodKeys(t *testing.T) {
	for net, buffers := range map[string]bool{
		"topology: {name: mesh, dims: [4, 4]}":                                             false,
		"topology: {name: dragonfly, p: 2, a: 4, h: 2}, routing: ugal_l":                   true,
		"topology: {name: dragonfly, p: 2, a: 4, h: 2}, routing: ugal_l, buffer: 0":        false,
		"topology: {name: dragonfly, p: 2, a: 4, h: 2}, routing: min, buffer: 64":          true,
		"topology: {name: mesh, dims: [4, 4]}, packet: 8, buffer: 16, virtual_networks: 2": true,
	} {
		s, err := built(net)
		require.NoError(t, err, net)
		c := s.Node("Net").(*Comp)
		require.Equal(t, buffers, c.Network().Bounded(), net)
		require.NoError(t, c.Network().Check())
		var names []string
		for _, m := range c.Stats().Metrics() {
			names = append(names, m.Name)
		}
		require.Contains(t, names, "packets", net)
		require.Contains(t, names, "channel_busy_mean", net)
	}
}
