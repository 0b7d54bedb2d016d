package library

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// drawLatent draws latent attention of DeepSeek-V3's head sizes.
func drawLatent(t *rapid.T) Attention {
	requests, heads, keys := scaled(t, "requests", 1, 512), scaled(t, "heads", 1, 128), scaled(t, "keys", 2, 65536)
	cache := Type(rapid.IntRange(int(BF16), int(FP8)).Draw(t, "cache"))
	n, k := float64(requests*heads), float64(keys)
	if rapid.Bool().Draw(t, "token") {
		return Attention{Heads: requests * heads, KVHeads: requests, Queries: 1, Keys: keys, Size: 576, Value: 512, Pairs: n * k, Cache: cache, Absorbed: true,
			Bytes: 2*n*(576+512) + float64(requests)*k*576*cache.size()}
	}
	return Attention{Heads: requests * heads, KVHeads: requests * heads, Queries: keys, Keys: keys, Size: 192, Value: 128, Pairs: n * k * (k + 1) / 2, Cache: cache, Latent: true,
		Bytes: 2*n*k*(192+128) + cache.size()*n*k*(192+128)}
}

// Latent attention beats neither the matrix units nor the memory, and more of a chip makes it
// no slower.
func TestLatentAttentionKeepsToItsChip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, p := drawChip(t), drawLatent(t)
		l, _ := Get("trtllm", rapid.SampledFrom([]string{"sm80", "sm90", "sm100"}).Draw(t, "generation"))
		now, ok := l.Attention(&c, p)
		require.True(t, ok)
		require.GreaterOrEqual(t, now.Total, p.Pairs*float64(p.Size+p.Value)/(float64(c.SMs)*c.Tensor*c.Clock))
		require.GreaterOrEqual(t, now.Total, p.Bytes/c.Memory)
		c.SMs += 1 + c.SMs/3
		c.Memory *= 1.5
		c.Clock *= 1.2
		more, _ := l.Attention(&c, p)
		require.LessOrEqual(t, more.Total, now.Total*(1+1e-9))
	})
}

// Hopper's blocks share the keys of one long request among SMs, Ampere's go through them alone.
// The cache in fp8 is half as much to read.
func TestKeysOfALatentToken(t *testing.T) {
	time := func(generation string, keys, requests int, cache Type) float64 {
		l, _ := Get("trtllm", generation)
		p := Attention{Heads: 16 * requests, KVHeads: requests, Queries: 1, Keys: keys, Size: 576, Value: 512, Cache: cache, Absorbed: true}
		p.Pairs, p.Bytes = float64(16*requests*keys), float64(requests*keys*576)*cache.size()
		c, ok := l.Attention(h100(), p)
		require.True(t, ok)
		return c.Total
	}
	require.Less(t, time("sm90", 131072, 1, BF16), 2*time("sm90", 8192, 1, BF16)+131072*576*2/3352e9)
	require.Greater(t, time("sm80", 131072, 1, BF16), 10*time("sm80", 8192, 1, BF16))
	require.InDelta(t, 0.5, time("sm90", 32768, 128, FP8)/time("sm90", 32768, 128, BF16), 0.1)
	l, _ := Get("trtllm", "sm89")
	_, ok := l.Attention(h100(), Attention{Heads: 1, KVHeads: 1, Queries: 1, Keys: 1, Size: 576, Value: 512, Absorbed: true})
	require.False(t, ok, "rows of an L40S are not carried by any rule")
}
