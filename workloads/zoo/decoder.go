package zoo

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/causeway-sim/causeway/workloads/graph"
)

// A Decoder describes a language model of the LLaMA family: RMS norms, rotary
// positions, grouped queries, gated feed-forward parts. LLaMA, Mistral, Qwen,
// Gemma and Mixtral differ only in these fields.
type Decoder struct {
	Name     string
	Layers   int
	Hidden   int // width between layers
	Heads    int // of queries
	KVHeads  int // of keys and values; 0: as Heads
	HeadSize int // 0: Hidden / Heads
	FF       int // inner width of the feed-forward part, of one expert where there are several
	Words    int // vocabulary

	Activation string // of the gate; empty: silu
	QKVBias    bool   // Qwen2
	OutBias    bool   // of the attention's output
	FFBias     bool
	QKNorm     bool // norms of each query and key head: Qwen3
	PostNorm   bool // norms behind each part too: Gemma 2
	EmbedScale bool // embeddings are scaled: Gemma
	Tied       bool // the embedding table is the language model head

	// Window is how many entries a token attends to, its own included; 0: all.
	// Fewer entries are read then, but what a mask hides inside the block of
	// queries x keys is computed, as with the causal mask.
	Window int

	Experts       int // feed-forward parts per layer, Mixtral; 0: one, always used
	ActiveExperts int // of them, per token

	// MaxContext bounds Sequence and Context; DefaultSequence is used where
	// Params has none. 0: those of LLaMA here, 131072 and 2048.
	MaxContext, DefaultSequence int
}

// normal fills in what is left open.
func (d Decoder) normal() Decoder {
	d.KVHeads = cmp.Or(d.KVHeads, d.Heads)
	if d.HeadSize == 0 && d.Heads > 0 {
		d.HeadSize = d.Hidden / d.Heads
	}
	d.Activation = cmp.Or(d.Activation, "silu")
	d.MaxContext = cmp.Or(d.MaxContext, llamaContext)
	d.DefaultSequence = cmp.Or(d.DefaultSequence, min(2048, d.MaxContext))
	return d
}

// Check returns everything that makes d impossible.
func (d Decoder) Check() error {
	d = d.normal()
	var errs []error
	errorf := func(format string, a ...any) { errs = append(errs, fmt.Errorf(d.Name+": "+format, a...)) }
	for _, f := range []struct {
		name string
		n    int
	}{{"layers", d.Layers}, {"hidden size", d.Hidden}, {"heads", d.Heads}, {"key/value heads", d.KVHeads}, {"head size", d.HeadSize},
		{"feed-forward width", d.FF}, {"vocabulary", d.Words}, {"maximum context", d.MaxContext}, {"default sequence", d.DefaultSequence}} {
		if f.n < 1 || f.n > maxSize {
			errorf("%s is %d (want 1 to %d)", f.name, f.n, maxSize)
		}
	}
	if d.Layers > maxLayers || d.Layers > 0 && d.Experts > maxExperts/d.Layers {
		errorf("%d layers of %d experts (want at most %d layers, and %d experts in all)", d.Layers, d.Experts, maxLayers, maxExperts)
	}
	if d.KVHeads > 0 && d.Heads%d.KVHeads != 0 {
		errorf("%d heads share %d key/value heads (want a divisor)", d.Heads, d.KVHeads)
	}
	if d.Window < 0 {
		errorf("window is %d (want at least 1, or 0 for none)", d.Window)
	}
	if d.Experts < 0 || d.Experts == 0 && d.ActiveExperts != 0 || d.Experts > 0 && (d.ActiveExperts < 1 || d.ActiveExperts > d.Experts) {
		errorf("%d of %d experts per token (want 1 to all)", d.ActiveExperts, d.Experts)
	}
	if _, ok := graph.OpsPerElement(d.Activation); !ok {
		errorf("unknown activation %q (want one of: %v)", d.Activation, graph.FuncNames())
	}
	return errors.Join(errs...)
}

const (
	maxSize = 1 << 24 // keeps products of three sizes below 2^63 nearly always; Validate has the last word
	// These keep the graph of a hostile configuration below a million tensors.
	maxLayers  = 4096
	maxExperts = 1 << 16
)

// Graph builds the model at the given parameters.
func (d Decoder) Graph(p Params) (*graph.Graph, error) {
	if err := d.Check(); err != nil {
		return nil, err
	}
	d = d.normal()
	return d.model("", "").graph(p)
}

func (d Decoder) model(doc, source string) model {
	d = d.normal()
	return model{name: d.Name, doc: doc, source: source, decoder: true, build: d.build,
		sequence: limit{d.DefaultSequence, d.MaxContext, 0},
		ops:      (26+4*d.Experts)*d.Layers + 8, tensors: (38+8*d.Experts)*d.Layers + 16}
}

func (d Decoder) build(b *graph.Builder, p Params) {
	h := heads{p.Batch, p.Sequence, p.Context, d.Heads, d.KVHeads, d.HeadSize}
	if d.Window > 0 {
		// The oldest of the new tokens looks back Window entries.
		h.keys = min(h.keys, d.Window+p.Sequence-1)
	}
	ids := b.Input("input_ids", p.Batch, p.Sequence)
	// Cosines and sines of the positions, half a head each.
	angles := b.Input("rope", p.Sequence, d.HeadSize)
	words := b.Weight("embed.weight", d.Words, d.Hidden)
	x := b.Gather("embed", words, ids)
	if d.EmbedScale {
		x = b.Elementwise("embed.scale", "mul", x)
	}
	for i := range d.Layers {
		x = d.layer(b, "L"+number(i)+".", h, x, angles)
	}
	x = b.Norm("norm", "rms", x)
	if d.Tied {
		m := graph.MatMul{Batch: 1, M: p.Batch * p.Sequence, N: d.Words, K: d.Hidden}
		b.Output(b.MatMul("lm_head(tied)", x, words, m, p.Batch, p.Sequence, d.Words))
		return
	}
	b.Output(b.Linear("lm_head", x, d.Words))
}

func (d Decoder) layer(b *graph.Builder, p string, h heads, x, angles graph.TensorID) graph.TensorID {
	bias := options(d.QKVBias)
	y := b.Norm(p+"attn_norm", "rms", x)
	q := h.view(b, p+"q.heads", b.Linear(p+"q", y, h.n*h.size, bias...), h.n)
	k := h.view(b, p+"k.heads", b.Linear(p+"k", y, h.kv*h.size, bias...), h.kv)
	v := h.view(b, p+"v.heads", b.Linear(p+"v", y, h.kv*h.size, bias...), h.kv)
	if d.QKNorm {
		q, k = b.Norm(p+"q.norm", "rms", q), b.Norm(p+"k.norm", "rms", k)
	}
	q = b.Elementwise(p+"q.rope", "rope", q, angles)
	k = b.Elementwise(p+"k.rope", "rope", k, angles)
	k, v = h.cache(b, p+"k_cache", k), h.cache(b, p+"v_cache", v)
	y = h.attend(b, p, q, k, v)
	y = b.Linear(p+"o", y, d.Hidden, options(d.OutBias)...)
	if d.PostNorm {
		y = b.Norm(p+"attn_post_norm", "rms", y)
	}
	x = b.Add(p+"add1", y, x)

	y = b.Norm(p+"ff_norm", "rms", x)
	if d.Experts > 0 {
		y = d.experts(b, p, y)
	} else {
		y = d.gated(b, p, y)
	}
	if d.PostNorm {
		y = b.Norm(p+"ff_post_norm", "rms", y)
	}
	return b.Add(p+"add2", y, x)
}

// gated adds one gated feed-forward part.
func (d Decoder) gated(b *graph.Builder, p string, x graph.TensorID) graph.TensorID {
	bias := options(d.FFBias)
	gate := b.Elementwise(p+d.Activation, d.Activation, b.Linear(p+"gate", x, d.FF, bias...))
	y := b.Mul(p+"mul", gate, b.Linear(p+"up", x, d.FF, bias...))
	return b.Linear(p+"down", y, d.Hidden, bias...)
}

func options(bias bool) []graph.Option {
	if bias {
		return []graph.Option{graph.WithBias}
	}
	return nil
}
