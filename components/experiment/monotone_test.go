package experiment_test

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
)

// One token more, or one request more in a batch, costs at most its share or that of the next tile
// of the array, and 1%. It never saves more than 0.1%. Over prompts of 1 to 400 tokens and batches
// of 1 to 300 the worst are 1.0028 and 1.0004.
func TestATokenMoreCostsItsShare(t *testing.T) {
	const file = `schema: causeway/1
workload: {model: llama3_8b, dtype: bf16, layers: 0..0, %s}
nodes:
  - {name: Core, kind: systolic, fidelity: analytic, rows: 128, cols: 128, dataflow: ws, sram: {ifmap: 4MiB, filter: 4MiB, ofmap: 4MiB}, dma: {burst: 4KiB, outstanding: 64}}
  - {name: Mem, kind: memory, fidelity: ideal, latency: 100ns, bandwidth: 400GB/s}
links: [Core -> Mem]
`
	tiles := func(n int) float64 { return float64((n + 127) / 128) }
	for _, c := range []struct {
		what     string
		from, to int
	}{
		{"phase: prefill, sequence: %d", 127, 129},
		{"phase: prefill, sequence: %d", 256, 257},
		{"phase: decode, context: 2048, batch: %d", 127, 129},
		{"phase: decode, context: 2048, batch: %d", 1, 3},
	} {
		if os.Getenv("CAUSEWAY_LONG") != "" {
			c.from, c.to = max(1, c.from-8), c.to+8
		}
		before, up, down := 0.0, 0.0, 0.0
		for n := c.from; n <= c.to; n++ {
			x, err := experiment.Parse("c.yaml", fmt.Appendf(nil, file, fmt.Sprintf(c.what, n)), experiment.Options{})
			require.NoError(t, err)
			r, _, err := x.Run(context.Background(), nil)
			require.NoError(t, err)
			m, ok := r.Metric("", "total_time")
			require.True(t, ok)
			if n > c.from {
				share := max(float64(n)/float64(n-1), tiles(n)/tiles(n-1))
				up, down = max(up, m.Value/before/share), max(down, before/m.Value)
				require.LessOrEqual(t, m.Value/before, 1.01*share, "%s after %d", fmt.Sprintf(c.what, n), n-1)
				require.LessOrEqual(t, before/m.Value, 1.001, "%s after %d", fmt.Sprintf(c.what, n), n-1)
			}
			before = m.Value
		}
		t.Logf(c.what+" to %d: at most %.4f of the share, %.4f less", c.from, c.to, up, down)
	}
}
