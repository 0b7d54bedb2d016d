package validation

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// Which mechanism makes which time on the TPU machines of the study: taking one away
// moves the figure the way it should.
func TestTPUMachinesPerturbed(t *testing.T) {
	gemm := func(machine, dtype string, m, n, k int, set ...string) float64 {
		return playedOf(t, "hardware", "gemm.yaml", append([]string{"machine=" + machine, "dtype=" + dtype,
			fmt.Sprint("m=", m), fmt.Sprint("n=", n), fmt.Sprint("k=", k)}, set...)...)["total_time"]
	}
	// Copies of what fits are added on v4; larger products hide them.
	require.Less(t, gemm("tpu_v4", "fp16", 1024, 1024, 1024, "Chip.kernels.copies=overlapped"), 0.8*gemm("tpu_v4", "fp16", 1024, 1024, 1024))
	require.Less(t, gemm("tpu_v4", "fp16", 1024, 1024, 1024, "Chip.kernels.resident=4MiB"), gemm("tpu_v4", "fp16", 1024, 1024, 1024))
	// fp16 is converted on v6e, and copied in for that; bf16 is not.
	require.Greater(t, gemm("tpu_v6e", "fp16", 1024, 4096, 4096), 1.4*gemm("tpu_v6e", "bf16", 1024, 4096, 4096))
	// One row is bound by the memory: the array does not matter.
	one := gemm("tpu_v6e", "bf16", 1, 4096, 4096)
	require.Equal(t, one, gemm("tpu_v6e", "bf16", 1, 4096, 4096, "Chip.arrays=8"))
	require.InDelta(t, 2, one/gemm("tpu_v6e", "bf16", 1, 4096, 4096, "HBM.bandwidth=3280GB/s"), 0.1)
	// Weights of 151,936 columns come slower than those of 128,256, byte by byte.
	require.Greater(t, gemm("tpu_v6e", "bf16", 1, 151936, 4096)/151936, 1.25*gemm("tpu_v6e", "bf16", 1, 128256, 4096)/128256)
	// Two arrays of v3 share a product.
	require.Greater(t, gemm("tpu_v3", "bf16", 4096, 4096, 4096, "Chip.arrays=1"), 1.5*gemm("tpu_v3", "bf16", 4096, 4096, 4096))
	// 600 x 600 on the first TPU: tiles of 256 x 256 take 18 us, of 512 x 512 32 us (ISCA
	// 2017, section 7).
	require.InEpsilon(t, 18000, gemm("tpu_v1", "int8", 96, 600, 600), 0.05)
	require.InEpsilon(t, 32000, gemm("tpu_v1", "int8", 96, 600, 600, "Chip.rows=512", "Chip.cols=512"), 0.05)

	attention := func(phase string, set ...string) float64 {
		return playedOf(t, "hardware", "attention.yaml", append([]string{"machine=tpu_v6e_pallas", "phase=" + phase, "sequence=2048"}, set...)...)["total_time"]
	}
	// Softmax and array work in series; a causal mask leaves six of sixteen blocks out.
	require.InDelta(t, 16.0/10, attention("prefill", "causal=false")/attention("prefill"), 0.02)
	require.Less(t, attention("prefill", "Chip.kernels.rates.attention=3340", "Chip.vector.lanes=100000"), 0.5*attention("prefill"))
	// Decode takes the memory's share for pages, whatever the array does.
	require.InDelta(t, 4, attention("decode")/attention("decode", "kv_heads=8"), 0.2)
	require.Equal(t, attention("decode"), attention("decode", "Chip.arrays=8"))
	// XLA's decode of contiguous keys and values is not bound by pages: each query head reads them.
	contiguous := attention("decode", "kv_heads=8", "machine=tpu_v6e")
	require.Less(t, contiguous, 0.6*attention("decode", "kv_heads=8"))
	require.InDelta(t, 4, contiguous/attention("decode", "kv_heads=8", "machine=tpu_v6e", "Chip.kernels.heads=together"), 0.2) // but for the launch
}
