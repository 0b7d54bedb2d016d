package gpu_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// What a product reads again comes from the memory, at each fidelity as many bytes; a large L2
// has each operand come once, and the memory's rate counts for the time.
func TestRereadsComeFromTheMemory(t *testing.T) {
	const m, n, k = 4096, 4096, 2048
	const once = 2 * (m*k + k*n + m*n)
	run := func(keys, rest string) (bytes, at, time float64) {
		r := simulate(t, "workload: {ops: [{name: fc, op: gemm, m: 4096, n: 4096, k: 2048, dtype: fp16}]}\n"+
			"nodes:\n  - {name: Chip, kind: gpu, absorbed: 0, "+keys+"}\n"+rest)
		b, _ := r.Metric("Chip", "memory_bytes")
		read, _ := r.Metric("HBM", "read_bytes")
		written, _ := r.Metric("HBM", "write_bytes")
		return b.Value, read.Value + written.Value, rowTime(t, r, "Chip", "fc")
	}
	const hbm = "  - {name: HBM, kind: memory, fidelity: ideal, latency: 500ns, bandwidth: 1000GB/s, clock: 1GHz}\nlinks: [Chip -> HBM]\n"
	plain, _, _ := run("l2_size: 4MiB", "")
	require.EqualValues(t, once, plain)
	large, _, fast := run("l2_size: 256MiB, rereads: lru", "")
	require.EqualValues(t, once, large)
	small, _, slow := run("l2_size: 4MiB, rereads: lru", "")
	require.Greater(t, small, 1.5*once)
	require.Greater(t, slow, fast)
	bytes, at, _ := run("fidelity: tile, l2_size: 4MiB, rereads: lru", hbm)
	require.InDelta(t, small, bytes, 2, "the same tile is chosen by the same reckoning")
	require.Equal(t, bytes, at, "all of them pass the port")
	passing, _, _ := run("l2_size: 4MiB, rereads: lru, results: bypass", "")
	require.LessOrEqual(t, passing, small)
	// who has a slower memory chooses by it
	_, _, slower := run("l2_size: 4MiB, rereads: lru, memory: 100GB/s", "")
	require.Greater(t, slower, slow)
}

// Bytes read by hand: 688 MiB, however they are parted between the operands.
func TestRereadsLoseNoByte(t *testing.T) {
	r := simulate(t, "workload: {ops: [{op: gemm, m: 4096, n: 8192, k: 4096, dtype: fp16}]}\n"+
		"nodes:\n  - {name: Chip, kind: gpu, preset: a100, fidelity: tile, l2_size: 1MiB, rereads: lru}\n"+
		"  - {name: HBM, kind: memory, fidelity: ideal, latency: 600ns, bandwidth: 2000GB/s}\nlinks: [Chip.mem -> HBM]\n")
	read, _ := r.Metric("HBM", "read_bytes")
	require.EqualValues(t, 721_420_288, read.Value)
}
