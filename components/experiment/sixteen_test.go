package experiment_test

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
)

// Sixteen cores with default settings, BERT of 8 x 512 tokens, take less than an eleventh
// of the time of one; as a pipeline of 16 micro-batches less than a tenth.
func TestSixteenCores(t *testing.T) {
	if os.Getenv("CAUSEWAY_LONG") == "" {
		t.Skip("twenty CPU seconds")
	}
	run := func(cores, batch int, mapping string) float64 {
		x, err := experiment.Parse("bert.yaml", fmt.Appendf(nil, `
schema: causeway/1
workload: {model: bert_base, sequence: 512, batch: %d, dtype: int8}
%s
nodes:
  - {name: Core, kind: systolic, count: %d}
  - {name: Mem, kind: memory, fidelity: curve, latency: 100ns, bandwidth: 819GB/s}
links:
  - Core -> Mem
`, batch, mapping, cores), experiment.Options{})
		require.NoError(t, err)
		r, _, err := x.Run(context.Background(), nil)
		require.NoError(t, err)
		m, ok := r.Metric("", "total_cycles")
		require.True(t, ok)
		return m.Value
	}
	require.Greater(t, run(1, 8, "")/run(16, 8, ""), 11.0)
	require.Greater(t, run(1, 16, "")/run(16, 16, "mapping: {split: layer, micro_batches: 16}"), 10.0)
}
