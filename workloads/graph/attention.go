package graph

import (
	"github.com/causeway-sim/causeway/workloads/graph/masking"
)

// An Attention is scaled dot-product attention as one operator: scores of queries and keys,
// softmax, weighted sum of values. Scores are not in memory. In: Q of Batch x Group x Queries x
// Size, K of Batch x Keys x Size, V of Batch x Keys x Value; operators on the scores may add
// operands (a mask that is a tensor). Out: Batch x Group x Queries x Value.
type Attention struct {
	Batch   int // requests x key/value heads
	Group   int // query heads that share keys and values
	Queries int
	Keys    int // entries
	Size    int // of a query and of a key
	Value   int // of a value
	Mask    masking.Mask
	// ScoreOps is the vector-unit operations per score between the product and the
	// softmax: scale, cap, positions, a mask that is a tensor.
	ScoreOps int
	// Inside is set if the values are a part of the keys and are read with them, as in latent
	// attention with absorbed projections.
	Inside bool
	// Partial is set if the keys are only a part of those that the queries see: a second result
	// has Batch x Group x Queries x Partial statistics, with which a Merge combines the parts. 0:
	// none.
	Partial Statistics
}

// Type implements Kind.
func (Attention) Type() string { return "attention" }

// fixDTypes implements dtypeFixer: statistics of a part of the keys are FP32.
func (a Attention) fixDTypes(g *Graph, op *Op) {
	if a.Partial > 0 {
		g.Tensors[op.Out[1]].DType = FP32
	}
}

// reads implements partReader: values inside the keys are read with them.
func (a Attention) reads(operand int, elements, _ int64) int64 {
	if operand == 2 && a.Inside {
		return 0
	}
	return elements
}

// Pairs is the number of scores that are not masked, over all heads.
func (a Attention) Pairs() int64 {
	return int64(a.Batch) * int64(a.Group) * a.Mask.Pairs(0, int64(a.Queries), int64(a.Queries), int64(a.Keys))
}

// Rows is the number of queries of all heads.
func (a Attention) Rows() int64 { return int64(a.Batch) * int64(a.Group) * int64(a.Queries) }

// MACs is the number of multiply-accumulates of scores that are not masked.
func (a Attention) MACs() int64 { return a.Pairs() * int64(a.Size+a.Value) }

// Vector-unit operations of a softmax with one pass over the scores (Milakov and Gimelshein, arXiv
// 1805.02867, Algorithm 3; with a sum of values: Dao, FlashAttention-2, arXiv 2307.08691,
// Algorithm 1).
const (
	// Per score: maximum, subtract, exp (4), sum.
	OnlineElement = softmaxElement - 1
	// Per query and block of keys after the first: merge the maximum, subtract, exp
	// (4), scale and add up the sum; each value of the weighted sum is scaled besides.
	OnlineRescale = 8
	// Per query at the end: the reciprocal of the sum; each value is scaled besides.
	OnlineRow = softmaxRow
)

// VectorOps is the operations of scores that are not masked, with all keys in one
// block.
func (a Attention) VectorOps() int64 {
	return a.Pairs()*int64(OnlineElement+a.ScoreOps) + a.Rows()*a.RowOps()
}

// Alone returns a graph with this operator only, with operands of these types.
func (a Attention) Alone(d DTypes) *Graph {
	g := &Graph{Name: "attention"}
	add := func(name string, r Role, t DType, shape ...int) TensorID {
		return g.Add(Tensor{Name: name, Role: r, DType: t, Shape: shape})
	}
	op := Op{Name: "attention", Kind: a, In: []TensorID{
		add("q", Activation, d.Activation, a.Batch, a.Group, a.Queries, a.Size), add("k", KV, d.KV, a.Batch, a.Keys, a.Size)}}
	v := op.In[1]
	if !a.Inside {
		v = add("v", KV, d.KV, a.Batch, a.Keys, a.Value)
	}
	op.In = append(op.In, v)
	op.Out = []TensorID{add("sum", Activation, d.Activation, a.Batch, a.Group, a.Queries, a.Value)}
	if a.Partial > 0 {
		op.Out = append(op.Out, add("statistics", Activation, FP32, a.Batch, a.Group, a.Queries, int(a.Partial)))
	}
	g.Append(op)
	return g
}

// MaskedSoftmax is like Softmax with a mask. It computes all scores; FuseAttention uses the mask.
func (b *Builder) MaskedSoftmax(name string, x TensorID, m masking.Mask) TensorID {
	s := b.Shape(x)
	cols := int64(s[len(s)-1])
	return b.Op(name, Softmax{Rows: b.Elements(x) / cols, Cols: cols, Mask: m}, []TensorID{x}, s...)
}

func (a Attention) check(v *validator) {
	if min(a.Batch, a.Group, a.Queries, a.Keys, a.Size, a.Value) < 1 || a.ScoreOps < 0 {
		v.errorf("sizes %+v (want at least 1)", a)
		return
	}
	if err := a.Mask.Check(a.Queries, a.Keys); err != nil {
		v.errorf("%v", err)
		return
	}
	b, heads := int64(a.Batch), int64(a.Group)
	v.count("queries", v.in(0), b, heads, int64(a.Queries), int64(a.Size))
	v.count("keys", v.in(1), b, int64(a.Keys), int64(a.Size))
	v.count("values", v.in(2), b, int64(a.Keys), int64(a.Value))
	v.count("output", v.out(), b, heads, int64(a.Queries), int64(a.Value))
	a.checkStatistics(v)
	if _, ok := product(b, heads, int64(a.Queries), int64(a.Keys), int64(a.Size)+int64(a.Value)); !ok {
		v.errorf("more than 2^63 multiply-accumulates")
	}
}

// Statistics is the number of statistics per row that an Attention over a part of the keys
// returns.
type Statistics int

const (
	// LogSumExp is the logarithm of the sum of the exponentials of the scores. The weighted sum
	// has been divided by that sum (Flash-Decoding; Helix Parallelism).
	LogSumExp Statistics = 1
	// MaxSum is the largest score, and the sum of exp(score - largest score). The weighted sum is
	// not divided (FlashAttention, Algorithm 1).
	MaxSum Statistics = 2
)

// RowOps is the vector-unit operations at the end of each row.
func (a Attention) RowOps() int64 {
	switch a.Partial {
	case LogSumExp:
		return int64(OnlineRow+a.Value) + logOps + 1 // the maximum is added
	case MaxSum:
		return 0
	}
	return int64(OnlineRow + a.Value)
}

func (a Attention) checkStatistics(v *validator) {
	if a.Partial < 0 || a.Partial > MaxSum {
		v.errorf("%d statistics of a row (want 0 to %d)", a.Partial, MaxSum)
		return
	}
	if outs := 1 + min(int(a.Partial), 1); len(v.op.Out) != outs {
		v.errorf("has %d results (want %d)", len(v.op.Out), outs)
	} else if a.Partial > 0 {
		v.count("statistics", v.op.Out[1], int64(a.Batch), int64(a.Group), int64(a.Queries), int64(a.Partial))
	}
}
