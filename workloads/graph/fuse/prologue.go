package fuse

import (
	"slices"

	"github.com/causeway-sim/causeway/workloads/graph"
)

// Prologues marks operators that the kernel of a fused attention executes first: rotary
// embeddings of queries and keys, and the write of new keys and values into their cache. It
// returns a copy of g with Elementwise.Inside and Move.Inside set at those operators, and their
// number. g is not changed. prepares reports whether the kernel of an attention has such a
// prologue.
//
// An operator belongs to a kernel if only such attentions read its result: as queries, keys or
// values, directly, through views, or through other operators of the kernel.
func Prologues(g *graph.Graph, prepares func(op *graph.Op) bool) (*graph.Graph, int) {
	p := prologues{g: g, elsewhere: make([]bool, len(g.Tensors)), read: make([]bool, len(g.Tensors)), queries: make([]bool, len(g.Tensors))}
	for i := len(g.Ops) - 1; i >= 0; i-- {
		if op := &g.Ops[i]; !p.inside(i, op, prepares) {
			for _, id := range op.In {
				p.note(id, true)
			}
		}
	}
	if len(p.ops) == 0 {
		return g, 0
	}
	out := *g
	out.Ops = slices.Clone(g.Ops)
	for _, i := range p.ops {
		switch k := g.Ops[i].Kind.(type) {
		case graph.Elementwise:
			k.Inside = true
			out.Ops[i].Kind = k
		case graph.Move:
			k.Inside = true
			out.Ops[i].Kind = k
		}
	}
	return &out, len(p.ops)
}

// prologues has the readers of tensors, collected from the last operator on.
type prologues struct {
	g               *graph.Graph
	read, elsewhere []bool // by tensor: something reads it; something that is no part of a kernel
	queries         []bool // by tensor: an attention reads it as queries
	ops             []int  // parts of kernels
}

// note records a reader of a tensor, and whether it is outside of kernels.
func (p *prologues) note(id graph.TensorID, elsewhere bool) {
	if id != graph.None {
		p.read[id] = true
		p.elsewhere[id] = p.elsewhere[id] || elsewhere
	}
}

// inside notes the readers that an attention, a view or a part of a kernel is of its operands;
// false: it is none of them.
func (p *prologues) inside(i int, op *graph.Op, prepares func(op *graph.Op) bool) bool {
	switch k := op.Kind.(type) {
	case graph.Attention:
		if !prepares(op) {
			return false
		}
		for at, id := range op.In {
			p.note(id, at > 2)
			p.queries[id] = p.queries[id] || at == 0
		}
		return true
	case graph.Move:
		if k.Func == "concat" && k.Elements > 0 {
			return p.halves(i, op)
		}
		writes := k.Func == "append" && k.Elements > 0 && len(op.Out) == 1 && p.g.Tensors[op.Out[0]].Role == graph.KV
		if !(op.IsView() || writes) || !p.within(op.Out) {
			return false
		}
		if writes {
			p.ops = append(p.ops, i)
		}
	case graph.Elementwise:
		if k.Func != "rope" || !p.within(op.Out) {
			return false
		}
		p.ops = append(p.ops, i)
		p.note(op.In[0], false)
		for _, id := range op.In[1:] { // angles
			p.note(id, true)
		}
		return true
	default:
		return false
	}
	for _, id := range op.In {
		p.note(id, false)
	}
	return true
}

// halves notes a concat of latent attention: elements that are rotated come next to those that are not.
// Kernels rotate queries in place, so that they are not copied; keys are copied by a kernel of their
// own, which does not rotate.
func (p *prologues) halves(i int, op *graph.Op) bool {
	if !p.within(op.Out) {
		return false
	}
	if p.queries[op.Out[0]] {
		p.ops = append(p.ops, i)
	}
	for _, id := range op.In {
		p.note(id, false)
	}
	return true
}

// within reports whether parts of kernels alone read these tensors.
func (p *prologues) within(ids []graph.TensorID) bool {
	for _, id := range ids {
		if role := p.g.Tensors[id].Role; !p.read[id] || p.elsewhere[id] || role != graph.Activation && role != graph.KV {
			return false
		}
	}
	return true
}
