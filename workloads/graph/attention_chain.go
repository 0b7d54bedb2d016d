package graph

import (
	"slices"
	"strings"
)

// A Chain is the operators of one attention that stand apart in a graph: the product
// of queries and keys, what is done to the scores, the softmax, the product with the
// values.
type Chain struct {
	Ops    []int      // indices in Graph.Ops, in order
	Scores []TensorID // the tensors between them
	Fused  Op         // the operator in their place
}

// Chains finds the attentions of g: a product whose result is read by one operator
// alone, and so on over elementwise operators and views to a softmax and a second
// product of which it is the first operand. Scores that are a result of the model, or
// that two operators read, belong to no chain.
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
func (g *Graph) chain(i int, m MatMul, reader []int) (c Chain, ok bool) {
	first := &g.Ops[i]
	a := Attention{Batch: m.Batch / max(m.SharedB, 1), Group: max(m.SharedB, 1), Queries: m.M, Keys: m.N, Size: m.K}
	scores, more := int64(m.Batch)*int64(m.M)*int64(m.N), []TensorID(nil)
	c.Ops = []int{i}
	soft := false
	for at := first.Out[0]; ; {
		t := &g.Tensors[at]
		next := reader[at]
		if t.Role != Activation || t.Elements() != scores || next < 0 || len(g.Ops[next].Out) != 1 {
			return c, false
		}
		c.Scores = append(c.Scores, at)
		c.Ops = append(c.Ops, next)
		op := &g.Ops[next]
		switch k := op.Kind.(type) {
		case Elementwise:
			if soft && k.OpsPer > 0 || k.Elements != scores {
				return c, false
			}
			a.ScoreOps += k.OpsPer
			for _, id := range op.In {
				if id != at && id != None {
					more = append(more, id)
				}
			}
		case Move:
			if k.Elements != 0 || len(op.In) != 1 {
				return c, false
			}
		case Softmax:
			if soft || k.Cols != int64(m.N) {
				return c, false
			}
			soft, a.Mask = true, k.Mask
		case MatMul:
			if !soft || len(op.In) != 2 || op.In[0] != at || op.In[1] == at || k.Batch != m.Batch || k.M != m.M || k.K != m.N || max(k.SharedB, 1) != a.Group {
				return c, false
			}
			a.Value, a.Inside = k.N, a.Size >= k.N && g.partOf(op.In[1], first.In[1])
			c.Fused = Op{Name: attentionName(first.Name), Kind: a, Out: op.Out,
				In: append([]TensorID{first.In[0], first.In[1], op.In[1]}, more...)}
			return c, true
		default:
			return c, false
		}
		at = op.Out[0]
	}
}

// partOf reports whether tensor part is a view of tensor whole.
func (g *Graph) partOf(part, whole TensorID) bool {
	for i := range g.Ops {
		if op := &g.Ops[i]; op.view() && op.In[0] == whole && slices.Contains(op.Out, part) {
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

// FuseAttention returns g with one Attention in place of each of these chains of it,
// where the second product stands, and without the tensors between their operators.
// g itself stays.
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
