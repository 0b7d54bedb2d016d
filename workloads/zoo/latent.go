package zoo

import "github.com/causeway-sim/causeway/workloads/graph"

// A Latent is multi-head latent attention (DeepSeek-V2, arXiv 2405.04434, section 2.1):
// the cache holds one vector of Rank elements and one rotated key of Rotary elements
// per token, which all heads share.
type Latent struct {
	QueryRank int // of the queries' own compression; 0: none
	Rank      int // of keys and values
	Plain     int // elements of a query and key head without position
	Rotary    int // elements of them with position
	Value     int // elements of a value head
}

func (l *Latent) check(errorf func(string, ...any)) {
	for _, f := range []struct {
		name string
		n    int
		min  int
	}{{"query rank", l.QueryRank, 0}, {"key and value rank", l.Rank, 1}, {"plain part of a head", l.Plain, 1},
		{"rotary part of a head", l.Rotary, 1}, {"value head size", l.Value, 1}} {
		if f.n < f.min || f.n > maxSize {
			errorf("%s is %d (want %d to %d)", f.name, f.n, f.min, maxSize)
		}
	}
}

// latent adds one latent attention.
//
// Prefill expands the latents of all entries into keys and values of every head.
// Decode never does: queries are multiplied into the latent space and the weighted
// sums out of it (section 2.1.2: the up-projections are absorbed), so that a step
// reads the cache once for all heads.
func (d Decoder) latent(b *graph.Builder, p string, h heads, at Params, x, angles graph.TensorID) graph.TensorID {
	l, tokens := d.Latent, at.Batch*at.Sequence
	y := x
	if l.QueryRank > 0 {
		y = b.Norm(p+"q_down.norm", "rms", b.Linear(p+"q_down", x, l.QueryRank, options(d.QKVBias)...))
	}
	q := b.Linear(p+"q", y, h.n*(l.Plain+l.Rotary))
	plain := b.Tensor(p+"q.plain", graph.Activation, h.batch, h.n, h.queries, l.Plain)
	turn := b.Tensor(p+"q.turn", graph.Activation, h.batch, h.n, h.queries, l.Rotary)
	b.Into(p+"q.heads", graph.Move{Func: "split"}, []graph.TensorID{q}, plain, turn)
	turn = b.Elementwise(p+"q.rope", "rope", turn, angles)

	down := b.Linear(p+"kv_down", x, l.Rank+l.Rotary, options(d.QKVBias)...)
	latent := b.Tensor(p+"kv.latent", graph.Activation, h.batch, h.queries, l.Rank)
	key := b.Tensor(p+"kv.turn", graph.Activation, h.batch, 1, h.queries, l.Rotary)
	b.Into(p+"kv.split", graph.Move{Func: "split"}, []graph.TensorID{down}, latent, key)
	latent = b.Norm(p+"kv_down.norm", "rms", latent)
	key = b.Elementwise(p+"k.rope", "rope", key, angles)
	cache := b.Cache(p+"kv_cache", h.batch, 1, h.keys, l.Rank+l.Rotary)
	b.Into(p+"kv_cache.append", graph.Move{Func: "append", Elements: int64(tokens) * int64(l.Rank+l.Rotary)}, []graph.TensorID{latent, key}, cache)

	up := b.Weight(p+"k_up.weight", h.n, l.Plain, l.Rank)
	out := b.Weight(p+"v_up.weight", h.n, l.Rank, l.Value)
	if at.Phase == Decode {
		y = d.absorbed(b, p, h, plain, turn, cache, up, out)
	} else {
		y = d.expanded(b, p, h, plain, turn, cache, up, out)
	}
	return b.Linear(p+"o", y, d.Hidden, options(d.OutBias)...)
}

// absorbed attends in the latent space.
func (d Decoder) absorbed(b *graph.Builder, p string, h heads, plain, turn, cache, up, out graph.TensorID) graph.TensorID {
	l := d.Latent
	wide := l.Rank + l.Rotary
	m := graph.MatMul{Batch: h.n, M: h.batch * h.queries, N: l.Rank, K: l.Plain}
	q := b.MatMul(p+"q.absorb", plain, up, m, h.batch, h.n, h.queries, l.Rank)
	q = b.Concat(p+"q.concat", 3, q, turn)
	s := b.MatMul(p+"QK^T", q, cache, graph.MatMul{Batch: h.batch * h.n, SharedB: h.n, M: h.queries, N: h.keys, K: wide}, h.batch, h.n, h.queries, h.keys)
	s = b.MaskedSoftmax(p+"softmax", d.scores(b, p, s), h.mask)
	values := b.Tensor(p+"kv_cache.latent", graph.KV, h.batch, 1, h.keys, l.Rank)
	b.Into(p+"kv_cache.view", graph.Move{Func: "slice"}, []graph.TensorID{cache}, values)
	y := b.MatMul(p+"AV", s, values, graph.MatMul{Batch: h.batch * h.n, SharedB: h.n, M: h.queries, N: l.Rank, K: h.keys}, h.batch, h.n, h.queries, l.Rank)
	m.N, m.K = l.Value, l.Rank
	y = b.MatMul(p+"o.absorb", y, out, m, h.batch, h.n, h.queries, l.Value)
	return b.Reshape(p+"merge", y, h.batch, h.queries, h.n*l.Value)
}

// expanded makes keys and values of every head first.
func (d Decoder) expanded(b *graph.Builder, p string, h heads, plain, turn, cache, up, out graph.TensorID) graph.TensorID {
	l := d.Latent
	size := l.Plain + l.Rotary
	q := b.Concat(p+"q.concat", 3, plain, turn)
	latent := b.Op(p+"kv_cache.view", graph.Move{Func: "slice"}, []graph.TensorID{cache}, h.batch, h.keys, l.Rank)
	rows := h.batch * h.keys
	k := b.MatMul(p+"k_up", latent, up, graph.MatMul{Batch: 1, M: rows, N: h.n * l.Plain, K: l.Rank}, h.batch, h.n, h.keys, l.Plain)
	v := b.MatMul(p+"v_up", latent, out, graph.MatMul{Batch: 1, M: rows, N: h.n * l.Value, K: l.Rank}, h.batch, h.n, h.keys, l.Value)
	all := b.Tensor(p+"k.concat", graph.Activation, h.batch, h.n, h.keys, size)
	b.Into(p+"k.concat", graph.Move{Func: "concat", Elements: b.Elements(all)}, []graph.TensorID{k, cache}, all)
	m := graph.MatMul{Batch: h.batch * h.n, M: h.queries, N: h.keys, K: size}
	s := b.MatMul(p+"QK^T", q, all, m, h.batch, h.n, h.queries, h.keys)
	s = b.MaskedSoftmax(p+"softmax", d.scores(b, p, s), h.mask)
	m.N, m.K = l.Value, h.keys
	y := b.MatMul(p+"AV", s, v, m, h.batch, h.n, h.queries, l.Value)
	return b.Reshape(p+"merge", y, h.batch, h.queries, h.n*l.Value)
}
