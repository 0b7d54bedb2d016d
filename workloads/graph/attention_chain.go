package graph

import (
	"slices"
	"strings"
)

// A Chain is one attention as separate operators: the product of queries and keys, operators on
// the scores, the softmax, and the product with the values.
type Chain struct {
	Ops    []int      // indices in Graph.Ops, in order
	Scores []TensorID // the tensors between them
	Fused  Op         // the operator in their place
}

// Chains finds the attentions of g: a product, elementwise operators and views, a softmax, and a
// second product with the scores as first operand, each the only reader of the result before it.
// Scores that are an output of the model, or that two operators read, belong to no chain.
func (g *Graph) Chains() []Chain {
	reader := g.readers()
	var out []Chain
	for i := range g.Ops {
		if m, ok := g.Ops[i].Kind.(MatMul); ok && len(g.Ops[i].In) == 2 && len(g.Ops[i].Out) == 1 {
			if c, ok := g.chain(i, m, reader); ok {
				out = append(out, c)
			}
		}
	}
	return out
}

// Several readers, in readers.
const several = -2

// readers is the one operator that reads each tensor: -1 for none.
func (g *Graph) readers() []int {
	reader := make([]int, len(g.Tensors))
	for i := range reader {
		reader[i] = -1
	}
	for i := range g.Ops {
		for at, id := range g.Ops[i].In {
			switch {
			case id == None || slices.Contains(g.Ops[i].In[:at], id):
			case reader[id] == -1:
				reader[id] = i
			default:
				reader[id] = several
			}
		}
	}
	return reader
}

// chain follows the scores of product i.
func (g *Graph) chain(i int, m MatMul, reader []int) (Chain, bool) {
	group := max(m.SharedB, 1)
	l := link{g: g, first: &g.Ops[i], m: m, a: Attention{Batch: m.Batch / group, Group: group, Queries: m.M, Keys: m.N, Size: m.K}}
	l.c.Ops = []int{i}
	for at := l.first.Out[0]; ; {
		t := &g.Tensors[at]
		next := reader[at]
		if t.Role != Activation || t.Elements() != l.scores() || next < 0 || len(g.Ops[next].Out) != 1 {
			return l.c, false
		}
		l.c.Scores = append(l.c.Scores, at)
		l.c.Ops = append(l.c.Ops, next)
		op := &g.Ops[next]
		if second, ok := op.Kind.(MatMul); ok {
			return l.c, l.end(op, second, at)
		}
		if !l.take(op, at) {
			return l.c, false
		}
		at = op.Out[0]
	}
}

// A link is a chain as far as it was followed.
type link struct {
	g     *Graph
	first *Op
	m     MatMul // of first
	a     Attention
	more  []TensorID // operands of elementwise operators
	soft  bool       // the softmax was passed
	c     Chain
}

func (l *link) scores() int64 { return int64(l.m.Batch) * int64(l.m.M) * int64(l.m.N) }

// take adds an operator between the products, which reads the scores as tensor at; false where
// an attention has no such operator there.
func (l *link) take(op *Op, at TensorID) bool {
	switch k := op.Kind.(type) {
	case Elementwise:
		if l.soft && k.OpsPer > 0 || k.Elements != l.scores() {
			return false
		}
		l.a.ScoreOps += k.OpsPer
		for _, id := range op.In {
			if id != at && id != None {
				l.more = append(l.more, id)
			}
		}
		return true
	case Move:
		return k.Elements == 0 && len(op.In) == 1
	case Softmax:
		if l.soft || k.Cols != int64(l.m.N) {
			return false
		}
		l.soft, l.a.Mask = true, k.Mask
		return true
	}
	return false
}

// end makes the attention where op is its second product.
func (l *link) end(op *Op, k MatMul, at TensorID) bool {
	if !l.soft || len(op.In) != 2 || op.In[0] != at || op.In[1] == at || k.Batch != l.m.Batch || k.M != l.m.M || k.K != l.m.N || max(k.SharedB, 1) != l.a.Group {
		return false
	}
	l.a.Value, l.a.Inside = k.N, l.a.Size >= k.N && l.g.partOf(op.In[1], l.first.In[1])
	l.c.Fused = Op{Name: attentionName(l.first.Name), Kind: l.a, Out: op.Out,
		In: append([]TensorID{l.first.In[0], l.first.In[1], op.In[1]}, l.more...)}
	return true
}

// partOf reports whether tensor part is a view of tensor whole.
func (g *Graph) partOf(part, whole TensorID) bool {
	for i := range g.Ops {
		if op := &g.Ops[i]; op.IsView() && op.In[0] == whole && slices.Contains(op.Out, part) {
			return true
		}
	}
	return false
}

// attentionName is the name of the operator in place of the product called name.
func attentionName(name string) string {
	if p, ok := strings.CutSuffix(name, "QK^T"); ok {
		return p + "attention"
	}
	return name + ".attention"
}

// FuseAttention returns a copy of g with one Attention in place of each chain, at the position of
// the second product, and without the tensors between the operators of the chain. g is not
// changed.
func (g *Graph) FuseAttention(chains []Chain) *Graph {
	if len(chains) == 0 {
		return g
	}
	gone, fused := make([]bool, len(g.Ops)), make([]*Op, len(g.Ops))
	dead := make([]bool, len(g.Tensors))
	for i := range chains {
		c := &chains[i]
		for _, op := range c.Ops {
			gone[op] = true
		}
		for _, id := range c.Scores {
			dead[id] = true
		}
		fused[c.Ops[len(c.Ops)-1]] = &c.Fused
	}
	out := *g
	out.Ops, out.Tensors = make([]Op, 0, len(g.Ops)), make([]Tensor, 0, len(g.Tensors))
	id := make([]TensorID, len(g.Tensors))
	for i := range g.Tensors {
		id[i] = None
		if !dead[i] {
			id[i] = TensorID(len(out.Tensors))
			out.Tensors = append(out.Tensors, g.Tensors[i])
		}
	}
	moved := func(ids []TensorID) []TensorID {
		to := make([]TensorID, len(ids))
		for i, x := range ids {
			to[i] = None
			if x != None {
				to[i] = id[x]
			}
		}
		return to
	}
	for i := range g.Ops {
		op := &g.Ops[i]
		switch {
		case fused[i] != nil:
			op = fused[i]
		case gone[i]:
			continue
		}
		out.Ops = append(out.Ops, Op{Name: op.Name, Kind: op.Kind, In: moved(op.In), Out: moved(op.Out)})
	}
	return &out
}

// Scores marks the tensors that hold scores of attention.
func (g *Graph) Scores() []bool {
	out := make([]bool, len(g.Tensors))
	for _, c := range g.Chains() {
		for _, id := range c.Scores {
			out[id] = true
		}
	}
	return out
}
