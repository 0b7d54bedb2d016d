package experiment_test

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
)

// What stays on the chip never makes a run slower: on_chip all takes no longer than none,
// over models, buffers, bandwidths and requests in flight.
func TestWhatStaysOnTheChipNeverLoses(t *testing.T) {
	const file = `schema: causeway/1
workload: {%s}
nodes:
  - {name: Core, kind: systolic, fidelity: analytic, rows: %d, cols: %d, dataflow: ws, sram: {ifmap: %s, filter: %s, ofmap: %s}, dma: {burst: 4KiB, outstanding: %s}}
  - {name: Mem, kind: memory, fidelity: ideal, latency: 100ns, bandwidth: %s}
links: [Core -> Mem]
`
	long := os.Getenv("CAUSEWAY_LONG") != ""
	worst := 0.0
	for i, model := range []string{
		"model: llama3_8b, phase: prefill, sequence: 2048, dtype: bf16, layers: 0..0",
		"model: llama3_8b, phase: decode, context: 1024, batch: 8, dtype: bf16, layers: 0..0",
		"model: bert_base, batch: 8, sequence: 128, dtype: bf16, layers: 0..0",
		"model: gpt2, sequence: 256, dtype: bf16, layers: 0..0",
		"model: resnet18, batch: 4, dtype: int8",
	} {
		for k, c := range []struct {
			side                      int
			sram, memory, outstanding string
		}{
			{128, "256KiB", "400GB/s", "auto"}, {128, "256KiB", "400GB/s", "16"}, {128, "256KiB", "400GB/s", "8"},
			{128, "1MiB", "50GB/s", "auto"}, {32, "64KiB", "100GB/s", "auto"}, {32, "64KiB", "100GB/s", "8"}, {256, "4MiB", "1TB/s", "auto"},
		} {
			if !long && (i+k)%3 != 0 {
				continue
			}
			text := fmt.Sprintf(file, model, c.side, c.side, c.sram, c.sram, c.sram, c.outstanding, c.memory)
			time := func(keep string) float64 {
				x, err := experiment.Parse("c.yaml", []byte(text), experiment.Options{Set: []string{"Core.on_chip=" + keep}})
				require.NoError(t, err)
				r, _, err := x.Run(context.Background(), nil)
				require.NoError(t, err)
				m, ok := r.Metric("", "total_time")
				require.True(t, ok)
				return m.Value
			}
			ratio := time("all") / time("none")
			worst = max(worst, ratio)
			require.LessOrEqual(t, ratio, 1.001, "%s: %+v", model, c)
		}
	}
	t.Logf("worst ratio %.4f", worst)
}
