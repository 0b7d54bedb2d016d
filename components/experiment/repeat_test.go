package experiment

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment/result"
)

const repeats = `schema: causeway/1
workload: {model: gpt2, sequence: 16, dtype: int8, layers: 0..9}
mapping: {cores: Core}
nodes:
  - {name: Core, kind: systolic, rows: 32, cols: 32, sram: {ifmap: 256KiB, filter: 256KiB, ofmap: 256KiB}, dma: {burst: 4KiB}}
  - {name: Mem, kind: memory, fidelity: ideal, latency: 100ns, bandwidth: 100GB/s}
links: [Core -> Mem]
`

func runRepeats(t *testing.T, o Options, set ...string) *result.Result {
	o.Set = set
	x, err := Parse("repeats", []byte(repeats), o)
	require.NoError(t, err)
	r, _, err := x.Run(context.Background(), nil)
	require.NoError(t, err)
	return r
}

// One core before a memory without state takes layers that repeat for exactly what they take:
// every metric and every row of layers.csv is that of the full run. Several cores meet at the
// end of each layer, and are within 3 %.
func TestLayersOnCoresRepeat(t *testing.T) {
	value := func(r *result.Result, where, name string) float64 {
		m, ok := r.Metric(where, name)
		require.True(t, ok, "%s.%s", where, name)
		return m.Value
	}
	for _, set := range [][]string{{}, {"Core.fidelity=analytic"}, {"Core.on_chip=none"}, {"Core.fidelity=analytic", "Core.on_chip=outputs"}} {
		full, some := runRepeats(t, Options{}, set...), runRepeats(t, Options{}, append(set, "simulation.repeat=sampled")...)
		require.Equal(t, full.Layers.Columns, some.Layers.Columns)
		require.Len(t, some.Layers.Rows, len(full.Layers.Rows))
		for i := range full.Layers.Rows {
			require.Equal(t, full.Layers.Rows[i][full.Layers.Index("layer")], some.Layers.Rows[i][full.Layers.Index("layer")])
			require.Equal(t, full.Layers.Rows[i][full.Layers.Index("cycles")], some.Layers.Rows[i][full.Layers.Index("cycles")])
			require.Equal(t, full.Layers.Rows[i][full.Layers.Index("start")], some.Layers.Rows[i][full.Layers.Index("start")])
		}
		require.Len(t, some.Metrics, len(full.Metrics))
		for i, m := range full.Metrics {
			require.Equal(t, m.Name, some.Metrics[i].Name)
			near := 1e-9
			if strings.Contains(m.Name, "latency") { // a mean over what was simulated
				near = 0.01
			}
			require.InDelta(t, m.Value, some.Metrics[i].Value, near*m.Value, "%s.%s %v", m.Where, m.Name, set)
		}
		require.Contains(t, strings.Join(some.Assumptions, "\n"), "6 simulated and 5 taken as equal (two that count as equal differ by 0.00 % at most, in what a node moved by 0.00 %; 1 of those after them, simulated besides, took up to 0.00 %", set)
	}
	for _, set := range [][]string{{"Core.count=3"}, {"Core.count=2", "Core.fidelity=analytic"}, {"Core.count=4", "mapping.split=head"}, {"Core.count=2", "mapping.split=layer"}} {
		full, some := runRepeats(t, Options{}, set...), runRepeats(t, Options{}, append(set, "simulation.repeat=sampled")...)
		require.Len(t, some.Layers.Rows, len(full.Layers.Rows))
		for _, m := range [][2]string{{"", "total_cycles"}, {"", "energy"}, {"Core[1]", "total_cycles"}, {"Core[0]", "read_bytes"}, {"Mem", "reads"}, {"Core[1]", "compute_cycles"}} {
			require.InEpsilon(t, value(full, m[0], m[1]), value(some, m[0], m[1]), 0.03, "%s.%s %v", m[0], m[1], set)
		}
		require.Contains(t, strings.Join(some.Assumptions, "\n"), "taken as equal", set)
		shuffled := runRepeats(t, Options{Engine: "shuffle:7"}, append(set, "simulation.repeat=sampled")...)
		require.Equal(t, some.Metrics, shuffled.Metrics, set)
	}
}

// What cannot repeat is refused, with the reason.
func TestRepeatRefused(t *testing.T) {
	for want, set := range map[string][]string{
		`simulation.repeat: "some" is not known (want one of: exact, sampled)`:                                    {"simulation.repeat=some"},
		"simulation.repeat: has no effect: resnet18 has no numbered layers (operators called L0., L1. and so on)": {"workload={model: resnet18}", "simulation.repeat=sampled"},
		"has no effect: layers overlap (L": {"Core.count=2", "mapping.split=layer", "mapping.micro_batches=2", "workload.batch=4", "simulation.repeat=sampled"},
	} {
		_, err := Parse("repeats", []byte(repeats), Options{Set: set})
		if err == nil {
			t.Errorf("%v is taken", set)
			continue
		}
		require.Equal(t, 1, strings.Count(err.Error(), want), err)
	}
}

// What a cache keeps is that of the full run, whether it holds less than a layer, some layers or the
// whole model, which the next token finds there: layers are simulated until it is as it would be.
func TestLayersRepeatBehindACache(t *testing.T) {
	model := filepath.Join(t.TempDir(), "config.json")
	require.NoError(t, os.WriteFile(model, []byte(`{"model_type": "llama", "hidden_size": 256, "intermediate_size": 512, "num_hidden_layers": 12, "num_attention_heads": 4, "num_key_value_heads": 2, "vocab_size": 500}`), 0o600))
	text := strings.Replace(`schema: causeway/1
workload: {file: MODEL, dtype: int8, requests: {count: 1, prompt: 32, output: 4}}
nodes:
  - {name: Serve, kind: serve, tokens: 512}
  - {name: Core, kind: systolic, rows: 32, cols: 32, sram: {ifmap: 64KiB, filter: 64KiB, ofmap: 64KiB}, dma: {burst: 4KiB}}
  - {name: LLC, kind: cache, size: 1MiB, ways: 16, line: 256B, clock: 1GHz, policy: {name: lru}}
  - {name: Mem, kind: memory, fidelity: ideal, latency: 100ns, bandwidth: 20GB/s}
links: [Serve -> Core.ops, Core.mem -> LLC.top, LLC.bottom -> Mem]
`, "MODEL", model, 1)
	for size, parts := range map[string]string{"512KiB": "18 simulated and 34", "2MiB": "26 simulated and 26", "4MiB": "41 simulated and 11", "16MiB": "18 simulated and 34"} {
		full, some := bothWays(t, text, "LLC.size="+size)
		for _, m := range [][2]string{{"", "total_cycles"}, {"Serve", "tpot_mean"}, {"LLC", "evictions"}, {"LLC", "hits"}, {"LLC", "misses"}, {"Mem", "read_bytes"}} {
			want, _ := full.Metric(m[0], m[1])
			got, _ := some.Metric(m[0], m[1])
			require.InDelta(t, want.Value, got.Value, 0.01*want.Value, "%s.%s %s", m[0], m[1], size)
		}
		require.Contains(t, strings.Join(some.Assumptions, "\n"), "after them), "+parts, size)
		const alone = "These metrics are of the parts of the run that were simulated alone, and may be far from those of all of it (simulation.repeat): LLC.dirty_bytes."
		require.Contains(t, some.Assumptions, alone, size)
		require.NotContains(t, full.Assumptions, alone, size)
	}
}
