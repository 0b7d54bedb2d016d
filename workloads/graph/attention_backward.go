package graph

// An AttentionBackward is the backward pass of an Attention as one operator. The scores are
// computed again, block by block, from queries, keys and the statistics of the rows, and are not in
// memory.
//
// In: Q, K and V of the attention, its result, the logarithm of the sum of exponentials of each row
// (the second result with LogSumExp), and the gradient of the result. Out: the gradients of Q, K
// and V, in this order.
//
// Source: Dao, FlashAttention-2, arXiv 2307.08691, Algorithm 2.
type AttentionBackward struct {
	Attention Attention
}

// Vector-unit operations of a score in the backward pass: subtract the statistics, exp (4);
// subtract the row's sum of result and gradient, multiply. The row's sum takes two for each value.
const backwardElement = 7

// Type implements Kind.
func (AttentionBackward) Type() string { return "attention_back" }

// MACs implements Kind. The products of a score are S = QK^T, dP = dO V^T, dV = P^T dO, dQ = dS K
// and dK = dS^T Q.
func (k AttentionBackward) MACs() int64 {
	a := &k.Attention
	return a.Pairs() * int64(3*a.Size+2*a.Value)
}

// VectorOps implements Kind.
func (k AttentionBackward) VectorOps() int64 {
	a := &k.Attention
	return a.Pairs()*int64(backwardElement+2*a.ScoreOps) + a.Rows()*int64(2*a.Value)
}

// fixDTypes implements dtypeFixer: statistics are FP32.
func (AttentionBackward) fixDTypes(g *Graph, op *Op) { g.Tensors[op.In[4]].DType = FP32 }

func (k AttentionBackward) check(v *validator) {
	a := &k.Attention
	if len(v.op.In) != 6 || len(v.op.Out) != 3 || a.Inside || a.Partial != LogSumExp {
		v.errorf("%d operands and %d results (want 6 and 3, and an attention that leaves the logarithm of its sums)", len(v.op.In), len(v.op.Out))
		return
	}
	if min(a.Batch, a.Group, a.Queries, a.Keys, a.Size, a.Value) < 1 || a.ScoreOps < 0 {
		v.errorf("sizes %+v (want at least 1)", *a)
		return
	}
	rows, keys := []int64{int64(a.Batch), int64(a.Group), int64(a.Queries)}, []int64{int64(a.Batch), int64(a.Keys)}
	with := func(of []int64, n int) []int64 { return append(append([]int64(nil), of...), int64(n)) }
	v.count("queries", v.in(0), with(rows, a.Size)...)
	v.count("keys", v.in(1), with(keys, a.Size)...)
	v.count("values", v.in(2), with(keys, a.Value)...)
	v.count("result", v.in(3), with(rows, a.Value)...)
	v.count("statistics", v.in(4), rows...)
	v.count("gradient", v.in(5), with(rows, a.Value)...)
	v.count("gradient of queries", v.op.Out[0], with(rows, a.Size)...)
	v.count("gradient of keys", v.op.Out[1], with(keys, a.Size)...)
	v.count("gradient of values", v.op.Out[2], with(keys, a.Value)...)
	if _, ok := product(int64(a.Batch), int64(a.Group), int64(a.Queries), int64(a.Keys), int64(3*a.Size+2*a.Value)); !ok {
		v.errorf("more than 2^63 multiply-accumulates")
	}
}
