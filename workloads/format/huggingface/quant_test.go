package huggingface

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/workloads/graph"

	"github.com/causeway-sim/causeway/workloads/format"
)

const smallOSS = `{"model_type":"gpt_oss","hidden_size":96,"intermediate_size":72,"num_hidden_layers":1,"num_attention_heads":2,"num_key_value_heads":1,"head_dim":48,"num_local_experts":8,"num_experts_per_tok":2,"vocab_size":100,"torch_dtype":"bfloat16","quantization_config":{"quant_method":"METHOD"}}`

// With the types that the file says, the experts of gpt_oss are mxfp4, all else bf16;
// experts without tokens too. By hand: up and gate 72 columns of 96 each in 3 blocks of
// 17 bytes, down 96 columns of 72 in 3 blocks, the last one of 8 elements.
func TestQuantisedHub(t *testing.T) {
	read := func(method string, o format.Options) *graph.Graph {
		src := format.Bytes("config.json", []byte(strings.Replace(smallOSS, "METHOD", method, 1)))
		g, err := reader{}.Read(src, o)
		require.NoError(t, err)
		return g
	}
	sums := func(g *graph.Graph) (experts int64, others map[graph.DType]bool) {
		others = map[graph.DType]bool{}
		for i := range g.Tensors {
			x := &g.Tensors[i]
			switch {
			case x.Role == graph.Weight && expertWeights.MatchString(x.Name) && strings.HasSuffix(x.Name, ".weight"):
				experts += x.Bytes()
			case x.DType != graph.Int32:
				others[x.DType] = true
			}
		}
		return experts, others
	}
	experts, others := sums(read("mxfp4", format.Options{}))
	require.EqualValues(t, 8*(2*72*3*17+96*3*17), experts)
	require.Equal(t, map[graph.DType]bool{graph.BF16: true}, others)
	experts, others = sums(read("gptq", format.Options{}))
	require.EqualValues(t, 8*(2*72*66+96*66), experts, "groups of 128, one per column")
	require.Equal(t, map[graph.DType]bool{graph.BF16: true, graph.Int4G128: true}, others)
	g := read("other", format.Options{})
	experts, _ = sums(g)
	require.EqualValues(t, 8*3*72*96*2, experts)
	require.Contains(t, strings.Join(g.Notes, "\n"), `{"quant_method":"other"} is not read`)
	g = read("mxfp4", format.Options{DTypes: graph.Uniform(graph.FP16)})
	require.Contains(t, strings.Join(g.Notes, "\n"), "dtype: file takes what the file says")
}
