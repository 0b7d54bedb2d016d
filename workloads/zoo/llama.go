package zoo

func init() {
	const paper2 = "Touvron et al., arXiv 2307.09288, appendix A.2.1; published checkpoints"
	const paper3 = "Meta LLaMA 3 model card, 2024; published checkpoints; Grattafiori et al., arXiv 2407.21783, table 3"
	const mixture = "Jiang et al., Mixtral of Experts, arXiv 2401.04088, table 1; published checkpoints"
	for _, l := range []struct {
		doc, source string
		Decoder
	}{
		{"LLaMA-2 7B: 32 layers of 4096 units.", paper2,
			Decoder{Name: "llama2_7b", Layers: 32, Hidden: 4096, Heads: 32, FF: 11008, Words: 32000}},
		{"LLaMA-2 70B: 80 layers of 8192 units, 8 key/value heads.", paper2,
			Decoder{Name: "llama2_70b", Layers: 80, Hidden: 8192, Heads: 64, KVHeads: 8, FF: 28672, Words: 32000}},
		{"LLaMA-3 8B: 32 layers of 4096 units, 8 key/value heads.", paper3,
			Decoder{Name: "llama3_8b", Layers: 32, Hidden: 4096, Heads: 32, KVHeads: 8, FF: 14336, Words: 128256}},
		{"LLaMA-3 70B: 80 layers of 8192 units, 8 key/value heads.", paper3,
			Decoder{Name: "llama3_70b", Layers: 80, Hidden: 8192, Heads: 64, KVHeads: 8, FF: 28672, Words: 128256}},
		{"Mixtral 8x7B: 32 layers of 4096 units, 8 experts, 2 per token.", mixture,
			Decoder{Name: "mixtral_8x7b", Layers: 32, Hidden: 4096, Heads: 32, KVHeads: 8, FF: 14336, Words: 32000, Experts: 8, ActiveExperts: 2}},
	} {
		register(l.model(l.doc, l.source))
	}
}

const llamaContext = 131072 // see Deviations
