package huggingface

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/zoo"

	"github.com/causeway-sim/causeway/workloads/format"
)

// Parameter counts are those of the published checkpoints (of their text part where
// that is said), sizes those of their config.json.
func TestHubFamilies(t *testing.T) {
	for _, c := range []struct {
		name, config string
		params       int64
	}{
		{"phi 2", `{"model_type":"phi","vocab_size":51200,"hidden_size":2560,"intermediate_size":10240,"num_hidden_layers":32,"num_attention_heads":32,"hidden_act":"gelu_new","partial_rotary_factor":0.4,"max_position_embeddings":2048}`, 2779683840},
		{"gpt-neox 20b", `{"model_type":"gpt_neox","vocab_size":50432,"hidden_size":6144,"intermediate_size":24576,"num_hidden_layers":44,"num_attention_heads":64,"hidden_act":"gelu_fast","rotary_pct":0.25}`, 20554567680},
		{"gpt-j 6b", `{"model_type":"gptj","n_embd":4096,"n_head":16,"n_layer":28,"n_positions":2048,"rotary_dim":64,"vocab_size":50400,"n_inner":null}`, 6050882784},
		{"falcon 7b", `{"model_type":"falcon","vocab_size":65024,"hidden_size":4544,"num_hidden_layers":32,"num_attention_heads":71,"multi_query":true,"parallel_attn":true,"bias":false,"alibi":false}`, 6921720704},
		{"falcon 40b", `{"model_type":"falcon","vocab_size":65024,"hidden_size":8192,"num_hidden_layers":60,"num_attention_heads":128,"num_kv_heads":8,"new_decoder_architecture":true,"parallel_attn":true,"bias":false}`, 41303293952},
		{"bloom 7b1", `{"model_type":"bloom","n_embed":4096,"n_layer":30,"num_attention_heads":32,"vocab_size":250880}`, 7069016064},
		{"bloom 560m", `{"model_type":"bloom","n_embed":1024,"n_layer":24,"num_attention_heads":16,"vocab_size":250880}`, 559214592},
		{"mpt 7b", `{"model_type":"mpt","d_model":4096,"n_heads":32,"n_layers":32,"vocab_size":50432,"expansion_ratio":4,"max_seq_len":2048}`, 6649286656},
		{"starcoder", `{"model_type":"gpt_bigcode","n_embd":6144,"n_head":48,"n_layer":40,"n_inner":24576,"n_positions":8192,"vocab_size":49152,"multi_query":true}`, 15517456384},
		{"starcoder2 3b", `{"model_type":"starcoder2","hidden_size":3072,"intermediate_size":12288,"num_hidden_layers":30,"num_attention_heads":24,"num_key_value_heads":2,"vocab_size":49152,"use_bias":true}`, 3030371328},
		{"stablelm 3b", `{"model_type":"stablelm","hidden_size":2560,"intermediate_size":6912,"num_hidden_layers":32,"num_attention_heads":32,"num_key_value_heads":32,"vocab_size":50304,"tie_word_embeddings":false}`, 2795443200},
		{"command r", `{"model_type":"cohere","hidden_size":8192,"intermediate_size":22528,"num_hidden_layers":40,"num_attention_heads":64,"num_key_value_heads":64,"vocab_size":256000}`, 34980831232},
		{"gemma 3 1b", `{"model_type":"gemma3_text","hidden_size":1152,"intermediate_size":6912,"num_hidden_layers":26,"num_attention_heads":4,"num_key_value_heads":1,"head_dim":256,"vocab_size":262144,"sliding_window":512}`, 999885952},
		{"gemma 3 4b, text", `{"model_type":"gemma3","text_config":{"hidden_size":2560,"intermediate_size":10240,"model_type":"gemma3_text","num_hidden_layers":34,"sliding_window":1024},"vision_config":{"hidden_size":1152}}`, 3880263168},
		{"gpt-oss 20b", `{"model_type":"gpt_oss","hidden_size":2880,"intermediate_size":2880,"num_hidden_layers":24,"num_attention_heads":64,"num_key_value_heads":8,"head_dim":64,"num_local_experts":32,"num_experts_per_tok":4,"vocab_size":201088,"sliding_window":128}`, 20914757184},
		{"gpt-oss 120b", `{"architectures":["GptOssForCausalLM"],"hidden_size":2880,"intermediate_size":2880,"num_hidden_layers":36,"num_attention_heads":64,"num_key_value_heads":8,"head_dim":64,"num_local_experts":128,"num_experts_per_tok":4,"vocab_size":201088,"sliding_window":128}`, 116829156672},
		{"deepseek v2 lite", `{"model_type":"deepseek_v2","hidden_size":2048,"intermediate_size":10944,"moe_intermediate_size":1408,"num_hidden_layers":27,"num_attention_heads":16,"num_key_value_heads":16,"n_shared_experts":2,"n_routed_experts":64,"num_experts_per_tok":6,"first_k_dense_replace":1,"moe_layer_freq":1,"q_lora_rank":null,"kv_lora_rank":512,"qk_nope_head_dim":128,"qk_rope_head_dim":64,"v_head_dim":128,"vocab_size":102400}`, 15706484224},
		{"deepseek v2", `{"model_type":"deepseek_v2","hidden_size":5120,"intermediate_size":12288,"moe_intermediate_size":1536,"num_hidden_layers":60,"num_attention_heads":128,"n_shared_experts":2,"n_routed_experts":160,"num_experts_per_tok":6,"first_k_dense_replace":1,"q_lora_rank":1536,"kv_lora_rank":512,"vocab_size":102400}`, 235741434880},
		{"deepseek v3, without the bias of its router", `{"model_type":"deepseek_v3","hidden_size":7168,"intermediate_size":18432,"moe_intermediate_size":2048,"num_hidden_layers":61,"num_attention_heads":128,"n_shared_experts":1,"n_routed_experts":256,"num_experts_per_tok":8,"first_k_dense_replace":3,"q_lora_rank":1536,"kv_lora_rank":512,"vocab_size":129280,"num_nextn_predict_layers":1}`, 671026404352},
		{"qwen1.5 moe a2.7b", `{"model_type":"qwen2_moe","hidden_size":2048,"intermediate_size":5632,"moe_intermediate_size":1408,"shared_expert_intermediate_size":5632,"num_hidden_layers":24,"num_attention_heads":16,"num_key_value_heads":16,"num_experts":60,"num_experts_per_tok":4,"decoder_sparse_step":1,"vocab_size":151936}`, 14315784192},
		{"llama 4 scout, text", `{"model_type":"llama4","text_config":{"model_type":"llama4_text","hidden_size":5120,"intermediate_size":8192,"intermediate_size_mlp":16384,"num_hidden_layers":48,"num_attention_heads":40,"num_key_value_heads":8,"head_dim":128,"num_local_experts":16,"num_experts_per_tok":1,"interleave_moe_layer_step":1,"vocab_size":202048},"vision_config":{}}`, 107769861120},
		{"opt 350m", `{"model_type":"opt","hidden_size":1024,"ffn_dim":4096,"num_hidden_layers":24,"num_attention_heads":16,"vocab_size":50272,"word_embed_proj_dim":512,"do_layer_norm_before":false}`, 331196416},
		{"smollm3 3b", `{"model_type":"smollm3","hidden_size":2048,"intermediate_size":11008,"num_hidden_layers":36,"num_attention_heads":16,"num_key_value_heads":4,"vocab_size":128256,"tie_word_embeddings":true}`, 3075098624},
		{"olmo 2 7b", `{"model_type":"olmo2","hidden_size":4096,"intermediate_size":11008,"num_hidden_layers":32,"num_attention_heads":32,"vocab_size":100352}`, 7298617344},
		{"t5 small", `{"model_type":"t5","d_model":512,"d_kv":64,"d_ff":2048,"num_layers":6,"num_heads":8,"vocab_size":32128}`, 60506624},
		{"t5 base", `{"model_type":"t5","d_model":768,"d_kv":64,"d_ff":3072,"num_layers":12,"num_heads":12,"vocab_size":32128}`, 222903552},
		{"flan t5 base", `{"model_type":"t5","d_model":768,"d_kv":64,"d_ff":2048,"num_layers":12,"num_heads":12,"vocab_size":32128,"feed_forward_proj":"gated-gelu","tie_word_embeddings":false}`, 247577856},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, phase := range []string{zoo.Decode, zoo.Prefill} {
				g, _, err := format.Read(format.Bytes("x/config.json", []byte(c.config)), format.Options{Phase: phase, Sequence: 7, Context: 100})
				require.NoError(t, err)
				require.Equal(t, c.params, g.Params(), "%+.2f%%", 100*(float64(g.Params())/float64(c.params)-1))
				attends(t, g)
			}
		})
	}
	for _, c := range []struct {
		name, config string
		params       int64
	}{
		{"bert base", `{"architectures":["BertForMaskedLM"],"model_type":"bert","hidden_size":768,"intermediate_size":3072,"num_hidden_layers":12,"num_attention_heads":12,"vocab_size":30522,"max_position_embeddings":512,"type_vocab_size":2}`, 109482240},
		{"roberta base", `{"model_type":"roberta","hidden_size":768,"intermediate_size":3072,"num_hidden_layers":12,"num_attention_heads":12,"vocab_size":50265,"max_position_embeddings":514,"type_vocab_size":1}`, 124645632},
		{"vit base", `{"architectures":["ViTForImageClassification"],"model_type":"vit","hidden_size":768,"intermediate_size":3072,"num_hidden_layers":12,"num_attention_heads":12,"image_size":224,"patch_size":16}`, 86567656},
		{"vit base, no head", `{"architectures":["ViTModel"],"model_type":"vit","hidden_size":768,"intermediate_size":3072,"num_hidden_layers":12,"num_attention_heads":12,"image_size":224,"patch_size":16}`, 86389248},
	} {
		t.Run(c.name, func(t *testing.T) {
			g, _, err := format.Read(format.Bytes("x/config.json", []byte(c.config)), format.Options{})
			require.NoError(t, err)
			require.Equal(t, c.params, g.Params())
			attends(t, g)
		})
	}
}

// attends checks that every attention of a model becomes one operator: no softmax is left
// but those of routers, and the graph holds together.
func attends(t *testing.T, g *graph.Graph) {
	chains := g.Chains()
	require.NotEmpty(t, chains)
	f := g.FuseAttention(chains)
	require.NoError(t, f.Validate())
	require.Equal(t, g.Params(), f.Params())
	for i := range f.Ops {
		if k, ok := f.Ops[i].Kind.(graph.Softmax); ok {
			require.Less(t, k.Cols, int64(1000), f.Ops[i].Name)
			require.Contains(t, f.Ops[i].Name, "rout", "a softmax over entries is left")
		}
	}
}

// What is left out is said, and so is a context beyond the training.
func TestHubNotes(t *testing.T) {
	for config, want := range map[string]string{
		`{"model_type":"llava","text_config":` + llama3Config + `,"vision_config":{"hidden_size":1024}}`:                                          "c.json: the vision part of the model is left out; only its text part runs",
		`{"architectures":["BertForMaskedLM"],"model_type":"bert","hidden_size":64,"num_hidden_layers":1,"num_attention_heads":1,"vocab_size":9}`: "c.json: the head for MaskedLM is left out; the encoder and its pooler run",
	} {
		g, _, err := format.Read(format.Bytes("c.json", []byte(config)), format.Options{})
		require.NoError(t, err)
		require.Equal(t, []string{want}, g.Notes)
	}
	g, _, err := format.Read(format.Bytes("c.json", []byte(llama3Config)), format.Options{Context: 9000, Phase: zoo.Decode})
	require.NoError(t, err)
	require.Equal(t, []string{"c.json: a context of 9000 is longer than the 8192 positions that the model was trained for"}, g.Notes)
	g, _, err = format.Read(format.Bytes("c.json", []byte(llama3Config)), format.Options{Context: 8192, Phase: zoo.Decode})
	require.NoError(t, err)
	require.Empty(t, g.Notes)
}

// Latent attention: a decode step multiplies queries into the latent space, reads the
// cache of 576 elements per token once, and does the same MACs as the paper's absorbed
// form; prefill does those of ordinary attention with heads of 192 and 128.
func TestLatentMACs(t *testing.T) {
	config := `{"model_type":"deepseek_v2","hidden_size":2048,"intermediate_size":10944,"moe_intermediate_size":1408,"num_hidden_layers":1,"num_attention_heads":16,"n_shared_experts":2,"n_routed_experts":64,"num_experts_per_tok":6,"first_k_dense_replace":1,"kv_lora_rank":512,"vocab_size":102400}`
	const hidden, heads, dense, head = 2048, 16, 3 * 2048 * 10944, 2048 * 102400
	shared := int64(hidden*heads*192 + hidden*576 + heads*128*hidden + dense + head)
	for _, c := range []struct {
		phase    string
		sequence int
		want     int64
	}{
		{zoo.Decode, 0, shared + heads*128*512 + heads*1000*576 + heads*1000*512 + heads*512*128},
		{zoo.Prefill, 1000, 1000*shared + 1000*512*heads*(128+128) + heads*1000*1000*(192+128)},
	} {
		g, _, err := format.Read(format.Bytes("c.json", []byte(config)), format.Options{Phase: c.phase, Sequence: c.sequence, Context: 1000})
		require.NoError(t, err)
		require.Equal(t, c.want, g.MACs(), c.phase)
	}
}
