package experiment

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Layers taken as equal pass in one step, so no limit holds within, on cores nor under a
// schedule.
func TestNoLimitWithinSampledLayers(t *testing.T) {
	for _, text := range []string{repeats, chipsRepeat} {
		_, err := Parse("repeats", []byte(text), Options{Set: []string{"simulation.repeat=sampled", "simulation.max_time=1ms"}})
		require.ErrorContains(t, err, "simulation.max_time: does not go with simulation.repeat: sampled")
	}
}

// Outputs that have gaps where layers are taken as equal are named before the run and with the
// result.
func TestGapsOfSampledLayersAreTold(t *testing.T) {
	gaps := []string{"simulation.sample=10us", "simulation.record.requests=[Core.mem]"}
	told := func(set ...string) string {
		x, err := Parse("repeats", []byte(repeats), Options{Set: set})
		require.NoError(t, err)
		before := x.Warnings()
		r, _, err := x.Run(context.Background(), nil)
		require.NoError(t, err)
		require.Subset(t, r.Warnings, before)
		return strings.Join(before, "\n")
	}
	require.NotContains(t, told(gaps...), "simulation.repeat")
	some := told(append(gaps, "simulation.repeat=sampled")...)
	require.Contains(t, some, "simulation.sample: what simulation.repeat takes as equal counts in the interval in which it begins")
	require.Contains(t, some, "simulation.record.requests: traces lack the requests")
}

// The rows of a DRAM are open as long as if all layers were simulated, whether refreshes close
// them or nothing does.
func TestOpenRowsOfSampledLayersCount(t *testing.T) {
	for _, refresh := range []string{"all_bank", "none"} {
		full, some := bothWays(t, strings.Replace(repeats, "fidelity: ideal, latency: 100ns, bandwidth: 100GB/s", "preset: ddr4_3200, refresh: "+refresh, 1))
		for _, name := range []string{"energy_background", "energy"} {
			a, _ := full.Metric("Mem", name)
			b, ok := some.Metric("Mem", name)
			require.True(t, ok)
			require.InEpsilon(t, a.Value, b.Value, 0.01, "%s with refresh %s", name, refresh)
		}
	}
}
