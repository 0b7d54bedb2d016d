package zoo

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/graph/masking"
)

func init() {
	const bertPaper = "Devlin et al., arXiv 1810.04805, section 3; vocabulary and pooler of the published uncased checkpoints"
	for _, e := range []struct {
		doc      string
		sequence int
		Encoder
	}{
		{"BERT of 12 layers and 768 units.", 128, Encoder{Name: "bert_base", Layers: 12, Heads: 12}},
		{"BERT of 24 layers and 1024 units.", 384, Encoder{Name: "bert_large", Layers: 24, Heads: 16}},
	} {
		e.Hidden, e.Words, e.Positions, e.Types, e.Pooler = e.Heads*headSize, 30522, 512, 2, true
		m := e.model(e.doc, bertPaper)
		m.sequence.def = e.sequence
		register(m)
	}
	const vitPaper = "Dosovitskiy et al., arXiv 2010.11929, table 1, patches of 16 x 16"
	const deitPaper = "Touvron et al., arXiv 2012.12877, table 1, patches of 16 x 16, no distillation token"
	for _, v := range []struct {
		doc, source string
		Vision
	}{
		{"Vision transformer, base: 12 layers of 768 units.", vitPaper, Vision{Name: "vit_b", Layers: 12, Heads: 12}},
		{"Vision transformer, large: 24 layers of 1024 units.", vitPaper, Vision{Name: "vit_l", Layers: 24, Heads: 16}},
		{"Data-efficient vision transformer, small: 12 layers of 384 units.", deitPaper, Vision{Name: "deit_s", Layers: 12, Heads: 6}},
		{"Data-efficient vision transformer, tiny: 12 layers of 192 units.", deitPaper, Vision{Name: "deit_t", Layers: 12, Heads: 3}},
	} {
		v.Hidden, v.Patch, v.Image, v.Classes = v.Heads*headSize, 16, 224, 1000
		m := v.model(v.doc, v.source)
		m.image.max = 4096 // position embeddings are interpolated
		register(m)
	}
}

const headSize = 64 // of BERT, ViT, DeiT and GPT-2

// An Encoder describes an encoder of text of BERT's kind: embeddings of words, learned
// positions and types, and layers with norms after each part.
type Encoder struct {
	Name       string
	Layers     int
	Hidden     int
	Heads      int
	FF         int    // 0: four times the hidden size
	Words      int    // vocabulary
	Positions  int    // learned position embeddings
	Types      int    // token types; 0: none
	Offset     int    // positions that no token takes: RoBERTa has 2
	Pooler     bool   // a layer on the first token
	Activation string // empty: gelu
}

func (e Encoder) normal() Encoder {
	e.FF = cmp.Or(e.FF, 4*e.Hidden)
	e.Activation = cmp.Or(e.Activation, "gelu")
	return e
}

// Check returns all errors of e, joined.
func (e Encoder) Check() error {
	e = e.normal()
	return checkEncoder(e.Name, e.Layers, e.Hidden, e.Heads, e.Activation, map[string]int{"feed-forward width": e.FF, "vocabulary": e.Words, "positions": e.Positions - e.Offset})
}

// checkEncoder checks what encoders of text and of pictures have in common, and that
// the other sizes are at least 1.
func checkEncoder(name string, layers, hidden, n int, activation string, sizes map[string]int) error {
	var errs []error
	errorf := func(format string, a ...any) { errs = append(errs, fmt.Errorf(name+": "+format, a...)) }
	sizes["layers"], sizes["hidden size"], sizes["heads"] = layers, hidden, n
	for _, key := range []string{"layers", "hidden size", "heads", "feed-forward width", "vocabulary", "positions", "patch", "image", "channels", "classes", "head size"} {
		v, ok := sizes[key]
		most := maxSize
		if key == "layers" {
			most = maxLayers
		}
		if ok && (v < 1 || v > most) {
			errorf("%s is %d (want 1 to %d)", key, v, most)
		}
	}
	if _, own := sizes["head size"]; !own && n > 0 && hidden%n != 0 {
		errorf("the hidden size %d is not a multiple of %d heads", hidden, n)
	}
	if _, ok := graph.OpsPerElement(activation); !ok {
		errorf("unknown activation %q (want one of: %v)", activation, graph.FuncNames())
	}
	return errors.Join(errs...)
}

// Graph builds the model at the given parameters.
func (e Encoder) Graph(p Params) (*graph.Graph, error) {
	if err := e.Check(); err != nil {
		return nil, err
	}
	return e.model("", "").graph(p)
}

func (e Encoder) model(doc, source string) model {
	e = e.normal()
	positions := e.Positions - e.Offset
	return model{name: e.Name, doc: doc, source: source, build: e.build, sequence: limit{min(positions, 512), positions, 0}, ops: 21 * e.Layers, tensors: 42 * e.Layers}
}

func (e Encoder) build(b *graph.Builder, p Params) {
	d := e.Hidden
	ids := b.Input("input_ids", p.Batch, p.Sequence)
	types := graph.None
	if e.Types > 0 {
		types = b.Input("token_types", p.Batch, p.Sequence)
	}
	positions := b.Input("positions", p.Sequence)
	x := b.Gather("embed.word", b.Weight("embed.word.weight", e.Words, d), ids)
	x = b.Add("embed.add1", x, b.Gather("embed.position", b.Weight("embed.position.weight", e.Positions, d), positions))
	if e.Types > 0 {
		x = b.Add("embed.add2", x, b.Gather("embed.type", b.Weight("embed.type.weight", e.Types, d), types))
	}
	x = b.Norm("embed.ln", "layer", x, graph.WithBias)
	t := stack{heads: heads{p.Batch, p.Sequence, p.Sequence, e.Heads, e.Heads, d / e.Heads, masking.Mask{}, 0, 0}, ff: e.FF, activation: e.Activation}
	x = t.layers(b, e.Layers, x)
	b.Output(x)
	if !e.Pooler {
		return
	}
	x = first(b, x)
	x = b.Linear("pooler", x, d, graph.WithBias)
	b.Output(b.Elementwise("pooler.tanh", "tanh", x))
}

// first sees the first token of each request.
func first(b *graph.Builder, x graph.TensorID) graph.TensorID {
	s := b.Shape(x)
	return b.Op("first", graph.Move{Func: "slice"}, []graph.TensorID{x}, s[0], s[2])
}
