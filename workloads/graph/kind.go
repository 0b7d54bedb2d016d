package graph

import "slices"

// A Kind is what an operator computes. Each kind has one file of this package with everything that
// other packages need: a kind that lacks a method does not compile, and Validate returns an error
// for a kind that is not in Kinds.
type Kind interface {
	// Type is the kind's name in tables, for example "conv".
	Type() string
	// MACs is the number of multiply-accumulates of matrix work.
	MACs() int64
	// VectorOps is the number of operations of a vector unit.
	VectorOps() int64
	// check reports what does not agree with the operands of the operator in hand.
	check(v *validator)
}

// A RowWise kind computes each row of its first operand independently, so that rows can be
// divided: among chips, or into groups of rows.
type RowWise interface {
	Kind
	RowCount() int64
	WithRows(n int64) Kind // the same kind for n rows
}

// A matrixKind is a kind for a matrix unit.
type matrixKind interface{ Matrix() Matrix }

// A partReader is a kind that does not read each operand whole. reads is the elements of an
// operand that it reads, of elements in all; before is what it read of the operands before.
type partReader interface {
	reads(operand int, elements, before int64) int64
}

// A dtypeFixer is a kind that has tensors whose element type is no choice.
type dtypeFixer interface{ fixDTypes(g *Graph, op *Op) }

// A replacer is a kind that may write its result over its first operand, because it is done
// with an element before it writes it.
type replacer interface{ replaces() }

// Replaces reports whether the operator may write its result over its first operand.
func (op *Op) Replaces() bool {
	_, ok := op.Kind.(replacer)
	return ok
}

// Kinds holds the zero value of every kind.
var Kinds = []Kind{Conv{}, MatMul{}, Attention{}, AttentionBackward{}, Pool{}, Elementwise{}, Softmax{}, Merge{}, Norm{}, Reduce{}, Gather{}, Move{}, Recurrence{}, Exchange{}, Transfer{}}

// ComputeTypes lists the Types of the kinds that a chip executes alone: all but Transfer and
// Exchange, which need other chips.
func ComputeTypes() []string {
	var names []string
	for _, k := range Kinds {
		switch k.(type) {
		case Transfer, Exchange:
		default:
			names = append(names, k.Type())
		}
	}
	return names
}

// known reports whether the type of k is one of Kinds.
func known(k Kind) bool {
	return slices.ContainsFunc(Kinds, func(e Kind) bool { return e.Type() == k.Type() })
}

// MACs is the number of multiply-accumulates of the operator; 0 if it is not matrix work.
func (op *Op) MACs() int64 { return op.Kind.MACs() }

// VectorOps is the number of vector-unit operations of the operator.
func (op *Op) VectorOps() int64 { return op.Kind.VectorOps() }

// Matrix returns the matrix view of op; ok is false if it is not matrix work.
func (op *Op) Matrix() (m Matrix, ok bool) {
	if k, ok := op.Kind.(matrixKind); ok {
		return k.Matrix(), true
	}
	return Matrix{}, false
}

// MACs is the total over all operators.
func (g *Graph) MACs() int64 {
	var n int64
	for i := range g.Ops {
		n += g.Ops[i].MACs()
	}
	return n
}

// VectorOps is the total over all operators.
func (g *Graph) VectorOps() int64 {
	var n int64
	for i := range g.Ops {
		n += g.Ops[i].VectorOps()
	}
	return n
}

// Params is the number of weight elements.
func (g *Graph) Params() int64 {
	var n int64
	for i := range g.Tensors {
		if g.Tensors[i].Role == Weight {
			n += g.Tensors[i].Elements()
		}
	}
	return n
}
