package program

import (
	"slices"

	"github.com/causeway-sim/causeway/workloads/graph"
)

// A side is an operand of a product with its dimensions.
type side struct {
	v                     *Value
	batch, contract, free []int
	at                    int // of its first free dimension in the result
}

func (s side) size(list []int) (n int64) {
	n = 1
	for _, d := range list {
		n *= int64(s.v.Shape[d])
	}
	return n
}

// dot emits a product, with a bias or without.
func (e *emitter) dot(i *Inst, op Dot, bias *Value, elem graph.DType) {
	a := side{v: i.in[0], batch: op.LB, contract: op.LC, free: free(len(i.in[0].Shape), op.LB, op.LC), at: len(op.LB)}
	b := side{v: i.in[1], batch: op.RB, contract: op.RC, free: free(len(i.in[1].Shape), op.RB, op.RC), at: len(op.LB) + len(a.free)}
	if a.v.konst && !b.v.konst || !a.v.konst && !b.v.konst && columnsFirst(i.out[0], a) {
		a, b = b, a
	}
	shared := int64(1)
	for _, d := range b.batch {
		if x := b.v.view.axes[d]; x.dim == none {
			shared *= int64(b.v.Shape[d])
		} else {
			shared *= int64(x.rep)
		}
	}
	batch, rows, cols, sum := a.size(a.batch), a.size(a.free), b.size(b.free), a.size(a.contract)
	groups, lines := a.grouped(b.v.konst)
	if n := a.size(groups); n > 1 {
		batch, rows, shared = batch*n, rows/n, shared*n
	}
	if shared == batch {
		rows, batch, shared = rows*batch, 1, 1
	}
	in := []graph.TensorID{e.once(a.v), e.matrix(b.v, batch/shared*cols*sum)}
	if bias != nil {
		in = append(in, e.id(bias.view.t))
	}
	// In memory: batch, groups of rows, rows, columns.
	v := &view{axes: make([]axis, len(i.out[0].Shape))}
	var shape []int
	put := func(d, n int) {
		v.axes[d] = axis{len(shape), 1}
		shape = append(shape, n)
	}
	for n, d := range a.batch {
		put(n, a.v.Shape[d])
	}
	for _, list := range [][]int{groups, lines} {
		for _, d := range list {
			put(a.at+slices.Index(a.free, d), a.v.Shape[d])
		}
	}
	for n, d := range b.free {
		put(b.at+n, b.v.Shape[d])
	}
	v.t = e.fresh(i.out[0], shape)
	v.t.elem = elem
	k := graph.MatMul{Batch: int(batch), M: int(rows), N: int(cols), K: int(sum), SharedB: int(shared)}
	e.b.Into(e.name("dot", i.Name), k, in, e.id(v.t))
	i.out[0].view = v
}

// columnsFirst reports whether the last dimension of a result, in the order in which it is used, is
// one of the first operand, whose free dimensions are then the columns.
func columnsFirst(out *Value, a side) bool {
	at := make([]int, len(out.Shape))
	for d := range at {
		at[d] = d
	}
	for v := out; v.soleUse() != nil; {
		u := v.soleUse()
		switch op := u.Op.(type) {
		case Convert:
		case Transpose:
			next := make([]int, len(at))
			for d, o := range op.Perm {
				next[d] = at[o]
			}
			at = next
		default:
			v = nil
		}
		if v == nil {
			break
		}
		v = u.out[0]
	}
	last := at[len(at)-1]
	return len(at) > 0 && last >= a.at && last < a.at+len(a.free)
}

// grouped divides the free dimensions of queries of attention into those of heads that share keys,
// and those of tokens: tokens stand before the heads of keys, or else last.
func (s side) grouped(weight bool) (groups, lines []int) {
	if weight || len(s.batch) == 0 || len(s.free) < 2 {
		return nil, s.free
	}
	for _, d := range s.free {
		if d < slices.Max(s.batch) {
			lines = append(lines, d)
		} else {
			groups = append(groups, d)
		}
	}
	if len(lines) == 0 {
		n := len(groups) - 1
		groups, lines = groups[:n], groups[n:]
	}
	return groups, lines
}

// matrix is the second operand of a product of so many different elements.
func (e *emitter) matrix(v *Value, elements int64) graph.TensorID {
	if v.view.t.elements() == elements {
		return e.id(v.view.t)
	}
	return e.all(v, v.Shape)
}
