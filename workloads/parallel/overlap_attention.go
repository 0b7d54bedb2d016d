package parallel

import (
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/workloads/graph"
)

// Hop splits attention over a part of the keys into n parts by requests, so that the all_to_all of
// one part overlaps with the attention of the next. Other operators are unchanged: weights are
// read once, while Overlapped reads them for each part. done counts the exchanges that were split.
//
// Source: Bhatia et al., Helix Parallelism, arXiv 2507.07120, section 2 (HOP-B).
func Hop(g *graph.Graph, n int) (out *graph.Graph, done int, err error) {
	o := newOverlapped(g, n)
	o.attention = true
	if out, done, err = o.all(); done == 0 {
		return nil, 0, &KeyError{"hop", fmt.Errorf("%s: no attention goes in %d parts by requests (want a batch that divides by them)", g.Name, n)}
	}
	return out, done, err
}

// exchanged is an attention over a part of the keys, the all_to_all of its results and their
// merge, operators i to i+2, where they go in parts by requests.
func (o *overlapped) exchanged(i int) bool {
	if i+2 >= len(o.g.Ops) {
		return false
	}
	a, ok := o.g.Ops[i].Kind.(graph.Attention)
	t, exchange := o.g.Ops[i+1].Kind.(graph.Transfer)
	_, merge := o.g.Ops[i+2].Kind.(graph.Merge)
	if !ok || !exchange || !merge || a.Partial == 0 || t.Bytes%int64(o.n) != 0 {
		return false
	}
	for _, id := range o.g.Ops[i].In {
		if s := o.g.Tensor(id).Shape; len(s) != 4 || s[0]%o.n != 0 {
			return false
		}
	}
	return true
}

// attend writes such an attention part by part: a part's results are exchanged while the next
// one attends.
func (o *overlapped) attend(i int) {
	attention, exchange, merge := &o.g.Ops[i], &o.g.Ops[i+1], &o.g.Ops[i+2]
	k, t, m := attention.Kind.(graph.Attention), exchange.Kind.(graph.Transfer), merge.Kind.(graph.Merge)
	k.Batch, t.Bytes, m.Rows, m.Pieces = k.Batch/o.n, t.Bytes/int64(o.n), m.Rows/int64(o.n), m.Pieces/int64(o.n)
	for _, id := range attention.In {
		o.join(id)
	}
	come := make([][]graph.TensorID, o.n)
	made := make([]graph.TensorID, o.n)
	for p := range o.n {
		name := func(op *graph.Op) string { return fmt.Sprintf("%s.part%d", op.Name, p) }
		own := graph.Op{Name: name(attention), Kind: k}
		for _, id := range attention.In {
			own.In = append(own.In, o.requests(id, p))
		}
		for _, id := range attention.Out {
			own.Out = append(own.Out, o.fewer(id, 0, p))
		}
		o.out.Append(own)
		for _, id := range exchange.Out { // by the rank that it comes from, then by request
			come[p] = append(come[p], o.fewer(id, 1, p))
		}
		o.out.Append(graph.Op{Name: name(exchange), In: own.Out, Out: come[p], Kind: t})
	}
	for p := range o.n {
		made[p] = o.fewer(merge.Out[0], 0, p)
		o.out.Append(graph.Op{Name: fmt.Sprintf("%s.part%d", merge.Name, p), In: come[p], Out: made[p : p+1 : p+1], Kind: m})
	}
	o.parts[merge.Out[0]] = made
	o.byRequest[merge.Out[0]] = true
}

// fewer makes a tensor for part p of the requests, which are an axis.
func (o *overlapped) fewer(id graph.TensorID, axis, p int) graph.TensorID {
	x := *o.g.Tensor(id)
	x.Name, x.Shape = fmt.Sprintf("%s.part%d", x.Name, p), slices.Clone(x.Shape)
	x.Shape[axis] /= o.n
	return o.out.Add(x)
}

// requests is a view of part p of the requests.
func (o *overlapped) requests(id graph.TensorID, p int) graph.TensorID {
	part := o.fewer(id, 0, p)
	x := o.out.Tensor(part)
	if x.Role != graph.KV {
		x.Role = graph.Activation
	}
	o.out.Append(graph.Op{Name: x.Name, In: []graph.TensorID{id}, Out: []graph.TensorID{part}, Kind: graph.Move{Func: "slice", From: int64(p) * x.Elements()}})
	return part
}

// sees reports whether an operator is a view of a tensor whose parts are requests, which stay
// the first axis.
func (o *overlapped) sees(op *graph.Op, k graph.Move) bool {
	if k.Func != "reshape" || k.Elements != 0 || !o.byRequest[op.In[0]] {
		return false
	}
	in, out := o.g.Tensor(op.In[0]).Shape, o.g.Tensor(op.Out[0]).Shape
	return in[0] == out[0] && rows(o.g, op.Out[0]) == in[0]
}
