package experiment_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/experiment/result"
)

const coolChip = `schema: causeway/1
workload: {model: llama3_8b, layers: 0..0, phase: decode, batch: 64, context: 2048, dtype: bf16, attention: fused}
nodes:
  - {name: Chip, kind: gpu, preset: h100}
thermal:
  blocks: [{name: Chip, nodes: [Chip], width: 28.5mm, height: 28.5mm}]
  spreader: {side: 50mm, thickness: 2mm}
  sink: {side: 90mm, thickness: 5mm}
  air: {ambient: 25, resistance: %g}
  leakage: {power: 42W, at: 65, doubles: 25}
  limit: 90
%s`

func cool(t *testing.T, resistance float64, more string, set ...string) *result.Result {
	x, err := experiment.Parse("cool.yaml", fmt.Appendf(nil, coolChip, resistance, more), experiment.Options{Set: set})
	require.NoError(t, err)
	r, p, err := x.Run(context.Background(), nil)
	require.NoError(t, err)
	require.Equal(t, x.Identity(), r.Identity)
	require.Equal(t, x.Identity(), p.Identity)
	require.Equal(t, x.Config(), r.Config)
	return r
}

func metricOf(t *testing.T, r *result.Result, where, name string) float64 {
	m, ok := r.Metric(where, name)
	require.True(t, ok, "%s %s", where, name)
	return m.Value
}

// A chip that is too hot has the limit of power at which its hottest block is at most half a kelvin below the limit of
// temperature. A worse sink leaves less power and never less time.
func TestThrottledChipKeepsItsTemperature(t *testing.T) {
	const throttle = "  throttle: [Chip]\n"
	plain, free := cool(t, 0.04, ""), cool(t, 0.04, throttle)
	require.Zero(t, metricOf(t, free, "", "thermal_slowdown"))
	for _, m := range plain.Metrics {
		require.Equal(t, m.Value, metricIn(t, free, m.Phase, m.Where, m.Name), m.Name)
	}
	own := metricOf(t, plain, "", "total_time")
	time, power := 0.0, 1e9
	for _, resistance := range []float64{0.08, 0.16} { // the last has no balance without it
		r := cool(t, resistance, throttle)
		peak := metricOf(t, r, "", "temperature_peak")
		require.LessOrEqual(t, peak, 90.0)
		require.Greater(t, peak, 89.5)
		require.Equal(t, 100.0, metricOf(t, r, "", "thermal_share"))
		now, watts := metricOf(t, r, "", "total_time"), metricOf(t, r, "Chip", "power_limit")
		require.InDelta(t, 100*(now/own-1), metricOf(t, r, "", "thermal_slowdown"), 1e-9)
		require.InDelta(t, 7*metricOf(t, r, "", "thermal_limit_share"), watts, 0.01, "700 W are its own")
		require.GreaterOrEqual(t, now, time)
		require.Less(t, watts, power)
		time, power = now, watts
	}
	require.Greater(t, time, 1.1*own)
	again := cool(t, 0.16, "", "Chip.load=steady", fmt.Sprintf("Chip.power_limit=%.2fW", power))
	require.Equal(t, time, metricOf(t, again, "", "total_time"), "the same limit by hand, of a workload that repeats for long")
}

func metricIn(t *testing.T, r *result.Result, phase, where, name string) float64 {
	for _, m := range r.Metrics {
		if m.Phase == phase && m.Where == where && m.Name == name {
			return m.Value
		}
	}
	require.Fail(t, "no metric", "%s %s %s", phase, where, name)
	return 0
}

// A point of a sweep is throttled as a run is.
func TestThrottledPointOfASweep(t *testing.T) {
	file := filepath.Join(t.TempDir(), "cool.yaml")
	require.NoError(t, os.WriteFile(file, fmt.Appendf(nil, coolChip, 0.08, "  throttle: [Chip]\n"), 0o644))
	x, err := experiment.NewLoader(experiment.Options{}).Open(file, []string{"thermal.air.resistance=0.1", "Chip.power_limit=650W"})
	require.NoError(t, err)
	r, _, err := x.Run(context.Background(), nil)
	require.NoError(t, err)
	require.InDelta(t, 90, metricOf(t, r, "", "temperature_peak"), 0.5)
	require.InDelta(t, 6.5*metricOf(t, r, "", "thermal_limit_share"), metricOf(t, r, "Chip", "power_limit"), 0.01)
}

// A chip that its package cannot hold at any limit of power is an error, and so is a node without one.
func TestThrottleRefuses(t *testing.T) {
	for set, want := range map[string]string{
		"thermal.air.resistance=0.4": "thermal.throttle: with limits of 0.2",
		"Chip.power_limit=0W":        "Chip has no power_limit to lower",
	} {
		x, err := experiment.Parse("cool.yaml", fmt.Appendf(nil, coolChip, 0.08, "  throttle: [Chip]\n"), experiment.Options{Set: []string{set}})
		require.NoError(t, err)
		_, _, err = x.Run(context.Background(), nil)
		require.ErrorContains(t, err, want)
	}
}
