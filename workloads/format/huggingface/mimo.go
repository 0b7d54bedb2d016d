package huggingface

import "github.com/causeway-sim/causeway/workloads/zoo"

// MiMo (Xiaomi, arXiv 2505.07608) is Qwen2 with layers that predict further tokens. MiMo-V2-Flash
// has windows of 128 in five of six layers, with more key heads and sinks there, values shorter
// than keys, and experts.
func init() {
	f := hubFamily{positions: 32768, window: 4096, windowOff: true, Decoder: zoo.Decoder{QKVBias: true}}
	f.adjust = func(o *hubModel, d *zoo.Decoder) { d.OutBias = false; o.further() }
	addHub(f, "mimo")
	addHub(hubFamily{positions: 262144, adjust: mimo2, Decoder: zoo.Decoder{Experts: 256, ActiveExperts: 8}}, "mimo_v2_flash")
}

func mimo2(o *hubModel, d *zoo.Decoder) {
	d.Value = o.number(d.HeadSize, 1, maxHub, "v_head_dim")
	d.RotarySize = o.partialRotary(d.HeadSize, 1)
	o.plainLayers(d, o.number(d.FF, 1, maxHub, "intermediate_size"))
	w := o.number(128, 1, maxHub, "sliding_window")
	local := zoo.Block{KVHeads: o.number(0, 1, maxHub, "swa_num_key_value_heads"), Sinks: o.truth(false, "add_swa_attention_sink_bias")}
	pattern := o.numbers("hybrid_layer_pattern")
	d.Window, d.Windows, d.Blocks = 0, make([]int, d.Layers), blocksOf(d)
	for i := range min(d.Layers, len(pattern)) {
		if pattern[i] == 1 {
			d.Windows[i], d.Blocks[i] = w, local
		}
	}
	o.further()
}
