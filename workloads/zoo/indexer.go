package zoo

import "github.com/causeway-sim/causeway/workloads/graph"

// An Indexer chooses the entries that a token attends to (DeepSeek-V3.2-Exp, 2025, section 2.1):
// small heads score all entries, and attention reads the TopK best ones.
type Indexer struct {
	Heads, HeadSize int
	TopK            int
	Shared          []bool // layers that take the choice of one before them: GLM-5.2; nil: none
}

func (x *Indexer) check(layers int, errorf func(string, ...any)) {
	if x.Heads < 1 || x.HeadSize < 1 || x.TopK < 1 || max(x.Heads, x.HeadSize, x.TopK) > maxSize {
		errorf("indexer of %d heads of %d that keeps %d entries (want 1 to %d of each)", x.Heads, x.HeadSize, x.TopK, maxSize)
	}
	if n := len(x.Shared); n != 0 && n != layers {
		errorf("choices of the indexer are said for %d of %d layers", n, layers)
	}
}

// score adds the scores of all entries and the choice among them, if there are more than TopK; q is
// what queries are made of. It keeps the entries' keys in any case.
func (x *Indexer) score(b *graph.Builder, p string, h heads, q, in, angles graph.TensorID) {
	queries := b.Linear(p+"index.q", q, x.Heads*x.HeadSize)
	keys := b.Norm(p+"index.k.norm", "layer", b.Linear(p+"index.k", in, x.HeadSize), graph.WithBias)
	weights := b.Linear(p+"index.weights", in, x.Heads)
	cache := keepIndex(b, p, h, keys, b.Elements(keys), h.keys, x.HeadSize)
	if h.keys <= x.TopK {
		for _, id := range []graph.TensorID{queries, weights, cache} {
			b.Output(id)
		}
		return
	}
	queries = b.Reshape(p+"index.q.heads", queries, h.batch, x.Heads, h.queries, x.HeadSize)
	s := b.MatMul(p+"index.scores", queries, cache, graph.MatMul{Batch: h.batch * x.Heads, SharedB: x.Heads, M: h.queries, N: h.keys, K: x.HeadSize}, h.batch, x.Heads, h.queries, h.keys)
	s = b.Reduce(p+"index.sum", "sum", weighed(b, p, h, x.Heads, s, weights), h.batch, h.queries, h.keys)
	b.Output(b.Reduce(p+"index.top", "topk", s, h.batch, h.queries, x.TopK))
}

// keepIndex writes so many elements of keys into the cache of an indexer and returns the entries that a
// request scores. Unlike requests of a step may have more tokens than one of them has entries.
func keepIndex(b *graph.Builder, p string, h heads, keys graph.TensorID, elements int64, entries, size int) graph.TensorID {
	room := max(entries, (int(elements)+h.batch*size-1)/(h.batch*size))
	cache := b.Cache(p+"index_cache", h.batch, 1, room, size)
	b.Into(p+"index_cache.append", graph.Move{Func: "append", Elements: elements}, []graph.TensorID{keys}, cache)
	if room == entries {
		return cache
	}
	own := b.Tensor(p+"index_cache.own", graph.KV, h.batch, 1, entries, size)
	b.Into(p+"index_cache.choose", graph.Move{Func: "slice"}, []graph.TensorID{cache}, own)
	return own
}

// weighed is the scores of small heads, those below zero left out, times the weight of each head.
func weighed(b *graph.Builder, p string, h heads, n int, s, weights graph.TensorID) graph.TensorID {
	w := b.Reshape(p+"index.weights.heads", weights, h.batch, n, h.queries, 1)
	return b.Mul(p+"index.weighed", b.Elementwise(p+"index.relu", "relu", s), w)
}
