package huggingface

import "github.com/causeway-sim/causeway/workloads/zoo"

// Gemma 4: five of six layers have a window, the others wider heads whose keys are the values too;
// a mixture of experts stands beside the feed-forward part.
func init() {
	d := zoo.Decoder{HeadSize: 256, EmbedScale: true, Tied: true, Activation: "gelu_tanh", PostNorm: true, QKNorm: true, LogitCap: true}
	addHub(hubFamily{positions: 262144, window: 1024, period: 6, Decoder: d, adjust: gemma4}, "gemma4", "gemma4_text")
}

func gemma4(o *hubModel, d *zoo.Decoder) {
	types := o.words("layer_types", d.Layers, "sliding_attention", "full_attention")
	wide := zoo.Block{HeadSize: o.number(512, 1, maxHub, "global_head_dim"), KVHeads: o.number(0, 1, maxHub, "num_global_key_value_heads"), SharedKV: o.truth(true, "attention_k_eq_v")}
	d.Blocks = blocksOf(d)
	for i := range d.Blocks {
		if types != nil && types[i] == "full_attention" || types == nil && (i+1)%6 == 0 {
			d.Blocks[i] = wide
		}
	}
	if o.truth(false, "enable_moe_block") {
		d.SharedFF, d.SharedNorms = d.FF, true
		d.Experts, d.ActiveExperts = o.number(128, 1, maxHub, "num_experts"), o.number(8, 1, maxHub, "top_k_experts")
		d.FF = o.number(d.FF, 1, maxHub, "moe_intermediate_size", "expert_intermediate_size")
	}
}
