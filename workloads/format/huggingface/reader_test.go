package huggingface

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/workloads/format/formattest"

	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/zoo"

	"github.com/causeway-sim/causeway/workloads/format"
)

const llama3Config = `{
  "architectures": ["LlamaForCausalLM"],
  "model_type": "llama",
  "hidden_size": 4096, "intermediate_size": 14336, "num_hidden_layers": 32,
  "num_attention_heads": 32, "num_key_value_heads": 8,
  "vocab_size": 128256, "max_position_embeddings": 8192,
  "hidden_act": "silu", "rope_theta": 500000.0, "rope_scaling": null,
  "tie_word_embeddings": false, "attention_bias": false, "torch_dtype": "bfloat16"
}`

// Parameter counts are those of the published checkpoints, sizes those of their
// config.json.
func TestHubParameters(t *testing.T) {
	for _, c := range []struct {
		name, config string
		params       int64
	}{
		{"llama 3 8b", llama3Config, 8030261248},
		{"llama 2 7b, architecture only", `{"architectures":["LlamaForCausalLM"],"hidden_size":4096,"intermediate_size":11008,"num_hidden_layers":32,"num_attention_heads":32,"vocab_size":32000}`, 6738415616},
		{"mistral 7b", `{"model_type":"mistral","hidden_size":4096,"intermediate_size":14336,"num_hidden_layers":32,"num_attention_heads":32,"vocab_size":32000,"sliding_window":4096}`, 7241732096},
		{"mixtral 8x7b", `{"model_type":"mixtral","hidden_size":4096,"intermediate_size":14336,"num_hidden_layers":32,"num_attention_heads":32,"num_key_value_heads":8,"vocab_size":32000,"num_local_experts":8,"num_experts_per_tok":2}`, 46702792704},
		{"qwen 7b", `{"model_type":"qwen","hidden_size":4096,"intermediate_size":22016,"num_hidden_layers":32,"num_attention_heads":32,"kv_channels":128,"vocab_size":151936,"no_bias":true,"seq_length":8192}`, 7721324544},
		{"qwen2 0.5b", `{"model_type":"qwen2","hidden_size":896,"intermediate_size":4864,"num_hidden_layers":24,"num_attention_heads":14,"num_key_value_heads":2,"vocab_size":151936,"tie_word_embeddings":true,"use_sliding_window":false,"sliding_window":32768,"max_window_layers":24}`, 494032768},
		{"qwen2 7b", `{"model_type":"qwen2","hidden_size":3584,"intermediate_size":18944,"num_hidden_layers":28,"num_attention_heads":28,"num_key_value_heads":4,"vocab_size":152064}`, 7615616512},
		{"qwen3 8b", `{"model_type":"qwen3","hidden_size":4096,"intermediate_size":12288,"num_hidden_layers":36,"num_attention_heads":32,"num_key_value_heads":8,"head_dim":128,"vocab_size":151936,"attention_bias":false}`, 8190735360},
		{"gemma 2b", `{"model_type":"gemma","hidden_size":2048,"intermediate_size":16384,"num_hidden_layers":18,"num_attention_heads":8,"num_key_value_heads":1,"head_dim":256,"vocab_size":256000,"hidden_act":"gelu"}`, 2506172416},
		{"gemma 2 9b", `{"model_type":"gemma2","hidden_size":3584,"intermediate_size":14336,"num_hidden_layers":42,"num_attention_heads":16,"num_key_value_heads":8,"head_dim":256,"vocab_size":256000,"hidden_activation":"gelu_pytorch_tanh","sliding_window":4096}`, 9241705984},
		{"gpt-2", `{"model_type":"gpt2","n_embd":768,"n_layer":12,"n_head":12,"n_ctx":1024,"n_positions":1024,"vocab_size":50257,"activation_function":"gelu_new"}`, 124439808},
		{"opt 125m", `{"model_type":"opt","hidden_size":768,"ffn_dim":3072,"num_hidden_layers":12,"num_attention_heads":12,"vocab_size":50272,"max_position_embeddings":2048,"activation_function":"relu","word_embed_proj_dim":768}`, 125239296},
		{"text part of a larger model", `{"model_type":"llava","torch_dtype":"float16","text_config":` + llama3Config + `}`, 8030261248},
	} {
		t.Run(c.name, func(t *testing.T) {
			g, name, err := format.Read(format.Bytes("x/config.json", []byte(c.config)), format.Options{Phase: zoo.Decode, Context: 100})
			require.NoError(t, err)
			require.Equal(t, "config.json", name)
			require.Equal(t, "x", g.Name)
			require.Equal(t, c.params, g.Params())
		})
	}
}

// The same network by name and by file.
func TestHubEqualsZoo(t *testing.T) {
	for _, p := range []zoo.Params{{Batch: 2, Sequence: 256}, {Batch: 8, Context: 2048, Phase: zoo.Decode}, {Sequence: 64, Context: 1000, Phase: zoo.Prefill}} {
		want, err := zoo.Build("llama3_8b", p)
		require.NoError(t, err)
		want.SetDTypes(graph.Uniform(graph.BF16))
		got, _, err := format.Read(format.Bytes("c.json", []byte(llama3Config)), format.Options{Batch: p.Batch, Sequence: p.Sequence, Context: p.Context, Phase: p.Phase, Name: "llama3_8b"})
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
}

func TestHubWindow(t *testing.T) {
	config := func(kind, more string) string {
		return `{"model_type":"` + kind + `","hidden_size":64,"intermediate_size":128,"num_hidden_layers":4,"num_attention_heads":4,"num_key_value_heads":2,"head_dim":16,"vocab_size":100` + more + `}`
	}
	keys := func(kind, more string, context int) int {
		g, _, err := format.Read(format.Bytes("c.json", []byte(config(kind, more))), format.Options{Phase: zoo.Decode, Context: context})
		require.NoError(t, err)
		for _, op := range g.Ops {
			if strings.HasSuffix(op.Name, "QK^T") {
				return op.Kind.(graph.MatMul).N
			}
		}
		return 0
	}
	require.Equal(t, 1000, keys("mistral", `,"sliding_window":1000`, 1500))
	require.Equal(t, 900, keys("mistral", `,"sliding_window":1000`, 900))
	require.Equal(t, 1500, keys("mistral", `,"sliding_window":null`, 1500))
	require.Equal(t, 4096, keys("mistral", ``, 5000))
	require.Equal(t, 1500, keys("llama", ``, 1500))
	require.Equal(t, 1500, keys("qwen2", `,"sliding_window":1000`, 1500))
	require.Equal(t, 1000, keys("qwen2", `,"sliding_window":1000,"use_sliding_window":true,"max_window_layers":0`, 1500))
	require.Equal(t, 1500, keys("qwen2", `,"sliding_window":1000,"use_sliding_window":true,"max_window_layers":4`, 1500))
	require.Equal(t, 900, keys("qwen2", `,"sliding_window":1000,"use_sliding_window":true,"max_window_layers":2`, 900))
	require.Equal(t, 1500, keys("qwen2", `,"sliding_window":1000,"use_sliding_window":true,"max_window_layers":2`, 1500), "the first layers see all")
	require.Equal(t, 1000, keys("gemma2", `,"sliding_window":1000`, 1500), "every second layer sees all")
	require.Equal(t, 1500, keys("gpt_oss", `,"sliding_window":1000,"layer_types":["full_attention","full_attention","full_attention","sliding_attention"]`, 1500))
	require.Equal(t, 1500, keys("llama4_text", `,"attention_chunk_size":1000,"no_rope_layers":[0,1,1,1]`, 1500), "a layer without positions sees all")
	require.Equal(t, 500, keys("llama4_text", `,"attention_chunk_size":1000,"no_rope_layers":[1,1,1,1]`, 1500), "its own chunk")
	require.Equal(t, 1000, keys("llama4_text", `,"attention_chunk_size":1000,"no_rope_layers":[1,1,1,1]`, 2000), "its own chunk")
}

func TestHubErrors(t *testing.T) {
	base := `"hidden_size":64,"intermediate_size":128,"num_hidden_layers":4,"num_attention_heads":4,"vocab_size":100`
	for _, c := range []struct{ name, text, want string }{
		{"cut off", "{\n\"model_type\": \"lla", "c.json:2:19: the JSON text is cut off"},
		{"cut off in a list", "{\"architectures\": [", "c.json:1:20: the JSON text is cut off"},
		{"syntax", "{\n  \"hidden_size\": 12,\n  x}", "c.json:3:3: not valid JSON: invalid character 'x'"},
		{"more", `{"model_type":"llama"} {`, "c.json:1:24: there is more behind the JSON object"},
		{"no type", "{" + base + "}", "c.json:1:1: the key model_type is missing (want one of: bert, bloom,"},
		{"other type", `{"model_type": "mamba",` + base + "}", `c.json:1:16: unknown model_type "mamba" (want one of: bert, bloom,`},
		{"keys missing", "{\"model_type\":\"llama\",\n\"hidden_size\":64}", "c.json:1:1: the keys num_hidden_layers, num_attention_heads, intermediate_size, vocab_size are missing"},
		{"keys missing, gpt", `{"model_type":"gpt2"}`, "c.json:1:1: the keys hidden_size, num_hidden_layers, num_attention_heads, vocab_size are missing"},
		{"text for a number", "{\"model_type\":\"llama\",\n" + strings.Replace(base, "64", `"64"`, 1) + "}", "c.json:2:15: hidden_size is text (want a whole number)"},
		{"fraction", "{\"model_type\":\"llama\",\n" + strings.Replace(base, "64", `64.5`, 1) + "}", "c.json:2:15: hidden_size is 64.5 (want a whole number from 1 to 1073741824)"},
		{"negative", "{\"model_type\":\"llama\",\n" + strings.Replace(base, "64", `-64`, 1) + "}", "c.json:2:15: hidden_size is -64 (want"},
		{"number for a truth value", `{"model_type":"llama","mlp_bias":1,` + base + "}", "c.json:1:34: mlp_bias is a number (want true or false)"},
		{"number for text", `{"model_type":7,` + base + "}", "c.json:1:15: model_type is a number (want text)"},
		{"activation", `{"model_type":"llama","hidden_act":"snake",` + base + "}", `c.json:1:36: unknown hidden_act "snake" (want one of: gelu, gelu_fast,`},
		{"twice", `{"model_type":"llama","vocab_size":100,` + base + "}", `c.json:1:140: the key "vocab_size" appears twice`},
		{"all at once", `{"model_type":"llama","mlp_bias":1,"head_dim":[],` + base + "}", "c.json:1:47: head_dim is a list (want a whole number)\nc.json:1:34: mlp_bias"},
		{"heads", `{"model_type":"llama","num_key_value_heads":3,` + base + "}", "c.json:1:1: c: 4 heads share 3 key/value heads (want a divisor)"},
		{"gpt heads", `{"model_type":"gpt2","num_key_value_heads":2,` + base + "}", "c.json:1:1: 2 key/value heads of 4 heads"},
		{"gpt hidden", `{"model_type":"gpt2",` + strings.Replace(base, "64", "63", 1) + "}", "c.json:1:1: the hidden size 63 is not a multiple of 4 heads"},
		{"experts by layer", `{"model_type":"qwen3_moe","mlp_only_layers":"x",` + base + "}", "c.json:1:45: mlp_only_layers is no list of whole numbers"},
		{"layer types", `{"model_type":"gpt_oss","sliding_window":8,"layer_types":["full_attention"],` + base + "}", "c.json:1:58: layer_types is no list of 4 words"},
		{"layer type", `{"model_type":"gpt_oss","sliding_window":8,"layer_types":["a","a","a","a"],` + base + "}", `c.json:1:58: layer_types has "a" (want one of: sliding_attention, full_attention)`},
		{"share", `{"model_type":"phi","partial_rotary_factor":2,` + base + "}", "c.json:1:45: partial_rotary_factor is 2 (want a number from 0 to 1)"},
		{"latent", `{"model_type":"deepseek_v3","kv_lora_rank":0,"n_routed_experts":4,"num_experts_per_tok":2,` + base + "}", "c.json:1:44: kv_lora_rank is 0 (want a whole number from 1"},
		{"t5", `{"model_type":"t5","d_model":8,"num_layers":1,"num_heads":1,"d_ff":8,"vocab_size":9,"feed_forward_proj":"x"}`, `c.json:1:105: unknown feed_forward_proj "x" (want one of: relu, gated-gelu, gated-silu)`},
		{"encoder", `{"model_type":"bert","num_attention_heads":7,"hidden_size":64,"num_hidden_layers":1,"vocab_size":9}`, "the hidden size 64 is not a multiple of 7 heads"},
		{"architectures", `{"architectures":"x",` + base + "}", "c.json:1:18: architectures is text (want a list of names)"},
		{"text_config", `{"text_config":3}`, "c.json:1:16: a number where an object is wanted"},
		{"ffn_type", `{"ffn_type":"x",` + base + "}", `c.json:1:13: unknown ffn_type "x" (want one of: default, llama)`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := reader{}.Read(format.Bytes("c.json", []byte(c.text)), format.Options{})
			require.ErrorContains(t, err, c.want)
			formattest.CheckErrors(t, err)
		})
	}
	_, err := reader{}.Read(format.Bytes("c.json", []byte(llama3Config)), format.Options{Phase: "training", Sequence: 1 << 25})
	require.EqualError(t, err, "c.json:1:1: c: sequence is 33554432 (want 1 to 16777216)\nc.json:1:1: c: phase is \"training\" (want one of: prefill, decode)")
	_, err = reader{}.Read(format.Bytes("c.json", []byte(`{"model_type":"bert","num_attention_heads":8,"hidden_size":64,"num_hidden_layers":1,"vocab_size":9}`)), format.Options{Phase: "decode", Sequence: 1000})
	require.EqualError(t, err, "c.json:1:1: c: sequence is 1000 (want 1 to 512)\nc.json:1:1: c: has no parameter phase (want one of: batch, sequence)")
}

// The model descriptions of LLM serving simulators use the same keys.
func TestHubInputs(t *testing.T) {
	for file, params := range map[string]int64{"llm/llama3-8b.json": 8030261248, "llm/opt-125m.json": 125239296 - 11*7087872} {
		g, name, err := format.Open(formattest.Inputs(t, file), format.Options{Phase: zoo.Decode, Context: 100})
		require.NoError(t, err)
		require.Equal(t, "config.json", name)
		require.Equal(t, params, g.Params()) // opt-125m.json has one layer of twelve
	}
}

func FuzzHub(f *testing.F) {
	f.Add([]byte(llama3Config))
	f.Add([]byte(`{"architectures":["GPT2LMHeadModel"],"n_embd":8,"n_layer":1,"n_head":2,"vocab_size":9,"n_inner":null}`))
	f.Add([]byte(`{"model_type":"mixtral","hidden_size":8,"intermediate_size":8,"num_hidden_layers":2,"num_attention_heads":2,"num_key_value_heads":1,"vocab_size":9,"num_local_experts":3,"num_experts_per_tok":1.0,"sliding_window":4}`))
	f.Add([]byte(`{"model_type":"qwen2","text_config":{"use_sliding_window":true,"max_window_layers":0,"hidden_size":8,"intermediate_size":8,"num_hidden_layers":2,"num_attention_heads":2,"vocab_size":9,"model_type":"gemma2"}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		g, err := reader{}.Read(format.Bytes("c.json", data), format.Options{Batch: 2, Sequence: 3})
		if err != nil {
			formattest.CheckErrors(t, err)
			return
		}
		require.NoError(t, g.Validate())
		require.Positive(t, g.MACs())
	})
}

func ExampleOptions() {
	config := `{"model_type": "gemma", "hidden_size": 2048, "intermediate_size": 16384, "num_hidden_layers": 18,
		"num_attention_heads": 8, "num_key_value_heads": 1, "head_dim": 256, "vocab_size": 256000}`
	g, _, err := format.Read(format.Bytes("gemma-2b/config.json", []byte(config)), format.Options{Phase: "decode", Batch: 4, Context: 1024})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(g.Name, g.Params(), "parameters,", g.MACs(), "MACs per step")
	// Output: gemma-2b 2506172416 parameters, 10326376448 MACs per step
}
