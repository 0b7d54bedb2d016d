package library

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// scaled draws a number whose logarithm is uniform.
func scaled(t *rapid.T, name string, least, most int) int {
	x := rapid.Float64Range(math.Log(float64(least)), math.Log(float64(most)+0.999)).Draw(t, name)
	return min(int(math.Exp(x)), most)
}

func drawChip(t *rapid.T) Chip {
	real := func(name string, least, most float64) float64 { return rapid.Float64Range(least, most).Draw(t, name) }
	return Chip{SMs: scaled(t, "sms", 8, 600), Clock: real("clock", 1e9, 2.7e9), Tensor: float64(int(256) << rapid.IntRange(0, 5).Draw(t, "tensor")),
		Sustained: real("sustained", 0.4, 1), Exponential: real("exponentials", 8, 64), Memory: real("memory", 0.2e12, 10e12),
		L2Bandwidth: real("l2", 1e12, 30e12), Latency: real("latency", 300e-9, 1e-6)}
}

// A trial is a kernel on a chip.
type trial struct {
	chip       Chip
	product    *Product
	attention  *Attention
	generation string
}

func (x *trial) String() string {
	return fmt.Sprintf("%s %+v %+v on %+v", x.generation, x.product, x.attention, x.chip)
}

// time is that on a chip; ok is false where the library lacks the type.
func (x *trial) time(c Chip) (float64, bool) {
	l, _ := Get("trtllm", x.generation)
	if x.product != nil {
		cost, ok := l.GEMM(&c, *x.product)
		return cost.Total, ok
	}
	cost, ok := l.Attention(&c, *x.attention)
	return cost.Total, ok
}

func drawTrial(t *rapid.T) trial {
	x := trial{chip: drawChip(t), generation: rapid.SampledFrom(Generations("trtllm")).Draw(t, "generation")}
	n := func(name string, most int) int { return scaled(t, name, 1, most) }
	d := Type(rapid.IntRange(0, 1).Draw(t, "type"))
	if rapid.Bool().Draw(t, "product") {
		d = Type(rapid.IntRange(0, len(types)-1).Draw(t, "type of a product"))
		x.product = &Product{Batch: n("batch", 4), M: n("m", 20000), N: n("n", 60000), K: n("k", 60000), Type: d}
		return x
	}
	requests, kv, group := n("requests", 512), n("kv", 32), n("group", 64)
	a := &Attention{Heads: requests * kv * group, KVHeads: requests * kv, Queries: 1, Keys: n("keys", 65536), Size: 64 * n("size", 4), Type: d}
	if rapid.Bool().Draw(t, "prompt") {
		a.Queries = n("queries", a.Keys)
	}
	a.Value = a.Size
	q, k := float64(a.Queries), float64(a.Keys)
	pairs := q*(k-q) + q*(q+1)/2
	switch rapid.IntRange(0, 2).Draw(t, "mask") {
	case 0:
		pairs = q * k
	case 1: // a window
		pairs = q * float64(n("window", max(int(pairs/q), 1)))
	}
	a.Pairs = pairs * float64(a.Heads)
	a.Bytes = 2 * d.size() * float64(a.Size) * (float64(a.Heads)*q + float64(a.KVHeads)*k)
	x.attention = a
	return x
}

// No kernel beats the peak of the matrix units or of the memory.
func TestNoKernelBeatsItsChip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := drawTrial(t)
		s, ok := x.time(x.chip)
		if !ok {
			return
		}
		c := &x.chip
		work, bytes := 0.0, 0.0
		if p := x.product; p != nil {
			m, n, k := float64(p.M), float64(p.N), float64(p.K)
			work, bytes = float64(p.Batch)*m*n*k, float64(p.Batch)*(p.Type.size()*m*k+p.Type.weight()*n*k+p.Type.size()*m*n)
		} else {
			work, bytes = x.attention.Pairs*float64(x.attention.Size+x.attention.Value), x.attention.Bytes
			if x.attention.Queries == 1 { // few rows of a product are vector work in some kernels
				work = 0
			}
		}
		require.GreaterOrEqual(t, s, work/(float64(c.SMs)*c.Tensor*c.Clock), x.String())
		require.GreaterOrEqual(t, s, bytes/c.Memory, x.String())
	})
}

// More of a resource makes no kernel slower.
func TestMoreOfAChipNeverLoses(t *testing.T) {
	for name, more := range map[string]func(*Chip){
		"one sm":       func(c *Chip) { c.SMs++ },
		"a third":      func(c *Chip) { c.SMs += 1 + c.SMs/3 },
		"sms":          func(c *Chip) { c.SMs *= 2 },
		"clock":        func(c *Chip) { c.Clock *= 1.5 },
		"tensor":       func(c *Chip) { c.Tensor *= 2 },
		"sustained":    func(c *Chip) { c.Sustained = min(1, 1.2*c.Sustained) },
		"exponentials": func(c *Chip) { c.Exponential *= 2 },
		"memory":       func(c *Chip) { c.Memory *= 2 },
		"l2 bandwidth": func(c *Chip) { c.L2Bandwidth *= 2 },
		"latency":      func(c *Chip) { c.Latency /= 2 },
	} {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				x := drawTrial(t)
				before, ok := x.time(x.chip)
				if !ok {
					return
				}
				c := x.chip
				more(&c)
				after, _ := x.time(c)
				require.LessOrEqual(t, after, before*(1+1e-9), x.String())
			})
		})
	}
}

// A row more never costs less, and at most what a product of one more row of tiles takes.
func TestARowMoreCostsAtMostTiles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := drawTrial(t)
		if x.product == nil {
			return
		}
		now, ok := x.time(x.chip)
		if !ok {
			return
		}
		m := x.product.M
		x.product.M = m + 1
		next, _ := x.time(x.chip)
		x.product.M = 256
		tiles, _ := x.time(x.chip)
		require.GreaterOrEqual(t, next, now, x.String())
		require.LessOrEqual(t, next, 1.01*now+tiles, x.String())
	})
}

// A generation takes its own kernels, or those of an older one; others have none.
func TestGenerations(t *testing.T) {
	require.Equal(t, []string{"trtllm", "vllm"}, Names())
	require.Equal(t, []string{"sm100", "sm103", "sm120", "sm80", "sm86", "sm89", "sm90"}, Generations("trtllm"))
	a, _ := Get("trtllm", "sm103")
	b, _ := Get("trtllm", "sm100")
	require.Equal(t, b, a)
	_, ok := Get("trtllm", "cdna3")
	require.False(t, ok)
	_, ok = Get("cutlass", "sm90")
	require.False(t, ok)
	l, _ := Get("trtllm", "sm80")
	_, ok = l.GEMM(&Chip{}, Product{M: 1, N: 1, K: 1, Type: FP8})
	require.False(t, ok, "the matrix units of an A100 have no fp8")
}

func h100() *Chip {
	return &Chip{SMs: 132, Clock: 1980e6, Tensor: 2048, Sustained: 0.68, Exponential: 16, Memory: 3352e9, L2Bandwidth: 6900e9, Latency: 700e-9}
}

// Rows of an H100 that the fit did not see.
func ExampleLibrary_GEMM() {
	l, _ := Get("trtllm", "sm90")
	for _, x := range []struct {
		m, n, k  int
		measured float64
	}{{16, 4096, 8192, 29.1}, {257, 5120, 12288, 61.0}, {4096, 3584, 16384, 697.5}} {
		c, _ := l.GEMM(h100(), Product{M: x.m, N: x.n, K: x.k})
		fmt.Printf("%d x %d x %d: %.1f us in tiles of %d x %d in %d parts, measured %.1f\n", x.m, x.n, x.k, c.Total*1e6, c.Tile.M, c.Tile.N, c.Tile.Split, x.measured)
	}
	// Output:
	// 16 x 4096 x 8192: 27.3 us in tiles of 16 x 64 in 1 parts, measured 29.1
	// 257 x 5120 x 12288: 61.2 us in tiles of 128 x 128 in 1 parts, measured 61.0
	// 4096 x 3584 x 16384: 638.1 us in tiles of 128 x 256 in 1 parts, measured 697.5
}

// Heads of a group are one block; single heads are blocks of their own; a group of 64 reads
// keys for each head.
func TestBlocksOfADecodedToken(t *testing.T) {
	l, _ := Get("trtllm", "sm90")
	time := func(heads, kv, keys int) float64 {
		a := Attention{Heads: heads, KVHeads: kv, Queries: 1, Keys: keys, Size: 128, Value: 128, Pairs: float64(heads * keys), Bytes: 512 * float64(kv*keys)}
		c, ok := l.Attention(h100(), a)
		require.True(t, ok)
		return c.Total
	}
	require.Equal(t, time(132*8, 132, 64), time(132*16, 132, 64), "blocks do not depend on the group")
	require.InDelta(t, 6.87e-6, time(1320*8, 1320, 2)-time(1188*8, 1188, 2), 0.1e-6, "a round more of blocks")
	require.Greater(t, time(64*32, 32, 8192), 5*time(32*32, 32, 8192), "64 heads of a group read the keys each")
	require.Less(t, time(8, 1, 131072), 0.1*131072*512/55.7e9, "few blocks split their keys: one would take 1.2 ms")
}

func BenchmarkGEMM(b *testing.B) {
	l, _ := Get("trtllm", "sm90")
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		l.GEMM(h100(), Product{M: 1 + i%4096, N: 12288, K: 4096})
	}
}

// No kernel takes less than its bytes need from the L2, nor less than shared memory needs for what it copies.
func TestBytesBoundKernels(t *testing.T) {
	for generation, r := range tensorRT {
		l, ok := Get("trtllm", generation)
		require.True(t, ok)
		chip := Chip{SMs: 100, Clock: 1.5e9, Tensor: 1024, Sustained: 0.8, Exponential: 16, Memory: 3e12, L2: 50e6, L2Bandwidth: 5e12, Latency: 7e-7, Shared: 128, SharedSize: 228 << 10}
		slow, narrow := chip, chip
		slow.L2Bandwidth = 1e11
		narrow.Shared = 1
		for d := range r.gemm {
			p := Product{M: 64, N: 4096, K: 4096, Type: d}
			x, ok := l.GEMM(&slow, p)
			require.True(t, ok)
			require.GreaterOrEqual(t, x.Total-x.Launch, max(x.Bytes, x.Near/clusters)/slow.L2Bandwidth*0.999, "%s %s", generation, d)
			y, _ := l.GEMM(&narrow, p)
			require.GreaterOrEqual(t, y.Total-y.Launch, d.weight()*float64(p.N)*float64(p.K)/(narrow.Clock*float64(narrow.SMs)), "%s %s", generation, d)
		}
		for d := range r.context {
			for _, q := range []int{1, 512} {
				if x, ok := l.Attention(&slow, Attention{Heads: 32, KVHeads: 8, Queries: q, Keys: 1024, Size: 128, Value: 128, Pairs: float64(32 * q * 512), Bytes: 4e6, Type: d, Cache: d}); ok {
					require.GreaterOrEqual(t, x.Total-x.Launch, max(x.Bytes, x.Near/clusters)/slow.L2Bandwidth*0.999, "%s %s %d", generation, d, q)
				}
			}
		}
	}
}
