package experiment_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/experiment/result"
)

// A network that comes too often is carried out as its smaller form where it would end too
// late, and only there; all work is done once, as the checks of the run say.
func TestSmallerForms(t *testing.T) {
	text := `
params: {period: 20us}
workloads:
  - {name: full, file: encoder/config.json, sequence: 64, dtype: int8, arrivals: {name: periodic, period: $period}, frames: 20, deadline: 60us}
  - {name: half, file: encoder/config.json, sequence: 32, dtype: int8, form_of: full}
  - {name: eighth, file: encoder/config.json, sequence: 8, dtype: int8, form_of: full}
nodes:
  - {name: Schedule, kind: schedule, policy: {name: dream, switch: true, drop: false}}
  - {name: Core, kind: roofline, compute: 300GFLOP/s, memory: 20GB/s}
links: [Schedule -> Core]
`
	run := func(set ...string) (smaller, late, macs float64, r *result.Result) {
		r, err := scheduled(t, text, experiment.Options{Set: set})
		require.NoError(t, err)
		value := func(where, name string) float64 { m, _ := r.Metric(where, name); return m.Value }
		return value("Schedule", "smaller"), value("Schedule", "deadline_misses"), value("Core", "macs"), r
	}
	smaller, late, macs, r := run()
	require.Len(t, r.Requests.Rows, 20)
	for _, row := range r.Requests.Rows {
		require.Equal(t, "full", row[1], "requests are those of the supernet")
	}
	require.Greater(t, smaller, 5.0)
	none, _, all, _ := run("period=10ms", "workloads.full.deadline=10ms")
	require.Zero(t, none, "with time enough none is smaller")
	require.Less(t, macs, all)
	_, err := scheduled(t, text, experiment.Options{Set: []string{"Schedule.policy.switch=false"}})
	require.ErrorContains(t, err, "eighth is a form of full, and policy dream of Schedule switches between none")
	_, err = scheduled(t, text, experiment.Options{Set: []string{"workloads.half.form_of=eighth"}})
	require.ErrorContains(t, err, `workloads.half.form_of: unknown workload "eighth" (want full)`)
	_, err = scheduled(t, text, experiment.Options{Set: []string{"workloads.half.frames=3"}})
	require.ErrorContains(t, err, "workloads.half.frames: has no effect: requests are those of full, of which this is a form")
	r2, err := scheduled(t, text, experiment.Options{Engine: "shuffle:2"})
	require.NoError(t, err)
	require.Equal(t, string(result.MetricsCSV(r.Metrics)), string(result.MetricsCSV(r2.Metrics)))
	// Without the forms more are late.
	alone, err := scheduled(t, strings.ReplaceAll(strings.ReplaceAll(text, "form_of: full", "frames: 1, arrival: 10ms"), "switch: true", "switch: false"), experiment.Options{})
	require.NoError(t, err)
	m, _ := alone.MetricIn("workload:full", "Schedule", "deadline_misses")
	require.Less(t, late, m.Value)
}
