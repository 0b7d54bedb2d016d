package format

import (
	"math"
	"slices"

	"github.com/causeway-sim/causeway/workloads/graph"
)

func init() { onnxOps["Attention"] = onnxOp{3, 6, onnxAttention} }

// onnxAttention is the standard's fused attention (operator set 23): optional
// past keys and values in front, scores, mask, softmax, weighted sum. Queries,
// keys and values are batch x heads x tokens x size, or batch x tokens x
// (heads x size) with the numbers of heads as attributes. A mask that only says
// causal costs nothing; products that it masks are computed where the attention stays
// several operators.
func onnxAttention(n *onnxNode) error {
	if !standardDomain(n.pb.Domain) {
		return n.fail("the operator of domain %q has other inputs and is not supported", n.pb.Domain)
	}
	q, err := n.headed(n.in[0], "q_num_heads")
	if err != nil {
		return err
	}
	keys, err := n.headed(n.in[1], "kv_num_heads")
	if err != nil {
		return err
	}
	values, err := n.headed(n.in[2], "kv_num_heads")
	if err != nil {
		return err
	}
	elem := n.in[0].elem
	past := func(i int, v *onnxValue, s [4]int) (*onnxValue, [4]int, error) {
		old := n.get(3 + i) // inputs 4 and 5
		if old == nil {
			return v, s, nil
		}
		if old.rank() != 4 || !slices.Equal([]int{old.shape[0], old.shape[1], old.shape[3]}, []int{s[0], s[1], s[3]}) {
			return nil, s, n.fail("past input %d has shape %v, the new one %v", 3+i, old.shape, s)
		}
		s[2] += old.shape[2]
		all, err := n.result(i, elem, s[:]...)
		if err != nil {
			return nil, s, err
		}
		return all, s, n.emitStep("append", graph.Move{Func: "concat", Elements: all.elements()}, []*onnxValue{old, v}, all)
	}
	k, v := n.in[1], n.in[2]
	if k, keys, err = past(1, k, keys); err != nil {
		return err
	}
	if v, values, err = past(2, v, values); err != nil {
		return err
	}
	batch, heads, tokens, size := q[0], q[1], q[2], q[3]
	kv, entries := keys[1], keys[2]
	stack, ok := product(int64(batch), int64(heads))
	if keys[0] != batch || keys[3] != size || values[0] != batch || values[1] != kv || values[2] != entries || heads%kv != 0 || !ok || stack > maxDim {
		return n.fail("queries %v, keys %v and values %v do not fit (batch, heads, tokens, size)", q, keys, values)
	}
	if s, ok := dims([]int64{stack, int64(tokens), int64(entries)}); !ok {
		return n.fail("scores of %v are too large", s)
	}
	shape := []int{batch, heads, tokens, values[3]}
	if n.in[0].rank() == 3 {
		width, ok := product(int64(heads), int64(values[3]))
		if !ok || width > maxDim {
			return n.fail("%d heads of %d", heads, values[3])
		}
		shape = []int{batch, tokens, int(width)}
	}
	scores := n.temp("scores", elem, batch, heads, tokens, entries)
	m := graph.MatMul{Batch: int(stack), SharedB: heads / kv, M: tokens, N: entries, K: size}
	if err := n.emitStep("scores", m, []*onnxValue{n.in[0], k}, scores); err != nil {
		return err
	}
	if mask := n.get(3); mask != nil {
		if s, ok := broadcast(mask.shape, scores.shape); !ok || !slices.Equal(s, scores.shape) {
			return n.fail("the mask has shape %v, the scores %v", mask.shape, scores.shape)
		}
		masked := n.temp("masked", elem, scores.shape...)
		if err := n.elementwise("masked", onnxMap{fn: "add"}, []*onnxValue{scores, mask}, nil, masked); err != nil {
			return err
		}
		scores = masked
	}
	// For fewer queries than entries the standard aligns the mask at the upper left,
	// which is no causal mask over a cache: it is left out.
	causal := graph.Mask{Causal: n.flag("is_causal") && entries == tokens}
	weights := n.temp("softmax", elem, scores.shape...)
	rows := scores.elements() / int64(entries)
	if err := n.emitStep("softmax", graph.Softmax{Rows: rows, Cols: int64(entries), Mask: causal}, []*onnxValue{scores}, weights); err != nil {
		return err
	}
	out, err := n.result(0, elem, shape...)
	if err != nil {
		return err
	}
	if n.wants(3) { // the scores, at the stage that qk_matmul_output_mode says
		n.set(3, scores)
	}
	m.N, m.K = values[3], entries
	return n.emit(m, []*onnxValue{weights, v}, out)
}

// headed is batch, heads, tokens and size of an operand of attention.
func (n *onnxNode) headed(v *onnxValue, attr string) (s [4]int, err error) {
	switch {
	case v.elements() == 0:
	case v.rank() == 4:
		return [4]int(v.shape), nil
	case v.rank() == 3:
		heads := n.int(attr, 0)
		if heads < 1 || heads > math.MaxInt32 || int64(v.shape[2])%heads != 0 {
			return s, n.fail("%s is %d, the shape %v (want a divisor of the last dimension)", attr, heads, v.shape)
		}
		return [4]int{v.shape[0], int(heads), v.shape[1], v.shape[2] / int(heads)}, nil
	}
	return s, n.fail("shape %v (want three or four dimensions, none of them 0)", v.shape)
}
