package gpu_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/experiment/result"
	_ "github.com/causeway-sim/causeway/components/std"
)

// simulate runs a configuration to its end.
func simulate(t *testing.T, text string) *result.Result {
	x, err := experiment.Parse("test.yaml", []byte("schema: causeway/1\n"+text), experiment.Options{})
	require.NoError(t, err)
	r, _, err := x.Run(context.Background(), nil)
	require.NoError(t, err)
	require.Equal(t, result.Complete, r.Status, r.Reason)
	return r
}

const (
	chips = "workload: {ops: [{name: fc, op: gemm, m: 16, n: 8192, k: 4096, dtype: fp16}, {name: act, op: gelu, rows: 4096, cols: 2048, dtype: fp16}]}\n" +
		"nodes:\n  - {name: Chip, kind: gpu, fidelity: tile, launch: {other: 2us}, memory_latency: 500ns, absorbed: 0, memory_efficiency: {other: 1}}\n"
	hbm = "  - {name: HBM, kind: memory, fidelity: ideal, latency: 500ns, bandwidth: 800GB/s, clock: 1GHz}\nlinks: [Chip -> HBM]\n"
)

func rowTime(t *testing.T, r *result.Result, where, name string) float64 {
	m, ok := r.MetricIn("layer:"+name, where, "time")
	require.True(t, ok, name)
	return m.Value
}

// Kernels of a GPU of fidelity tile take their bytes from the memory below the port:
// by hand the launch, the bytes over its bandwidth and its latency, as the analytic one
// has it from its own memory.
func TestGPUTakesBytesFromTheMemory(t *testing.T) {
	r := simulate(t, chips+hbm)
	own := simulate(t, strings.Replace(chips, "fidelity: tile", "fidelity: analytic, memory: 800GB/s", 1))
	bytes := map[string]float64{"fc": 2 * (16*4096 + 4096*8192 + 16*8192), "act": 2 * 2 * 4096 * 2048}
	for name, n := range bytes {
		least := 2000 + 500 + n/800
		if name == "act" {
			require.InEpsilon(t, least, rowTime(t, r, "Chip", name), 0.01, name)
		} else { // tiles of a product have their loops and results besides
			require.Greater(t, rowTime(t, r, "Chip", name), least, name)
		}
		require.InEpsilon(t, rowTime(t, own, "Chip", name), rowTime(t, r, "Chip", name), 0.005, name)
	}
	read, _ := r.Metric("HBM", "read_bytes")
	written, _ := r.Metric("HBM", "write_bytes")
	require.Equal(t, bytes["fc"]+bytes["act"], read.Value+written.Value)
	all, _ := r.Metric("Chip", "memory_bytes")
	require.Equal(t, all.Value, read.Value+written.Value)
}

// Only results stay in the L2: operands that no operator before has written are read whole.
func TestResultsStayInTheL2(t *testing.T) {
	for absorbed, late := range map[string]float64{"0": 0, "0.3": 0.3 * (32 << 20)} {
		text := strings.Replace(chips+hbm, "absorbed: 0", "absorbed: "+absorbed, 1)
		text = strings.Replace(text, "{name: fc, op: gemm, m: 16, n: 8192, k: 4096, dtype: fp16}, {name: act, op: gelu, rows: 4096, cols: 2048, dtype: fp16}", "{op: softmax, rows: 8192, cols: 8192, dtype: fp16}", 1)
		r := simulate(t, text)
		read, _ := r.Metric("HBM", "read_bytes")
		written, _ := r.Metric("HBM", "write_bytes")
		require.EqualValues(t, 2*8192*8192, read.Value)
		require.InDelta(t, 2*8192*8192-late, written.Value, 1)
	}
}

// Two GPUs on one memory share its bandwidth.
func TestGPUsContend(t *testing.T) {
	alone := simulate(t, chips+hbm)
	src := strings.Replace(chips, "name: Chip,", "name: Chip, count: 2,", 1)
	src = strings.Replace(src, "workload: {ops:", "workloads: [{name: a, cores: 'Chip[0]', ops: &list ", 1)
	src = strings.Replace(src, "fp16}]}\n", "fp16}]}, {name: b, cores: 'Chip[1]', ops: *list}]\n", 1)
	both := simulate(t, src+hbm)
	require.InEpsilon(t, 2*(rowTime(t, alone, "Chip", "fc")-2500)+2500, rowTime(t, both, "Chip[0]", "a/fc"), 0.05)
}

// Before a cache a chip with an L2 of its own sends what that does not have: the bytes of its operands and
// results. Without the L2 every tile's panels come from the cache, which has most of them.
func TestGPUWithACacheBehind(t *testing.T) {
	src := strings.Replace(chips, "{name: fc, op: gemm, m: 16,", "{name: fc, op: gemm, m: 512,", 1) +
		"  - {name: LLC, kind: cache, size: 64MiB, line: 1KiB}\n  - {name: HBM, kind: memory, fidelity: ideal, latency: 500ns, bandwidth: 800GB/s}\nlinks: [Chip -> LLC.top, LLC.bottom -> HBM]\n"
	r := simulate(t, src)
	sent, ok := r.Metric("Chip", "memory_bytes")
	require.True(t, ok)
	require.EqualValues(t, 2*(512*4096+4096*8192+512*8192)+2*2*4096*2048, sent.Value)
	r = simulate(t, strings.Replace(src, "absorbed: 0", "l2: none", 1))
	hits, ok := r.Metric("LLC", "hit_rate")
	require.True(t, ok)
	require.Greater(t, hits.Value, 0.5)
	for set, want := range map[string]string{
		"Chip.memory=1TB/s": "memory: has no effect at fidelity tile",
		"Chip.burst=0B":     "burst is 0B",
		"Chip.fidelity=analytic,Chip.outstanding=2": "outstanding: has no effect at fidelity analytic (used by: tile)",
	} {
		src := chips + hbm
		if set == "Chip.memory=1TB/s" {
			src, set = strings.Replace(src, "fidelity: tile", "fidelity: tile, memory: 1TB/s", 1), "Chip.l2=internal"
		}
		_, err := experiment.Parse("c.yaml", []byte("schema: causeway/1\n"+src), experiment.Options{Set: strings.Split(set, ",")})
		require.ErrorContains(t, err, want)
	}
}

// An override is meant for this run: one without effect is refused, whatever file says why
// it has none. A key of an extended file may be meant for other runs.
func TestOverridesWithoutEffect(t *testing.T) {
	for set, want := range map[string]string{
		"nodes.Chip.resident=0.5":                   "resident: has no effect with caches: auto (used by: warm)",
		"nodes.Chip.l2=none,nodes.Chip.l2_size=4MB": "l2_size: has no effect with l2: none",
		"nodes.Flat.l2_size=4MB":                    "l2_size: has no effect with l2: none",
		"nodes.Tile.memory=1GB/s":                   "memory: has no effect at fidelity tile",
	} {
		src := "schema: causeway/1\nworkload: {ops: [{op: gelu, rows: 8, cols: 8}]}\nnodes:\n  - {name: Chip, kind: gpu, preset: a100}\n" +
			"  - {name: Flat, kind: gpu, l2: none}\n  - {name: Tile, kind: gpu, preset: a100, fidelity: tile}\n" +
			"  - {name: Mem, kind: memory, fidelity: ideal, bandwidth: 1TB/s}\nlinks: [Tile -> Mem]\n"
		_, err := experiment.Parse("c.yaml", []byte(src), experiment.Options{Set: strings.Split(set, ",")})
		require.ErrorContains(t, err, want, set)
	}
}

// Bursts allocate nothing: a product of four times the bytes takes as much memory but for the windows of
// the engine and the memory.
func TestBurstsAllocateNothing(t *testing.T) {
	mallocs := func(n int) float64 {
		text := fmt.Sprintf("workload: {ops: [{name: fc, op: gemm, m: 16, n: %d, k: 8192, dtype: fp16}]}\nnodes:\n  - {name: Chip, kind: gpu, fidelity: tile}\n", n) + hbm
		return testing.AllocsPerRun(2, func() { simulate(t, text) })
	}
	few, many := mallocs(16384), mallocs(65536)
	require.Less(t, many-few, 0.02*3*16384*8192*2/(16<<10), "of 49,152 bursts more")
}

// BenchmarkTile is a product of 2 GiB of weights, as 131,072 bursts, and the run around it.
func BenchmarkTile(b *testing.B) {
	x := "schema: causeway/1\nworkload: {ops: [{name: fc, op: gemm, m: 16, n: 131072, k: 8192, dtype: bf16}]}\nnodes:\n  - {name: Chip, kind: gpu, preset: h100, fidelity: tile}\n" + ideal(3352, 700)
	b.ReportAllocs()
	for b.Loop() {
		e, err := experiment.Parse("b.yaml", []byte(x), experiment.Options{})
		require.NoError(b, err)
		_, _, err = e.Run(context.Background(), nil)
		require.NoError(b, err)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/131072, "ns/burst")
}
