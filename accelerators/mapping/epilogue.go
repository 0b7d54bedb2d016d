package mapping

import (
	"slices"

	"github.com/causeway-sim/causeway/accelerators/mapping/product"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// With Core.OnChip the vector unit does more on the way out of the array than functions of
// one operand: elementwise operators of several operands (sums with a residual, gates,
// rotary positions), views between them, and appends to a cache, all of which read what
// came before. Their other operands are read tile by tile, as results leave:
//
//   - an operand as large as the results: the same tile of it;
//   - a smaller one, of a product with one matrix: in proportion to the rows of the tile,
//     again for every tile of columns.
//
// They come into the ofmap buffer, which holds their tile besides the sums.

// A finisher finds what can be applied to results on their way out.
type finisher struct {
	g    *graph.Graph
	made []int // by tensor: the operator that makes it, -1 for none
	by   []int // by operator: the one that it is fused into, -1
}

func newFinisher(g *graph.Graph, by []int) *finisher {
	f := &finisher{g: g, made: make([]int, len(g.Tensors)), by: by}
	for i := range f.made {
		f.made[i] = -1
	}
	for i := range g.Ops {
		for _, id := range g.Ops[i].Out {
			f.made[id] = i
		}
	}
	return f
}

// job is the operator in whose job the tensor is written, or the last of its parts; -1 if it
// is there before.
func (f *finisher) job(id graph.TensorID) int {
	for f.made[id] >= 0 {
		op := f.made[id]
		if f.by[op] >= 0 {
			return f.by[op]
		}
		k, ok := f.g.Ops[op].Kind.(graph.Move)
		if !ok || k.Elements != 0 {
			return op
		}
		last := -1
		for _, part := range f.g.Ops[op].In[1:] { // of a concat
			last = max(last, f.job(part))
		}
		if id = f.g.Ops[op].In[0]; last >= 0 {
			return max(last, f.job(id))
		}
	}
	return -1
}

// takes reports whether op, which reads result t of matrix operator i, can be applied on
// its way out.
func (f *finisher) takes(i int, t graph.TensorID, op *graph.Op) bool {
	n := f.g.Tensor(t).Elements()
	out := f.g.Tensor(op.Out[0])
	switch k := op.Kind.(type) {
	case graph.Move:
		if len(op.In) != 1 {
			return false
		}
		return k.Elements == 0 && out.Elements() == n || k.Func == "append" && k.Elements == n
	case graph.Elementwise:
		if k.Elements != n || out.Elements() != n {
			return false
		}
		m, _ := f.g.Ops[i].Matrix()
		for _, id := range op.In {
			if id == t || id == graph.None {
				continue
			}
			x := f.g.Tensor(id)
			switch {
			case m.Conv != nil && m.Conv.Transposed, x.Role == graph.KV, f.job(id) >= i:
				return false
			case x.Elements() == n:
				if x.Unit() != out.Unit() {
					return false
				}
			case m.Conv != nil || m.Batch != 1:
				return false
			}
		}
		return true
	}
	return false
}

// trim drops views at the end of a chain: their readers see the result itself. Appended
// results as wide as the tiles of other operands stay, others are appended apart.
func (f *finisher) trim(i int, chain []int) []int {
	wide := graph.Unit{}
	for _, j := range chain {
		for _, d := range product.Sides(f.g, &f.g.Ops[i], []*graph.Op{&f.g.Ops[j]}) {
			if d.Full && !f.inside(i, chain, d.Tensor) {
				wide = d.Wide
			}
		}
	}
	for len(chain) > 0 {
		op := &f.g.Ops[chain[len(chain)-1]]
		k, ok := op.Kind.(graph.Move)
		if !ok || k.Elements > 0 && (wide == graph.Unit{} || f.g.Tensor(op.Out[0]).Unit() == wide) {
			break
		}
		chain = chain[:len(chain)-1]
	}
	return chain
}

// inside reports whether a tensor is made by operator i or by one of its chain.
func (f *finisher) inside(i int, chain []int, id graph.TensorID) bool {
	return f.made[id] == i || slices.Contains(chain, f.made[id])
}
