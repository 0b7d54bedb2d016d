package gpu_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// product is one on a chip of fidelity tile, whose loop fetches so many steps ahead from a memory
// of so many GB/s.
func product(t *testing.T, ahead, rate int) (cycles, bytes float64) {
	r := simulate(t, "workload: {ops: [{name: fc, op: gemm, m: 4096, n: 4096, k: 2048, dtype: fp16}]}\n"+
		"nodes:\n  - {name: Chip, kind: gpu, fidelity: tile, launch: {other: 2us}, memory_latency: 500ns, absorbed: 0, fetch_ahead: "+fmt.Sprint(ahead)+"}\n"+
		"  - {name: HBM, kind: memory, fidelity: ideal, latency: 500ns, bandwidth: "+fmt.Sprint(rate)+"GB/s, clock: 1GHz}\nlinks: [Chip -> HBM]\n")
	read, _ := r.Metric("HBM", "read_bytes")
	written, _ := r.Metric("HBM", "write_bytes")
	return rowTime(t, r, "Chip", "fc"), read.Value + written.Value
}

// Steps wait for their operands: a memory that is fast enough costs the latency of the first and
// the results of the last round, a slow one has all bytes pass while nothing else does, but for
// what is fetched ahead; the more ahead, the less is lost. Bytes are the same.
func TestStepsWaitForOperands(t *testing.T) {
	free, bytes := product(t, 0, 100000)
	paced, same := product(t, 3, 100000)
	require.Equal(t, bytes, same)
	require.InDelta(t, free, paced, 1500, "two latencies: before the first step, after the last")
	require.Greater(t, paced, free+500)
	last := 1e12
	for _, ahead := range []int{1, 2, 4, 64} {
		slow, same := product(t, ahead, 400)
		require.Equal(t, bytes, same)
		require.LessOrEqual(t, slow, last, "%d ahead", ahead)
		require.GreaterOrEqual(t, slow, max(free, bytes/400))
		last = slow
	}
	least := bytes / 50
	bound, _ := product(t, 64, 50)
	require.InEpsilon(t, least, bound, 0.15, "bytes alone at 50 GB/s")
	require.Greater(t, bound, least)
}
