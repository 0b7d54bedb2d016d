package library

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// No recurrence beats the memory, more of a chip makes none slower, and a token more costs
// something.
func TestRecurrencesKeepToTheirChip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawChip(t)
		l, _ := Get("trtllm", rapid.SampledFrom([]string{"sm90", "sm100", "sm103"}).Draw(t, "generation"))
		p := Recurrence{Func: rapid.SampledFrom([]string{"causal_conv1d", "delta_rule"}).Draw(t, "func"), Batch: scaled(t, "batch", 1, 512), Sequence: scaled(t, "sequence", 1, 1<<16),
			Heads: scaled(t, "heads", 1, 8192), Size: 128, States: 128}
		p.Bytes = 4 * float64(p.Batch) * float64(p.Sequence) * float64(p.Heads)
		x, ok := l.Recurrence(&c, p)
		require.True(t, ok)
		require.GreaterOrEqual(t, x.Total, p.Bytes/c.Memory)
		more := c
		more.SMs *= 2
		more.Clock *= 1.1
		more.Memory *= 1.3
		y, _ := l.Recurrence(&more, p)
		require.LessOrEqual(t, y.Total, x.Total*(1+1e-9))
		if p.Sequence >= fewTokens {
			p.Sequence++
			z, _ := l.Recurrence(&c, p)
			require.Greater(t, z.Total, x.Total*(1-1e-9))
		}
	})
}

// Many short prompts pay for their states, one long prompt for its tokens; a token of a decode
// pays for the bytes of the states.
func TestWhatARecurrencePaysFor(t *testing.T) {
	l, _ := Get("trtllm", "sm90")
	time := func(batch, sequence int) float64 {
		x, _ := l.Recurrence(h100(), Recurrence{Func: "delta_rule", Batch: batch, Sequence: sequence, Heads: 32, Size: 128, States: 128, Bytes: float64(batch) * 32 * 128 * 128 * 4})
		return x.Total
	}
	require.Greater(t, time(64, 16), 2*time(1, 1024))
	require.InEpsilon(t, 1, time(64, 1024)/time(1, 65536), 0.05)
	require.InEpsilon(t, 2, time(1024, 1)/time(512, 1), 0.02)
	_, ok := l.Recurrence(h100(), Recurrence{Func: "state_space", Batch: 1, Sequence: 64, Heads: 1, Size: 1, States: 1})
	require.False(t, ok, "none was measured")
}
