package onnx

import (
	"math"
	"slices"

	"github.com/causeway-sim/causeway/workloads/format/onnx/node"
	"github.com/causeway-sim/causeway/workloads/graph"

	"github.com/causeway-sim/causeway/workloads/format"
	"github.com/causeway-sim/causeway/workloads/graph/masking"
)

func init() { onnxOps["Attention"] = onnxOp{2, 8, onnxAttention} }

// An attended is what the operators of attention have in common: scores, mask, softmax,
// weighted sum. qs, ks and vs are batch, heads, tokens and size of the operands.
type attended struct {
	q, k, v    *node.Value
	qs, ks, vs [4]int
	bias       *node.Value // added to the scores; nil: none
	mask       masking.Mask
	merged     bool // the result is batch x tokens x (heads x size)
	scores     int  // which result is the scores; 0: none
}

// sized checks that the operands fit to each other, and returns the products there are
// and the shape of the result.
func (n *onnxNode) sized(x *attended) (stack int64, shape []int, err error) {
	batch, heads, tokens, size := x.qs[0], x.qs[1], x.qs[2], x.qs[3]
	kv, entries := x.ks[1], x.ks[2]
	stack, ok := format.Product(int64(batch), int64(heads))
	if x.ks[0] != batch || x.ks[3] != size || x.vs[0] != batch || x.vs[1] != kv || x.vs[2] != entries || heads%kv != 0 || !ok || stack > format.MaxDim {
		return 0, nil, n.Fail("queries %v, keys %v and values %v do not fit (batch, heads, tokens, size)", x.qs, x.ks, x.vs)
	}
	if s, ok := node.Dims([]int64{stack, int64(tokens), int64(entries)}); !ok {
		return 0, nil, n.Fail("scores of %v are too large", s)
	}
	if err := x.mask.Check(tokens, entries); err != nil {
		return 0, nil, n.Fail("%v", err)
	}
	if !x.merged {
		return stack, []int{batch, heads, tokens, x.vs[3]}, nil
	}
	width, ok := format.Product(int64(heads), int64(x.vs[3]))
	if !ok || width > format.MaxDim {
		return 0, nil, n.Fail("%d heads of %d", heads, x.vs[3])
	}
	return stack, []int{batch, tokens, int(width)}, nil
}

func (n *onnxNode) attend(x *attended) error {
	stack, shape, err := n.sized(x)
	if err != nil {
		return err
	}
	elem := x.q.Elem
	batch, heads, tokens, size := x.qs[0], x.qs[1], x.qs[2], x.qs[3]
	kv, entries := x.ks[1], x.ks[2]
	scores := n.Temp("scores", elem, batch, heads, tokens, entries)
	m := graph.MatMul{Batch: int(stack), SharedB: heads / kv, M: tokens, N: entries, K: size}
	if err := n.EmitStep("scores", m, []*node.Value{x.q, x.k}, scores); err != nil {
		return err
	}
	if x.bias != nil {
		if s, ok := node.Broadcast(x.bias.Shape, scores.Shape); !ok || !slices.Equal(s, scores.Shape) {
			return n.Fail("the mask has shape %v, the scores %v", x.bias.Shape, scores.Shape)
		}
		masked := n.Temp("masked", elem, scores.Shape...)
		if err := n.elementwise("masked", onnxMap{fn: "add"}, []*node.Value{scores, x.bias}, nil, masked); err != nil {
			return err
		}
		scores = masked
	}
	weights := n.Temp("softmax", elem, scores.Shape...)
	rows := scores.Elements() / int64(entries)
	if err := n.EmitStep("softmax", graph.Softmax{Rows: rows, Cols: int64(entries), Mask: x.mask}, []*node.Value{scores}, weights); err != nil {
		return err
	}
	out, err := n.Result(0, elem, shape...)
	if err != nil {
		return err
	}
	if x.scores > 0 && n.Wants(x.scores) {
		n.Set(x.scores, scores)
	}
	m.N, m.K = x.vs[3], entries
	return n.Emit(m, []*node.Value{weights, x.v}, out)
}

// onnxAttention is the standard's fused attention (operator set 23): optional
// past keys and values in front, scores, mask, softmax, weighted sum. Queries,
// keys and values are batch x heads x tokens x size, or batch x tokens x
// (heads x size) with the numbers of heads as attributes. A mask that only says
// causal costs nothing; products that it masks are computed where the attention stays
// several operators.
func onnxAttention(n *onnxNode) error {
	if !node.StandardDomain(n.Proto.Domain) {
		return onnxPackedAttention(n)
	}
	if err := n.Least(3); err != nil {
		return err
	}
	x := attended{q: n.In[0], k: n.In[1], v: n.In[2], bias: n.Get(3), merged: n.In[0].Rank() == 3, scores: 3}
	var err error
	if x.qs, err = n.headed(x.q, "q_num_heads"); err != nil {
		return err
	}
	if x.ks, err = n.headed(x.k, "kv_num_heads"); err != nil {
		return err
	}
	if x.vs, err = n.headed(x.v, "kv_num_heads"); err != nil {
		return err
	}
	past := func(i int, v *node.Value, s *[4]int) (*node.Value, error) {
		old := n.Get(3 + i) // inputs 4 and 5
		if old == nil {
			return v, nil
		}
		if err := n.fitsPast(3+i, old, s); err != nil {
			return nil, err
		}
		s[2] += old.Shape[2]
		all, err := n.Result(i, x.q.Elem, s[:]...)
		if err != nil {
			return nil, err
		}
		return all, n.EmitStep("append", graph.Move{Func: "concat", Elements: all.Elements()}, []*node.Value{old, v}, all)
	}
	if x.k, err = past(1, x.k, &x.ks); err != nil {
		return err
	}
	if x.v, err = past(2, x.v, &x.vs); err != nil {
		return err
	}
	// For fewer queries than entries the standard aligns the mask at the upper left,
	// which is no causal mask over a cache: it is left out.
	x.mask = masking.Mask{Causal: n.Flag("is_causal") && x.ks[2] == x.qs[2]}
	return n.attend(&x)
}

// fitsPast checks the past of keys or values of shape s.
func (n *onnxNode) fitsPast(i int, old *node.Value, s *[4]int) error {
	if old.Rank() != 4 || !slices.Equal([]int{old.Shape[0], old.Shape[1], old.Shape[3]}, []int{s[0], s[1], s[3]}) {
		return n.Fail("past input %d has shape %v, the new one %v", i, old.Shape, *s)
	}
	return nil
}

// headed is batch, heads, tokens and size of an operand of attention.
func (n *onnxNode) headed(v *node.Value, attr string) (s [4]int, err error) {
	switch {
	case v.Elements() == 0:
	case v.Rank() == 4:
		return [4]int(v.Shape), nil
	case v.Rank() == 3:
		heads := n.Int(attr, 0)
		if heads < 1 || heads > math.MaxInt32 || int64(v.Shape[2])%heads != 0 {
			return s, n.Fail("%s is %d, the shape %v (want a divisor of the last dimension)", attr, heads, v.Shape)
		}
		return [4]int{v.Shape[0], int(heads), v.Shape[1], v.Shape[2] / int(heads)}, nil
	}
	return s, n.Fail("shape %v (want three or four dimensions, none of them 0)", v.Shape)
}
