package fuse

import (
	"slices"

	"github.com/causeway-sim/causeway/workloads/graph"
)

// Epilogues marks operators that kernels of convolutions and products apply to their results
// before writing them, as libraries do. It returns a copy of g with Applies set at the kernels and
// Inside at the applied operators, and the number of the latter. g is not changed.
//
// A kernel applies a sequence of operators, each the only reader of the result before it: a folded
// batch norm directly after a convolution, functions of one operand, and after a convolution an
// addition or a product with a tensor that exists before the kernel.
//
// Sources: NVIDIA, TensorRT developer guide, types of fusions; cuDNN developer guide, pre-compiled
// and runtime fusion engines; cuBLAS, epilogues of cublasLtMatmul, which have activations and no
// second tensor besides the bias.
func Epilogues(g *graph.Graph) (*graph.Graph, int) {
	e := epilogues{g: g, made: make([]int, len(g.Tensors)), readers: make([]int, len(g.Tensors)), last: make([]int, len(g.Tensors))}
	for i := range g.Ops {
		for _, id := range g.Ops[i].Out {
			e.made[id] = i + 1
		}
		for _, id := range g.Ops[i].In {
			if id != graph.None {
				e.readers[id]++
				e.last[id] = i
			}
		}
	}
	var out *graph.Graph
	n := 0
	for i := range g.Ops {
		all := e.of(i)
		if len(all) == 0 {
			continue
		}
		if out == nil {
			c := *g
			c.Ops = slices.Clone(g.Ops)
			out = &c
		}
		n += len(all)
		out.Ops[i].Kind = applying(g.Ops[i].Kind, len(all))
		for _, j := range all {
			out.Ops[j].Kind = inside(g.Ops[j].Kind)
		}
	}
	if out == nil {
		return g, 0
	}
	return out, n
}

// applying is the kind of an operator whose kernel applies n others.
func applying(k graph.Kind, n int) graph.Kind {
	switch k := k.(type) {
	case graph.Conv:
		k.Applies = n
		return k
	case graph.MatMul:
		k.Applies = n
		return k
	}
	return k
}

// inside is the kind of an operator that the kernel of another one does.
func inside(k graph.Kind) graph.Kind {
	switch k := k.(type) {
	case graph.Norm:
		k.Inside = true
		return k
	case graph.Elementwise:
		k.Inside = true
		return k
	}
	return k
}

// epilogues has, for each tensor, the operator after its producer, the number of its readers, and
// the last reader.
type epilogues struct {
	g                   *graph.Graph
	made, readers, last []int
}

// of is what the kernel of operator i applies.
func (e *epilogues) of(i int) (all []int) {
	op := &e.g.Ops[i]
	_, conv := op.Kind.(graph.Conv)
	if m, ok := op.Kind.(graph.MatMul); !conv && !ok || m.Stages > 1 || len(op.Out) != 1 {
		return nil
	}
	two := !conv
	for t := op.Out[0]; e.readers[t] == 1 && e.g.Tensors[t].Role == graph.Activation; {
		j := e.last[t]
		next := &e.g.Ops[j]
		if len(next.Out) != 1 || next.In[0] != t && (two || next.In[1] != t) {
			return all
		}
		switch k := next.Kind.(type) {
		case graph.Norm:
			if !conv || len(all) > 0 || k.Rule().Scope != graph.Folded {
				return all
			}
		case graph.Elementwise:
			if k.Elements != e.g.Tensors[t].Elements() || k.Inside || !e.takes(k, next, t, i, &two) {
				return all
			}
		default:
			return all
		}
		all = append(all, j)
		t = next.Out[0]
	}
	return all
}

// takes reports whether the kernel of operator i can apply k to a result: of two operands the other
// one must be there before, and two says that there was one.
func (e *epilogues) takes(k graph.Elementwise, op *graph.Op, t graph.TensorID, i int, two *bool) bool {
	switch len(op.In) {
	case 1:
		return k.Func != "rope"
	case 2:
		other := op.In[0]
		if other == t {
			other = op.In[1]
		}
		if *two || k.Func != "add" && k.Func != "mul" || other == t || other == graph.None || e.made[other] > i {
			return false
		}
		*two = true
		return true
	}
	return false
}

// applies is how many operators the kernel of a kind applies to its results.
func applies(k graph.Kind) int {
	switch k := k.(type) {
	case graph.Conv:
		return k.Applies
	case graph.MatMul:
		return k.Applies
	}
	return 0
}

// Epilogue returns operator i with the operands and results of its kernel's epilogue, and the
// vector-unit operations of the epilogue; nil if it has none. A folded norm is part of weights and
// bias (Jacob et al., CVPR 2018, section 3.2) and needs no operations.
func Epilogue(g *graph.Graph, i int) (op *graph.Op, ops int64) {
	n := applies(g.Ops[i].Kind)
	if n == 0 {
		return nil, 0
	}
	out := g.Ops[i]
	out.In = slices.Clone(out.In)
	t := out.Out[0]
	for j := i + 1; j < len(g.Ops) && n > 0; j++ {
		next := &g.Ops[j]
		if !slices.Contains(next.In, t) {
			continue
		}
		if !isInside(next.Kind) {
			break // another chip has the rest
		}
		for _, id := range next.In {
			if id != t {
				out.In = append(out.In, id)
			}
		}
		if _, norm := next.Kind.(graph.Norm); !norm {
			ops += next.VectorOps()
		}
		t = next.Out[0]
		n--
	}
	out.Out = []graph.TensorID{t}
	return &out, ops
}

func isInside(k graph.Kind) bool {
	switch k := k.(type) {
	case graph.Norm:
		return k.Inside
	case graph.Elementwise:
		return k.Inside
	}
	return false
}

// Applied reports whether operator i is in the epilogue of an earlier operator's kernel.
func Applied(g *graph.Graph, i int) bool {
	op := &g.Ops[i]
	if k, ok := op.Kind.(graph.Elementwise); ok && k.Func == "rope" || !isInside(op.Kind) {
		return false
	}
	for j := i - 1; j >= 0; j-- {
		from := &g.Ops[j]
		if len(from.Out) == 1 && slices.Contains(op.In, from.Out[0]) && (applies(from.Kind) > 0 || Applied(g, j)) {
			return true
		}
	}
	return false
}
