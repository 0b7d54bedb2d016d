package zoo

import (
	"cmp"

	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/graph/masking"
)

// heads are the sizes of one attention.
type heads struct {
	batch   int
	queries int // tokens that run
	keys    int // entries that they attend to
	n       int // query heads
	kv      int // key/value heads; n/kv query heads share one
	size    int // of one head
	mask    masking.Mask
	value   int // of one value head; 0: size
	limit   int // entries that a token reads at most; 0: all
}

// values is the size of a value head.
func (h heads) values() int { return cmp.Or(h.value, h.size) }

// split sees a fused projection as parts of batch x heads x tokens x size. The
// parts are views: strides undo the interleaving.
func (h heads) split(b *graph.Builder, p string, x graph.TensorID, tokens int, names ...string) []graph.TensorID {
	out := make([]graph.TensorID, len(names))
	for i, n := range names {
		out[i] = b.Tensor(p+n, graph.Activation, h.batch, h.n, tokens, h.size)
	}
	b.Into(p+"heads", graph.Move{Func: "split"}, []graph.TensorID{x}, out...)
	return out
}

// view sees tokens x (heads x size) as heads x tokens x size.
func (h heads) view(b *graph.Builder, name string, x graph.TensorID, n int) graph.TensorID {
	return b.Reshape(name, x, h.batch, n, h.queries, h.size)
}

// cache writes the new entries x into a cache of h.keys entries and returns it.
func (h heads) cache(b *graph.Builder, name string, x graph.TensorID) graph.TensorID {
	s := b.Shape(x)
	c := b.Cache(name, h.batch, h.kv, h.keys, s[len(s)-1])
	b.Into(name+".append", graph.Move{Func: "append", Elements: b.Elements(x)}, []graph.TensorID{x}, c)
	return c
}

// attend adds scores, softmax and weighted sum, and sees the result as tokens x
// (heads x size). The sum is called p+"AV", as in the layer tables.
func (h heads) attend(b *graph.Builder, p string, q, k, v graph.TensorID) graph.TensorID {
	return h.attendWith(b, p, q, k, v, nil)
}

// attendWith is attend with something done to the scores before the softmax.
func (h heads) attendWith(b *graph.Builder, p string, q, k, v graph.TensorID, scores func(*graph.Builder, string, graph.TensorID) graph.TensorID) graph.TensorID {
	if h.limit > 0 && h.keys > h.limit {
		return h.attendChosen(b, p, q, k, v, scores)
	}
	m := graph.MatMul{Batch: h.batch * h.n, SharedB: h.n / h.kv, M: h.queries, N: h.keys, K: h.size}
	s := b.MatMul(p+"QK^T", q, k, m, h.batch, h.n, h.queries, h.keys)
	if scores != nil {
		s = scores(b, p, s)
	}
	s = b.MaskedSoftmax(p+"softmax", s, h.mask)
	m.N, m.K = h.values(), m.N
	a := b.MatMul(p+"AV", s, v, m, h.batch, h.n, h.queries, h.values())
	return b.Reshape(p+"merge", a, h.batch, h.queries, h.n*h.values())
}

// stack is a transformer of equal layers with fused projections: BERT, ViT, GPT.
type stack struct {
	heads
	ff         int    // inner width of the feed-forward part
	activation string // gelu, gelu_tanh or relu
	preNorm    bool   // norms before each part, else after its sum
	cached     bool   // keys and values go through a cache
	// inner is a feed-forward part of another kind, nil: two layers; p is its prefix.
	inner func(b *graph.Builder, p string, x graph.TensorID) graph.TensorID
}

// layer adds one layer; p is the prefix of its names.
func (t stack) layer(b *graph.Builder, p string, x graph.TensorID) graph.TensorID {
	d := t.n * t.size
	y := x
	if t.preNorm {
		y = b.Norm(p+"ln1", "layer", x, graph.WithBias)
	}
	y = b.Linear(p+"qkv", y, 3*d, graph.WithBias)
	qkv := t.split(b, p, y, t.queries, "q", "k", "v")
	q, k, v := qkv[0], qkv[1], qkv[2]
	if t.cached {
		k, v = t.cache(b, p+"k_cache", k), t.cache(b, p+"v_cache", v)
	}
	y = t.attend(b, p, q, k, v)
	y = b.Linear(p+"proj", y, d, graph.WithBias)
	x = b.Add(p+"add1", y, x)
	y = x
	if t.preNorm {
		y = b.Norm(p+"ln2", "layer", x, graph.WithBias)
	} else {
		x = b.Norm(p+"ln1", "layer", x, graph.WithBias)
		y = x
	}
	if t.inner != nil {
		y = t.inner(b, p, y)
	} else {
		y = b.Linear(p+"ff1", y, t.ff, graph.WithBias)
		y = b.Elementwise(p+t.activation, t.activation, y)
		y = b.Linear(p+"ff2", y, d, graph.WithBias)
	}
	x = b.Add(p+"add2", y, x)
	if !t.preNorm {
		x = b.Norm(p+"ln2", "layer", x, graph.WithBias)
	}
	return x
}

// layers adds n layers named L0, L1, ...
func (t stack) layers(b *graph.Builder, n int, x graph.TensorID) graph.TensorID {
	for i := range n {
		x = t.layer(b, "L"+number(i)+".", x)
	}
	return x
}
