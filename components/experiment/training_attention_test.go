package experiment_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
)

// trainedChip is a step of GPT-2 on one node.
func trainedChip(node, attention string) string {
	return fmt.Sprintf(`
workload: {model: gpt2, sequence: 1024, batch: 4, dtype: bf16, layers: 0..3, attention: %s, training: {}}
nodes:
  - {name: Schedule, kind: schedule, grain: operator}
  - {name: Chip, %s}
links: [Schedule -> Chip]
`, attention, node)
}

// Attention of a step as one operator does the work of its operators and computes the scores of the
// masked half not at all: forward 2 of 4 products, backward 5 of 8, because it computes scores again.
func TestTrainingFusesAttention(t *testing.T) {
	const rooflineChip = "kind: roofline, compute: 2TFLOP/s, memory: 1000TB/s"
	macs := func(attention string) float64 {
		r, _ := timeOf(t, trainedChip(rooflineChip, attention))
		m, ok := r.Metric("Chip", "macs")
		require.True(t, ok)
		return m.Value
	}
	const layers, batch, heads, n, size = 4.0, 4.0, 12.0, 1024.0, 64.0
	pairs := layers * batch * heads * n * n * size
	seen := layers * batch * heads * n * (n + 1) / 2 * size
	require.EqualValues(t, 6*pairs-7*seen, macs("unfused")-macs("fused"))

	for _, library := range []string{"cutlass", "trtllm"} {
		chip := "kind: gpu, preset: h100, kernels: {library: " + library + "}"
		_, fused := timeOf(t, trainedChip(chip, "fused"))
		_, unfused := timeOf(t, trainedChip(chip, "unfused"))
		require.Less(t, fused, 0.8*unfused, library)
		// What it keeps is less by the scores, so that a step fits where it did not before.
		small := chip + ", capacity: 1.3GB"
		_, err := scheduled(t, trainedChip(small, "unfused"), experiment.Options{})
		require.ErrorContains(t, err, "capacity")
		_, err = scheduled(t, trainedChip(small, "fused"), experiment.Options{})
		require.NoError(t, err)
	}
	_, err := scheduled(t, strings.Replace(trainedChip("kind: systolic, fidelity: analytic", "fused"), "links: [Schedule -> Chip]",
		"  - {name: Mem, kind: memory, fidelity: ideal, latency: 60ns}\nlinks: [Schedule -> Chip, Chip -> Mem]", 1), experiment.Options{})
	require.ErrorContains(t, err, "workload.attention: Chip has no backward pass of attention as one operator (want unfused")
}
