package huggingface

import "github.com/causeway-sim/causeway/workloads/zoo"

// DeepSeek-V4: attention to a window and to compressed entries, several residual streams. Its
// config.json has names of its own in some copies (deepseek_ref).
func init() {
	f := hubFamily{positions: 1048576, adjust: compressed, Decoder: zoo.Decoder{Experts: 256, ActiveExperts: 6, FF: 1, HeadSize: 512}}
	addHub(f, "deepseek_v4", "deepseek_ref")
}

func compressed(o *hubModel, d *zoo.Decoder) {
	o.missing([]string{"moe_intermediate_size"}, []string{"q_lora_rank"}, []string{"o_lora_rank"}, []string{"compress_ratios"})
	d.SharedFF = d.FF * o.number(1, 0, 1<<10, "n_shared_experts")
	d.Dense, d.Window, d.Windows = nil, 0, nil
	d.RotarySize = o.number(64, 1, maxHub, "qk_rope_head_dim")
	d.Streams = o.number(4, 1, 64, "hc_mult")
	ratios := o.numbers("compress_ratios") // of layers, then of those that predict further tokens
	d.Blocks = blocksOf(d)
	for i := range d.Blocks {
		m := zoo.Compressed{Heads: d.Heads, HeadSize: d.HeadSize, QueryRank: o.number(1024, 1, maxHub, "q_lora_rank"), Groups: o.number(8, 1, 1<<12, "o_groups"),
			OutRank: o.number(1024, 1, maxHub, "o_lora_rank"), Window: o.number(128, 1, maxHub, "sliding_window")}
		if i < len(ratios) {
			m.Ratio = ratios[i]
		}
		if m.Ratio == 4 { // model.py: entries of 4 tokens overlap, and an indexer chooses among them
			m.Overlap = true
			m.IndexHeads, m.IndexSize, m.TopK = o.number(64, 1, 1<<12, "index_n_heads"), o.number(128, 1, 1<<12, "index_head_dim"), o.number(512, 1, maxHub, "index_topk")
		}
		d.Blocks[i].Mixer = m
	}
	o.further()
}
