package experiment_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
)

// nested is a workload on a core that a loop nest describes.
func nested(fidelity, levels, memory string) string {
	return `
workload:
  ops:
    - {op: gemm, m: 24, n: 36, k: 60}
    - {op: gelu, rows: 24, cols: 36}
    - {op: gemm, batch: 6, m: 10, n: 14, k: 8}
    - {op: softmax, rows: 60, cols: 14}
    - {op: conv, channels: 12, height: 14, width: 14, filters: 24, kernel: 3, padding: 1}
    - {op: conv, channels: 24, height: 14, width: 14, filters: 12, kernel: 1, stride: 2}
    - {op: conv, channels: 12, height: 12, width: 12, filters: 12, kernel: 3, groups: 12}
nodes:
  - {name: Core, kind: spatial, fidelity: ` + fidelity + `, search: {evaluations: 300}, vector: {lanes: 8}, ` + levels + `}
  - {name: Mem, kind: memory, fidelity: ideal, ` + memory + `}
links: [Core -> Mem]
`
}

// On a memory of fixed latency both fidelities of a nest agree in every cycle of every
// layer and in every cause, whatever the machine and the mappings; what the core moves is
// what the memory sees.
func TestNestFidelitiesAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	for range 12 {
		levels := fmt.Sprintf("dma: {burst: %s, outstanding: %d}, levels: [{name: DRAM}, {name: Buffer, capacity: %s, fanout: {x: %d, y: %d}}, {name: Registers, capacity: %s%s}]",
			pick("64B", "256B", "4KiB"), 1+r.IntN(16), pick("2KiB", "8KiB", "64KiB"), 1+r.IntN(6), 1+r.IntN(6), pick("16B", "64B"),
			pick("", ", bypass: [Weights]", ", bypass: [Inputs]", ", read_bandwidth: 2word/cycle"))
		memory := fmt.Sprintf("latency: %dns%s", r.IntN(80), pick("", ", bandwidth: 8GB/s", ", bandwidth: 1GB/s"))
		t.Run(levels+" "+memory, func(t *testing.T) {
			tile, err := scheduled(t, nested("tile", levels, memory), experiment.Options{})
			require.NoError(t, err)
			closed, err := scheduled(t, nested("analytic", levels, memory), experiment.Options{})
			require.NoError(t, err)
			require.Equal(t, tile.Layers, closed.Layers)
			core, ok := tile.Metric("Core", "read_bytes")
			require.True(t, ok)
			written, _ := tile.Metric("Core", "write_bytes")
			require.Equal(t, core.Value+written.Value, bytesOf(t, tile, "Mem"))
			_, energy := tile.Metric("Core", "energy")
			require.False(t, energy, "there is no energy without figures")
		})
	}
}

// With a memory that takes no time, a layer takes the cycles that its nest counts and no
// others but those until the first words are here and the last have left.
func TestNestWithoutContention(t *testing.T) {
	levels := "dma: {burst: 64KiB, outstanding: 64}, levels: [{name: DRAM}, {name: Buffer, capacity: 64KiB, fanout: {x: 4, y: 4}}, {name: Registers, capacity: 64B}]"
	r, err := scheduled(t, nested("tile", levels, "latency: 0ns"), experiment.Options{})
	require.NoError(t, err)
	compute, ok := r.Metric("Core", "compute_cycles")
	require.True(t, ok)
	macs, _ := r.Metric("Core", "macs")
	require.GreaterOrEqual(t, compute.Value, macs.Value/16)
	total, _ := r.Metric("Core", "total_cycles")
	require.Greater(t, compute.Value, 0.8*total.Value)
}

// Unlike cores share a workload: products on a nest, the rest on a systolic core.
func TestNestIsAssigned(t *testing.T) {
	text := `
workload: {model: resnet18, image: 64}
mapping:
  assign: {rules: [{type: conv, core: Nest}, {match: "*", core: Array}]}
nodes:
  - {name: Schedule, kind: schedule, grain: operator}
  - {name: Nest, kind: spatial, fidelity: tile, search: {evaluations: 200}, levels: [{name: DRAM}, {name: Buffer, capacity: 256KiB, fanout: {x: 16, y: 16}}, {name: Registers, capacity: 64B}]}
  - {name: Array, kind: systolic, on_chip: none, rows: 16, cols: 16}
  - {name: Mem, kind: memory, fidelity: ideal}
links: [Schedule -> Nest, Schedule -> Array, Nest -> Mem, Array -> Mem]
`
	r, err := scheduled(t, text, experiment.Options{})
	require.NoError(t, err)
	a, _ := r.Metric("Nest", "macs")
	b, _ := r.Metric("Array", "macs")
	all := a.Value + b.Value
	require.EqualValues(t, 148_557_824, all, "those of the network")
	require.Greater(t, a.Value, 0.99*all)
	require.Positive(t, b.Value, "the classifier")
}

// Scores of attention without a mask stay on the chip: fewer bytes move than where it is
// two products and a softmax, and both fidelities agree.
func TestNestAttends(t *testing.T) {
	run := func(fidelity, attention string) *experiment.Result {
		r, err := scheduled(t, `
workload: {model: bert_base, layers: 0..0, sequence: 64`+attention+`}
nodes:
  - {name: Core, kind: spatial, fidelity: `+fidelity+`, search: {evaluations: 200}, levels: [{name: DRAM}, {name: Buffer, capacity: 64KiB, fanout: {x: 8, y: 8}}, {name: Registers, capacity: 64B}]}
  - {name: Mem, kind: memory, fidelity: ideal, latency: 60ns, bandwidth: 12.8GB/s}
links: [Core -> Mem]
`, experiment.Options{})
		require.NoError(t, err)
		return r
	}
	one, apart := run("tile", ""), run("tile", ", attention: unfused")
	require.Len(t, one.Warnings, 1, "of the layers that are left out alone")
	require.Less(t, bytesOf(t, one, "Mem"), bytesOf(t, apart, "Mem"))
	scores, ok := one.Metric("Core", "score_bytes")
	require.True(t, ok)
	require.Zero(t, scores.Value)
	require.Equal(t, one.Layers, run("analytic", "").Layers)
}
