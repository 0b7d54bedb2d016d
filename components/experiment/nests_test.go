package experiment_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
)

// A closed form whose memory is the slowest part waits for it, and the sentence says so.
func TestClosedFormsWaitForMemory(t *testing.T) {
	const nest = `
nodes:
  - name: Core
    kind: spatial
    fidelity: analytic
    word: 8bit
    levels:
      - {name: DRAM, bandwidth: 1word/cycle}
      - {name: Buf, capacity: 64KiB, fanout: {x: 16, y: 16, unroll_x: [M], unroll_y: [N]}}
      - {name: Reg, capacity: 64word}
    problem: {dims: {N: 64, M: 64, C: 64}}
    mapping:
      - {level: DRAM, loops: [N 1]}
      - {level: Buf, loops: [M 4, N 4, C 64], x: [M 16], y: [N 16]}
      - {level: Reg, loops: [C 1]}
`
	const sheet = `
workload: {ops: [{name: fc, op: gemm, m: 1, n: 1000, k: 512, dtype: int8}]}
nodes: [{name: Core, kind: systolic, preset: nvdla_large, timing: nvdla}]
`
	for _, text := range []string{nest, sheet} {
		r, err := scheduled(t, text, experiment.Options{})
		require.NoError(t, err)
		value := func(name string) float64 {
			m, ok := r.Metric("Core", name)
			require.True(t, ok, name)
			return m.Value
		}
		require.Greater(t, value("stall_memory_cycles"), value("compute_cycles"))
		require.InDelta(t, value("total_cycles"), value("stall_memory_cycles")+value("compute_cycles"), 1e-6)
		require.True(t, strings.HasPrefix(r.Sentence, "Memory is the bottleneck"), r.Sentence)
	}
}

// A timing that asks no memory says so where one is linked, and says whose images share
// weights.
func TestSheetSaysWhatItLeavesOut(t *testing.T) {
	const link = `
  - {name: Mem, kind: memory, fidelity: ideal, bandwidth: 1MB/s, latency: 50ns}
links: [Core -> Mem]
`
	run := func(core, tail string) string {
		r, err := scheduled(t, `
workload: {ops: [{name: c, op: conv, channels: 16, height: 8, width: 8, filters: 16, kernel: 3, padding: 1, dtype: int8}, {name: fc, op: gemm, m: 1, n: 100, k: 512, dtype: int8}]}
nodes:
  - {name: Core, kind: systolic, `+core+`}`+tail, experiment.Options{})
		require.NoError(t, err)
		return strings.Join(r.Warnings, "\n")
	}
	const batch = "Core: fully connected layers (fc first) take their part of a batch of 16 images that share the weights, and the workload has 1 (key nvdla.fc_batch sets it)"
	require.Equal(t, batch, run("preset: nvdla_large, timing: nvdla", "\n"))
	require.Empty(t, run("preset: nvdla_large, timing: nvdla, nvdla: {fc_batch: 1}", "\n"))
	require.Contains(t, run("preset: nvdla_large, timing: nvdla", link), "Core: the link to the memory has no effect with timing nvdla")
	require.Contains(t, run("preset: eyeriss, timing: eyeriss", link), "Core: the link to the memory has no effect with timing eyeriss")
}

// Keys that say how cores share operators have no effect where there is one.
func TestOneCoreSharesNothing(t *testing.T) {
	run := func(count int, mapping string) string {
		text := fmt.Sprintf(`mapping: {%s}
nodes:
  - {name: Core, kind: systolic, count: %d}
  - {name: Mem, kind: memory, fidelity: ideal}
links: [Core -> Mem]
workload: {ops: [{name: g, op: gemm, m: 64, n: 64, k: 64}]}
`, mapping, count)
		r, err := scheduled(t, text, experiment.Options{})
		require.NoError(t, err)
		return strings.Join(r.Warnings, "\n")
	}
	require.Contains(t, run(1, "split: row"), ":2:18: mapping.split: has no effect on ops: one core carries it out")
	require.Contains(t, run(1, "multicast: all"), "mapping.multicast: has no effect on ops: one core carries it out")
	for _, quiet := range []string{run(1, "split: auto"), run(2, "split: row"), run(2, "multicast: all")} {
		require.NotContains(t, quiet, "has no effect")
	}
}

// Loop nests carry out whole operators: a nest without any is named, a split of operators is
// refused once, and so is an objective that is not theirs.
func TestNestsShareWholeOperators(t *testing.T) {
	run := func(mapping string) (string, error) {
		text := strings.Replace(nested("tile", "count: 2, levels: [{name: DRAM}, {name: Buffer, capacity: 64KiB, fanout: {x: 4, y: 4}}, {name: Registers, capacity: 64B}]", "latency: 10ns"),
			"nodes:", "mapping: {cores: Core, "+mapping+"}\nnodes:", 1)
		r, err := scheduled(t, text, experiment.Options{})
		if err != nil {
			return "", err
		}
		return strings.Join(r.Warnings, "\n"), nil
	}
	warnings, err := run("split: auto")
	require.NoError(t, err)
	require.Contains(t, warnings, "Core[1]: gets no product of")
	warnings, err = run("split: layer")
	require.NoError(t, err)
	require.NotContains(t, warnings, "gets no product")
	for _, split := range []string{"row", "column", "head"} {
		_, err = run("split: " + split)
		require.ErrorContains(t, err, "mapping.split: "+split+" cuts operators")
		require.Equal(t, 1, strings.Count(err.Error(), "whole"), "once, not for each layer")
	}
	_, err = run("split: layer, objective: traffic")
	require.ErrorContains(t, err, "mapping.objective: has no effect: loop nests search with an objective of their own")
}

// Multiply-accumulates of timing nvdla are those of direct convolution: Winograd alone takes
// utilization above the peak, whatever the array, and never that of the multipliers.
func TestSheetUtilizationAboveThePeak(t *testing.T) {
	for _, rows := range []string{"7", "12"} {
		for _, winograd := range []string{"true", "false"} {
			r, err := scheduled(t, `
workload: {model: resnet18, image: 224, dtype: int8}
nodes: [{name: Core, kind: systolic, preset: nvdla_large, timing: nvdla, rows: `+rows+`, cols: 14, nvdla: {winograd: `+winograd+`}}]
`, experiment.Options{})
			require.NoError(t, err)
			used, _ := r.Metric("Core", "utilization")
			hardware, _ := r.Metric("Core", "hardware_utilization")
			require.LessOrEqual(t, hardware.Value, 100+1e-9)
			require.Equal(t, winograd == "true", used.Value > 100, "%s rows: %g", rows, used.Value)
			require.Less(t, used.Value, 225.0, "4 multiplications for 9")
		}
	}
}
