package zoo

import (
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/graph/masking"
)

// A Compressed is the attention of DeepSeek-V4: all heads read one vector per entry, which is key
// and value. Entries farther back than the window are averages of Ratio tokens; of those an indexer
// keeps TopK where Ratio is small.
//
// Source: inference/model.py of the published checkpoints; configuration keys compress_ratios,
// o_groups, o_lora_rank, index_topk.
type Compressed struct {
	Heads, HeadSize       int
	QueryRank             int
	Groups, OutRank       int // of the output projection, low-rank for each group of heads
	Ratio                 int // tokens of a compressed entry; 0: there are none
	Window                int
	Overlap               bool // compressed entries overlap, so that they take two projections
	IndexHeads, IndexSize int  // 0: all compressed entries are read
	TopK                  int
}

func (c Compressed) check(errorf func(string, ...any)) {
	if c.Heads < 1 || c.HeadSize < 1 || c.QueryRank < 1 || c.Groups < 1 || c.Heads%max(c.Groups, 1) != 0 || c.OutRank < 1 || c.Window < 1 || c.Ratio < 0 ||
		max(c.Heads, c.HeadSize, c.QueryRank, c.OutRank, c.Window, c.Ratio, c.IndexHeads, c.IndexSize, c.TopK) > maxSize {
		errorf("compressed attention of %d heads of %d, query rank %d, %d groups of rank %d, window %d, ratio %d (want 1 or more of each but the ratio, heads a multiple of groups)", c.Heads, c.HeadSize, c.QueryRank, c.Groups, c.OutRank, c.Window, c.Ratio)
	}
}

// Share implements Mixer.
func (c Compressed) Share(n int) Mixer {
	c.Heads, c.Groups = max(c.Heads/n, 1), max(c.Groups/n, 1)
	return c
}

// read is the number of entries that the last of a number of tokens reads.
func (c Compressed) read(context int) int {
	n := min(context, c.Window)
	if c.Ratio > 0 {
		far := context / c.Ratio
		if c.IndexHeads > 0 {
			far = min(far, c.TopK)
		}
		n += far
	}
	return n
}

func (c Compressed) mix(b *graph.Builder, m mixing, x graph.TensorID) graph.TensorID {
	p, h := m.prefix, m.h
	low := b.Norm(p+"q_down.norm", "rms", b.Linear(p+"q_down", x, c.QueryRank))
	q := b.Reshape(p+"q.heads", b.Linear(p+"q", low, c.Heads*c.HeadSize), h.batch, c.Heads, h.queries, c.HeadSize)
	kv := b.Norm(p+"kv.norm", "rms", b.Linear(p+"kv", x, c.HeadSize))
	if m.angles != graph.None {
		one := b.Reshape(p+"kv.heads", kv, h.batch, 1, h.queries, c.HeadSize)
		q, one = m.d.rotate(b, p+"q.rope", q, m.angles), m.d.rotate(b, p+"kv.rope", one, m.angles)
		kv = b.Reshape(p+"kv.turned", one, h.batch, h.queries, c.HeadSize)
	}
	b.Weight(p+"sinks", c.Heads)
	if c.Ratio > 0 {
		kv = b.Add(p+"far.add", kv, c.compress(b, p+"far.", x, c.HeadSize))
	}
	if c.IndexHeads > 0 {
		c.index(b, p, m, low, x)
	}
	one := func(p string, requests, tokens, context int, q, kv graph.TensorID) graph.TensorID {
		n := c.read(context) // tokens read unlike entries, each is a request of its own
		cache := b.Cache(p+"kv_cache", requests, 1, n+tokens, c.HeadSize)
		b.Into(p+"kv_cache.append", graph.Move{Func: "append", Elements: b.Elements(kv)}, []graph.TensorID{kv}, cache)
		each := heads{batch: requests * tokens, queries: 1, keys: n, n: c.Heads, kv: 1, size: c.HeadSize, mask: masking.Mask{Causal: true}}
		picked := b.Tensor(p+"kv_cache.read", graph.KV, each.batch, 1, n, c.HeadSize)
		b.Into(p+"kv_cache.choose", graph.Move{Func: "slice"}, []graph.TensorID{cache}, picked)
		values := b.Tensor(p+"kv_cache.values", graph.KV, each.batch, 1, n, c.HeadSize)
		b.Into(p+"kv_cache.view", graph.Move{Func: "slice"}, []graph.TensorID{picked}, values)
		return each.attend(b, p, q, picked, values)
	}
	var y graph.TensorID
	if len(m.groups) > 1 {
		var qs, kvs, sums []graph.TensorID
		for g, k := range m.groups {
			qs = append(qs, b.Tensor(p+"g"+number(g)+".q", graph.Activation, k.Requests, c.Heads, k.Tokens, c.HeadSize))
			kvs = append(kvs, b.Tensor(p+"g"+number(g)+".kv", graph.Activation, k.Requests, k.Tokens, c.HeadSize))
		}
		b.Into(p+"q.groups", graph.Move{Func: "split"}, []graph.TensorID{q}, qs...)
		b.Into(p+"kv.groups", graph.Move{Func: "split"}, []graph.TensorID{kv}, kvs...)
		for g, k := range m.groups {
			sums = append(sums, one(p+"g"+number(g)+".", k.Requests, k.Tokens, k.Context, qs[g], kvs[g]))
		}
		y = b.Tensor(p+"merge", graph.Activation, h.batch, h.queries, c.Heads*c.HeadSize)
		b.Into(p+"merge", graph.Move{Func: "concat"}, sums, y)
	} else {
		y = one(p, h.batch, h.queries, m.context, q, kv)
	}
	rows, wide := h.batch*h.queries, c.Heads*c.HeadSize/c.Groups
	y = b.Reshape(p+"o.groups", y, c.Groups, rows, wide)
	y = b.MatMul(p+"o_down", y, b.Weight(p+"o_down.weight", c.Groups, wide, c.OutRank), graph.MatMul{Batch: c.Groups, M: rows, N: c.OutRank, K: wide}, c.Groups, rows, c.OutRank)
	return b.Linear(p+"o", b.Reshape(p+"o.ranks", y, h.batch, h.queries, c.Groups*c.OutRank), m.d.Hidden)
}

// compress adds the entries for the tokens farther back: values, their weights within an entry, and
// a norm.
func (c Compressed) compress(b *graph.Builder, p string, x graph.TensorID, size int) graph.TensorID {
	n := size
	if c.Overlap {
		n = 2 * size
	}
	b.Weight(p+"position.weight", c.Ratio, n) // added to the weights by the place within an entry
	y := b.Mul(p+"weighted", b.Linear(p+"kv", x, n), b.Elementwise(p+"weights", "exp", b.Linear(p+"gate", x, n)))
	s := b.Shape(x)
	return b.Norm(p+"norm", "rms", b.Reduce(p+"sum", "sum", y, s[0], s[1], size))
}

// index adds the choice among compressed entries.
func (c Compressed) index(b *graph.Builder, p string, m mixing, low, x graph.TensorID) {
	h := m.h
	q := b.Reshape(p+"index.q.heads", b.Linear(p+"index.q", low, c.IndexHeads*c.IndexSize), h.batch, c.IndexHeads, h.queries, c.IndexSize)
	weights := b.Linear(p+"index.weights", x, c.IndexHeads)
	k := c.compress(b, p+"index.", x, c.IndexSize)
	far := max(m.context/c.Ratio, 1)
	cache := keepIndex(b, p, h, k, b.Elements(k)/int64(c.Ratio), far, c.IndexSize)
	s := b.MatMul(p+"index.scores", q, cache, graph.MatMul{Batch: h.batch * c.IndexHeads, SharedB: c.IndexHeads, M: h.queries, N: far, K: c.IndexSize}, h.batch, c.IndexHeads, h.queries, far)
	s = b.Reduce(p+"index.sum", "sum", weighed(b, p, h, c.IndexHeads, s, weights), h.batch, h.queries, far)
	b.Output(b.Reduce(p+"index.top", "topk", s, h.batch, h.queries, max(min(far, c.TopK), 1)))
}
