package kernel

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// card is an RTX PRO 6000, whose SMs have room for one block of 64 queries and 128 keys.
func card() Machine {
	return Machine{SMs: 188, Clock: 2.4634e9, Tensor: 512, Vector: 128, Exponentials: 16, Shared: 128, SharedSize: 100 << 10, Threads: 1536,
		L2: 128e6, L2Bandwidth: 8e12, Memory: 0.85 * 1.792e12, Latency: 600e-9, Sustained: 1, Issue: 1, Launch: 3.1e-6, Least: 0.5e-6,
		Tuning: Tuning{Overlap: 4, Fill: 1.5}}
}

// part is the attention of requests of a model of 32 heads, 8 of which share keys.
func part(requests, queries, keys int) Attention {
	q, k := float64(queries), float64(keys)
	a := Attention{Batch: 4 * requests, Group: 8, Requests: requests, Queries: queries, Keys: keys, Size: 128, Value: 128, Element: 2}
	a.Pairs = float64(32*requests) * (q*(k-q) + q*(q+1)/2)
	a.Ops = 7 * a.Pairs
	a.Bytes = 2 * 128 * float64(requests) * (2*32*q + 2*4*k)
	return a
}

func us(c Cost) float64 { return c.Total * 1e6 }

// Attention takes the products that the mask leaves, and the bytes of the cache where
// there is one query; heads that share keys share blocks.
func TestAttention(t *testing.T) {
	m := round()
	m.Shared, m.Vector = 1e9, 1e9
	full := Attention{Batch: 40, Group: 1, Queries: 4096, Keys: 4096, Size: 128, Value: 128, Element: 2, Pairs: 40 * 4096 * 4096, Bytes: 1}
	c := m.Attention(full)
	require.InEpsilon(t, full.Pairs*256/(10*1024e9), c.Total, 0.01)
	half := full
	half.Pairs = 40 * 4096 * 4097 / 2
	require.InEpsilon(t, c.Total*16.5/32, m.Attention(half).Total, 0.01, "blocks on the diagonal are whole")

	m.Tensor, m.Memory = 1e6, 1e12
	one := Attention{Batch: 8, Group: 4, Queries: 1, Keys: 65536, Size: 128, Value: 128, Element: 2, Pairs: 8 * 4 * 65536, Bytes: 8 * 2 * 65536 * 128 * 2}
	require.InEpsilon(t, one.Bytes/1e12, m.Attention(one).Total, 0.05)
}

// Keys of a prompt are not split, so that a block of queries goes through them all: prompts take
// rounds of blocks. LLMServingSim measured 301 us for 16 new tokens after 13,122, 97, 97 and 126 us
// for 16, 128 and 256 after 4,096, and 302, 301 and 562 us for 16, 182 and 410 after 13,122.
func TestPromptsTakeRounds(t *testing.T) {
	m := card()
	few, full, two := m.Attention(part(1, 16, 13138)), m.Attention(part(1, 182, 13304)), m.Attention(part(1, 410, 13532))
	require.Equal(t, []int{1, 1, 2}, []int{few.Rounds, full.Rounds, two.Rounds}, "32, 96 and 224 blocks on 188 SMs")
	require.InEpsilon(t, us(few), us(full), 0.03)
	require.InEpsilon(t, 2*us(full), us(two), 0.05)
	require.InEpsilon(t, 301, us(few), 0.05)
	require.InEpsilon(t, 562, us(two), 0.1)
}

// A prompt in the batch has each head of a request that decodes read the keys for itself, in blocks
// of one row. Measured: 37, 230 and 409 us for 16 and 128 requests of 1,024 tokens and 128 of 2,048
// alone; 82, 645 and 2,086 us with a prompt of 16 tokens.
func TestDecodeBesideAPromptTakesLonger(t *testing.T) {
	m := card()
	prompt := part(1, 16, 16)
	for _, x := range []struct {
		requests, keys  int
		alone, together float64
	}{{16, 1025, 37, 82}, {128, 1025, 230, 645}} {
		decode := part(x.requests, 1, x.keys)
		alone, together := m.Attention(decode), m.Attend([]Attention{prompt, decode})
		require.InEpsilon(t, x.alone, us(alone), 0.25)
		require.InEpsilon(t, x.together, us(together), 0.25)
		require.Greater(t, us(together), us(alone)+us(m.Attention(prompt)))
		require.InEpsilon(t, alone.Bytes+prompt.Bytes, together.Bytes, 1e-9, "the L2 has the keys of one head of all requests")
	}
	long := part(256, 1, 4096)
	twice := m.Attend([]Attention{prompt, long}).Bytes
	require.Greater(t, twice, 4*long.Bytes, "it has not: heads read them again")
	require.Less(t, twice, 8*long.Bytes)
}

// Keys of requests that decode are split among SMs that would stay empty, and another kernel joins
// the parts.
func TestDecodeSplitsKeys(t *testing.T) {
	m := card()
	split, whole := m.Attention(part(1, 1, 16384)), m.Attention(part(256, 1, 16384))
	require.Equal(t, 2, split.Kernels)
	require.Equal(t, 1, whole.Kernels)
	require.Less(t, us(split), 60.0, "128 steps of one block would take 360 us")
}

// A request of one key, as batches of a graph are filled up with, hardly takes time beside others. It took as
// much as 14 times its keys while its operations for a score held for all.
func TestAFewKeysAreNoBurden(t *testing.T) {
	m := card()
	many, one := part(3, 1, 310), part(1, 1, 1)
	for _, a := range []*Attention{&many, &one} {
		a.Ops = 4*a.Pairs + 136*float64(a.Batch*a.Group)
	}
	alone, both := m.Attend([]Attention{many}), m.Attend([]Attention{many, one})
	require.InEpsilon(t, us(alone), us(both), 0.02)
}

func TestStepsOfABlock(t *testing.T) {
	for _, x := range []struct {
		queries, keys  int
		pairs          float64
		longest, meant float64
	}{
		{1, 1, 1, 1, 1},
		{1, 129, 129, 2, 2},
		{256, 256, 256 * 256, 2, 2},
		{256, 256, 256 * 257 / 2, 2, 1.5}, // 1, 1, 2 and 2 of its 4 blocks
		{64, 192, 64*128 + 64*65/2, 2, 2}, // a chunk after 128 tokens
		{4096, 4096, 4096 * 1024, 9, 9},   // a window of 1,024 keys, and 63 for the rows of a block
	} {
		a := Attention{Batch: 1, Group: 1, Queries: x.queries, Keys: x.keys, Pairs: x.pairs}
		longest, mean := a.steps(128)
		require.Equal(t, [2]float64{x.longest, x.meant}, [2]float64{longest, mean}, "%+v", x)
	}
}
