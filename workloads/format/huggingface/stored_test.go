package huggingface

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/workloads/format"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// formatsOf are attention, experts, shared experts, other layers, and keys and values.
func formatsOf(t *testing.T, src format.Source) (method, all string, ok bool) {
	s, ok, err := reader{}.Stored(src)
	require.NoError(t, err, src.Name)
	return s.Method, strings.Join([]string{s.Attention.String(), s.Experts.String(), s.Shared.String(), s.Weight.String(), s.KV.String()}, " "), ok
}

// Element types of files by each tool that writes them, read by hand from the published files.
func TestStoredFormats(t *testing.T) {
	const body = `{"model_type":"llama","hidden_size":64,"intermediate_size":128,"num_hidden_layers":4,"num_attention_heads":4,"vocab_size":100,"dtype":"bfloat16"`
	for q, want := range map[string]string{
		`{"quant_method":"mxfp4"}`:                             "bf16 mxfp4 bf16 bf16 bf16",
		`{"quant_method":"fp8","weight_block_size":[128,128]}`: "fp8_block fp8_block fp8_block fp8_block bf16",
		`{"quant_method":"fp8","modules_to_not_convert":["model.layers.0.post_attention_layernorm","lm_head"]}`:                    "fp8 fp8 fp8 fp8 bf16",
		`{"quant_method":"awq","bits":4,"group_size":64}`:                                                                          "int4_g64 int4_g64 int4_g64 int4_g64 bf16",
		`{"quant_algo":"FP8","kv_cache_scheme":"FP8"}`:                                                                             "fp8 fp8 fp8 fp8 fp8",
		`{"quant_method":"modelopt","quant_algo":"NVFP4","ignore":["model.layers.0*","model.layers.2.self_attn*"]}`:                "bf16 nvfp4 nvfp4 nvfp4 bf16",
		`{"quant_method":"modelopt","quant_algo":"NVFP4","ignore":["model.layers.0.self_attn*"]}`:                                  "nvfp4 nvfp4 nvfp4 nvfp4 bf16",
		`{"quant_method":"compressed-tensors","config_groups":{"group_0":{"weights":{"num_bits":8,"type":"float"}}}}`:              "fp8 fp8 fp8 fp8 bf16",
		`{"quant_method":"compressed-tensors","config_groups":{"group_0":{"weights":{"num_bits":4,"type":"float"}}}}`:              "mxfp4 mxfp4 mxfp4 mxfp4 bf16",
		`{"quant_method":"modelopt","quantized_layers":{"a.linear_attn":{"quant_algo":"FP8"},"b.experts":{"quant_algo":"NVFP4"}}}`: "fp8 nvfp4 bf16 bf16 bf16",
	} {
		_, got, ok := formatsOf(t, format.Bytes("c.json", []byte(body+`,"quantization_config":`+q+"}")))
		require.True(t, ok, q)
		require.Equal(t, want, got, q)
	}
	method, got, ok := formatsOf(t, format.Bytes("c.json", []byte(body+"}")))
	require.True(t, ok)
	require.Empty(t, method)
	require.Equal(t, "bf16 bf16 bf16 bf16 bf16", got)
	_, _, ok = formatsOf(t, format.Bytes("c.json", []byte(body+`,"quantization_config":{"quant_method":"other"}}`)))
	require.False(t, ok)
}

// A model by its path is stored as its file says, and the file's key may be of the whole model or of its
// text part. The full files, where they are at hand, say the same.
func TestModelsAreStoredAsTheirFiles(t *testing.T) {
	for path, want := range map[string]string{
		"openai/gpt-oss-120b":                 "bf16 mxfp4 bf16 bf16 bf16",
		"moonshotai/Kimi-K2.5":                "bf16 q4_0 bf16 bf16 bf16",
		"deepseek-ai/DeepSeek-R1":             "fp8_block fp8_block fp8_block fp8_block bf16",
		"nvidia/DeepSeek-V4-Pro-NVFP4":        "fp8_block nvfp4 fp8_block fp8_block bf16",
		"nvidia/Qwen3.5-397B-A17B-NVFP4":      "bf16 nvfp4 bf16 nvfp4 fp8",
		"nvidia/MiniMax-M2.5-NVFP4":           "bf16 nvfp4 nvfp4 nvfp4 fp8",
		"Qwen/Qwen3-32B":                      "bf16 bf16 bf16 bf16 bf16",
		"nvidia/Qwen3.6-35B-A3B-NVFP4":        "fp8 nvfp4 nvfp4 bf16 bf16",
		"Qwen/Qwen3-32B-FP8-Static-PerTensor": "fp8 fp8 fp8 fp8 fp8",
	} {
		src, _ := format.Model(path)
		_, got, ok := formatsOf(t, src)
		require.True(t, ok, path)
		require.Equal(t, want, got, path)
	}
	src, _ := format.Model("nvidia/DeepSeek-R1-NVFP4")
	_, _, ok := formatsOf(t, src)
	require.False(t, ok, "its file was not at hand")
	files, _ := filepath.Glob(filepath.Join(os.Getenv("CAUSEWAY_INPUTS"), "llm", "model_configs", "*.json"))
	for _, f := range files {
		text, err := os.ReadFile(f)
		require.NoError(t, err)
		path := strings.Replace(strings.TrimSuffix(filepath.Base(f), ".json"), "--", "/", 1)
		method, want, _ := formatsOf(t, format.Bytes(path, text))
		src, there := format.Model(path)
		if _, got, known := formatsOf(t, src); there && known && method != "" {
			require.Equal(t, want, got, path)
		}
	}
}

// A type that is asked for leaves weights alone that have as few bits of its kind.
func TestFormatsThatAreKept(t *testing.T) {
	gpt := format.Stored{Weight: graph.BF16, Attention: graph.BF16, Experts: graph.MXFP4}
	require.True(t, gpt.Keeps(graph.NVFP4))
	require.True(t, gpt.Keeps(graph.FP8))
	require.False(t, gpt.Keeps(graph.Int4))
	kimi := format.Stored{Weight: graph.BF16, Attention: graph.BF16, Experts: graph.Q4}
	require.False(t, kimi.Keeps(graph.NVFP4))
	require.True(t, kimi.Keeps(graph.Int4))
	require.False(t, format.Stored{Weight: graph.FP8, Attention: graph.FP8, Experts: graph.FP8}.Keeps(graph.NVFP4))
}
