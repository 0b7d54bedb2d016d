package huggingface

import (
	"encoding/json"
	"strings"

	"github.com/causeway-sim/causeway/workloads/zoo"
)

// Nemotron-H (NVIDIA, arXiv 2504.03624) and Nemotron 3: a layer is a state space, an attention
// without positions, a feed-forward part or experts. Llama-Nemotron (arXiv 2505.00949) is LLaMA
// whose layers a search has thinned out.
func init() {
	addHub(hubFamily{positions: 8192, adjust: hybrid, Decoder: zoo.Decoder{Plain: true, Alibi: false, Activation: "relu", Layers: 1}}, "nemotron_h")
	addHub(hubFamily{positions: 131072, adjust: thinned, Decoder: zoo.Decoder{FF: 1, KVHeads: 8}}, "nemotron-nas")
}

// hybridLayers are the letters of hybrid_override_pattern, by the words of layers_block_type.
var hybridLayers = map[string]byte{"mamba": 'M', "moe": 'E', "attention": '*', "mlp": '-'}

func hybrid(o *hubModel, d *zoo.Decoder) {
	pattern := o.word("", "hybrid_override_pattern")
	if pattern == "" {
		for _, w := range o.list("layers_block_type") {
			pattern += string(hybridLayers[w])
		}
	}
	if pattern == "" {
		o.missing([]string{"hybrid_override_pattern"})
		return
	}
	d.Layers, d.Blocks, d.NoRope = len(pattern), make([]zoo.Block, len(pattern)), make([]bool, len(pattern))
	m := zoo.StateSpace{Heads: o.number(128, 1, 1<<14, "mamba_num_heads"), HeadSize: o.number(64, 1, 1<<14, "mamba_head_dim"), State: o.number(128, 1, 1<<14, "ssm_state_size"),
		Groups: o.number(8, 1, 1<<10, "n_groups"), Kernel: o.number(4, 1, 64, "conv_kernel"), ConvBias: o.truth(true, "use_conv_bias"), Bias: o.truth(false, "mamba_proj_bias")}
	d.HeadSize = o.number(128, 1, maxHub, "head_dim", "attention_head_dim")
	for i, c := range pattern {
		k := &d.Blocks[i]
		d.NoRope[i] = true
		switch c {
		case 'M':
			k.Mixer, k.Only = m, zoo.OnlyMixer
		case '*':
			k.Only = zoo.OnlyMixer
		case 'E':
			k.Only = zoo.OnlyFF
		case '-':
			k.Only, k.FF = zoo.OnlyFF, o.number(0, 1, maxHub, "intermediate_size")
		default:
			_, v, _ := o.find("hybrid_override_pattern", "layers_block_type")
			o.errs.Add(o.fault(v.at, []string{"M", "E", "*", "-"}, "unknown layer %q in the pattern of layers", c))
			return
		}
	}
	if strings.Contains(pattern, "E") {
		d.Experts, d.ActiveExperts = o.number(128, 1, maxHub, "n_routed_experts"), o.number(6, 1, maxHub, "num_experts_per_tok")
		d.FF, d.SharedFF = o.number(d.FF, 1, maxHub, "moe_intermediate_size"), o.number(0, 0, maxHub, "moe_shared_expert_intermediate_size")*o.number(1, 0, 64, "n_shared_experts")
		d.ExpertHidden = o.number(0, 1, maxHub, "moe_latent_size")
	}
	o.further()
}

// thinned reads the attention and the feed-forward part of each layer.
func thinned(o *hubModel, d *zoo.Decoder) {
	_, v, ok := o.find("block_configs")
	var blocks []struct {
		Attention struct {
			Heads  int  `json:"n_heads_in_group"`
			None   bool `json:"no_op"`
			Linear bool `json:"replace_with_linear"`
		} `json:"attention"`
		FF struct {
			Times  float64 `json:"ffn_mult"`
			None   bool    `json:"no_op"`
			Linear bool    `json:"replace_with_linear"`
		} `json:"ffn"`
	}
	if !ok || json.Unmarshal(v.raw, &blocks) != nil || len(blocks) != d.Layers {
		o.errs.Add(o.fault(v.at, nil, "block_configs has no attention and ffn for each of %d layers", d.Layers))
		return
	}
	d.Blocks = blocksOf(d)
	for i, k := range blocks {
		out := &d.Blocks[i]
		if k.Attention.Linear || k.FF.Linear || k.Attention.None && k.FF.None {
			o.errs.Add(o.fault(v.at, nil, "layer %d of block_configs has a part replaced by a product, or none", i))
			return
		}
		if k.Attention.Heads > 0 {
			out.KVHeads = d.Heads / k.Attention.Heads
		}
		if k.Attention.None {
			out.Only = zoo.OnlyFF
		} else if k.FF.None {
			out.Only = zoo.OnlyMixer
		}
		out.FF = thinnedFF(k.FF.Times, d.Hidden)
	}
}

// thinnedFF is the inner width of a feed-forward part: two thirds of so many hidden sizes, up to a
// multiple of 256 (modeling_decilm.py).
func thinnedFF(times float64, hidden int) int {
	n := int(2 * times * float64(hidden) / 3)
	return (n + 255) / 256 * 256
}
