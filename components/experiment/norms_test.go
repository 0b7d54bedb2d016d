package experiment_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
)

// Statistics of norms beside the products before them: a net without any, and cores of which
// one has it and the other has not, get a word.
func TestNormsBesideNothing(t *testing.T) {
	run := func(workload, links string, nodes ...string) string {
		r, err := scheduled(t, "workload: {"+workload+"}\nnodes:\n"+strings.Join(nodes, "")+"  - {name: HBM, kind: memory, fidelity: ideal, latency: 100ns, bandwidth: 100GB/s}\nlinks: ["+links+"]\n", experiment.Options{})
		require.NoError(t, err)
		return strings.Join(r.Warnings, "\n")
	}
	const fc, bert = "ops: [{op: gemm, m: 32, n: 32, k: 32}]", "model: bert_base, sequence: 16, layers: 0"
	const beside, apart = "  - {name: A, kind: systolic, vector: {norms: beside}}\n", "  - {name: B, kind: systolic}\n"
	require.Equal(t, "A: vector.norms: beside has no effect: no layer or rms norm of ops reads what a product writes", run(fc, "A -> HBM", beside))
	require.NotContains(t, run(bert, "A -> HBM", beside), "norms")
	require.Empty(t, run(fc, "B -> HBM", apart))
	require.Contains(t, run(bert, "A -> HBM, B -> HBM", beside, apart), "A: vector.norms: beside has no effect: not all cores that share bert_base have it")
}
