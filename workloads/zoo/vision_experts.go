package zoo

import (
	"github.com/causeway-sim/causeway/workloads/graph/masking"
)

import "github.com/causeway-sim/causeway/workloads/graph"

func init() {
	register(model{name: "moe_vit_t", doc: "Vision transformer of 12 layers of 192 units, in every second one a mixture of 16 experts, 2 per token.",
		source: "Liang et al., M3ViT, arXiv 2210.14793, section 3; Dong et al., CoQMoE, arXiv 2506.08496",
		build:  mixedVision, ops: 488, tensors: 1400})
}

// mixedVision is DeiT-Tiny on 128 patches of 16 x 16 pixels with a class token, where the
// feed-forward part of every second layer is a mixture of 16 experts.
//
// assumption: an expert has half of the inner width of 768, so that two of them do what
// one part without experts does, and the picture is 128 x 256: 0.783 GMAC per picture, as
// is published.
func mixedVision(b *graph.Builder, p Params) {
	const tokens, rows, cols, d, ff, layers, n = 129, 8, 16, 192, 768, 12, 3
	x := b.Input("input", p.Batch, 3, 16*rows, 16*cols)
	x = b.Conv("patch_embed", x, graph.SquareConv(d, 16, 16, 0), graph.WithBias)
	x = b.Reshape("patches", x, p.Batch, rows*cols, d)
	all := b.Tensor("tokens", graph.Activation, p.Batch, tokens, d)
	b.Into("tokens", graph.Move{Func: "concat", Elements: b.Elements(all)}, []graph.TensorID{b.Weight("class.weight", 1, 1, d), x}, all)
	x = b.Add("embed.add", all, b.Weight("embed.position.weight", 1, tokens, d))
	mixture := Decoder{Hidden: d, FF: ff / 2, Experts: 16, ActiveExperts: 2, Plain: true, FFBias: true, Activation: "gelu", draw: p.Experts}
	for l, shares := range p.Experts.Shares {
		if len(shares) > mixture.Experts {
			b.Errorf("the draw of experts has %d of them in layer %d (want at most %d)", len(shares), l, mixture.Experts)
			return
		}
	}
	t := stack{heads: heads{p.Batch, tokens, tokens, n, n, d / n, masking.Mask{}, 0, 0}, ff: ff, activation: "gelu", preNorm: true}
	for i := range layers {
		t.inner = nil
		if i%2 == 1 {
			t.inner = func(b *graph.Builder, p string, x graph.TensorID) graph.TensorID { return mixture.experts(b, i, p, x) }
		}
		x = t.layer(b, "L"+number(i)+".", x)
	}
	x = b.Norm("ln", "layer", x, graph.WithBias)
	b.Output(b.Linear("head", first(b, x), 1000, graph.WithBias))
}
