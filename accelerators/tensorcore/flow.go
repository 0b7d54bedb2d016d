package tensorcore

import (
	"slices"

	"github.com/causeway-sim/causeway/components/integer"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// Passed is the traffic of an operator that does not reach memory, since it passes between
// operators on the chip. The zero value is an operator alone, with all tensors in memory.
type Passed struct {
	In, Out int64 // bytes
	Fused   bool  // part of the kernel before it, without a launch of its own
}

// Flow returns, by operator of g, the traffic of operators ops that does not reach memory. One
// machine carries out ops in that order.
//
//   - A matrix product, a convolution or an attention begins a kernel. Elementwise operators are
//     fused to the kernel before them, as XLA does, and read its results tile by tile.
//   - Operators that need a whole row or image (softmax, normalisation, pooling, reduction) read
//     the results of the kernel before them in slices of one entry of the first dimension, if the
//     weights of that kernel and a slice fit into VMEM together.
//   - Other operators read operands from memory and write results to it. A kernel writes a result
//     once that operators outside of it read.
//
// No rule depends on the number of slices, so that a batch costs as much as its parts.
func (m *Machine) Flow(g *graph.Graph, ops []int) []Passed {
	f := flow{m: m, g: g, origin: make([]graph.TensorID, len(g.Tensors)), maker: make([]int, len(g.Tensors)), kernel: make([]int, len(g.Ops)), passed: make([]Passed, len(g.Ops))}
	for t := range f.origin {
		f.origin[t], f.maker[t] = graph.TensorID(t), -1
	}
	for _, i := range ops {
		f.place(i)
	}
	f.keep(ops)
	return f.passed
}

// A flow is the work of Flow.
type flow struct {
	m       *Machine
	g       *graph.Graph
	origin  []graph.TensorID // what a view is a view of; else the tensor itself
	maker   []int            // operator that makes a tensor; -1: none of these
	kernel  []int            // of an operator: number of its kernel; 0: none
	last    int              // number of the last kernel
	weights int64            // bytes of the second operand of that kernel
	passed  []Passed
}

// view reports whether an operator only gives a tensor another shape.
func view(op *graph.Op) bool {
	k, ok := op.Kind.(graph.Move)
	return ok && k.Elements == 0
}

// place finds the kernel of operator i.
func (f *flow) place(i int) {
	op := &f.g.Ops[i]
	if view(op) {
		for _, t := range op.Out {
			f.origin[t] = f.origin[op.In[0]]
		}
		f.kernel[i] = f.last
		return
	}
	switch {
	case f.follows(op) && byElement(op):
		f.passed[i].Fused = true
	case f.follows(op) && bySlice(op) && f.slice(op) <= f.m.VMEM-f.weights:
	default:
		f.last++
		f.weights = 0
		if _, ok := op.Matrix(); ok {
			f.weights = bytes(f.g, op.In[1:])
		}
	}
	f.kernel[i] = f.last
	for _, t := range op.Out {
		f.maker[t] = i
	}
}

// follows reports whether an operator reads a result of the last kernel.
func (f *flow) follows(op *graph.Op) bool {
	return slices.ContainsFunc(op.In, func(t graph.TensorID) bool {
		if t == graph.None {
			return false
		}
		by := f.maker[f.origin[t]]
		return by >= 0 && f.kernel[by] == f.last
	})
}

// byElement reports whether each result needs only the operands' elements at its place.
func byElement(op *graph.Op) bool {
	switch k := op.Kind.(type) {
	case graph.Elementwise:
		return true
	case graph.Norm:
		return k.Rule().Scope == graph.Folded
	}
	return false
}

// bySlice reports whether results of one entry of the first dimension need no other.
func bySlice(op *graph.Op) bool {
	switch k := op.Kind.(type) {
	case graph.Norm:
		return k.Rule().Scope != graph.OverBatch
	case graph.Softmax, graph.Pool, graph.Reduce:
		return true
	}
	return false
}

// slice is the bytes of one entry of the first dimension of operands and results.
func (f *flow) slice(op *graph.Op) int64 {
	in, out := &f.g.Tensors[op.In[0]], &f.g.Tensors[op.Out[0]]
	entries := 1
	if len(in.Shape) > 0 && len(out.Shape) > 0 {
		entries = min(in.Shape[0], out.Shape[0])
	}
	return integer.Ceil(in.Bytes()+out.Bytes(), int64(entries))
}

// keep counts what passes inside of kernels: operands from the own kernel, and results that
// no other operator reads.
func (f *flow) keep(ops []int) {
	outside, inside := make([]bool, len(f.g.Tensors)), make([]bool, len(f.g.Tensors))
	known := make([]bool, len(f.g.Ops))
	for _, i := range ops {
		known[i] = true
	}
	for i := range f.g.Ops {
		op := &f.g.Ops[i]
		if view(op) && known[i] {
			for _, t := range op.Out {
				outside[f.origin[t]] = outside[f.origin[t]] || f.g.Tensors[t].Role == graph.Output
			}
			continue
		}
		for n, t := range op.In {
			if t == graph.None || slices.Contains(op.In[:n], t) {
				continue
			}
			t := f.origin[t]
			by := f.maker[t]
			if by < 0 {
				continue
			}
			if !known[i] || f.kernel[by] != f.kernel[i] {
				outside[t] = true
				continue
			}
			inside[t] = true
			f.passed[i].In += f.g.Tensors[t].Bytes()
		}
	}
	for t, by := range f.maker {
		if by >= 0 && inside[t] && !outside[t] && f.g.Tensors[t].Role != graph.Output {
			f.passed[by].Out += f.g.Tensors[t].Bytes()
		}
	}
}
