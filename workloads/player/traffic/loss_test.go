package traffic_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
)

// Traffic does not wait for packets that channels lose which fail, asks for no answer to
// them, and says that its network stays whole.
func TestLostTraffic(t *testing.T) {
	for _, load := range []string{"load: 0.5, rules: {samples: 5}", "load: 0.1, reply: 2, rules: {samples: 5}"} {
		b := pair(t, df72+", failed: [{router: 0, to: 1, at: 3us, until: 3500ns}, {router: 4, port: 5, at: 4us}]", load)
		m := b.run(t)
		require.Less(t, m["all.packets_delivered"], m["all.packets"])
		for _, name := range []string{"Net", "Traffic"} {
			require.Empty(t, b.sys.Node(name).Stats().Verify())
		}
		require.Contains(t, b.sys.Node("Net").(system.Warner).Warnings()[0], "none was sent again (timeout)")
	}
	b := pair(t, df72+", failed: [{router: 0, to: 1, at: 3us}], timeout: 1us", "load: 0.5, rules: {samples: 5}")
	m := b.run(t)
	require.Equal(t, m["all.packets_delivered"], m["all.packets"])
	require.Contains(t, b.sys.Node("Traffic").(system.Whole).Whole(), "channels of the network of Traffic fail during the run")
}

// A network that falls apart during the run ends it as stuck, and says who waits: with an end
// of the latency or without, with answers or without.
func TestTrafficIsStranded(t *testing.T) {
	for _, load := range []string{"load: 0.1", "load: 0.1, rules: {limit: 0}", "load: 0.1, reply: 2", "search: {repeats: 1}"} {
		d, err := configs.Parse("f.yaml", []byte("schema: causeway/1\nnodes:\n  - {name: Net, kind: network, fidelity: packet, topology: {name: mesh, dims: [2, 2]},\n"+
			"     failed: [{router: 0, to: 1, at: 1us}, {router: 0, to: 2, at: 1us}]}\n  - {name: Traffic, kind: traffic, "+load+"}\nlinks:\n  - Traffic -> Net\n"), configs.Options{})
		require.NoError(t, err)
		e := engine.New(engine.Watchdog(0, 1e-4))
		s, err := system.Build(d, &system.Env{Engine: e, Seed: 1})
		require.NoError(t, err)
		b := bench{s, e}
		err = b.start(context.Background())
		var stuck *engine.Stuck
		require.ErrorAs(t, err, &stuck, load)
		require.ErrorContains(t, err, "no way on from router")
		require.ErrorContains(t, err, "Traffic waits for Net: ")
		require.Less(t, float64(stuck.Time), 2e-6)
	}
}
