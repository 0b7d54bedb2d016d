package watch_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
)

// Power over time adds up to the energy of the run, and a chip that its limit slows down keeps it in the mean: from the
// start on, its energy is at most that of the limit and what it saved at rest. One serves planned steps, and one carries out
// operators.
func TestPowerOverTime(t *testing.T) {
	const chip = "  - {name: Chip, kind: gpu, preset: h100}\n"
	for name, text := range map[string]string{
		"planned": "workload: {model: llama3_8b, dtype: bf16, requests: {count: 6, prompt: 1024, output: 4}}\nnodes:\n" + chip + "  - {name: Serve, kind: serve, times: planned, kv_memory: 8GiB}\nlinks: [Serve -> Chip]\n",
		"rows":    "workload: {ops: [{name: a, op: gemm, m: 65536, n: 16384, k: 16384}, {name: b, op: add, rows: 8192, cols: 8192}, {name: c, op: gemm, m: 8192, n: 8192, k: 4096}], dtype: bf16}\nnodes:\n" + chip,
	} {
		x, err := experiment.Parse("c", []byte("schema: causeway/1\n"+text), experiment.Options{Observe: true, Set: []string{"Chip.power_limit=490W"}})
		require.NoError(t, err, name)
		r, _, err := x.Run(context.Background(), nil)
		require.NoError(t, err, name)
		s := r.Observed.Series
		require.NotNil(t, s, name)
		column := func(of string) int {
			k := s.Index("Chip." + of)
			require.Positive(t, k, name+" "+of)
			return k
		}
		active, static, busy, clocked := column("active_energy"), column("static_energy"), column("busy_time"), column("clocked_time")
		sum, slowest := 0.0, 1.0
		for i := range s.Rows {
			end, pj := s.Number(i, 0), s.Number(i, active)+s.Number(i, static)
			require.LessOrEqual(t, (sum+pj)/1e3, 0.981*490*end+490*25e6, "%s, to %g ns", name, end) // 25 ms: power.Window
			if b := s.Number(i, busy); b > 0 {
				require.LessOrEqual(t, s.Number(i, clocked), b*(1+1e-9)+1e-3, name)
				slowest = min(slowest, s.Number(i, clocked)/b)
			}
			sum += pj
		}
		energy, _ := r.Metric("", "energy")
		last, _ := r.Metric("", "total_time")
		require.LessOrEqual(t, sum, energy.Value*(1+1e-9), name)
		require.GreaterOrEqual(t, sum, energy.Value-490e3*last.Value/512, "%s: a time series has 512 bins or more", name)
		require.Less(t, slowest, 0.9, name)
	}
}
