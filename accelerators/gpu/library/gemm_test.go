package library

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Few tokens read weights: 4 bits take less than 8, and 8 less than 16. Many tokens multiply
// in the type of the activations, after weights were unpacked, and win nothing.
func TestWeightsAloneOfFewBits(t *testing.T) {
	chip := &Chip{SMs: 108, Clock: 1410e6, Tensor: 1024, Sustained: 0.78, Exponential: 16, Memory: 2039e9, L2Bandwidth: 6500e9, Latency: 700e-9}
	l, _ := Get("trtllm", "sm80")
	time := func(m int, d Type) float64 {
		c, ok := l.GEMM(chip, Product{M: m, N: 28672, K: 8192, Type: d})
		require.True(t, ok)
		return c.Total
	}
	require.Less(t, time(4, WeightInt4), 0.8*time(4, WeightInt8))
	require.Less(t, time(4, WeightInt8), 0.8*time(4, BF16))
	for _, d := range []Type{WeightInt8, WeightInt4} {
		require.Greater(t, time(8192, d), 0.95*time(8192, BF16), d)
	}
}

// A product by blocks quantises its activations in a kernel of its own, which a product of
// bf16 has not; its sums are never split.
func TestProductsByBlocks(t *testing.T) {
	l, _ := Get("trtllm", "sm90")
	chip := h100()
	chip.Tensor *= 2
	long := Product{M: 16, N: 256, K: 65536, Type: FP8Block}
	c, ok := l.GEMM(chip, long)
	require.True(t, ok)
	require.Equal(t, 1, c.Tile.Split)
	long.Type = FP8
	split, _ := l.GEMM(chip, long)
	require.Greater(t, split.Tile.Split, 1)
	require.Greater(t, c.Total, 2*split.Total, "one SM goes through each sum")
}
