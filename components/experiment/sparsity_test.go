package experiment

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment/result"
)

const thinned = `schema: causeway/1
workload: {ops: [{name: fc, op: gemm, m: 512, n: 512, k: 1024, dtype: bf16}], sparsity: %s}
nodes:
  - %s
  - {name: Mem, kind: memory, fidelity: ideal, bandwidth: 800GB/s}
links:
  - %s
`

func runThin(sparsity, node, link string) (*result.Result, error) {
	x, err := Parse("c.yaml", []byte(strings.Replace(fmt.Sprintf(thinned, sparsity, node, link), ", sparsity: none", "", 1)), Options{})
	if err != nil {
		return nil, err
	}
	r, _, err := x.Run(context.Background(), nil)
	return r, err
}

// Weights of 2:4 are 9 bytes for 8 elements of bf16, and half of the folds on a core that
// skips them; weights of 1:4 are 9 for 16 and take as long.
func TestSparseWeights(t *testing.T) {
	for _, fidelity := range []string{"tile", "analytic"} {
		run := func(sparsity string) map[string]float64 {
			r, err := runThin(sparsity, "{name: Core, kind: systolic, gemv: none, sparsity: 2:4, fidelity: "+fidelity+"}", "Core -> Mem")
			require.NoError(t, err)
			out := map[string]float64{}
			for _, name := range []string{"filter_read_bytes", "array_cycles", "macs", "skipped_macs", "energy_mac", "compute_utilization"} {
				out[name] = value(t, r, "all", "Core", name)
			}
			return out
		}
		dense, half, quarter := run("none"), run("2:4"), run("1:4")
		require.EqualValues(t, 1024*512*2, dense["filter_read_bytes"])
		require.EqualValues(t, 1024*512/8*9, half["filter_read_bytes"])
		require.EqualValues(t, 1024*512/16*9, quarter["filter_read_bytes"])
		require.Equal(t, dense["array_cycles"], 2*half["array_cycles"])
		require.Equal(t, half["array_cycles"], quarter["array_cycles"], "the array skips two of four")
		require.Equal(t, dense["macs"], half["macs"])
		require.EqualValues(t, 0, dense["skipped_macs"])
		require.Equal(t, dense["macs"]/2, half["skipped_macs"])
		require.Equal(t, dense["energy_mac"], 2*half["energy_mac"])
		require.InDelta(t, dense["compute_utilization"], half["compute_utilization"], 1e-9)
	}
}

func TestSparsityThatIsRefused(t *testing.T) {
	const core = "{name: Core, kind: systolic%s}"
	for _, c := range []struct{ sparsity, node, want string }{
		{"2:4", fmt.Sprintf(core, ""), "c.yaml:2:89: workload.sparsity: Core cannot skip weights of 2:4 (want a node with the key sparsity"},
		{"2:8", fmt.Sprintf(core, ", sparsity: 2:4"), "Core skips weights of 2:4, those of fc are 2:8"},
		{"2:4", fmt.Sprintf(core, ", timing: scalesim, sparsity: 2:4"), "nodes.Core.sparsity: has no effect with timing scalesim"},
		{"{}", fmt.Sprintf(core, ""), "c.yaml:2:89: workload.sparsity: is an empty mapping, which says nothing"},
		{"{}, dtype: {}", fmt.Sprintf(core, ""), "workload.dtype: is an empty mapping, which says nothing"},
		{"4:4", fmt.Sprintf(core, ", sparsity: 2:4"), "want N:M such as 2:4"},
		{"{nobody: 2:4}", fmt.Sprintf(core, ", sparsity: 2:4"), `no product of ops has weights with a name like "nobody"`},
	} {
		_, err := runThin(c.sparsity, c.node, "Core -> Mem")
		require.ErrorContains(t, err, c.want)
	}
}

const thinnedAlone = `schema: causeway/1
workload: {ops: [{name: fc, op: gemm, m: 8192, n: 8192, k: 8192, dtype: fp16}], sparsity: %s}
nodes:
  - {name: Chip, kind: %s}
`

// A GPU whose matrix units skip 2:4 is faster, by less than twice; a
// roofline has no such units.
func TestSparseWeightsOnAGPU(t *testing.T) {
	run := func(sparsity, node string) (*result.Result, error) {
		x, err := Parse("c.yaml", []byte(strings.Replace(fmt.Sprintf(thinnedAlone, sparsity, node), ", sparsity: none", "", 1)), Options{})
		if err != nil {
			return nil, err
		}
		r, _, err := x.Run(context.Background(), nil)
		return r, err
	}
	dense, err := run("none", "gpu, preset: a100")
	require.NoError(t, err)
	half, err := run("2:4", "gpu, preset: a100")
	require.NoError(t, err)
	gain := value(t, dense, "all", "Chip", "total_cycles") / value(t, half, "all", "Chip", "total_cycles")
	require.Greater(t, gain, 1.4)
	require.Less(t, gain, 2.0, "operands still pass the shared memory")
	require.EqualValues(t, 8192*8192*2-8192*8192/8*9, value(t, dense, "all", "Chip", "memory_bytes")-value(t, half, "all", "Chip", "memory_bytes"))
	require.InEpsilon(t, gain/2, value(t, half, "all", "Chip", "utilization")/value(t, dense, "all", "Chip", "utilization"), 1e-3)
	require.EqualValues(t, 1<<38, value(t, half, "all", "Chip", "skipped_macs"))
	_, ok := dense.MetricIn("all", "Chip", "skipped_macs")
	require.False(t, ok)
	for _, dtype := range []string{"fp32", "int32"} {
		_, err := Parse("c.yaml", []byte(strings.Replace(fmt.Sprintf(thinnedAlone, "2:4", "gpu, preset: a100"), "fp16", dtype, 1)), Options{})
		require.ErrorContains(t, err, "workload.sparsity: Chip: fc: products of "+dtype+" take the vector units, which skip no weights (want a type of the key tensor: bf16, fp16, int4, int8)")
	}
	for _, node := range []string{"gpu, preset: mi210", "roofline"} {
		_, err = run("2:4", node)
		require.ErrorContains(t, err, "Chip cannot skip weights of 2:4")
	}
}
