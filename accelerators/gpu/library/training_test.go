package library

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Rows of cuDNN that values were not fitted on: 64 heads of queries and 8 of keys, of 128 elements.
// GB300's kernels are those of GB200. Source: as training.go.
func TestTrainingAttentionTakesWhatWasMeasured(t *testing.T) {
	h200 := Chip{SMs: 132, Clock: 1.98e9, Tensor: 2048, Sustained: 0.68, Exponential: 16, Memory: 4.8e12}
	gb200 := Chip{SMs: 148, Clock: 2.062e9, Tensor: 4096, Sustained: 0.63, Exponential: 16, Memory: 8e12}
	gb300 := gb200
	gb300.Sustained, gb300.Exponential = 0.66, 32
	for _, c := range []struct {
		name, generation string
		chip             Chip
		requests, tokens int
		causal           bool
		forward, back    float64 // ms
		within           float64
	}{
		{"H200", "sm90", h200, 1, 32768, false, 50.769, 153.841, 0.06},
		{"H200", "sm90", h200, 1, 8192, false, 3.182, 9.262, 0.06},
		{"H200", "sm90", h200, 1, 2048, false, 0.217, 0.681, 0.08},
		{"GB200", "sm100", gb200, 2, 8192, false, 2.483, 7.831, 0.11},
		{"GB300", "sm103", gb300, 2, 8192, true, 1.185, 3.832, 0.11},
		{"GB300", "sm103", gb300, 2, 4096, true, 0.323, 1.101, 0.16},
	} {
		l, ok := Get("trtllm", c.generation)
		require.True(t, ok)
		n := float64(c.tokens)
		pairs := n * n
		if c.causal {
			pairs = n * (n + 1) / 2
		}
		p := Attention{Heads: 64 * c.requests, KVHeads: 8 * c.requests, Queries: c.tokens, Keys: c.tokens, Size: 128, Value: 128, Pairs: pairs * 64 * float64(c.requests)}
		for back, want := range map[bool]float64{false: c.forward, true: c.back} {
			x, ok := l.Training(&c.chip, p, back)
			require.True(t, ok)
			require.InEpsilon(t, want*1e-3, x.Total, c.within, fmt.Sprintf("%s, %d tokens, back: %v", c.name, c.tokens, back))
		}
	}
}

// More of a resource never takes longer, and a backward pass is never faster than its forward one.
func TestTrainingAttentionIsMonotonic(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		chip := drawChip(r)
		l, _ := Get("trtllm", rapid.SampledFrom([]string{"sm80", "sm90", "sm100"}).Draw(r, "generation"))
		n, heads := scaled(r, "tokens", 2, 20000), scaled(r, "heads", 1, 200)
		p := Attention{Heads: heads, KVHeads: heads, Queries: n, Keys: n, Size: 128, Value: 128, Pairs: float64(heads) * float64(n) * float64(n)}
		of := func(c Chip, back bool) float64 {
			x, ok := l.Training(&c, p, back)
			require.True(r, ok)
			return x.Total
		}
		for _, back := range []bool{false, true} {
			was := of(chip, back)
			for name, more := range map[string]func(*Chip){"clock": func(c *Chip) { c.Clock *= 1.1 }, "memory": func(c *Chip) { c.Memory *= 1.5 }, "exponentials": func(c *Chip) { c.Exponential *= 2 }} {
				c := chip
				more(&c)
				require.LessOrEqual(r, of(c, back), was*(1+1e-9), name)
			}
		}
		require.Greater(r, of(chip, true), of(chip, false))
	})
}
