package zoo

import "github.com/causeway-sim/causeway/workloads/graph"

func init() {
	const bertPaper = "Devlin et al., arXiv 1810.04805, section 3; vocabulary and pooler of the published uncased checkpoints"
	register(model{
		name: "bert_base", sequence: limit{128, bertPositions, 0}, ops: 256, tensors: 512, source: bertPaper,
		doc:   "BERT of 12 layers and 768 units.",
		build: func(b *graph.Builder, p Params) { bert(b, p, 12, 12) },
	})
	register(model{
		name: "bert_large", sequence: limit{384, bertPositions, 0}, ops: 512, tensors: 1024, source: bertPaper,
		doc:   "BERT of 24 layers and 1024 units.",
		build: func(b *graph.Builder, p Params) { bert(b, p, 24, 16) },
	})
	const vitPaper = "Dosovitskiy et al., arXiv 2010.11929, table 1, patches of 16 x 16"
	const deitPaper = "Touvron et al., arXiv 2012.12877, table 1, patches of 16 x 16, no distillation token"
	for _, v := range []struct {
		name, doc, source string
		layers, heads     int
	}{
		{"vit_b", "Vision transformer, base: 12 layers of 768 units.", vitPaper, 12, 12},
		{"vit_l", "Vision transformer, large: 24 layers of 1024 units.", vitPaper, 24, 16},
		{"deit_s", "Data-efficient vision transformer, small: 12 layers of 384 units.", deitPaper, 12, 6},
		{"deit_t", "Data-efficient vision transformer, tiny: 12 layers of 192 units.", deitPaper, 12, 3},
	} {
		register(model{
			name: v.name, doc: v.doc, source: v.source, image: limit{224, 4096, vitPatch}, ops: 24 * v.layers, tensors: 48 * v.layers,
			build: func(b *graph.Builder, p Params) { vit(b, p, v.layers, v.heads) },
		})
	}
}

const (
	bertWords     = 30522
	bertPositions = 512
	vitPatch      = 16
	headSize      = 64 // of BERT, ViT, DeiT and GPT-2
)

func bert(b *graph.Builder, p Params, layers, n int) {
	d := n * headSize
	ids := b.Input("input_ids", p.Batch, p.Sequence)
	types := b.Input("token_types", p.Batch, p.Sequence)
	positions := b.Input("positions", p.Sequence)
	x := b.Gather("embed.word", b.Weight("embed.word.weight", bertWords, d), ids)
	x = b.Add("embed.add1", x, b.Gather("embed.position", b.Weight("embed.position.weight", bertPositions, d), positions))
	x = b.Add("embed.add2", x, b.Gather("embed.type", b.Weight("embed.type.weight", 2, d), types))
	x = b.Norm("embed.ln", "layer", x, graph.WithBias)
	t := stack{heads: heads{p.Batch, p.Sequence, p.Sequence, n, n, headSize}, ff: 4 * d, activation: "gelu"}
	x = t.layers(b, layers, x)
	b.Output(x)
	x = first(b, x)
	x = b.Linear("pooler", x, d, graph.WithBias)
	b.Output(b.Elementwise("pooler.tanh", "tanh", x))
}

// first sees the first token of each request.
func first(b *graph.Builder, x graph.TensorID) graph.TensorID {
	s := b.Shape(x)
	return b.Op("first", graph.Move{Func: "slice"}, []graph.TensorID{x}, s[0], s[2])
}

func vit(b *graph.Builder, p Params, layers, n int) {
	d, side := n*headSize, p.Image/vitPatch
	tokens := side*side + 1
	x := b.Input("input", p.Batch, 3, p.Image, p.Image)
	x = b.Conv("patch_embed", x, graph.SquareConv(d, vitPatch, vitPatch, 0), graph.WithBias)
	x = b.Reshape("patches", x, p.Batch, side*side, d)
	class := b.Weight("class.weight", 1, 1, d)
	all := b.Tensor("tokens", graph.Activation, p.Batch, tokens, d)
	b.Into("tokens", graph.Move{Func: "concat", Elements: b.Elements(all)}, []graph.TensorID{class, x}, all)
	x = b.Add("embed.add", all, b.Weight("embed.position.weight", 1, tokens, d))
	t := stack{heads: heads{p.Batch, tokens, tokens, n, n, headSize}, ff: 4 * d, activation: "gelu", preNorm: true}
	x = t.layers(b, layers, x)
	x = b.Norm("ln", "layer", x, graph.WithBias)
	b.Output(b.Linear("head", first(b, x), 1000, graph.WithBias))
}
