package experiment_test

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
)

// Experts that get unlike numbers of tokens take unlike times; the work in all is the
// same, and the same seed draws the same.
func TestDrawnExperts(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	write("config.json", `{"model_type":"mixtral","hidden_size":256,"intermediate_size":512,"num_hidden_layers":2,"num_attention_heads":4,"num_key_value_heads":2,"vocab_size":500,"num_local_experts":8,"num_experts_per_tok":2}`)
	write("shares.csv", "layer,expert,tokens\n0,0,300\n0,5,100\n")
	write("wrong.csv", "layer,expert,tokens\n0,9,1\n")
	text := []byte(`
schema: causeway/1
workload: {file: config.json, sequence: 512}
nodes:
  - {name: Core, kind: systolic, fidelity: analytic, rows: 32, cols: 32}
  - {name: Mem, kind: memory, fidelity: ideal, latency: 100ns, bandwidth: 51.2GB/s}
links:
  - Core -> Mem
`)
	run := func(set ...string) (macs, cycles float64, longest, shortest float64) {
		x, err := experiment.Parse(filepath.Join(dir, "a.yaml"), text, experiment.Options{Set: set})
		require.NoError(t, err)
		r, _, err := x.Run(context.Background(), nil)
		require.NoError(t, err)
		m, _ := r.Metric("Core", "macs")
		c, _ := r.Metric("", "total_cycles")
		shortest = math.MaxFloat64
		for _, row := range r.Layers.Rows {
			if ok, _ := filepath.Match("L0.E?.gate", row[r.Layers.Index("layer")].(string)); ok {
				n := float64(row[r.Layers.Index("macs")].(int64))
				longest, shortest = max(longest, n), min(shortest, n)
			}
		}
		return m.Value, c.Value, longest, shortest
	}
	macs, even, longest, shortest := run()
	require.Equal(t, longest, shortest)
	work, zipf, longest, shortest := run("workload.experts={name: zipf, exponent: 1.5}")
	require.Equal(t, macs, work)
	require.NotEqual(t, even, zipf)
	require.Greater(t, longest, 3*shortest)
	_, again, _, _ := run("workload.experts={name: zipf, exponent: 1.5}")
	require.Equal(t, zipf, again)
	_, other, _, _ := run("workload.experts={name: zipf, exponent: 1.5}", "simulation.seed=7")
	require.NotEqual(t, zipf, other)
	_, _, longest, shortest = run("workload.experts={name: trace, file: " + filepath.Join(dir, "shares.csv") + "}")
	require.Equal(t, longest, shortest, "a token picks two experts, and only two are ever picked")
	require.Equal(t, float64(512*256*512), longest)
	for set, want := range map[string]string{
		"workload.experts=some":                                                           `--set:1: workload.experts: unknown draw of experts "some" (want one of: even, uniform, zipf, trace)`,
		"workload.experts={name: uniform, exponent: 2}":                                   "has no effect on uniform (used by: zipf)",
		"workload.experts={name: zipf, exponent: 20}":                                     "exponent",
		"workload.experts={name: trace, file: " + filepath.Join(dir, "wrong.csv") + "}":   "the draw of experts has 10 of them in layer 0 (want at most 8)",
		"workload.experts={name: trace, file: " + filepath.Join(dir, "config.json") + "}": "want the heading layer,expert,tokens",
	} {
		_, err := experiment.Parse(filepath.Join(dir, "a.yaml"), text, experiment.Options{Set: []string{set}})
		require.ErrorContains(t, err, want)
	}
}
