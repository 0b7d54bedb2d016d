package program

import (
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/workloads/format"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// A tensor is an array of the graph, once an operator needs it.
type tensor struct {
	name  string
	shape []int
	elem  graph.DType
	role  graph.Role
	konst bool
	id    graph.TensorID
	// forms are the tensors of a constant, one for each shape in which operators read it.
	forms *[]graph.TensorID
	// parts are the caches of the layers that a cache of several layers holds, by their number.
	parts   map[int]*tensor
	written bool // a cache that an operator has written
}

// part is the cache of a layer in one of several layers.
func (t *tensor) part(n int) *tensor {
	if t.parts == nil {
		t.parts = map[int]*tensor{}
	}
	if t.parts[n] == nil {
		shape := slices.Clone(t.shape)
		shape[0] = 1
		t.parts[n] = &tensor{name: fmt.Sprintf("%s.%d", t.name, n), shape: shape, elem: t.elem, role: t.role, id: graph.None}
	}
	return t.parts[n]
}

// layer is the number of the layer that a part of a cache lies in: the part has one element of the
// first dimension, from a known index on.
func layer(t *tensor, shape []int, start int) bool {
	return t.role == graph.KV && len(t.shape) > 3 && len(shape) == len(t.shape) && shape[0] == 1 && t.shape[0] > 1 && start >= 0
}

func (t *tensor) elements() int64 { return Type{Shape: t.shape}.Elements() }

// An axis says which dimension of a tensor a dimension of a value is. Each element is there rep
// times, one after the other.
type axis struct{ dim, rep int }

// none is the dimension of elements that are all the same.
const none = -1

// A view is a value as strides over a tensor. moved is set if a transpose stands between them.
type view struct {
	t     *tensor
	axes  []axis
	moved bool
}

func direct(t *tensor) *view {
	v := &view{t: t, axes: make([]axis, len(t.shape))}
	for d := range v.axes {
		v.axes[d] = axis{d, 1}
	}
	return v
}

// whole reports whether a view has each element of its tensor once.
func (v *view) whole(shape []int) bool {
	n := int64(1)
	for d, a := range v.axes {
		if a.rep != 1 || a.dim == none && shape[d] != 1 {
			return false
		}
		n *= int64(shape[d])
	}
	return n == v.t.elements()
}

// An emitter turns groups and instructions into operators.
type emitter struct {
	p       *Program
	b       *graph.Builder
	ops     map[string]int
	names   map[string]int
	types   []graph.DType // by tensor
	joined  map[[2]*tensor]*tensor
	outputs []graph.TensorID
}

// id is the tensor of t in the graph, of a constant in any shape.
func (e *emitter) id(t *tensor) graph.TensorID {
	if t.konst {
		if len(*t.forms) > 0 {
			return (*t.forms)[0]
		}
		return e.shaped(t, t.shape)
	}
	if t.id == graph.None {
		t.id = e.declare(t.name, t.role, t.elem, t.shape)
	}
	return t.id
}

func (e *emitter) declare(name string, role graph.Role, elem graph.DType, shape []int) graph.TensorID {
	id := e.b.Tensor(format.UniqueName(e.names, name), role, shape...)
	e.types = append(e.types, elem)
	return id
}

// shaped is t with a shape of as many elements. A constant is stored as its first reader wants it;
// otherwise another shape is a view.
func (e *emitter) shaped(t *tensor, shape []int) graph.TensorID {
	if t.konst {
		for _, id := range *t.forms {
			if slices.Equal(e.b.Shape(id), shape) {
				return id
			}
		}
		if len(*t.forms) > 0 {
			id := e.reform(t, (*t.forms)[0], shape)
			*t.forms = append(*t.forms, id)
			return id
		}
		id := e.declare(t.name, t.role, t.elem, shape)
		*t.forms = append(*t.forms, id)
		return id
	}
	if slices.Equal(t.shape, shape) {
		return e.id(t)
	}
	return e.reform(t, e.id(t), shape)
}

// weight is a new constant.
func weight(name string, t Type) *tensor {
	return &tensor{name: name, shape: t.Shape, elem: t.Elem, role: graph.Weight, konst: true, id: graph.None, forms: &[]graph.TensorID{}}
}

func (e *emitter) reform(t *tensor, from graph.TensorID, shape []int) graph.TensorID {
	id := e.declare(t.name+".view", graph.Activation, t.elem, shape)
	e.b.Into(format.UniqueName(e.ops, t.name+".view"), graph.Move{Func: "reshape"}, []graph.TensorID{from}, id)
	return id
}

// fresh is the tensor of a result.
func (e *emitter) fresh(v *Value, shape []int) *tensor {
	return &tensor{name: v.Name, shape: shape, elem: v.written(), role: graph.Activation, id: graph.None}
}

// written is the element type in which a result is stored: that of a narrower type to which its
// only reader converts it, else its own.
func (v *Value) written() graph.DType {
	e := v.Elem
	for x := v; x.soleUse() != nil; {
		u := x.soleUse()
		if _, conv := u.Op.(Convert); !conv {
			break
		}
		x = u.out[0]
		if x.Elem.Unit().Size(64) < e.Unit().Size(64) && x.Int == v.Int && !x.Bool {
			e = x.Elem
		}
	}
	return e
}

// viewOf makes the view that a moving instruction is of its operand; nil if it needs an operator.
func (e *emitter) viewOf(i *Inst) *view {
	in, out := i.in[0].view, i.out[0]
	switch op := i.Op.(type) {
	case Convert:
		return in
	case Transpose:
		v := &view{t: in.t, moved: in.moved}
		last := none
		for d, o := range op.Perm {
			v.axes = append(v.axes, in.axes[o])
			if out.Shape[d] > 1 {
				v.moved = v.moved || in.axes[o].dim < last
				last = in.axes[o].dim
			}
		}
		return v
	case Broadcast:
		v := &view{t: in.t, moved: in.moved, axes: slices.Repeat([]axis{{none, 1}}, len(out.Shape))}
		for d, o := range op.Dims {
			if i.in[0].Shape[d] == out.Shape[o] {
				v.axes[o] = in.axes[d]
			}
		}
		return v
	case Reshape:
		return e.reshaped(i, in)
	case Slice:
		return e.sliced(i, op, in)
	}
	return nil
}

// reshaped is the view of a reshape that splits no dimension: it adds or drops dimensions of 1, or
// joins a dimension with the repetition of its elements; nil for another one.
func (e *emitter) reshaped(i *Inst, in *view) *view {
	from, to := i.in[0].Shape, i.out[0].Shape
	v := &view{t: in.t, moved: in.moved, axes: slices.Repeat([]axis{{none, 1}}, len(to))}
	d := 0
	for o, n := range to {
		if n == 1 {
			continue
		}
		for d < len(from) && from[d] == 1 {
			d++
		}
		if d == len(from) {
			return nil
		}
		switch {
		case from[d] == n:
			v.axes[o] = in.axes[d]
			d++
		case d+1 < len(from) && from[d]*from[d+1] == n && in.axes[d+1].dim == none && in.axes[d].dim != none && in.axes[d].rep == 1:
			v.axes[o] = axis{in.axes[d].dim, from[d+1]}
			d += 2
		default:
			return nil
		}
	}
	return v
}

// sliced is the view of a slice that leaves the tensor whole; nil for another one.
func (e *emitter) sliced(i *Inst, op Slice, in *view) *view {
	for d, n := range i.out[0].Shape {
		if n != i.in[0].Shape[d] && in.axes[d].dim != none || in.axes[d].rep != 1 {
			return nil
		}
	}
	return in
}

// fit is the tensor of v in a shape with which it broadcasts to a result: to has the dimensions of
// the result's tensor, and at is the dimension of it that each dimension of the value is.
func (e *emitter) fit(v *Value, at []int, rank int) graph.TensorID {
	want, order := slices.Repeat([]int{1}, rank), none
	straight := true
	for d, a := range v.view.axes {
		if a.dim == none || v.Shape[d] == 1 {
			continue
		}
		if a.rep != 1 || at[d] < 0 {
			return e.settled(v, at, rank)
		}
		want[at[d]] = v.Shape[d]
	}
	for k := range want { // tensor dimensions in the order of the result
		for d, a := range v.view.axes {
			if at[d] == k && a.dim != none && v.Shape[d] > 1 {
				straight = straight && a.dim > order
				order = a.dim
			}
		}
	}
	if Elements(want) != v.view.t.elements() {
		return e.settled(v, at, rank)
	}
	if straight && slices.Equal(trimmed(v.view.t.shape), trimmed(want)) && !v.view.t.konst {
		return e.id(v.view.t)
	}
	return e.shaped(v.view.t, want)
}

// settled writes v out, where no stride reads it.
func (e *emitter) settled(v *Value, at []int, rank int) graph.TensorID {
	shape := slices.Repeat([]int{1}, rank)
	for d, n := range v.Shape {
		if at[d] >= 0 {
			shape[at[d]] = n
		}
	}
	if v.konst {
		return e.shaped(weight(v.Name+".expand", Type{Shape: shape, Elem: v.view.t.elem}), shape)
	}
	t := &tensor{name: v.Name + ".expand", shape: shape, elem: v.view.t.elem, role: graph.Activation, id: graph.None}
	e.b.Into(format.UniqueName(e.ops, t.name), graph.Move{Func: "expand", Elements: t.elements()}, []graph.TensorID{e.id(v.view.t)}, e.id(t))
	return t.id
}

// Elements is the number of elements of a shape.
func Elements(shape []int) int64 { return Type{Shape: shape}.Elements() }

func trimmed(shape []int) []int {
	for len(shape) > 0 && shape[0] == 1 {
		shape = shape[1:]
	}
	return shape
}

// all is the tensor of v as a shape, whatever the order of its elements; written out where elements
// repeat.
func (e *emitter) all(v *Value, shape []int) graph.TensorID {
	if v.view.whole(v.Shape) {
		return e.shaped(v.view.t, shape)
	}
	at := make([]int, len(v.Shape))
	for d := range at {
		at[d] = d
	}
	id := e.settled(v, at, len(v.Shape))
	if slices.Equal(shape, v.Shape) {
		return id
	}
	t := &tensor{name: v.Name + ".flat", shape: v.Shape, elem: v.view.t.elem, id: id}
	return e.reform(t, id, shape)
}

// once is the tensor of v in any shape, with each element once.
func (e *emitter) once(v *Value) graph.TensorID {
	if v.view.whole(v.Shape) {
		return e.id(v.view.t)
	}
	return e.all(v, v.Shape)
}

// any is the tensor of v in any shape; repeated elements may be there once.
func (e *emitter) any(v *Value) graph.TensorID {
	if n := v.view.t.elements(); n <= v.Elements() {
		return e.id(v.view.t)
	}
	return e.all(v, v.Shape)
}
