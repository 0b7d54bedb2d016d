package zoo

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/graph/masking"
)

func init() {
	const gpt2Paper = "Radford et al., \"Language models are unsupervised multitask learners\", 2019, table 2; published checkpoints"
	for _, g := range []struct {
		doc, source string
		GPT
	}{
		{"GPT-2 small: 12 layers of 768 units.", gpt2Paper, GPT{Name: "gpt2", Layers: 12, Heads: 12, HeadSize: headSize, Positions: 1024}},
		{"GPT-2 medium: 24 layers of 1024 units.", gpt2Paper, GPT{Name: "gpt2_medium", Layers: 24, Heads: 16, HeadSize: headSize, Positions: 1024}},
		{"GPT-2 XL: 48 layers of 1600 units.", gpt2Paper, GPT{Name: "gpt2_xl", Layers: 48, Heads: 25, HeadSize: headSize, Positions: 1024}},
		{"GPT-3 175B: 96 layers of 12288 units.", "Brown et al., arXiv 2005.14165, table 2.1",
			GPT{Name: "gpt3", Layers: 96, Heads: 96, HeadSize: 128, Positions: 2048}},
	} {
		g.Words = 50257 // byte pairs, GPT-2 section 2.2; GPT-3 uses the same
		register(g.model(g.doc, g.source))
	}
}

// GPT describes a language model of the GPT family: layer norms and biases,
// learned positions, a plain feed-forward part, and the embedding table as its
// head. OPT is one with Activation relu.
type GPT struct {
	Name       string
	Layers     int
	Heads      int
	HeadSize   int    // the hidden size is Heads x HeadSize
	FF         int    // inner width of the feed-forward part; 0: four times the hidden size
	Words      int    // vocabulary
	Positions  int    // learned position embeddings; bounds Sequence and Context
	Activation string // empty: gelu_tanh
	// EmbedSize is the width of the embeddings, which a projection brings to that of
	// the layers and back; 0: the hidden size. PostNorm has norms after each part and
	// none at the end. Both: OPT-350M.
	EmbedSize int
	PostNorm  bool
}

func (g GPT) normal() GPT {
	g.FF = cmp.Or(g.FF, 4*g.Heads*g.HeadSize)
	g.Activation = cmp.Or(g.Activation, "gelu_tanh")
	g.EmbedSize = cmp.Or(g.EmbedSize, g.Heads*g.HeadSize)
	return g
}

// Check returns all errors of g, joined.
func (g GPT) Check() error {
	g = g.normal()
	var errs []error
	errorf := func(format string, a ...any) { errs = append(errs, fmt.Errorf(g.Name+": "+format, a...)) }
	for _, f := range []struct {
		name   string
		n, max int
	}{{"layers", g.Layers, maxLayers}, {"heads", g.Heads, maxSize}, {"head size", g.HeadSize, maxSize},
		{"feed-forward width", g.FF, maxSize}, {"vocabulary", g.Words, maxSize}, {"positions", g.Positions, maxSize}, {"embedding width", g.EmbedSize, maxSize}} {
		if f.n < 1 || f.n > f.max {
			errorf("%s is %d (want 1 to %d)", f.name, f.n, f.max)
		}
	}
	if g.Heads > 0 && g.HeadSize > maxSize/g.Heads {
		errorf("%d heads of %d (want a hidden size of at most %d)", g.Heads, g.HeadSize, maxSize)
	}
	if _, ok := graph.OpsPerElement(g.Activation); !ok {
		errorf("unknown activation %q (want one of: %v)", g.Activation, graph.FuncNames())
	}
	return errors.Join(errs...)
}

// Graph builds the model at the given parameters.
func (g GPT) Graph(p Params) (*graph.Graph, error) {
	if err := g.Check(); err != nil {
		return nil, err
	}
	return g.model("", "").graph(p)
}

func (g GPT) model(doc, source string) model {
	g = g.normal()
	return model{name: g.Name, doc: doc, source: source, decoder: true, build: g.build,
		sequence: limit{min(g.Positions, 2048), g.Positions, 0}, ops: 18*g.Layers + 8, tensors: 36*g.Layers + 16}
}

func (g GPT) build(b *graph.Builder, p Params) {
	d := g.Heads * g.HeadSize
	words := b.Weight("embed.word.weight", g.Words, g.EmbedSize)
	x := b.Gather("embed.word", words, b.Input("input_ids", p.Batch, p.Sequence))
	if g.EmbedSize != d {
		x = b.Linear("embed.in", x, d)
	}
	positions := b.Weight("embed.position.weight", g.Positions, d)
	x = b.Add("embed.add", x, b.Gather("embed.position", positions, b.Input("positions", p.Sequence)))
	t := stack{heads: heads{p.Batch, p.Sequence, p.Context, g.Heads, g.Heads, g.HeadSize, masking.Mask{Causal: true}, 0, 0}, ff: g.FF,
		activation: g.Activation, preNorm: !g.PostNorm, cached: true}
	x = t.layers(b, g.Layers, x)
	if !g.PostNorm {
		x = b.Norm("ln", "layer", x, graph.WithBias)
	}
	if g.EmbedSize != d {
		x = b.Linear("embed.out", x, g.EmbedSize)
	}
	m := graph.MatMul{Batch: 1, M: p.Batch * p.Sequence, N: g.Words, K: g.EmbedSize}
	b.Output(b.MatMul("lm_head(tied)", x, words, m, p.Batch, p.Sequence, g.Words))
}
