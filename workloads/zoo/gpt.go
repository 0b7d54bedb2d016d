package zoo

import "github.com/causeway-sim/causeway/workloads/graph"

func init() {
	const gpt2Paper = "Radford et al., \"Language models are unsupervised multitask learners\", 2019, table 2; published checkpoints"
	for _, g := range []gpt{
		{"gpt2", "GPT-2 small: 12 layers of 768 units.", gpt2Paper, 12, 12, headSize, 1024},
		{"gpt2_medium", "GPT-2 medium: 24 layers of 1024 units.", gpt2Paper, 24, 16, headSize, 1024},
		{"gpt2_xl", "GPT-2 XL: 48 layers of 1600 units.", gpt2Paper, 48, 25, headSize, 1024},
		{"gpt3", "GPT-3 175B: 96 layers of 12288 units.", "Brown et al., arXiv 2005.14165, table 2.1", 96, 96, 128, 2048},
	} {
		register(model{
			name: g.name, doc: g.doc, source: g.source, decoder: true, build: g.build,
			sequence: limit{g.positions, g.positions, 0}, ops: 18*g.layers + 8, tensors: 36*g.layers + 16,
		})
	}
}

const gptWords = 50257 // byte pairs, GPT-2 section 2.2; GPT-3 uses the same

type gpt struct {
	name, doc, source string
	layers, heads     int
	headSize          int
	positions         int // learned position embeddings
}

func (g gpt) build(b *graph.Builder, p Params) {
	d := g.heads * g.headSize
	words := b.Weight("embed.word.weight", gptWords, d)
	x := b.Gather("embed.word", words, b.Input("input_ids", p.Batch, p.Sequence))
	positions := b.Weight("embed.position.weight", g.positions, d)
	x = b.Add("embed.add", x, b.Gather("embed.position", positions, b.Input("positions", p.Sequence)))
	t := stack{heads: heads{p.Batch, p.Sequence, p.Context, g.heads, g.heads, g.headSize}, ff: 4 * d,
		gelu: "gelu_tanh", preNorm: true, cached: true}
	x = t.layers(b, g.layers, x)
	x = b.Norm("ln", "layer", x, graph.WithBias)
	m := graph.MatMul{Batch: 1, M: p.Batch * p.Sequence, N: gptWords, K: d}
	b.Output(b.MatMul("lm_head(tied)", x, words, m, p.Batch, p.Sequence, gptWords))
}
