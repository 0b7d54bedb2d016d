package std_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/experiment/result"
)

// The latency of an unloaded read through example package-rack.yaml is the sum of its stages, from die to
// pod, and the energy of each link that of its flits.
func TestPackageToPod(t *testing.T) {
	for _, base := range []string{"1GiB", "2GiB"} {
		x, err := experiment.Load("../../configs/examples/package-rack.yaml", experiment.Options{Set: []string{"base=" + base, "mode=closed:1", "count=100"}})
		require.NoError(t, err)
		r, _, err := x.Run(context.Background(), nil)
		require.NoError(t, err)
		require.Equal(t, result.Complete, r.Status, r.Reason)
		get := func(node, name string) float64 {
			m, ok := r.Metric(node, name)
			require.True(t, ok, "%s %s", node, name)
			return m.Value
		}
		const wires = 2.5 // ns: a cycle of each link, and alignment to clocks
		hop := 2 * get("Compute", "message_latency_mean")
		d2d := get("D2D", "operation_latency_mean")
		require.InDelta(t, hop+d2d, get("Driver", "read_latency_from_accept_mean_ns"), wires)
		// a raw flit of 64 B takes a quarter of a nanosecond: one away, two back
		require.InDelta(t, 2+0.25, get("D2D", "operation_latency_request"), 1e-9)
		require.InDelta(t, 2+2*0.25, get("D2D", "operation_latency_response"), 1e-9)
		require.InDelta(t, 100*(64+128)*8*0.3, get("D2D", "energy"), 1e-6)
		memory := "Second"
		beyond := 2 * get("Hub", "message_latency_mean")
		if base == "2GiB" {
			memory = "Peer"
			port := get("Port", "operation_latency_mean")
			// 640 B at 100 GB/s and 250 ns each way, the switch in between
			require.InDelta(t, 2*(250+6.4)+2*get("Pod", "message_latency_mean")+get(memory, "latency_mean"), port, wires)
			require.InDelta(t, 150, get("Pod", "message_latency_mean"), 3)
			beyond += port
		} else {
			beyond += get(memory, "latency_mean")
		}
		require.InDelta(t, 4.75+beyond, d2d, wires)
	}
}
