package experiment

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
)

// decode is one layer of LLaMA-3 8B, a token for each of 8 requests of 2,048, on four cores
// that share a cache with policy dco in front of HBM3 by banks.
const decode = `schema: causeway/1
workload: {model: llama3_8b, phase: decode, batch: 8, context: 2048, dtype: int8, layers: 0..0}
mapping: {cores: Core, split: auto}
nodes:
  - {name: Core, kind: systolic, count: 4, rows: 128, cols: 128, clock: 1GHz, overlap: {preload: true, drain: true},
     sram: {ifmap: 2MiB, filter: 2MiB, ofmap: 2MiB}, dma: {burst: 4KiB, outstanding: 64}}
  - {name: LLC, kind: cache, size: 32MiB, ways: 16, slices: 16, line: 256B, clock: 1GHz, policy: {name: dco}}
  - {name: Mem, kind: memory, fidelity: bank, preset: hbm3}
links: [Core -> LLC.top, LLC.bottom -> Mem]
`

// Cycles per second of streams of bursts through a shared cache to a DRAM.
func BenchmarkDecode(b *testing.B) {
	for _, c := range []struct {
		name     string
		messages bool
	}{{"direct", false}, {"messages", true}} {
		b.Run(c.name, func(b *testing.B) {
			cycles := 0.0
			for range b.N {
				x, err := Parse("decode", []byte(decode), Options{Messages: c.messages})
				require.NoError(b, err)
				r, _, err := x.Run(context.Background(), nil)
				require.NoError(b, err)
				for _, m := range r.Metrics {
					if m.Where == "" && m.Name == "total_cycles" {
						cycles += m.Value
					}
				}
			}
			b.ReportMetric(cycles/b.Elapsed().Seconds(), "cycles/s")
		})
	}
}
