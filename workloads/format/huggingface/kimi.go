package huggingface

import "github.com/causeway-sim/causeway/workloads/zoo"

// Kimi Linear (arXiv 2510.26692) and K3: three of four layers have Kimi Delta Attention, the others
// latent attention without positions.
func init() {
	f := hubFamily{positions: 1048576, adjust: kimi, Decoder: zoo.Decoder{Experts: 256, ActiveExperts: 8, Activation: "silu"}}
	addHub(f, "kimi_linear")
}

func kimi(o *hubModel, d *zoo.Decoder) {
	d.ActiveExperts = o.number(d.ActiveExperts, 1, maxHub, "num_experts_per_token", "num_experts_per_tok")
	deepseek(o, d)
	d.SharedFF = d.FF * o.number(1, 0, 1<<10, "num_shared_experts")
	d.ExpertHidden, d.ExpertNorm = o.number(0, 1, maxHub, "routed_expert_hidden_size"), o.truth(false, "latent_moe_use_norm")
	if o.truth(false, "mla_use_output_gate") {
		d.OutGate = zoo.GateElement
	}
	d.Blocks = blocksOf(d)
	if o.truth(false, "mla_use_nope") {
		d.NoRope = make([]bool, d.Layers)
		for i := range d.NoRope {
			d.NoRope[i] = true
		}
	}
	c, ok := o.nested("linear_attn_config")
	if !ok {
		return
	}
	n, size := c.number(32, 1, 1<<12, "num_heads"), c.number(128, 1, 1<<12, "head_dim")
	r := zoo.DeltaRule{KeyHeads: n, KeySize: size, Heads: n, HeadSize: size, Kernel: c.number(4, 1, 64, "short_conv_kernel_size"), DecayRank: size, GateRank: size, Fine: true}
	if c.truth(false, "use_full_rank_gate") {
		r.GateRank = 0
	}
	for _, l := range c.numbers("kda_layers") { // from 1
		if l >= 1 && l <= d.Layers {
			d.Blocks[l-1].Mixer = r
		}
	}
}
