package experiment_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
)

// Four layers of a decoder take four times as long as one; what has no numbered layers
// says so, with its place.
func TestWorkloadLayers(t *testing.T) {
	const text = `
schema: causeway/1
workload: {model: llama3_8b, phase: decode, context: 128}
nodes:
  - {name: Core, kind: systolic, fidelity: analytic, on_chip: none}
  - {name: Mem, kind: memory, fidelity: ideal, latency: 100ns, bandwidth: 204.8GB/s}
links:
  - Core -> Mem
`
	cycles := func(layers string) float64 {
		x, err := experiment.Parse("a.yaml", []byte(text), experiment.Options{Set: []string{"workload.layers=" + layers}})
		require.NoError(t, err)
		r, _, err := x.Run(context.Background(), nil)
		require.NoError(t, err)
		m, ok := r.Metric("", "total_cycles")
		require.True(t, ok)
		return m.Value
	}
	one := cycles("7")
	require.InEpsilon(t, 4*one, cycles("4..7"), 1e-3)
	for layers, want := range map[string]string{
		"30..32": "--set:1: workload.layers: layers 30..32 of llama3_8b (want some of 0..31)",
		"b":      `--set:1: workload.layers: "b" (want a range of layers as 0..3, or one number)`,
	} {
		_, err := experiment.Parse("a.yaml", []byte(text), experiment.Options{Set: []string{"workload.layers=" + layers}})
		require.EqualError(t, err, want)
	}
	_, err := experiment.Parse("a.yaml", []byte(text), experiment.Options{Set: []string{"workload={ops: [{op: gemm, m: 8, n: 8, k: 8}], layers: 0}"}})
	require.ErrorContains(t, err, "workload.layers: ")
}
