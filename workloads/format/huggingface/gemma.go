package huggingface

import "github.com/causeway-sim/causeway/workloads/zoo"

// Gemma: scaled and tied embeddings, a tanh GELU, heads of 256; from the second
// generation on norms after each part and windows in some layers.
func init() {
	d := zoo.Decoder{HeadSize: 256, EmbedScale: true, Tied: true, Activation: "gelu_tanh"}
	addHub(hubFamily{positions: 8192, Decoder: d}, "gemma")
	d.PostNorm = true
	addHub(hubFamily{positions: 8192, window: 4096, period: 2, Decoder: d, adjust: caps}, "gemma2")
	d.QKNorm, d.Hidden, d.FF, d.Layers, d.Heads, d.KVHeads, d.Words = true, 2304, 9216, 26, 8, 4, 262208
	addHub(hubFamily{positions: 131072, window: 4096, period: 6, Decoder: d}, "gemma3_text", "gemma3")
}

// caps: Gemma 2 bounds its scores and logits by tanh, unless the keys are null.
func caps(o *hubModel, d *zoo.Decoder) {
	on := func(key string) bool {
		v, said := o.values[key]
		return !said || string(v.raw) != "null"
	}
	d.SoftCap, d.LogitCap = on("attn_logit_softcapping"), on("final_logit_softcapping")
}
