package huggingface

import "github.com/causeway-sim/causeway/workloads/zoo"

// The families that follow LLaMA, with and without experts.
func init() {
	addHub(hubFamily{positions: 2048}, "llama", "internlm2")
	addHub(hubFamily{positions: 131072, window: 4096, Decoder: zoo.Decoder{KVHeads: 8}}, "mistral", "ministral")
	addHub(hubFamily{positions: 131072, Decoder: zoo.Decoder{KVHeads: 8, Experts: 8, ActiveExperts: 2}}, "mixtral")
	addHub(hubFamily{positions: 32768, halfFF: true, Decoder: zoo.Decoder{QKVBias: true}}, "qwen")
	qwen := hubFamily{positions: 32768, window: 4096, windowOff: true}
	with := func(d zoo.Decoder) hubFamily {
		f := qwen
		f.Decoder = d
		return f
	}
	addHub(with(zoo.Decoder{QKVBias: true}), "qwen2", "qwen2_vl", "qwen2_vl_text", "qwen2_5_vl", "qwen2_5_vl_text")
	addHub(with(zoo.Decoder{QKNorm: true, HeadSize: 128}), "qwen3", "qwen3_vl_text")
	addHub(with(zoo.Decoder{QKNorm: true, Experts: 128, ActiveExperts: 8}), "qwen3_moe", "qwen3_vl_moe_text")
	shared := with(zoo.Decoder{QKVBias: true, Experts: 60, ActiveExperts: 4, SharedGate: true})
	shared.adjust = func(o *hubModel, d *zoo.Decoder) {
		d.SharedFF = o.number(5632, 1, maxHub, "shared_expert_intermediate_size")
	}
	addHub(shared, "qwen2_moe")
	addHub(hubFamily{positions: 4096}, "phi3")
	addHub(hubFamily{positions: 131072, window: 128, period: 2, adjust: sinks,
		Decoder: zoo.Decoder{QKVBias: true, OutBias: true, FFBias: true, RouterBias: true, Experts: 128, ActiveExperts: 4, HeadSize: 64, KVHeads: 8}}, "gpt_oss")
	addHub(hubFamily{positions: 10485760, adjust: llama4, Decoder: zoo.Decoder{HeadSize: 128, KVHeads: 8, Experts: 16, ActiveExperts: 1}}, "llama4_text", "llama4")
	addHub(hubFamily{positions: 4096, Decoder: zoo.Decoder{QKNorm: true, WideQK: true, OnlyPost: true}}, "olmo2")
	addHub(hubFamily{positions: 2048}, "granite")
	addHub(hubFamily{positions: 65536, adjust: smol, Decoder: zoo.Decoder{KVHeads: 4}}, "smollm3")
}

// sinks: gpt_oss has a score per head that no entry belongs to. Alternate layers have
// the window, the first among them.
func sinks(_ *hubModel, d *zoo.Decoder) { d.Sinks = true }

// smol: SmolLM3 leaves positions out in every fourth layer.
func smol(o *hubModel, d *zoo.Decoder) {
	d.NoRope = o.unrotated(d.Layers, o.number(4, 1, maxHub, "no_rope_layer_interval"))
}

// llama4: every token takes one shared expert and one of the others, in every or every
// second layer; three of four layers attend to chunks, the others to everything,
// without positions.
func llama4(o *hubModel, d *zoo.Decoder) {
	d.SharedFF = d.FF
	d.NoRope = o.unrotated(d.Layers, o.number(4, 1, maxHub, "no_rope_layer_interval"))
	step := o.number(1, 1, maxHub, "interleave_moe_layer_step")
	width := o.number(d.FF, 1, maxHub, "intermediate_size_mlp")
	_, _, listed := o.find("moe_layers")
	sparse := o.numbers("moe_layers")
	for i := range d.Layers {
		has := (i+1)%step == 0
		if listed {
			has = false
			for _, l := range sparse {
				has = has || l == i
			}
		}
		if !has {
			o.dense(d, i, width)
		}
	}
	if chunk := o.number(8192, 1, maxHub, "attention_chunk_size"); chunk > 0 {
		d.Chunked, d.Windows = true, make([]int, d.Layers)
		for i := range d.Windows {
			if !d.NoRope[i] {
				d.Windows[i] = chunk
			}
		}
	}
	if o.truth(true, "use_qk_norm") {
		o.note("the norm of queries and keys, which has no weights, is left out")
	}
}

// unrotated marks the layers without rotary positions: those that no_rope_layers gives
// as 0, or each interval-th.
func (o *hubModel) unrotated(layers, interval int) []bool {
	out := make([]bool, layers)
	list := o.numbers("no_rope_layers")
	for i := range out {
		out[i] = (i+1)%interval == 0
		if len(list) == layers {
			out[i] = list[i] == 0
		}
	}
	return out
}
