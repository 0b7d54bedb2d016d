package experiment

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment/result"
)

const kernelSystem = `schema: causeway/1
%s
nodes:
  - {name: Chip, kind: systolic, preset: tpu_v6e}
  - {name: HBM, kind: memory, fidelity: ideal, clock: 1750MHz, latency: 100ns, bandwidth: 1640GB/s, size: 32GiB}
%s
`

func runKernel(t *testing.T, head, tail string, set ...string) *result.Result {
	x, err := Parse("c.yaml", []byte(fmt.Sprintf(kernelSystem, head, tail)), Options{Set: set})
	require.NoError(t, err)
	res, _, err := x.Run(context.Background(), nil)
	require.NoError(t, err)
	require.Equal(t, result.Complete, res.Status, res.Reason)
	return res
}

func value(t *testing.T, r *result.Result, phase, where, name string) float64 {
	m, ok := r.MetricIn(phase, where, name)
	require.True(t, ok, "%s %s %s", phase, where, name)
	return m.Value
}

// A whole model on a TPU preset, and with attention as one operator.
func TestModelOnTensorCore(t *testing.T) {
	const model, links = "workload: {model: gpt2, sequence: 128, dtype: bf16}", "links: [Chip -> HBM]"
	apart := runKernel(t, model, links, "workload.attention=unfused")
	fused := runKernel(t, model, links, "workload.attention=fused")
	require.Equal(t, 12*(4*128*768*768+2*128*768*3072)+2*12*12*128*128*64+128*768*50257, int(value(t, apart, "all", "Chip", "macs")))
	require.Less(t, value(t, fused, "all", "Chip", "total_cycles"), value(t, apart, "all", "Chip", "total_cycles"))
}

// Requests that are issued while the run goes on take as long as one alone.
func TestScheduleOnTensorCore(t *testing.T) {
	alone := runKernel(t, "workload: {model: gpt2, sequence: 64, dtype: bf16}", "links: [Chip -> HBM]")
	three := runKernel(t, "workloads:\n  - {name: a, model: gpt2, sequence: 64, dtype: bf16, arrivals: {name: periodic, period: 2ms}, frames: 3}",
		"  - {name: Schedule, kind: schedule}\nlinks: [Chip -> HBM, Schedule -> Chip]")
	require.Equal(t, 3*value(t, alone, "all", "Chip", "macs"), value(t, three, "all", "Chip", "macs"))
	require.Equal(t, 3*value(t, alone, "all", "Chip", "compute_cycles"), value(t, three, "all", "Chip", "compute_cycles"))
}

// The times of a row of several operators are added up.
func TestRowsOfSeveralOperators(t *testing.T) {
	r := runKernel(t, "workload: {ops: [{name: block, op: resnet_block, channels: 64, height: 16, width: 16, dtype: bf16}, {name: mm, op: gemm, m: 8, n: 8, k: 8, dtype: bf16}]}", "links: [Chip -> HBM]")
	require.InEpsilon(t, value(t, r, "all", "", "total_time"), value(t, r, "layer:block", "Chip", "time")+value(t, r, "layer:mm", "Chip", "time"), 1e-9)
	require.Len(t, r.Layers.Rows, 8)
}
