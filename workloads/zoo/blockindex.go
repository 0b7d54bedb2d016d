package zoo

import (
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/graph/masking"
)

// A BlockIndexer chooses the blocks of entries that a token attends to (MiniMax-M3): a small head
// for each key head scores them, and attention reads the Top best blocks.
//
// assumption: the heads have one key per entry in common, as those of an Indexer.
type BlockIndexer struct{ Heads, HeadSize, Block, Top int }

func (x *BlockIndexer) check(errorf func(string, ...any)) {
	if min(x.Heads, x.HeadSize, x.Block, x.Top) < 1 || max(x.Heads, x.HeadSize, x.Block, x.Top) > maxSize {
		errorf("indexer of blocks: %d heads of %d that keep %d blocks of %d (want 1 to %d of each)", x.Heads, x.HeadSize, x.Top, x.Block, maxSize)
	}
}

// score adds the scores of entries, and the choice among blocks if there are more than are read.
func (x *BlockIndexer) score(b *graph.Builder, p string, h heads, in graph.TensorID) {
	q := b.Reshape(p+"index.q.heads", b.Norm(p+"index.q.norm", "rms", b.Linear(p+"index.q", in, x.Heads*x.HeadSize)), h.batch, x.Heads, h.queries, x.HeadSize)
	k := b.Norm(p+"index.k.norm", "rms", b.Linear(p+"index.k", in, x.HeadSize))
	cache := keepIndex(b, p, h, k, b.Elements(k), h.keys, x.HeadSize)
	if h.keys <= x.Top*x.Block {
		b.Output(q, cache)
		return
	}
	s := b.MatMul(p+"index.scores", q, cache, graph.MatMul{Batch: h.batch * x.Heads, SharedB: x.Heads, M: h.queries, N: h.keys, K: x.HeadSize}, h.batch, x.Heads, h.queries, h.keys)
	s = b.Reduce(p+"index.blocks", "max", s, h.batch, x.Heads, h.queries, (h.keys+x.Block-1)/x.Block)
	b.Output(b.Reduce(p+"index.top", "topk", s, h.batch, x.Heads, h.queries, x.Top))
}

// attendChosen is attendWith where each token reads h.limit entries of its own, so that it is a
// request of its own.
func (h heads) attendChosen(b *graph.Builder, p string, q, k, v graph.TensorID, scores func(*graph.Builder, string, graph.TensorID) graph.TensorID) graph.TensorID {
	one := h
	one.batch, one.queries, one.keys, one.limit, one.mask = h.batch*h.queries, 1, h.limit, 0, masking.Mask{Causal: true}
	pick := func(name string, x graph.TensorID, size int) graph.TensorID {
		out := b.Tensor(p+name+".chosen", graph.KV, one.batch, h.kv, one.keys, size)
		b.Into(p+name+".choose", graph.Move{Func: "slice"}, []graph.TensorID{x}, out)
		return out
	}
	y := one.attendWith(b, p, q, pick("k_cache", k, h.size), pick("v_cache", v, h.values()), scores)
	return b.Reshape(p+"merge.tokens", y, h.batch, h.queries, h.n*h.values())
}
