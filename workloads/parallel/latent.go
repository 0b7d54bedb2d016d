package parallel

import "github.com/causeway-sim/causeway/workloads/graph"

// Latent attention (zoo.Latent) has weights of a matrix for each head, and keys and values
// that all heads make of the same latents. Heads are shared: each rank has the queries, the
// matrices and the attention of its own, and all of the latents, whose cache is on each.

// ofHeads reports whether a weight is a matrix for each head, heads x n x k, and cut by heads
// leaves each rank the matrices of its own.
func (t *tensor) ofHeads(w graph.TensorID, heads int) bool {
	x := t.g.Tensor(w)
	return x.Role == graph.Weight && len(x.Shape) == 3 && x.Shape[0] == heads && heads%t.Ranks == 0
}

// expand is a product that makes all heads of what they have in common, as keys of latents.
func (t *tensor) expand(op *graph.Op, k graph.MatMul) error {
	out := t.g.Tensor(op.Out[0]).Shape
	if len(op.In) != 2 || t.before[t.current] || len(out) != 4 || k.N != out[1]*out[3] || !t.ofHeads(op.In[1], out[1]) {
		return t.inFull(op)
	}
	in, err := t.takeAll(op.In, whole, place{0, t.Ranks})
	if err != nil {
		return err
	}
	k.N /= t.Ranks
	t.out.Append(graph.Op{Name: op.Name, In: in, Out: t.result(op, place{1, t.Ranks}), Kind: k})
	return nil
}

// splitsHeads reports whether a move splits each head of its operand's columns, as into parts
// with and without position: columns that are cut are heads of each result.
func (t *tensor) splitsHeads(op *graph.Op, h place) bool {
	in := t.g.Tensor(op.In[0]).Shape
	heads, columns := 0, 0
	for _, id := range op.Out {
		s := t.g.Tensor(id).Shape
		if len(s) != 4 || heads > 0 && s[1] != heads {
			return false
		}
		heads, columns = s[1], columns+s[1]*s[3]
	}
	last := len(in) - 1
	return len(op.Out) > 1 && h.axis == last && columns == in[last] && heads%h.parts == 0
}

// joinsHeads is the place of an operand that a concatenation joins to each head of the first,
// cut as h: as that one's, or whole where all heads have the same.
func (t *tensor) joinsHeads(op *graph.Op, id graph.TensorID, h place) (p place, ok bool) {
	if t.home[id] == h {
		return h, true
	}
	in, with, out := t.g.Tensor(op.In[0]).Shape, t.g.Tensor(id).Shape, t.g.Tensor(op.Out[0]).Shape
	same := len(in) == 4 && len(with) == 4 && len(out) == 4 && h.axis == 1 && with[1] == 1 && out[1] == in[1]
	return whole, same && t.home[id] == whole
}
