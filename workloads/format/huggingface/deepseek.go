package huggingface

import "github.com/causeway-sim/causeway/workloads/zoo"

// DeepSeek-V2 and V3: latent attention, many small experts besides shared ones, the
// first layers without experts. Source: arXiv 2405.04434 and 2412.19437, section 2.1.
func init() {
	base := hubFamily{positions: 4096, adjust: deepseek}
	base.Decoder = zoo.Decoder{Experts: 64, ActiveExperts: 6}
	addHub(base, "deepseek_v2")
	base.Decoder = zoo.Decoder{Experts: 256, ActiveExperts: 8}
	addHub(base, "deepseek_v3", "kimi_k2")
}

func deepseek(o *hubModel, d *zoo.Decoder) {
	whole := o.number(d.FF, 1, maxHub, "intermediate_size")
	d.SharedFF = d.FF * o.number(0, 0, 1<<10, "n_shared_experts")
	first, freq := o.number(0, 0, maxHub, "first_k_dense_replace"), o.number(1, 1, maxHub, "moe_layer_freq")
	for i := range d.Layers {
		if i < first || i%freq != 0 {
			o.dense(d, i, whole)
		}
	}
	d.Latent = &zoo.Latent{
		QueryRank: o.number(0, 1, maxHub, "q_lora_rank"), Rank: o.number(512, 1, maxHub, "kv_lora_rank"),
		Plain: o.number(128, 1, maxHub, "qk_nope_head_dim"), Rotary: o.number(64, 1, maxHub, "qk_rope_head_dim"), Value: o.number(128, 1, maxHub, "v_head_dim"),
	}
	d.KVHeads, d.HeadSize = 0, d.Latent.Plain+d.Latent.Rotary
	if n := o.number(0, 0, maxHub, "num_nextn_predict_layers"); n > 0 {
		o.note("%d layers that predict further tokens are left out", n)
	}
}
