package huggingface

import "github.com/causeway-sim/causeway/workloads/zoo"

// GPT-2 and OPT, and the families that depart from them towards LLaMA: rotary
// positions or slopes, attention parallel to the feed-forward part, fewer keys and values.
func init() {
	addHub(hubFamily{positions: 1024, read: (*hubModel).gpt, Decoder: zoo.Decoder{Activation: "gelu_tanh"}}, "gpt2")
	addHub(hubFamily{positions: 2048, read: (*hubModel).gpt, Decoder: zoo.Decoder{Name: "opt", Activation: "relu"}}, "opt")
	plain := zoo.Decoder{Norm: "layer", Plain: true, QKVBias: true, OutBias: true, FFBias: true, Activation: "gelu_tanh"}
	with := func(change func(*zoo.Decoder)) zoo.Decoder {
		d := plain
		change(&d)
		return d
	}
	addHub(hubFamily{positions: 8192, quadFF: true, adjust: multiQuery, Decoder: with(func(d *zoo.Decoder) { d.Positions, d.Tied = 8192, true })}, "gpt_bigcode")
	addHub(hubFamily{positions: 2048, adjust: neox, Decoder: with(func(d *zoo.Decoder) { d.Parallel, d.Activation = true, "gelu" })}, "gpt_neox")
	addHub(hubFamily{positions: 2048, quadFF: true, adjust: gptj,
		Decoder: with(func(d *zoo.Decoder) {
			d.Parallel, d.SharedNorm, d.QKVBias, d.OutBias, d.HeadBias = true, true, false, false, true
		})}, "gptj")
	addHub(hubFamily{positions: 2048, adjust: phi, Decoder: with(func(d *zoo.Decoder) { d.Parallel, d.SharedNorm, d.HeadBias = true, true, true })}, "phi")
	addHub(hubFamily{positions: 2048, quadFF: true, adjust: falcon, Decoder: zoo.Decoder{Norm: "layer", Plain: true, Parallel: true, Tied: true, Activation: "gelu"}}, "falcon", "refinedweb", "refinedwebmodel")
	addHub(hubFamily{positions: 2048, quadFF: true, Decoder: with(func(d *zoo.Decoder) { d.EmbedNorm, d.Alibi, d.Tied = true, true, true })}, "bloom")
	addHub(hubFamily{positions: 2048, quadFF: true, Decoder: zoo.Decoder{Norm: "layer_nobias", Plain: true, Alibi: true, Tied: true, Activation: "gelu"}, adjust: mpt}, "mpt")
	addHub(hubFamily{positions: 4096, window: 0, adjust: starcoder, Decoder: with(func(d *zoo.Decoder) { d.Tied = true })}, "starcoder2")
	addHub(hubFamily{positions: 4096, adjust: stable, Decoder: zoo.Decoder{Norm: "layer"}}, "stablelm", "stablelm_epoch")
	addHub(hubFamily{positions: 8192, adjust: cohere, Decoder: zoo.Decoder{Norm: "layer_nobias", Parallel: true, SharedNorm: true, Tied: true}}, "cohere")
}

// partRotary takes the rotated share of each head.
func (o *hubModel) partRotary(d *zoo.Decoder, def float64, keys ...string) {
	size := d.HeadSize
	if size == 0 && d.Heads > 0 {
		size = d.Hidden / d.Heads
	}
	if n := int(o.fraction(def, keys...) * float64(size)); n > 0 {
		d.RotarySize = n
	}
}

func neox(o *hubModel, d *zoo.Decoder) {
	d.Parallel = o.truth(true, "use_parallel_residual")
	bias := o.truth(true, "attention_bias")
	d.QKVBias, d.OutBias = bias, bias
	o.partRotary(d, 0.25, "rotary_pct", "partial_rotary_factor")
}

func gptj(o *hubModel, d *zoo.Decoder) { d.RotarySize = o.number(64, 1, maxHub, "rotary_dim") }

func phi(o *hubModel, d *zoo.Decoder) { o.partRotary(d, 0.5, "partial_rotary_factor") }

func stable(o *hubModel, d *zoo.Decoder) {
	d.QKVBias = o.truth(false, "use_qkv_bias")
	d.Parallel = o.truth(false, "use_parallel_residual")
	d.SharedNorm = d.Parallel
	o.partRotary(d, 0.25, "partial_rotary_factor", "rope_pct")
}

func cohere(o *hubModel, d *zoo.Decoder) { d.QKNorm = o.truth(false, "use_qk_norm") }

func starcoder(o *hubModel, d *zoo.Decoder) {
	bias := o.truth(true, "use_bias")
	d.QKVBias, d.OutBias, d.FFBias = bias, bias, bias
	if d.KVHeads == 0 {
		d.KVHeads = 2
	}
}

func mpt(o *hubModel, d *zoo.Decoder) {
	if ratio := o.number(4, 1, 1<<10, "expansion_ratio"); d.Hidden < maxHub/ratio {
		d.FF = ratio * d.Hidden
	}
}

func multiQuery(o *hubModel, d *zoo.Decoder) {
	if o.truth(true, "multi_query") {
		d.KVHeads = 1
	}
}

// falcon: one key and value head in the first architecture, some in the new one, which
// also has a norm for each of attention and feed-forward.
func falcon(o *hubModel, d *zoo.Decoder) {
	newer := o.truth(false, "new_decoder_architecture")
	switch {
	case newer:
		d.KVHeads = o.number(d.Heads, 1, maxHub, keyKVHeads[1], "n_head_kv")
	case o.truth(true, "multi_query"):
		d.KVHeads = 1
	default:
		d.KVHeads = 0
	}
	d.Parallel = newer || o.truth(true, "parallel_attn")
	norms := 1
	if newer {
		norms = 2
	}
	d.SharedNorm = d.Parallel && o.number(norms, 1, 2, "num_ln_in_parallel_attn") == 1
	bias := o.truth(false, "bias")
	d.QKVBias, d.OutBias, d.FFBias = bias, bias, bias
	d.Alibi = o.truth(false, "alibi")
}

// gpt reads GPT-2 and OPT, which have fused projections and learned positions.
func (o *hubModel) gpt() hubBuild {
	f := o.family
	o.missing(keyHidden, keyLayers, keyHeads, keyWords)
	hidden, heads := o.number(0, 1, maxHub, keyHidden...), o.number(0, 1, maxHub, keyHeads...)
	g := zoo.GPT{
		Name: o.name, Heads: heads, Layers: o.number(0, 1, maxHub, keyLayers...), Words: o.number(0, 1, maxHub, keyWords...),
		FF: o.number(0, 1, maxHub, keyFF...), Positions: o.number(f.positions, 1, maxHub, keyPosition...),
		Activation: o.activation(f.Activation),
	}
	if f.Name == "opt" {
		g.Positions += 2 // the table has two rows more than positions: padding
		g.EmbedSize = o.number(hidden, 1, maxHub, "word_embed_proj_dim")
		g.PostNorm = !o.truth(true, "do_layer_norm_before")
	}
	if heads > 0 {
		if hidden%heads != 0 {
			o.errs.Add(o.fault(o.at, nil, "the hidden size %d is not a multiple of %d heads", hidden, heads))
			return g.Graph
		}
		g.HeadSize = hidden / heads
	}
	if kv := o.number(heads, 1, maxHub, keyKVHeads...); kv != heads {
		o.errs.Add(o.fault(o.at, nil, "%d key/value heads of %d heads: models of this family have as many", kv, heads))
	}
	return g.Graph
}
