package experiment

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
)

// The layers of a sampled server that were simulated stand for others, so that no sentence has their
// share of all layer cycles.
func TestSentenceOfASampledServer(t *testing.T) {
	const text = `schema: causeway/1
workload: {model: llama3_8b, layers: 0..9, dtype: int8, requests: {count: 2, prompt: 16, output: 3, arrivals: {name: periodic, period: 1ms}}}
nodes:
  - {name: Serve, kind: serve}
  - {name: Core, kind: systolic, fidelity: analytic, rows: 32, cols: 32}
  - {name: Mem, kind: memory, fidelity: ideal, latency: 100ns, bandwidth: 100GB/s}
links: [Serve -> Core.ops, Core.mem -> Mem]
`
	for _, repeat := range []string{"exact", sampled} {
		x, err := Parse("t", []byte(text), Options{Set: []string{"simulation={repeat: " + repeat + "}"}})
		require.NoError(t, err)
		r, _, err := x.Run(context.Background(), nil)
		require.NoError(t, err)
		require.Contains(t, r.Sentence, "Serve spends")
		if repeat == sampled {
			require.NotContains(t, r.Sentence, "of all layer cycles")
		} else {
			require.Contains(t, r.Sentence, "of all layer cycles")
		}
	}
}
