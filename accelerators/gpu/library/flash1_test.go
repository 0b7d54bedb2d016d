package library

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// FlashAttention 1 takes 40 % of an A100's peak forward and 28 % of it backward at long sequences,
// whatever the type's rate of a later generation.
func TestFlashAttention1ByHand(t *testing.T) {
	a100 := Chip{SMs: 108, Clock: 1.41e9, Tensor: 1024, Sustained: 0.78, Exponential: 16, Memory: 2.039e12}
	h100 := Chip{SMs: 132, Clock: 1.98e9, Tensor: 2048, Sustained: 0.68, Exponential: 16, Memory: 3.35e12}
	const n, heads = 32768, 16
	p := Attention{Heads: heads, KVHeads: heads, Queries: n, Keys: n, Size: 128, Value: 128, Pairs: heads * n * n}
	for generation, c := range map[string]Chip{"sm80": a100, "sm90": h100} {
		own, ok := Get("trtllm", generation)
		require.True(t, ok)
		require.Same(t, own, own.TrainingAttention("auto"))
		l := own.TrainingAttention("flash1")
		for back, rate := range map[bool]float64{false: 0.4, true: 0.28} {
			macs := float64(heads) * n * n * 256
			if back {
				macs *= 2.5
			}
			x, ok := l.Training(&c, p, back)
			require.True(t, ok)
			require.InEpsilon(t, macs/(rate*1024*float64(c.SMs)*c.Clock), x.Total, 0.03, "%s %v", generation, back)
			faster, _ := own.Training(&c, p, back)
			require.Less(t, faster.Total, x.Total)
		}
	}
	require.Nil(t, (*Library)(nil).TrainingAttention("flash1"))
}
