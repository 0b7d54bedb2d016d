package zoo

import (
	"cmp"

	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/graph/masking"
)

// A T5 describes an encoder and a decoder of text of T5's kind (Raffel et al., arXiv
// 1910.10683, section 2.1): RMS norms in front of each part, no biases, relative
// positions added to the scores of every layer from one table of the first.
//
// Prefill runs the encoder over sequence tokens and the first token of the decoder;
// decode runs one token of the decoder, which attends to context entries of its own
// and to sequence entries of the encoder.
type T5 struct {
	Name       string
	Layers     int // of the encoder
	Decoders   int // layers of the decoder; 0: as Layers
	Hidden     int
	Heads      int
	HeadSize   int // 0: Hidden / Heads
	FF         int
	Words      int
	Buckets    int  // of relative positions; 0: 32
	Gated      bool // the feed-forward part has a gate: version 1.1
	Tied       bool // the embedding table is the language model head
	Activation string
}

func (t T5) normal() T5 {
	t.Decoders = cmp.Or(t.Decoders, t.Layers)
	if t.HeadSize == 0 && t.Heads > 0 {
		t.HeadSize = t.Hidden / t.Heads
	}
	t.Buckets = cmp.Or(t.Buckets, 32)
	t.Activation = cmp.Or(t.Activation, "relu")
	return t
}

// Check returns all errors of t, joined.
func (t T5) Check() error {
	t = t.normal()
	return checkEncoder(t.Name, max(t.Layers, t.Decoders), t.Hidden, t.Heads, t.Activation, map[string]int{"feed-forward width": t.FF, "vocabulary": t.Words, "head size": t.HeadSize})
}

// Graph builds the model at the given parameters.
func (t T5) Graph(p Params) (*graph.Graph, error) {
	if err := t.Check(); err != nil {
		return nil, err
	}
	return t.model("", "").graph(p)
}

func (t T5) model(doc, source string) model {
	t = t.normal()
	return model{name: t.Name, doc: doc, source: source, decoder: true, crossed: true, build: t.build,
		sequence: limit{512, 1 << 16, 0}, ops: 32 * (t.Layers + t.Decoders), tensors: 64 * (t.Layers + t.Decoders)}
}

func (t T5) build(b *graph.Builder, p Params) {
	words := b.Weight("embed.weight", t.Words, t.Hidden)
	enc := heads{p.Batch, p.Sequence, p.Sequence, t.Heads, t.Heads, t.HeadSize, masking.Mask{}, 0, 0}
	var states graph.TensorID
	if p.Phase == Decode {
		states = graph.None
		t.idleEncoder(b)
	} else {
		x := b.Gather("encoder.embed", words, b.Input("input_ids", p.Batch, p.Sequence))
		table := b.Weight("encoder.positions.weight", t.Buckets, t.Heads)
		for i := range t.Layers {
			l := "E" + number(i) + "."
			x = t.attention(b, l, enc, x, graph.None, table, false)
			x = t.feedForward(b, l, x)
		}
		states = b.Norm("encoder.norm", "rms", x)
	}
	x := b.Gather("decoder.embed", words, b.Input("decoder_ids", p.Batch, 1))
	table := b.Weight("decoder.positions.weight", t.Buckets, t.Heads)
	context := 1
	if p.Phase == Decode {
		context = p.Context
	}
	for i := range t.Decoders {
		l := "D" + number(i) + "."
		x = t.attention(b, l, heads{p.Batch, 1, context, t.Heads, t.Heads, t.HeadSize, masking.Mask{}, 0, 0}, x, graph.None, table, true)
		x = t.cross(b, l+"cross.", heads{p.Batch, 1, p.Sequence, t.Heads, t.Heads, t.HeadSize, masking.Mask{}, 0, 0}, x, states)
		x = t.feedForward(b, l, x)
	}
	x = b.Norm("decoder.norm", "rms", x)
	if t.Tied {
		m := graph.MatMul{Batch: 1, M: p.Batch, N: t.Words, K: t.Hidden}
		b.Output(b.MatMul("lm_head(tied)", x, words, m, p.Batch, 1, t.Words))
		return
	}
	b.Output(b.Linear("lm_head", x, t.Words))
}

// attention adds self-attention; cached ones belong to the decoder.
func (t T5) attention(b *graph.Builder, p string, h heads, x, states, table graph.TensorID, cached bool) graph.TensorID {
	y := b.Norm(p+"attn_norm", "rms", x)
	part := func(name string) graph.TensorID {
		return h.view(b, p+name+".heads", b.Linear(p+name, y, h.n*h.size), h.n)
	}
	q, k, v := part("q"), part("k"), part("v")
	if cached {
		k, v = h.cache(b, p+"k_cache", k), h.cache(b, p+"v_cache", v)
	}
	y = h.attendWith(b, p, q, k, v, func(b *graph.Builder, p string, s graph.TensorID) graph.TensorID {
		// assumption: the distances of a layer's entries are looked up on the way; the
		// table of 32 buckets stays in registers, so that only the sum is counted.
		return b.Elementwise(p+"positions", "add", s)
	})
	return b.Add(p+"add1", b.Linear(p+"o", y, t.Hidden), x)
}

// cross adds attention of the decoder to the states of the encoder, whose keys and
// values are made once, in prefill.
func (t T5) cross(b *graph.Builder, p string, h heads, x, states graph.TensorID) graph.TensorID {
	y := b.Norm(p+"attn_norm", "rms", x)
	q := h.view(b, p+"q.heads", b.Linear(p+"q", y, h.n*h.size), h.n)
	k := b.Cache(p+"k_cache", h.batch, h.kv, h.keys, h.size)
	v := b.Cache(p+"v_cache", h.batch, h.kv, h.keys, h.size)
	if states == graph.None {
		b.Weight(p+"k.weight", t.Hidden, h.n*h.size)
		b.Weight(p+"v.weight", t.Hidden, h.n*h.size)
	} else {
		for _, c := range []struct {
			name string
			into graph.TensorID
		}{{"k", k}, {"v", v}} {
			y := b.Linear(p+c.name, states, h.n*h.size)
			b.Into(p+c.name+"_cache.append", graph.Move{Func: "append", Elements: b.Elements(y)}, []graph.TensorID{y}, c.into)
		}
	}
	y = h.attend(b, p, q, k, v)
	return b.Add(p+"add", b.Linear(p+"o", y, t.Hidden), x)
}

func (t T5) feedForward(b *graph.Builder, p string, x graph.TensorID) graph.TensorID {
	d := Decoder{Hidden: t.Hidden, Plain: !t.Gated, Activation: t.Activation}
	y := d.inner(b, p, b.Norm(p+"ff_norm", "rms", x), t.Hidden, t.FF)
	return b.Add(p+"add2", y, x)
}

// idleEncoder adds the weights of the encoder, which rests while tokens are decoded.
func (t T5) idleEncoder(b *graph.Builder) {
	inner := t.Heads * t.HeadSize
	b.Weight("encoder.positions.weight", t.Buckets, t.Heads)
	for i := range t.Layers {
		l := "E" + number(i) + "."
		b.Weight(l+"attn_norm.weight", t.Hidden)
		for _, n := range []string{"q", "k", "v"} {
			b.Weight(l+n+".weight", t.Hidden, inner)
		}
		b.Weight(l+"o.weight", inner, t.Hidden)
		b.Weight(l+"ff_norm.weight", t.Hidden)
		if t.Gated {
			b.Weight(l+"gate.weight", t.Hidden, t.FF)
		}
		b.Weight(l+"up.weight", t.Hidden, t.FF)
		b.Weight(l+"down.weight", t.FF, t.Hidden)
	}
	b.Weight("encoder.norm.weight", t.Hidden)
}
