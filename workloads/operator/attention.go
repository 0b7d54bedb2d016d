package operator

import (
	"github.com/causeway-sim/causeway/workloads/graph/masking"
)

import "github.com/causeway-sim/causeway/workloads/graph"

// attentionSizes are those of both phases of fused attention. kv_heads are as many as
// heads where they are left out.
func attentionSizes() []size {
	return append(need("heads", "head_dim", "sequence"), may("kv_heads", 0), may("batch", 1), may("context", 0), may("causal", 1), may("partial", 0))
}

// decodeSizes are those of one token: keys are context, or sequence.
func decodeSizes() []size {
	return append(need("heads", "head_dim"), may("sequence", 0), may("kv_heads", 0), may("batch", 1), may("context", 0), may("causal", 1), may("partial", 0))
}

// buildPrefill is attention of the tokens of a sequence to themselves and to those of a
// context before it.
func buildPrefill(b *graph.Builder, name string, get func(string) int) {
	buildAttention(b, name, get, get("sequence"), get("context")+get("sequence"), get("causal") > 0)
}

// buildDecode is attention of one token to a context, or to a sequence where no context is
// given.
func buildDecode(b *graph.Builder, name string, get func(string) int) {
	keys := get("context")
	if keys == 0 {
		keys = get("sequence")
	}
	buildAttention(b, name, get, 1, keys, get("causal") > 0)
}

func buildAttention(b *graph.Builder, name string, get func(string) int, queries, keys int, causal bool) {
	heads, kv, dim := get("heads"), get("kv_heads"), get("head_dim")
	if kv == 0 {
		kv = heads
	}
	if heads%kv != 0 {
		b.Errorf("%d heads over %d kv_heads (want a multiple)", heads, kv)
		return
	}
	n, group := get("batch")*kv, heads/kv
	k := graph.Attention{Batch: n, Group: group, Queries: queries, Keys: keys, Size: dim, Value: dim,
		Mask: masking.Mask{Causal: causal}, ScoreOps: 1, Partial: graph.Statistics(get("partial"))} // scale
	in := []graph.TensorID{b.Input(name+".q", n, group, queries, dim), b.Cache(name+".k", n, keys, dim), b.Cache(name+".v", n, keys, dim)}
	if k.Partial == 0 {
		b.Output(b.Op(name, k, in, n, group, queries, dim))
		return
	}
	sum, statistics := b.Tensor(name+".sum", graph.Activation, n, group, queries, dim), b.Tensor(name+".statistics", graph.Activation, n, group, queries, int(k.Partial))
	b.Into(name, k, in, sum, statistics)
	b.Output(sum)
	b.Output(statistics)
}

// buildMerge makes one attention of those over parts of the keys.
func buildMerge(b *graph.Builder, name string, get func(string) int) {
	parts, rows, cols, n := get("parts"), get("rows"), get("cols"), get("statistics")
	k := graph.Merge{Rows: int64(rows), Cols: int64(cols), Pieces: int64(parts) * int64(rows), Statistics: graph.Statistics(n)}
	in := []graph.TensorID{b.Input(name+".sums", parts, rows, cols), b.Input(name+".statistics", parts, rows, n)}
	b.Output(b.Op(name, k, in, rows, cols))
}
