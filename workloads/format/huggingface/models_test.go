package huggingface

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/workloads/format"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/zoo"
)

// Parameters of published models as their cards or reports say, in units of the last digit that
// they give. Sources: model cards on the hub, "total parameters"; those with all digits are sums
// over the published checkpoints.
func TestPublishedParameters(t *testing.T) {
	const b, m = 1_000_000_000, 1_000_000
	for _, c := range []struct {
		path      string
		published int64
		digit     int64
	}{
		{"meta-llama/Llama-3.1-8B-Instruct", 8030261248, 1},
		{"meta-llama/Llama-3.1-70B", 70553706496, 1},
		{"meta-llama/Meta-Llama-3.1-405B", 405853388800, 1},
		{"mistralai/Mixtral-8x22B-v0.1", 140620634112, 1},
		{"Qwen/Qwen3-32B", 32762123264, 1},
		{"Qwen/Qwen3-30B-A3B", 30532122624, 1},
		{"Qwen/Qwen3-235B-A22B-FP8", 235093634560, 1},
		{"Qwen/Qwen3-Coder-480B-A35B-Instruct", 480 * b, b},
		{"Qwen/Qwen3.5-27B", 27 * b, b},
		{"Qwen/Qwen3.5-35B-A3B", 35 * b, b},
		{"Qwen/Qwen3.5-122B-A10B", 122 * b, b},
		{"Qwen/Qwen3.5-397B-A17B", 397 * b, 2 * b}, // with its picture encoder, which is left out
		{"openai/gpt-oss-120b", 116829156672, 1},
		{"openai/gpt-oss-20b", 20914757184, 1},
		{"deepseek-ai/DeepSeek-R1", 671 * b, b},
		{"deepseek-ai/DeepSeek-V3.2", 672 * b, b}, // 671B and the indexers
		{"deepseek-ai/DeepSeek-V4-Flash", 284 * b, b},
		{"deepseek-ai/DeepSeek-V4-Pro", 1600 * b, 100 * b},
		{"zhipuai/GLM-5", 744 * b, b},
		{"moonshotai/Kimi-K2.5", 1000 * b, 100 * b},
		{"moonshotai/Kimi-K3", 2800 * b, 100 * b},
		{"MiniMaxAI/MiniMax-M2.5", 229 * b, b},
		{"XiaomiMiMo/MiMo-V2-Flash", 309 * b, b},
		{"stepfun-ai/Step-3.7-Flash", 196 * b, b},
		{"google/gemma-4-26B-A4B", 25200 * m, 100 * m},
		{"nvidia/Gemma-4-31B-IT-NVFP4", 30700 * m, 100 * m},
		{"nvidia/Llama-3_3-Nemotron-Super-49B-v1", 49867145216, 1},
		{"nvidia/Nemotron-H-56B-Base-8K", 56 * b, b},
		{"nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B-BF16", 31600 * m, 100 * m},
		{"nvidia/NVIDIA-Nemotron-3-Super-120B-A12B-FP8", 120 * b, 2 * b},
		{"nvidia/NVIDIA-Nemotron-3-Ultra-550B-A55B-BF16", 550 * b, 10 * b},
		{"meta-llama/Llama-4-Scout-17B-16E-Instruct", 107769861120, 1}, // the text part of 109B
		{"meta-llama/Llama-4-Maverick-17B-128E-Instruct", 400 * b, 2 * b},
	} {
		t.Run(c.path, func(t *testing.T) {
			if testing.Short() && c.published > 100*b {
				t.Skip("tens of thousands of experts")
			}
			g, err := format.BuildModel(c.path, format.Options{Phase: zoo.Decode, Context: 64})
			require.NoError(t, err)
			require.InDelta(t, c.published, g.Params(), float64(c.digit)/2+0.1)
			attends(t, g)
		})
	}
}

// Every preset is read, and a layer of each kind runs a batch of unlike requests, in which attention
// beyond a window or an indexer's choice reads no more than that.
func TestModelsTakeUnlikeRequests(t *testing.T) {
	groups := []zoo.Group{{Requests: 3, Tokens: 1, Context: 5000, Sample: true}, {Requests: 1, Tokens: 40, Context: 5000}}
	long := []zoo.Group{{Requests: 3, Tokens: 1, Context: 100, Sample: true}, {Requests: 2, Tokens: 4000, Context: 4000}} // more tokens than any entries
	seen := map[string]bool{}
	for _, path := range format.Models() {
		src, _ := format.Model(path)
		d, err := reader{}.Decoder(src)
		require.NoError(t, err, path)
		_, only := d.Kinds()
		h, _, err := open(src, format.Options{})
		require.NoError(t, err, path)
		name, _ := h.jsonObject.family()
		if seen[name] {
			continue
		}
		seen[name] = true
		g, err := format.BuildModel(path, format.Options{Groups: groups, Only: only})
		require.NoError(t, err, path)
		f := g.FuseAttention(g.Chains())
		require.NoError(t, f.Validate(), path)
		g, err = format.BuildModel(path, format.Options{Groups: long, Only: only})
		require.NoError(t, err, path)
		require.NoError(t, g.Validate(), path)
		for i := range f.Ops {
			if k, ok := f.Ops[i].Kind.(graph.Attention); ok && d.Indexer != nil {
				require.LessOrEqual(t, k.Keys, d.Indexer.TopK, "%s %s", path, f.Ops[i].Name)
			}
		}
	}
	require.Greater(t, len(seen), 15)
}

// Numbers that JSON does not have keep their place in the file, and text is not touched.
func TestInfinity(t *testing.T) {
	require.Equal(t, `{"a":1e000308,"b":"Infinity\"NaN","c":[-1e000308,0.0]}`, string(finite([]byte(`{"a":Infinity,"b":"Infinity\"NaN","c":[-Infinity,NaN]}`))))
}

// Products of a token by hand: a state space, a gated delta rule, and an indexer's.
func TestProductsByHand(t *testing.T) {
	macs := func(path string, layer int) int64 {
		g, err := format.BuildModel(path, format.Options{Phase: zoo.Decode, Context: 4096, Only: []int{layer}})
		require.NoError(t, err)
		sum := int64(0)
		for i := range g.Ops {
			if g.Ops[i].Name != "lm_head" {
				sum += g.Ops[i].MACs()
			}
		}
		return sum
	}
	// Nemotron-H 56B: gate and tokens of 256 x 64, keys and queries of 8 x 256, 256 steps; out.
	require.EqualValues(t, 8192*(2*16384+2*2048+256)+16384*8192, macs("nvidia/Nemotron-H-56B-Base-8K", 0))
	// Qwen3.5 27B: keys and queries of 16 x 128, values of 48 x 128; beta, decay, gate, out; three products of 17408.
	require.EqualValues(t, 5120*(2*2048+6144+48+48+6144)+6144*5120+3*5120*17408, macs("Qwen/Qwen3.5-27B", 0))
	// DeepSeek V3.2, a dense layer: projections, 64 small heads over 4096 entries, and 128 heads over
	// the 2048 that they choose.
	latent := 7168*1536 + 1536*128*192 + 7168*576 + 128*128*512 + 128*512*128 + 128*128*7168
	index := 1536*64*128 + 7168*128 + 7168*64 + 64*4096*128
	require.EqualValues(t, latent+index+128*2048*(576+512)+3*7168*18432, macs("deepseek-ai/DeepSeek-V3.2", 0))
}
