package experiment

import (
	"context"
	"flag"
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/components/experiment/result"
)

const peakSystem = `schema: causeway/1
workload: {%s}
nodes:
  - {name: Core, kind: systolic, %s}
  - {name: Mem, kind: memory, fidelity: ideal, latency: 100ns, bandwidth: %dGB/s, energy: {dram: hbm2}}
links: [Core -> Mem]
`

func runPeak(t require.TestingT, workload, core string, bandwidth int) *result.Result {
	x, err := Parse("c.yaml", []byte(fmt.Sprintf(peakSystem, workload, core, bandwidth)), Options{})
	require.NoError(t, err)
	res, _, err := x.Run(context.Background(), nil)
	require.NoError(t, err)
	require.Equal(t, result.Complete, res.Status, res.Reason)
	return res
}

// columnOf is the column of the layers of a node.
func columnOf(t require.TestingT, r *result.Result, name string) (out []float64) {
	for i, c := range r.Layers.Columns {
		if c.Name != name {
			continue
		}
		for _, row := range r.Layers.Rows {
			var x float64
			if row[i] != nil {
				_, err := fmt.Sscan(fmt.Sprint(row[i]), &x)
				require.NoError(t, err)
			}
			out = append(out, x)
		}
	}
	return out
}

// No layer moves its bytes, but for those that came before it began, faster than its memory gives
// them; memories count what cores move, sent or not, and are charged for it.
func TestNoLayerIsAboveTheRoof(t *testing.T) {
	n, old := os.Getenv("CAUSEWAY_CASES"), flag.Lookup("rapid.checks").Value.String()
	if n == "" {
		n = "8" // whole models
	}
	require.NoError(t, flag.Set("rapid.checks", n))
	t.Cleanup(func() { _ = flag.Set("rapid.checks", old) })
	rapid.Check(t, func(t *rapid.T) {
		core := rapid.SampledFrom([]string{"preset: tpu_v1_core", "preset: tpu_v3", "preset: tpu_v4", "preset: tpu_v6e",
			"preset: tpu_v4_core, fidelity: analytic", "preset: tpu_v4_core, fidelity: tile"}).Draw(t, "core")
		model := rapid.SampledFrom([]string{"resnet18, image: 64", "mobilenet_v1, image: 64", "gpt2, sequence: 32, layers: 0..2"}).Draw(t, "model")
		bandwidth := rapid.SampledFrom([]int{10, 34, 300, 1640}).Draw(t, "bandwidth")
		r := runPeak(t, fmt.Sprintf("model: %s, batch: %d, dtype: bf16", model, rapid.IntRange(1, 4).Draw(t, "batch")), core, bandwidth)
		moved, cycles, early := columnOf(t, r, "memory_bytes"), columnOf(t, r, "cycles"), columnOf(t, r, "prefetched_bytes")
		if moved == nil { // a mapped core counts them by buffer, those prefetched among them
			moved = columnOf(t, r, "ofmap_write_bytes")
			for _, b := range []string{"ifmap", "filter", "ofmap"} {
				for i, n := range columnOf(t, r, b+"_read_bytes") {
					moved[i] += n
				}
			}
			for i, n := range early {
				moved[i] -= n
			}
		}
		peak, ok := r.MetricIn("all", "Core", "peak_bytes")
		require.True(t, ok)
		var sum float64
		require.Len(t, early, len(moved))
		for i, n := range moved {
			require.LessOrEqual(t, n, peak.Value*(cycles[i]+1)*(1+1e-9), "%v", r.Layers.Rows[i])
			sum += n + early[i]
		}
		read, _ := r.MetricIn("all", "Mem", "read_bytes")
		written, _ := r.MetricIn("all", "Mem", "write_bytes")
		require.Equal(t, sum, read.Value+written.Value)
		energy, ok := r.MetricIn("all", "Mem", "energy")
		require.True(t, ok)
		require.Positive(t, energy.Value)
	})
}
