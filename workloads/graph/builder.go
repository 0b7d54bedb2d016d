package graph

import (
	"errors"
	"fmt"
)

// A Builder builds a graph, one operator per call. A call that adds an operator returns its output
// tensor, which has the name of the operator. Errors are collected, and Graph returns all of them.
type Builder struct {
	g    Graph
	errs []error
	dims []int      // shapes are cut from here: one allocation serves many tensors
	ids  []TensorID // lists of operands are cut from here
}

// An Option is an option of a Builder method.
type Option uint8

// WithBias gives a convolution, a linear layer or a norm a bias.
const WithBias Option = 1

// NewBuilder starts an empty graph.
func NewBuilder(name string) *Builder { return &Builder{g: Graph{Name: name}} }

// Grow reserves memory for ops operators and tensors tensors.
func (b *Builder) Grow(ops, tensors int) {
	b.g.Ops = append(make([]Op, 0, len(b.g.Ops)+ops), b.g.Ops...)
	b.g.Tensors = append(make([]Tensor, 0, len(b.g.Tensors)+tensors), b.g.Tensors...)
}

// Symbol records that a symbolic dimension was bound to n.
func (b *Builder) Symbol(name string, n int) {
	if b.g.Symbols == nil {
		b.g.Symbols = map[string]int{}
	}
	b.g.Symbols[name] = n
}

// Errorf records an error; Graph returns it.
func (b *Builder) Errorf(format string, a ...any) {
	b.errs = append(b.errs, fmt.Errorf("%s: "+format, append([]any{b.g.Name}, a...)...))
}

// Tensor adds a tensor. A dimension below 1 is recorded as an error and replaced by 1.
func (b *Builder) Tensor(name string, role Role, shape ...int) TensorID {
	s := b.cutDims(len(shape))
	for i, d := range shape {
		s[i] = d
		if d < 1 {
			// A copy keeps shape off the heap in the calls without error.
			b.Errorf("tensor %s has shape %v (want dimensions of at least 1)", name, append([]int(nil), shape...))
			s[i] = 1
		}
	}
	b.g.Tensors = append(b.g.Tensors, Tensor{Name: name, Shape: s, Role: role})
	return TensorID(len(b.g.Tensors) - 1)
}

// Input adds an input of the model.
func (b *Builder) Input(name string, shape ...int) TensorID { return b.Tensor(name, Input, shape...) }

// Weight adds a parameter of the model.
func (b *Builder) Weight(name string, shape ...int) TensorID { return b.Tensor(name, Weight, shape...) }

// Cache adds a key or value cache as a tensor.
func (b *Builder) Cache(name string, shape ...int) TensorID { return b.Tensor(name, KV, shape...) }

// Output marks tensors as results of the model.
func (b *Builder) Output(ids ...TensorID) {
	for _, id := range ids {
		b.g.Tensors[id].Role = Output
	}
}

// Shape is the shape of a tensor; the caller must not change it.
func (b *Builder) Shape(id TensorID) []int { return b.g.Tensors[id].Shape }

// Elements is the number of elements of a tensor.
func (b *Builder) Elements(id TensorID) int64 { return b.g.Tensors[id].Elements() }

// Op adds an operator that writes a new activation of the given shape. An
// operand None is absent; trailing ones are dropped.
func (b *Builder) Op(name string, k Kind, in []TensorID, shape ...int) TensorID {
	out := b.Tensor(name, Activation, shape...)
	b.Into(name, k, in, out)
	return out
}

// Into adds an operator that writes existing tensors.
func (b *Builder) Into(name string, k Kind, in []TensorID, out ...TensorID) {
	for len(in) > 0 && in[len(in)-1] == None {
		in = in[:len(in)-1]
	}
	b.g.Ops = append(b.g.Ops, Op{Name: name, In: b.cutIDs(in), Out: b.cutIDs(out), Kind: k})
}

// Graph returns the finished graph, or all errors, including those of Validate.
func (b *Builder) Graph() (*Graph, error) {
	if err := errors.Join(b.errs...); err != nil {
		return nil, err
	}
	if err := b.g.Validate(); err != nil {
		return nil, err
	}
	return &b.g, nil
}

const arenaChunk = 1024

func (b *Builder) cutDims(n int) []int {
	if len(b.dims) < n {
		b.dims = make([]int, max(n, arenaChunk))
	}
	s := b.dims[:n:n]
	b.dims = b.dims[n:]
	return s
}

func (b *Builder) cutIDs(ids []TensorID) []TensorID {
	if len(b.ids) < len(ids) {
		b.ids = make([]TensorID, max(len(ids), arenaChunk))
	}
	s := b.ids[:len(ids):len(ids)]
	copy(s, ids)
	b.ids = b.ids[len(ids):]
	return s
}
