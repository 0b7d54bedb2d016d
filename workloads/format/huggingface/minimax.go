package huggingface

import "github.com/causeway-sim/causeway/workloads/zoo"

// MiniMax-M2 (config.json of MiniMaxAI/MiniMax-M2): a norm over all heads of queries and keys, half
// of a head with positions, experts in every layer. M3 adds norms of each head, dense first layers,
// a shared expert, and attention to the best blocks of keys.
func init() {
	addHub(hubFamily{positions: 196608, adjust: rotaryDim, Decoder: zoo.Decoder{QKNorm: true, WideQK: true, Experts: 256, ActiveExperts: 8}}, "minimax_m2")
	addHub(hubFamily{positions: 1048576, adjust: minimax3, Decoder: zoo.Decoder{QKNorm: true, Experts: 128, ActiveExperts: 4}}, "minimax_m3")
}

// rotaryDim reads how much of a head has positions.
func rotaryDim(o *hubModel, d *zoo.Decoder) {
	d.RotarySize = o.number(0, 1, maxHub, "rotary_dim")
	o.further()
}

func minimax3(o *hubModel, d *zoo.Decoder) {
	rotaryDim(o, d)
	d.SharedFF = o.number(d.FF, 1, maxHub, "shared_intermediate_size") * o.number(1, 0, 64, "n_shared_experts")
	o.plainLayers(d, o.number(d.FF, 1, maxHub, "dense_intermediate_size"))
	if c, ok := o.nested("sparse_attention_config"); ok {
		sparseBlocks(c, d)
	}
}

// sparseBlocks reads the small heads that score blocks of keys, of which attention reads the best.
func sparseBlocks(c *jsonObject, d *zoo.Decoder) {
	freq := c.numbers("sparse_attention_freq")
	x := zoo.BlockIndexer{Heads: c.number(4, 1, 1<<10, "sparse_num_index_heads"), HeadSize: c.number(128, 1, 1<<16, "sparse_index_dim"),
		Block: c.number(128, 1, 1<<16, "sparse_block_size"), Top: c.number(16, 1, 1<<16, "sparse_topk_blocks")}
	d.Blocks = blocksOf(d)
	for i := range d.Blocks {
		if i < len(freq) && freq[i] > 0 {
			d.Blocks[i].Index = &x
		}
	}
}

// blocksOf is the blocks of a decoder, as many as layers.
func blocksOf(d *zoo.Decoder) []zoo.Block {
	if d.Blocks == nil {
		return make([]zoo.Block, d.Layers)
	}
	return d.Blocks
}

// plainLayers reads which layers have no experts: a list of 0 and 1, or the first so many.
func (o *hubModel) plainLayers(d *zoo.Decoder, width int) {
	first := o.number(0, 0, maxHub, "first_k_dense_replace")
	var freq []int
	step := 1
	if _, v, ok := o.find("moe_layer_freq"); ok && jsonKind(v.raw) == "a list" {
		freq = o.numbers("moe_layer_freq")
	} else {
		step = o.number(1, 1, maxHub, "moe_layer_freq")
	}
	for i := range d.Layers {
		plain := i < first || i%step != 0
		if len(freq) == d.Layers {
			plain = freq[i] == 0
		}
		if plain {
			o.dense(d, i, width)
		}
	}
}

// further notes the layers that predict further tokens.
func (o *hubModel) further() {
	if n := o.number(0, 0, maxHub, "num_nextn_predict_layers", "num_mtp_modules", "mtp_num_hidden_layers"); n > 0 {
		o.note("%d layers that predict further tokens are left out", n)
	}
}
