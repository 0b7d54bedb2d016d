package huggingface

import "github.com/causeway-sim/causeway/workloads/zoo"

// Qwen3-Next and Qwen3.5: three of four layers have the gated delta rule, the others attention with
// a gate on its result. Source: configuration classes qwen3_next and qwen3_5_moe of transformers.
func init() {
	d := zoo.Decoder{QKNorm: true, OutGate: zoo.GateElement, HeadSize: 256, KVHeads: 2}
	addHub(hubFamily{positions: 262144, Decoder: d, adjust: deltas}, "qwen3_5", "qwen3_5_text")
	d.Experts, d.ActiveExperts, d.SharedGate, d.FF = 512, 10, true, 512
	addHub(hubFamily{positions: 262144, Decoder: d, adjust: deltas}, "qwen3_5_moe", "qwen3_5_moe_text", "qwen3_next")
}

func deltas(o *hubModel, d *zoo.Decoder) {
	if d.Experts > 0 {
		d.SharedFF = o.number(512, 1, maxHub, "shared_expert_intermediate_size")
	}
	d.RotarySize = o.partialRotary(d.HeadSize, 0.25)
	r := zoo.DeltaRule{KeyHeads: o.number(16, 1, 1<<12, "linear_num_key_heads"), KeySize: o.number(128, 1, 1<<12, "linear_key_head_dim"),
		Heads: o.number(32, 1, 1<<12, "linear_num_value_heads"), HeadSize: o.number(128, 1, 1<<12, "linear_value_head_dim"), Kernel: o.number(4, 1, 64, "linear_conv_kernel_dim")}
	types := o.words("layer_types", d.Layers, "linear_attention", "full_attention")
	every := o.number(4, 1, maxHub, "full_attention_interval")
	d.Windows, d.Blocks = nil, blocksOf(d)
	for i := range d.Blocks {
		if linear := (i+1)%every != 0; types == nil && linear || types != nil && types[i] == "linear_attention" {
			d.Blocks[i].Mixer = r
		}
	}
	o.further()
}

// partialRotary is how much of a head of a size has positions: partial_rotary_factor, which newer
// files have in rope_parameters.
func (o *hubModel) partialRotary(size int, def float64) int {
	c := o.jsonObject
	if _, v, ok := o.find("rope_parameters"); ok {
		if in, err := o.object(v); err == nil {
			if _, _, ok := in.find("partial_rotary_factor"); ok {
				c = in
			}
		}
	}
	if x := c.fraction(def, "partial_rotary_factor"); x > 0 && x < 1 {
		return max(2*int(x*float64(size)/2), 2)
	}
	return 0
}
