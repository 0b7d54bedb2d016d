package huggingface

import "github.com/causeway-sim/causeway/workloads/zoo"

// DeepSeek-V3.2 and GLM-5: latent attention to the entries that an indexer chooses.
func init() {
	f := hubFamily{positions: 163840, adjust: indexed, Decoder: zoo.Decoder{Experts: 256, ActiveExperts: 8}}
	addHub(f, "deepseek_v32", "glm_moe_dsa")
}

func indexed(o *hubModel, d *zoo.Decoder) {
	deepseek(o, d)
	d.Indexer = &zoo.Indexer{Heads: o.number(64, 1, 1<<12, "index_n_heads"), HeadSize: o.number(128, 1, 1<<12, "index_head_dim"), TopK: o.number(2048, 1, maxHub, "index_topk")}
	if types := o.words("indexer_types", d.Layers, "full", "shared"); types != nil {
		d.Indexer.Shared = make([]bool, d.Layers)
		for i, t := range types {
			d.Indexer.Shared[i] = t == "shared"
		}
	}
}
