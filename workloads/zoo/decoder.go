package zoo

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/graph/masking"
)

// A Decoder describes a language model: an embedding, layers of attention and feed-forward, a
// final norm and a head. The zero value of every option is that of the LLaMA family: RMS norms,
// rotary positions, grouped queries, sequential gated feed-forward parts, no biases.
type Decoder struct {
	Name     string
	Layers   int
	Hidden   int // width between layers
	Heads    int // of queries
	KVHeads  int // of keys and values; 0: as Heads
	HeadSize int // 0: Hidden / Heads
	FF       int // inner width of the feed-forward part, of one expert where there are several
	Words    int // vocabulary

	// The norms. Norm is rms, layer (with bias) or layer_nobias; "" is rms.
	Norm      string
	EmbedNorm bool // a norm after the embedding: Bloom
	PostNorm  bool // norms after each part too: Gemma 2
	OnlyPost  bool // norms after each part and none in front: OLMo 2
	QKNorm    bool // norms of each query and key head: Qwen3
	WideQK    bool // QKNorm spans all heads: OLMo 2

	// Parallel adds attention and feed-forward of the same input to the residual in one step:
	// GPT-NeoX. SharedNorm is set if both read one norm: Falcon, Phi-2.
	Parallel, SharedNorm bool

	Activation string // of the feed-forward part; empty: silu
	Plain      bool   // the feed-forward part has no gate: two products, one activation between
	QKVBias    bool   // Qwen2
	OutBias    bool   // of the attention's output
	FFBias     bool   // of every expert too
	HeadBias   bool   // of the language model head: Phi-2
	RouterBias bool   // gpt_oss
	EmbedScale bool   // embeddings are scaled: Gemma
	Tied       bool   // the embedding table is the language model head
	SoftCap    bool   // scores are capped by tanh: Gemma 2
	LogitCap   bool   // logits are capped by tanh: Gemma 2
	Sinks      bool   // a learned score per head joins the softmax: gpt_oss

	// Positions of tokens. Positions is the number of learned position embeddings, 0 for none.
	// Alibi adds a slope by distance to the scores: Bloom. Otherwise queries and keys have rotary
	// positions: RotarySize elements of each head (0: all), except in layers marked by NoRope.
	Positions  int
	Alibi      bool
	RotarySize int
	NoRope     []bool

	// Window is the number of entries that a token attends to, its own included; 0: all. Fewer
	// entries are read, but masked scores inside the block of queries x keys are computed, as with
	// the causal mask. Windows replaces Window with one value per layer. If Chunked is set they
	// are chunks: a token attends to the entries of its own chunk.
	Window  int
	Windows []int
	Chunked bool

	// Latent replaces keys and values by a compressed vector: DeepSeek-V2. Indexer chooses the
	// entries that it reads: DeepSeek-V3.2.
	Latent  *Latent
	Indexer *Indexer

	// Value is the size of a value head; 0: HeadSize (MiMo-V2). SharedKV is set if keys are the
	// values too (Gemma 4). OutGate is the width of a gate of the attention's result: per element
	// of a head (gate_element, Qwen3.5) or one for each head (gate_head, Step).
	Value    int
	SharedKV bool
	OutGate  string

	// Blocks are what layers have in place of what is said here, a value per layer; nil: nothing.
	Blocks []Block

	Experts       int    // feed-forward parts per layer, Mixtral; 0: one, always used
	ActiveExperts int    // of them, per token
	draw          Draw   // how tokens fall on them, of Params
	routed        bool   // the experts themselves are left out
	Dense         []bool // layers that have one feed-forward part all the same: DeepSeek-V2
	DenseFF       int    // its inner width; 0: FF
	SharedFF      int    // inner width of a feed-forward part that every token takes besides; 0: none
	SharedGate    bool   // its output is scaled by a gate of its own: Qwen2-MoE
	SharedNorms   bool   // it and the experts have norms of their own: Gemma 4
	ExpertHidden  int    // width of tokens inside experts, projected before and after them: Nemotron 3; 0: Hidden
	ExpertNorm    bool   // a norm after those projections: Kimi K3
	Streams       int    // residual streams that parts read from and write to by learned mixtures: DeepSeek-V4; 0: one

	// MaxContext bounds Sequence and Context; DefaultSequence is used where
	// Params has none. 0: those of LLaMA here, 131072 and 2048.
	MaxContext, DefaultSequence int
}

// normal fills in defaults.
func (d Decoder) normal() Decoder {
	d.KVHeads = cmp.Or(d.KVHeads, d.Heads)
	if d.HeadSize == 0 && d.Heads > 0 {
		d.HeadSize = d.Hidden / d.Heads
	}
	d.Norm = cmp.Or(d.Norm, "rms")
	d.Activation = cmp.Or(d.Activation, "silu")
	d.DenseFF = cmp.Or(d.DenseFF, d.FF)
	d.RotarySize = cmp.Or(d.RotarySize, d.HeadSize)
	d.MaxContext = cmp.Or(d.MaxContext, llamaContext)
	d.DefaultSequence = cmp.Or(d.DefaultSequence, min(2048, d.MaxContext))
	return d
}

// Check returns all errors of d, joined.
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
	d.checkOptions(errorf)
	return errors.Join(errs...)
}

// checkOptions checks what some models have besides.
func (d Decoder) checkOptions(errorf func(string, ...any)) {
	for _, w := range append([]int{d.Window}, d.Windows...) {
		if w < 0 {
			errorf("window is %d (want at least 1, or 0 for none)", w)
		}
	}
	for _, l := range []struct {
		name string
		n    int
	}{{"windows", len(d.Windows)}, {"layers without rotary positions", len(d.NoRope)}, {"dense layers", len(d.Dense)}} {
		if l.n != 0 && l.n != d.Layers {
			errorf("%s are said for %d of %d layers", l.name, l.n, d.Layers)
		}
	}
	for _, f := range []struct {
		name string
		n    int
	}{{"dense feed-forward width", d.DenseFF}, {"shared feed-forward width", d.SharedFF}, {"value head size", d.Value}, {"width inside experts", d.ExpertHidden}, {"positions", d.Positions}, {"rotary size", d.RotarySize}} {
		if f.n < 0 || f.n > maxSize {
			errorf("%s is %d (want 0 to %d)", f.name, f.n, maxSize)
		}
	}
	if d.RotarySize > d.HeadSize {
		errorf("rotary size is %d (want at most the head size, %d)", d.RotarySize, d.HeadSize)
	}
	if d.Latent != nil {
		d.Latent.check(errorf)
	}
	if d.Indexer != nil {
		d.Indexer.check(d.Layers, errorf)
	}
	d.checkBlocks(errorf)
	if _, ok := decoderNorms[d.Norm]; !ok {
		errorf("unknown norm %q (want one of: rms, layer, layer_nobias)", d.Norm)
	}
	if d.Experts < 0 || d.Experts == 0 && d.ActiveExperts != 0 || d.Experts > 0 && (d.ActiveExperts < 1 || d.ActiveExperts > d.Experts) {
		errorf("%d of %d experts per token (want 1 to all)", d.ActiveExperts, d.Experts)
	}
	if _, ok := graph.OpsPerElement(d.Activation); !ok {
		errorf("unknown activation %q (want one of: %v)", d.Activation, graph.FuncNames())
	}
}

const (
	maxSize = 1 << 24 // keeps products of three sizes below 2^63 nearly always; Validate has the last word
	// These keep the graph of a hostile configuration near a million tensors.
	maxLayers  = 4096
	maxExperts = 1 << 17
)

// Graph builds the model at the given parameters.
func (d Decoder) Graph(p Params) (*graph.Graph, error) {
	if err := d.Check(); err != nil {
		return nil, err
	}
	d = d.normal()
	for l, s := range p.Experts.Shares {
		if len(s) > d.Experts {
			return nil, fmt.Errorf("%s: the draw of experts has %d of them in layer %d (want at most %d)", d.Name, len(s), l, d.Experts)
		}
	}
	return d.model("", "").graph(p)
}

// decoderNorms are the graph's function of each norm and whether it has a bias.
var decoderNorms = map[string]struct {
	fn   string
	bias bool
}{"rms": {"rms", false}, "layer": {"layer", true}, "layer_nobias": {"layer", false}}

func (d Decoder) norm(b *graph.Builder, name string, x graph.TensorID) graph.TensorID {
	n := decoderNorms[d.Norm]
	return b.Norm(name, n.fn, x, options(n.bias)...)
}

func (d Decoder) model(doc, source string) model {
	d = d.normal()
	return model{name: d.Name, doc: doc, source: source, decoder: true, grouped: true, build: d.build,
		sequence: limit{d.DefaultSequence, d.MaxContext, 0},
		ops:      (26+4*d.Experts)*d.Layers + 8, tensors: (38+8*d.Experts)*d.Layers + 16, layers: d.Layers}
}

func (d Decoder) build(b *graph.Builder, p Params) {
	d.draw, d.routed = p.Experts, p.Routed
	ids := b.Input("input_ids", p.Batch, p.Sequence)
	var angles graph.TensorID
	if d.rotary() {
		size := d.HeadSize
		if d.Latent != nil {
			size = d.Latent.Rotary
		}
		angles = b.Input("rope", p.Sequence, min(size, d.RotarySize)) // cosines and sines of the positions, half a head each
	}
	words := b.Weight("embed.weight", d.Words, d.Hidden)
	x := b.Gather("embed", words, ids)
	if d.EmbedScale {
		x = b.Elementwise("embed.scale", "mul", x)
	}
	if d.Positions > 0 {
		table := b.Weight("embed.position.weight", d.Positions, d.Hidden)
		x = b.Add("embed.add", x, b.Gather("embed.position", table, b.Input("positions", p.Sequence)))
	}
	if d.EmbedNorm {
		x = d.norm(b, "embed.norm", x)
	}
	if d.Streams > 1 {
		x = b.Move("embed.streams", "expand", x, p.Batch, p.Sequence, d.Streams*d.Hidden)
	}
	for i := range d.Layers {
		if p.Only == nil || slices.Contains(p.Only, i) {
			x = d.layer(b, i, p, x, angles)
		}
	}
	if d.Streams > 1 {
		w := b.Elementwise("streams.weights", "sigmoid", b.Linear("streams.mix", x, d.Streams), b.Weight("streams.bias", d.Streams), b.Weight("streams.scale", 1))
		w = b.Reshape("streams.wide", w, p.Batch, p.Sequence, d.Streams, 1)
		x = b.Reduce("streams.read", "sum", b.Mul("streams.weight", b.Reshape("streams", x, p.Batch, p.Sequence, d.Streams, d.Hidden), w), p.Batch, p.Sequence, d.Hidden)
	}
	x = d.norm(b, "norm", x)
	if p.Groups != nil {
		all, sampled := tokens(p.Groups)
		if sampled == 0 { // chunks of prompts that go on
			b.Output(x)
			return
		}
		if sampled < all {
			last := b.Tensor("norm.last", graph.Activation, 1, sampled, d.Hidden)
			b.Into("norm.last", graph.Move{Func: "slice"}, []graph.TensorID{x}, last)
			x, p.Batch, p.Sequence = last, 1, sampled
		}
	}
	if d.Tied {
		m := graph.MatMul{Batch: 1, M: p.Batch * p.Sequence, N: d.Words, K: d.Hidden}
		x = b.MatMul("lm_head(tied)", x, words, m, p.Batch, p.Sequence, d.Words)
	} else {
		x = b.Linear("lm_head", x, d.Words, options(d.HeadBias)...)
	}
	if d.LogitCap {
		x = b.Elementwise("lm_head.cap", "tanh", x)
	}
	b.Output(x)
}

// rotary reports whether any layer has rotary positions.
func (d Decoder) rotary() bool { return !d.Alibi && d.Positions == 0 }

// window is how many entries a token of layer i attends to; 0: all.
func (d Decoder) window(i int) int {
	if len(d.Windows) > 0 {
		return d.Windows[i]
	}
	return d.Window
}

// mask is what tokens of layer i see of the entries.
func (d Decoder) mask(i int) masking.Mask {
	if d.Chunked {
		return masking.Mask{Causal: true, Chunk: d.window(i)}
	}
	return masking.Mask{Causal: true, Window: d.window(i)}
}

// keys is the number of entries that the tokens of layer i attend to.
func (d Decoder) keys(i int, p Params) int {
	w := d.window(i)
	switch {
	case w == 0:
		return p.Context
	case d.Chunked: // from the start of the oldest token's chunk
		return p.Context - (p.Context-p.Sequence)/w*w
	}
	return min(p.Context, w+p.Sequence-1) // the oldest of the new tokens looks back w entries
}
