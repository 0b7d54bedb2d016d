package zoo

import (
	"cmp"

	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/graph/masking"
)

// A Vision describes a vision transformer: patches of a picture, a class token, learned
// positions, and layers with norms in front of each part.
type Vision struct {
	Name       string
	Layers     int
	Hidden     int
	Heads      int
	FF         int    // 0: four times the hidden size
	Image      int    // height and width in pixels
	Patch      int    // of a patch
	Channels   int    // 0: 3
	Classes    int    // of the head; 0: there is no head
	Pooler     bool   // a layer on the first token, where there is no head
	Activation string // empty: gelu
}

func (v Vision) normal() Vision {
	v.FF = cmp.Or(v.FF, 4*v.Hidden)
	v.Channels = cmp.Or(v.Channels, 3)
	v.Activation = cmp.Or(v.Activation, "gelu")
	return v
}

// Check returns all errors of v, joined.
func (v Vision) Check() error {
	v = v.normal()
	return checkEncoder(v.Name, v.Layers, v.Hidden, v.Heads, v.Activation,
		map[string]int{"feed-forward width": v.FF, "patch": v.Patch, "image": v.Image, "channels": v.Channels})
}

// Graph builds the model at the given parameters.
func (v Vision) Graph(p Params) (*graph.Graph, error) {
	if err := v.Check(); err != nil {
		return nil, err
	}
	return v.model("", "").graph(p)
}

func (v Vision) model(doc, source string) model {
	v = v.normal()
	return model{name: v.Name, doc: doc, source: source, build: v.build, image: limit{v.Image, v.Image, v.Patch}, ops: 24 * v.Layers, tensors: 48 * v.Layers}
}

func (v Vision) build(b *graph.Builder, p Params) {
	d, side := v.Hidden, p.Image/v.Patch
	tokens := side*side + 1
	x := b.Input("input", p.Batch, v.Channels, p.Image, p.Image)
	x = b.Conv("patch_embed", x, graph.SquareConv(d, v.Patch, v.Patch, 0), graph.WithBias)
	x = b.Reshape("patches", x, p.Batch, side*side, d)
	class := b.Weight("class.weight", 1, 1, d)
	all := b.Tensor("tokens", graph.Activation, p.Batch, tokens, d)
	b.Into("tokens", graph.Move{Func: "concat", Elements: b.Elements(all)}, []graph.TensorID{class, x}, all)
	x = b.Add("embed.add", all, b.Weight("embed.position.weight", 1, tokens, d))
	t := stack{heads: heads{p.Batch, tokens, tokens, v.Heads, v.Heads, d / v.Heads, masking.Mask{}, 0, 0}, ff: v.FF, activation: v.Activation, preNorm: true}
	x = t.layers(b, v.Layers, x)
	x = b.Norm("ln", "layer", x, graph.WithBias)
	switch {
	case v.Classes > 0:
		b.Output(b.Linear("head", first(b, x), v.Classes, graph.WithBias))
	case v.Pooler:
		b.Output(b.Elementwise("pooler.tanh", "tanh", b.Linear("pooler", first(b, x), d, graph.WithBias)))
	default:
		b.Output(x)
	}
}
