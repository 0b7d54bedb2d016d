package zoo

import (
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/graph/masking"
)

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
func (d Decoder) latent(b *graph.Builder, i int, p string, h heads, at Params, x, angles graph.TensorID) graph.TensorID {
	l, tokens := d.Latent, at.Batch*at.Sequence
	y := x
	if l.QueryRank > 0 {
		y = b.Norm(p+"q_down.norm", "rms", b.Linear(p+"q_down", x, l.QueryRank, options(d.QKVBias)...))
	}
	q := b.Linear(p+"q", y, h.n*(l.Plain+l.Rotary))
	plain := b.Tensor(p+"q.plain", graph.Activation, h.batch, h.n, h.queries, l.Plain)
	turn := b.Tensor(p+"q.turn", graph.Activation, h.batch, h.n, h.queries, l.Rotary)
	b.Into(p+"q.heads", graph.Move{Func: "split"}, []graph.TensorID{q}, plain, turn)
	turn = l.rotate(b, p+"q.rope", turn, angles)

	down := b.Linear(p+"kv_down", x, l.Rank+l.Rotary, options(d.QKVBias)...)
	latent := b.Tensor(p+"kv.latent", graph.Activation, h.batch, h.queries, l.Rank)
	key := b.Tensor(p+"kv.turn", graph.Activation, h.batch, 1, h.queries, l.Rotary)
	b.Into(p+"kv.split", graph.Move{Func: "split"}, []graph.TensorID{down}, latent, key)
	latent = b.Norm(p+"kv_down.norm", "rms", latent)
	key = l.rotate(b, p+"k.rope", key, angles)
	weights := ups{b.Weight(p+"k_up.weight", h.n, l.Plain, l.Rank), b.Weight(p+"v_up.weight", h.n, l.Rank, l.Value)}
	if d.Indexer != nil && (len(d.Indexer.Shared) == 0 || !d.Indexer.Shared[i]) {
		d.Indexer.score(b, p, h, y, x, angles)
	}
	if len(at.Groups) > 1 {
		y = d.latentGroups(b, p, h, at.Groups, []graph.TensorID{plain, turn, latent, key}, weights)
	} else {
		token := at.Phase == Decode || len(at.Groups) == 1 && at.Sequence == 1
		y = d.attendLatent(b, p, h, token, tokens, plain, turn, latent, key, weights)
	}
	h.size, h.value = l.Value, 0
	return b.Linear(p+"o", d.gated(b, p, h, x, y), d.Hidden, options(d.OutBias)...)
}

// rotate turns positions into x, where the model has any.
func (l *Latent) rotate(b *graph.Builder, name string, x, angles graph.TensorID) graph.TensorID {
	if angles == graph.None {
		return x
	}
	return b.Elementwise(name, "rope", x, angles)
}

// ups are the weights from the latent vectors to keys and to values of all heads.
type ups struct{ keys, values graph.TensorID }

// attendLatent writes latent vectors into the cache and attends to it; token is set if each request
// has one.
func (d Decoder) attendLatent(b *graph.Builder, p string, h heads, token bool, tokens int, plain, turn, latent, key graph.TensorID, w ups) graph.TensorID {
	l := d.Latent
	cache := b.Cache(p+"kv_cache", h.batch, 1, h.keys, l.Rank+l.Rotary)
	b.Into(p+"kv_cache.append", graph.Move{Func: "append", Elements: int64(tokens) * int64(l.Rank+l.Rotary)}, []graph.TensorID{latent, key}, cache)
	switch {
	case d.Indexer != nil && h.keys > d.Indexer.TopK:
		return d.chosen(b, p, h, plain, turn, cache, w)
	case token:
		return d.absorbed(b, p, h, plain, turn, cache, w.keys, w.values)
	}
	return d.expanded(b, p, h, plain, turn, cache, w.keys, w.values)
}

// chosen attends to the entries that the indexer chose for each token, in the latent space: tokens
// have unlike entries, so that each is a request of its own.
func (d Decoder) chosen(b *graph.Builder, p string, h heads, plain, turn, cache graph.TensorID, w ups) graph.TensorID {
	batch, queries := h.batch, h.queries
	h.batch, h.queries, h.keys = h.batch*h.queries, 1, d.Indexer.TopK
	h.mask = masking.Mask{Causal: true}
	picked := b.Tensor(p+"kv_cache.chosen", graph.KV, h.batch, 1, h.keys, d.Latent.Rank+d.Latent.Rotary)
	b.Into(p+"kv_cache.choose", graph.Move{Func: "slice"}, []graph.TensorID{cache}, picked)
	one := func(name string, x graph.TensorID) graph.TensorID {
		s := b.Shape(x)
		return b.Reshape(p+name+".tokens", x, h.batch, s[1], 1, s[3])
	}
	y := d.absorbed(b, p, h, one("q.plain", plain), one("q.turn", turn), picked, w.keys, w.values)
	return b.Reshape(p+"merge.tokens", y, batch, queries, h.n*d.Latent.Value)
}

// latentGroups is latent attention of several groups of requests, each with its caches.
func (d Decoder) latentGroups(b *graph.Builder, p string, h heads, groups []Group, in []graph.TensorID, w ups) graph.TensorID {
	parts := make([][]graph.TensorID, len(in))
	for j, x := range in {
		s := b.Shape(x)
		out := make([]graph.TensorID, len(groups))
		for g, k := range groups {
			shape := []int{k.Requests, k.Tokens, s[len(s)-1]}
			if len(s) == 4 {
				shape = []int{k.Requests, s[1], k.Tokens, s[3]}
			}
			out[g] = b.Tensor(p+"g"+number(g)+".in"+number(j), graph.Activation, shape...)
		}
		b.Into(p+"groups"+number(j), graph.Move{Func: "split"}, []graph.TensorID{x}, out...)
		parts[j] = out
	}
	sums := make([]graph.TensorID, len(groups))
	for g, k := range groups {
		one := h
		one.batch, one.queries, one.keys = k.Requests, k.Tokens, k.Context
		sums[g] = d.attendLatent(b, p+"g"+number(g)+".", one, k.Tokens == 1, k.Requests*k.Tokens, parts[0][g], parts[1][g], parts[2][g], parts[3][g], w)
	}
	all := b.Tensor(p+"merge", graph.Activation, h.batch, h.queries, h.n*d.Latent.Value)
	b.Into(p+"merge", graph.Move{Func: "concat"}, sums, all)
	return all
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
