package cxl_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/engine"
)

// A device that cannot follow reports overload. A host that heeds it keeps lines at
// home, where they wait in front of the root port and not in the device, and loses
// no bandwidth.
func TestThrottle(t *testing.T) {
	slow := strings.Replace(simple, "latency: 40ns, size", "latency: 40ns, bandwidth: 4GB/s, size", 1)
	slow = strings.Replace(slow, "protocol: 15ns, memory", "protocol: 15ns, entries: 32, memory", 1)
	set := []string{"Driver.mode=closed:16"}
	trace := lines("R", 400, 4096)
	free := run(t, engine.New(), slow, trace, set...)
	paced := run(t, engine.New(), slow, trace, append(set, "Root.throttle=true")...)
	for _, m := range []map[string]float64{free, paced} {
		sum := m["Root devload_light"] + m["Root devload_optimal"] + m["Root devload_moderate"] + m["Root devload_severe"]
		require.Equal(t, 400*64., sum)
	}
	require.Greater(t, free["Root devload_severe"], 0.9*400*64)
	require.Less(t, paced["Root devload_severe"], 0.2*400*64)
	require.InEpsilon(t, free["Root bandwidth"], paced["Root bandwidth"], 0.02)
	require.Less(t, paced["Far pin_read_latency_mean"], 0.5*free["Far pin_read_latency_mean"])
	t.Logf("severe %.0f and %.0f answers, %.2f and %.2f GB/s, pin to pin %.0f and %.0f ns", free["Root devload_severe"], paced["Root devload_severe"],
		free["Root bandwidth"], paced["Root bandwidth"], free["Far pin_read_latency_mean"], paced["Far pin_read_latency_mean"])

	// a device that follows is left alone
	free = run(t, engine.New(), simple, trace, set...)
	paced = run(t, engine.New(), simple, trace, append(set, "Root.throttle=true")...)
	require.InEpsilon(t, free["Root bandwidth"], paced["Root bandwidth"], 0.02)
}
