package packet

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/registry/named"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
	_ "github.com/causeway-sim/causeway/configs/yaml"
	"github.com/causeway-sim/causeway/noc/transport"
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

// The least and the most of a key are good, and one more or less is an error at the key.
func TestLimitsOfKeys(t *testing.T) {
	for _, c := range []struct{ good, bad, want string }{
		{"width: 1B, packet: 65536", "width: 1B, packet: 65537", "nodes.Net.packet: "},
		{"packet: 0", "packet: -1", "nodes.Net.packet: "},
		{"width: 16KiB, packet: 65536", "width: 16400B, packet: 65536", "nodes.Net.packet: is 65536 flits of"}, // 2^30 B together
		{"packet: 8, buffer: 16777216", "packet: 8, buffer: 16777217", "nodes.Net.buffer: "},
		{"packet: 8, buffer: 0", "packet: 8, buffer: -1", "nodes.Net.buffer: "},
		{"packet: 8, buffer: 8", "packet: 8, buffer: 7", "nodes.Net.buffer: is 7, but packets have up to 8 flits"},
		{"packet: 8, buffer: 8", "packet: 0, buffer: 8", "nodes.Net.buffer: is 8, but packets have no limit"},
		{"packet: 8, width: 16B, packet_header: 16B, buffer: 9", "packet: 8, width: 16B, packet_header: 17B, buffer: 9", "nodes.Net.buffer: is 9, but packets have up to 10 flits"},
		{"packet: 1, packet_fill: true", "packet: 0, packet_fill: true", "nodes.Net.packet_fill: "},
		{"packet_header: 1MiB", "packet_header: 1048577B", "nodes.Net.packet_header: is 1048577B (want at most 1MiB)"},
		{"clock: 1GHz, router: {latency: 65536ns}", "clock: 1GHz, router: {latency: 65537ns}", "nodes.Net.router.latency: is 65537 cycles"},
		{"width: 16B, packet: 4, packet_header: 8B, congestion: {name: swift}, queue: {size: 72B}", "width: 16B, packet: 4, packet_header: 8B, congestion: {name: swift}, queue: {size: 71B}", "nodes.Net.queue.size: "}, // a full packet
		{"virtual_networks: 2, buffer: 64", "virtual_networks: 3, buffer: 64", "nodes.Net.virtual_networks: "},
	} {
		_, err := built(c.good)
		require.NoError(t, err, c.good)
		_, err = built(c.bad)
		require.ErrorContains(t, err, c.want, c.bad)
	}
}

// Keys of networks without congestion control are errors with it, each at its place and with the reason; the
// same keys are good without it.
func TestKeysThatDoNotGoWithCongestion(t *testing.T) {
	for key, want := range map[string]string{
		"packet: 0":                             "packet: does not go with congestion: endpoints number packets",
		"packet_fill: true":                     "packet_fill: does not go with congestion: flows are of their own size",
		"buffer: 64":                            "buffer: does not go with congestion: queues have bytes",
		"buffer: 64, virtual_networks: 2":       "virtual_networks: does not go with congestion: answers have no buffers",
		"skip: exact":                           "skip: does not go with congestion",
		"rounding: down":                        "rounding: does not go with congestion: times are exact",
		"failed: [{router: 0, to: 1, at: 1us}]": "failed: does not go with congestion",
	} {
		_, err := built(key)
		require.NoError(t, err, key)
		_, err = built(key + ", congestion: {name: swift}")
		require.ErrorContains(t, err, "nodes.Net."+want, key)
	}
	s, err := built("packet: 1, congestion: {name: swift}")
	require.NoError(t, err)
	require.IsType(t, &transport.Comp{}, s.Node("Net"))
	_, err = New("Net", engine.New(), Spec{Settings: transport.Settings{Congestion: transport.Control{Choice: named.Choice{Name: "swift"}}}}, 1)
	require.ErrorContains(t, err, "NewControlled makes such a network")
}
