package parallel

import (
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/workloads/graph"
)

// Overlapped splits a step into n parts by tokens, so that the collectives of one part overlap
// with the computation of another. Products with weights, norms and elementwise operators between
// collectives work on the rows of a part, and each part has separate collectives. An operator that
// needs all tokens (attention, a view by heads) waits for all parts; attention over a part of the
// keys is split by requests (overlap_attention.go). Multiply-accumulates and bytes of collectives
// are unchanged; weights are read once for each part.
//
// Operators whose rows do not divide by n are not split; done counts the collectives that were
// split.
//
// Source: Gond, Kwatra, Ramjee, TokenWeave: Efficient Compute-Communication Overlap for
// Distributed LLM Inference, arXiv 2505.11329 (two parts of a batch in turn).
func Overlapped(g *graph.Graph, n int) (out *graph.Graph, done int, err error) {
	return newOverlapped(g, n).all()
}

func newOverlapped(g *graph.Graph, n int) *overlapped {
	o := &overlapped{g: g, n: n, parts: map[graph.TensorID][]graph.TensorID{}, whole: map[graph.TensorID]bool{}, feeds: make([]bool, len(g.Tensors)), byRequest: map[graph.TensorID]bool{}}
	o.out = &graph.Graph{Name: g.Name, Symbols: g.Symbols, Notes: g.Notes, Tensors: append([]graph.Tensor(nil), g.Tensors...)}
	for i := range g.Ops {
		if _, ok := g.Ops[i].Kind.(graph.Transfer); ok {
			for _, id := range g.Ops[i].In {
				o.feeds[id] = id != graph.None
			}
		}
	}
	return o
}

// all writes every operator.
func (o *overlapped) all() (out *graph.Graph, done int, err error) {
	g := o.g
	for i := 0; i < len(g.Ops); i++ {
		op := &g.Ops[i]
		if o.exchanged(i) {
			o.attend(i)
			done++
			i += 2
			continue
		}
		if o.attention || !o.splits(op) {
			o.inFull(op)
			continue
		}
		o.split(op)
		if _, ok := op.Kind.(graph.Transfer); ok {
			done++
		}
	}
	for i := range g.Tensors {
		if g.Tensors[i].Role == graph.Output {
			o.join(graph.TensorID(i))
		}
	}
	if done == 0 {
		return nil, 0, fmt.Errorf("%s: no collective goes in %d parts by tokens", g.Name, o.n)
	}
	return o.out, done, o.out.Validate()
}

// overlapped is a graph being cut by tokens.
type overlapped struct {
	g, out *graph.Graph
	n      int
	// attention: nothing else goes in parts
	attention bool
	parts     map[graph.TensorID][]graph.TensorID
	whole     map[graph.TensorID]bool // of those in parts: also there as a whole
	feeds     []bool                  // by tensor: a collective reads it
	// byRequest: of those in parts, these are of some requests each
	byRequest map[graph.TensorID]bool
}

// splits reports whether an operator is split: it is a collective, its result is read by one, or
// it reads a split tensor, and its rows divide.
func (o *overlapped) splits(op *graph.Op) bool {
	if len(op.Out) != 1 || len(op.In) == 0 || o.g.Tensor(op.Out[0]).Role == graph.KV {
		return false
	}
	if !o.wanted(op) || !o.divides(op.In[0]) || !o.divides(op.Out[0]) {
		return false
	}
	switch k := op.Kind.(type) {
	case graph.MatMul:
		return k.Batch == 1 && k.M%o.n == 0 && o.g.Tensor(op.In[1]).Role == graph.Weight
	case graph.Norm:
		return k.Rows%int64(o.n) == 0
	case graph.Elementwise:
		return k.Elements%int64(o.n) == 0 && o.alike(op)
	case graph.Move:
		return o.sees(op, k)
	case graph.Transfer:
		return len(op.In) == 1 && k.Among.Count > 0 && k.Bytes%int64(o.n) == 0
	}
	return false
}

// wanted reports whether an operator is a collective, its result is read by one, or it reads a
// split tensor.
func (o *overlapped) wanted(op *graph.Op) bool {
	_, collective := op.Kind.(graph.Transfer)
	return collective || o.feeds[op.Out[0]] || slices.ContainsFunc(op.In, func(id graph.TensorID) bool { return id != graph.None && o.parts[id] != nil })
}

// divides reports whether the rows of a tensor go in parts of equal size.
func (o *overlapped) divides(id graph.TensorID) bool {
	return id != graph.None && len(o.g.Tensor(id).Shape) > 1 && rows(o.g, id)%o.n == 0
}

// alike reports whether every operand is as large as the result, or the same for all rows.
func (o *overlapped) alike(op *graph.Op) bool {
	for _, id := range op.In {
		if id != graph.None && !o.byRow(op, id) && rows(o.g, id) > 1 {
			return false
		}
	}
	return true
}

// byRow reports whether an operand has a row for each row of the result.
func (o *overlapped) byRow(op *graph.Op, id graph.TensorID) bool {
	return o.divides(id) && rows(o.g, id) == rows(o.g, op.Out[0])
}

// inFull copies an operator unsplit, after its operands have been concatenated.
func (o *overlapped) inFull(op *graph.Op) {
	for _, id := range op.In {
		o.join(id)
	}
	o.out.Append(*op)
}

// split writes an operator part by part.
func (o *overlapped) split(op *graph.Op) {
	made := make([]graph.TensorID, o.n)
	for p := range o.n {
		in := make([]graph.TensorID, len(op.In))
		for k, id := range op.In {
			if in[k] = id; k == 0 || id != graph.None && o.g.Tensor(id).Role != graph.Weight && o.byRow(op, id) {
				in[k] = o.part(id, p)
			}
		}
		made[p] = o.add(op.Out[0], p)
		o.out.Append(graph.Op{Name: fmt.Sprintf("%s.part%d", op.Name, p), In: in, Out: made[p : p+1 : p+1], Kind: o.share(op.Kind)})
	}
	o.parts[op.Out[0]] = made
}

// share is the part of an operator for one part of the tokens.
func (o *overlapped) share(k graph.Kind) graph.Kind {
	n := int64(o.n)
	switch k := k.(type) {
	case graph.MatMul:
		k.M /= o.n
		return k
	case graph.Norm:
		k.Rows /= n
		return k
	case graph.Elementwise:
		k.Elements /= n
		return k
	case graph.Move: // a view
		return k
	case graph.Transfer:
		k.Bytes /= n
		return k
	}
	panic(fmt.Sprintf("parallel: a %T in parts", k))
}

// add makes part p of a tensor.
func (o *overlapped) add(id graph.TensorID, p int) graph.TensorID {
	x := *o.g.Tensor(id)
	last := x.Shape[len(x.Shape)-1]
	x.Name, x.Role = fmt.Sprintf("%s.part%d", x.Name, p), graph.Activation
	x.Shape = []int{rows(o.g, id) / o.n, last}
	return o.out.Add(x)
}

// part is part p of an operand, a view of it where it is there as a whole.
func (o *overlapped) part(id graph.TensorID, p int) graph.TensorID {
	if o.parts[id] == nil {
		o.whole[id] = true
		all := make([]graph.TensorID, o.n)
		for k := range all {
			all[k] = o.add(id, k)
			o.out.Append(graph.Op{Name: o.out.Tensor(all[k]).Name, In: []graph.TensorID{id}, Out: all[k : k+1 : k+1],
				Kind: graph.Move{Func: "slice", From: int64(k) * o.out.Tensor(all[k]).Elements()}})
		}
		o.parts[id] = all
	}
	return o.parts[id][p]
}

// join puts the parts of a tensor together; they lie where they belong.
func (o *overlapped) join(id graph.TensorID) {
	if id == graph.None || o.parts[id] == nil || o.whole[id] {
		return
	}
	o.whole[id] = true
	o.out.Append(graph.Op{Name: o.g.Tensor(id).Name + ".parts", In: o.parts[id], Out: []graph.TensorID{id}, Kind: graph.Move{Func: "concat"}})
}
