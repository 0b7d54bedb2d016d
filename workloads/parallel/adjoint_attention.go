package parallel

import (
	"errors"
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/workloads/graph"
)

// attends returns an error for an attention that has no backward operator.
func attends(k graph.Attention) error {
	switch {
	case k.Inside:
		return errors.New("attention with values inside the keys has no backward operator (want attention: unfused)")
	case k.Partial > 0:
		return errors.New("attention over a part of the keys has no backward operator (want attention: unfused)")
	}
	return nil
}

// withStatistics has each attention leave the logarithm of the sum of exponentials of its rows,
// from which its backward operator computes the scores again.
func withStatistics(g *graph.Graph) (*graph.Graph, error) {
	out := *g
	out.Ops, out.Tensors = slices.Clone(g.Ops), slices.Clone(g.Tensors)
	for i := range out.Ops {
		op := &out.Ops[i]
		k, ok := op.Kind.(graph.Attention)
		if !ok {
			continue
		}
		if err := attends(k); err != nil {
			return nil, fmt.Errorf("%s: %s: %w", g.Name, op.Name, err)
		}
		for _, id := range op.In[3:] {
			if t := out.Tensor(id); t.Role != graph.Input {
				return nil, fmt.Errorf("%s: %s adds %s to the scores, whose gradient is not computed (want attention: unfused)", g.Name, op.Name, t.Name)
			}
		}
		k.Partial = graph.LogSumExp
		shape := slices.Clone(out.Tensor(op.Out[0]).Shape)
		shape[len(shape)-1] = 1
		id := out.Add(graph.Tensor{Name: op.Name + ".statistics", Shape: shape, DType: graph.FP32})
		op.Kind, op.Out = k, append(slices.Clone(op.Out), id)
	}
	return &out, nil
}

// attention is that of an attention: the gradients of its queries, keys and values by one operator.
func (b *back) attention(op *graph.Op, k graph.Attention, d graph.TensorID, partial bool) {
	in := []graph.TensorID{b.saved(op.In[0]), b.saved(op.In[1]), b.saved(op.In[2]), b.saved(op.Out[0]), b.saved(op.Out[1]), d}
	out := []graph.TensorID{b.like(op, 0), b.like(op, 1), b.like(op, 2)}
	b.append(op.Name+".dx", graph.AttentionBackward{Attention: k}, in, out...)
	for i, dx := range out {
		if b.wants(op, i) {
			b.give(op, i, dx, partial)
		}
	}
}
