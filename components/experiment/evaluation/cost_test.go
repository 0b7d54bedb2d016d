package evaluation_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/experiment/result"
	_ "github.com/causeway-sim/causeway/components/std"
)

const nodes = `schema: causeway/1
workload: {ops: [{name: g, op: gemm, m: 64, n: 64, k: 64}]}
nodes:
  - {name: Core, kind: systolic, fidelity: analytic, rows: 16, cols: 16, count: 2}
  - {name: Mem, kind: memory, fidelity: ideal, latency: 60ns, bandwidth: 25.6GB/s, energy: {dram: ddr4}}
links:
  - Core -> Mem
`

func parse(t *testing.T, text string, set ...string) (*experiment.Experiment, error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "a.yaml")
	require.NoError(t, os.WriteFile(filepath.Join(filepath.Dir(file), "day.csv"), []byte("hour,g_per_kwh\n0,300\n8,150\n"), 0o644))
	require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	return experiment.Load(file, experiment.Options{Set: set})
}

func run(t *testing.T, text string, set ...string) *result.Result {
	t.Helper()
	x, err := parse(t, text, set...)
	require.NoError(t, err)
	r, _, _ := x.Run(context.Background(), nil)
	require.NotNil(t, r)
	return r
}

func value(t *testing.T, r *result.Result, where, name string) float64 {
	t.Helper()
	m, ok := r.Metric(where, name)
	require.True(t, ok, "%s.%s", where, name)
	return m.Value
}

const priced = nodes + "cost: {chips: [{name: Die, nodes: [Core], fill: 0.5, process: 7nm}], grid: {intensity: 400, pue: 1.2}, years: 4}\n"

func TestCostOfARun(t *testing.T) {
	r := run(t, priced)
	require.Equal(t, result.Complete, r.Status, r.Reason)
	area := value(t, r, "Core[0]", "area") + value(t, r, "Core[1]", "area")
	require.InEpsilon(t, area/0.5, value(t, r, "Die", "die_area"), 1e-12)
	require.Equal(t, value(t, r, "Die", "cost"), value(t, r, "", "cost"))
	run := value(t, r, "", "energy") * 1e-12 * 1.2 / 3.6e6 * 400
	require.InEpsilon(t, run, value(t, r, "", "carbon_operational"), 1e-12)
	life := 4 * 365.25 * 24 * 3600.0
	require.InEpsilon(t, run+value(t, r, "", "total_time")*1e-9/life*value(t, r, "", "carbon_embodied"), value(t, r, "", "carbon"), 1e-12)
	plain := run0(t)
	for _, m := range plain.Metrics { // the section changes nothing else
		require.Equal(t, m.Value, valueIn(t, r, m.Phase, m.Where, m.Name), m.Name)
	}
}

func run0(t *testing.T) *result.Result { return run(t, nodes) }

func valueIn(t *testing.T, r *result.Result, phase, where, name string) float64 {
	for _, m := range r.Metrics {
		if m.Phase == phase && m.Where == where && m.Name == name {
			return m.Value
		}
	}
	t.Fatalf("no %s.%s", where, name)
	return 0
}

// A run at night emits twice as much as one by day.
func TestIntensityByTheHour(t *testing.T) {
	hourly := strings.Replace(priced, "intensity: 400, pue: 1.2", "file: day.csv, start: 3", 1)
	night := run(t, hourly)
	day := run(t, hourly, "cost.grid.start=12")
	require.InEpsilon(t, 2*value(t, day, "", "carbon_operational"), value(t, night, "", "carbon_operational"), 1e-12)
	require.Len(t, night.Inputs, 1)
	require.NotEqual(t, night.Identity, day.Identity)
	mean := run(t, hourly, "cost.grid.hours=24")
	require.InEpsilon(t, 200.0/150, value(t, mean, "", "carbon_operational")/value(t, day, "", "carbon_operational"), 1e-9)
}

// Sweeps may ask for what a section finds.
func TestDeclaredBeforeTheRun(t *testing.T) {
	x, err := parse(t, priced)
	require.NoError(t, err)
	names, err := x.MetricNames()
	require.NoError(t, err)
	require.Subset(t, names, []string{"cost", "carbon_embodied", "carbon_operational", "carbon", "Die.cost_die"})
}

func TestCostRefuses(t *testing.T) {
	for set, want := range map[string]string{
		"cost.chips.Die.nodes=[Cor]":             `no node "Cor" (want one of: Core, Mem; did you mean "Core"?)`,
		`cost.chips.Die.nodes=[Core, "Core[1]"]`: "node Core[1] belongs to Die already",
		"cost.chips.Die.name=Mem":                "Mem is the name of a node",
		"cost.grid={file: none.csv}":             `cost.grid.file: no file "none.csv"`,
		"cost.grid={file: cost_test.go}":         "cost.grid.file: cost_test.go:1: columns are package evaluation_test",
	} {
		_, err := parse(t, priced, set)
		require.ErrorContains(t, err, want, set)
		require.True(t, experiment.IsBadInput(err), set)
	}
	r := run(t, priced, "cost.chips.Die.nodes=[Mem]")
	require.Equal(t, result.Failed, r.Status)
	require.Contains(t, r.Reason, "cost.chips.Die: no area of Mem is known")
}
