package traffic_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/system"
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
