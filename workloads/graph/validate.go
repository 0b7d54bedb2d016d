package graph

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
)

// Validate checks that tensor ids are in range, that every tensor is written by
// at most one operator and before it is read, that no weight or input is
// written, that shapes agree with the operators' kinds, and that no size or
// MAC count overflows 64 bits. It returns every fault, joined.
func (g *Graph) Validate() error {
	v := validator{g: g, elements: make([]int64, len(g.Tensors)), producer: make([]int32, len(g.Tensors))}
	v.tensors()
	for i := range g.Ops {
		if v.operands(i) {
			v.kind(&g.Ops[i])
		}
	}
	v.op = nil
	if len(v.errs) == 0 { // MACs needs kinds that hold together
		var total uint64
		for i := range g.Ops {
			if total += uint64(g.Ops[i].MACs()); total > math.MaxInt64 {
				v.errorf("more than 2^63 multiply-accumulates in all")
				break
			}
		}
	}
	return errors.Join(v.errs...)
}

type validator struct {
	g        *Graph
	elements []int64 // by tensor; 0 where it overflows
	producer []int32 // by tensor: operator index + 1, 0 where there is none
	op       *Op     // the operator in hand
	errs     []error
}

func (v *validator) errorf(format string, a ...any) {
	where := v.g.Name
	if v.op != nil {
		where += ": " + v.op.Name
	}
	v.errs = append(v.errs, fmt.Errorf("%s: "+format, append([]any{where}, a...)...))
}

// product multiplies non-negative factors; ok is false if it exceeds 63 bits.
func product(factors ...int64) (n int64, ok bool) {
	n = 1
	for _, f := range factors {
		hi, lo := bits.Mul64(uint64(n), uint64(f))
		if f < 0 || hi != 0 || lo > math.MaxInt64 {
			return 0, false
		}
		n = int64(lo)
	}
	return n, true
}

func (v *validator) tensors() {
	for i := range v.g.Tensors {
		t := &v.g.Tensors[i]
		n := int64(1)
		ok := true
		for _, d := range t.Shape {
			if d < 1 {
				v.errorf("tensor %s has shape %v (want dimensions of at least 1)", t.Name, t.Shape)
			}
			if n, ok = product(n, int64(d)); !ok {
				v.errorf("tensor %s of shape %v has more than 2^63 elements", t.Name, t.Shape)
				break
			}
		}
		v.elements[i] = n
	}
	for i := range v.g.Ops {
		v.op = &v.g.Ops[i]
		for _, id := range v.op.Out {
			if id < 0 || int(id) >= len(v.g.Tensors) {
				continue // operands reports it
			}
			t := &v.g.Tensors[id]
			switch {
			case t.Role.InPlace():
				continue
			case v.producer[id] != 0:
				v.errorf("writes %s, which %s writes too", t.Name, v.g.Ops[v.producer[id]-1].Name)
			case t.Role == Weight || t.Role == Input:
				v.errorf("writes %s, whose role is %s", t.Name, t.Role)
			}
			v.producer[id] = int32(i) + 1
		}
	}
	v.op = nil
}

// operands checks the ids of operator i and reports whether its kind can be checked.
func (v *validator) operands(i int) bool {
	v.op = &v.g.Ops[i]
	before := len(v.errs)
	if v.op.Name == "" {
		v.errorf("operator %d has no name", i)
	}
	if t, ok := v.op.Kind.(Transfer); len(v.op.Out) == 0 && !(ok && t.Func == "send") {
		v.errorf("has no output")
	}
	for _, id := range v.op.Out {
		if id < 0 || int(id) >= len(v.g.Tensors) {
			v.errorf("output tensor %d is not one of %d", id, len(v.g.Tensors))
		}
	}
	for _, id := range v.op.In {
		switch {
		case id == None:
		case id < 0 || int(id) >= len(v.g.Tensors):
			v.errorf("input tensor %d is not one of %d", id, len(v.g.Tensors))
		case int(v.producer[id]) > i:
			v.errorf("reads %s before %s writes it", v.g.Tensors[id].Name, v.g.Ops[v.producer[id]-1].Name)
		}
	}
	return len(v.errs) == before
}

func (v *validator) kind(op *Op) {
	switch {
	case op.Kind == nil:
		v.errorf("has no kind")
	case !known(op.Kind):
		v.errorf("its kind %s is not in the list of kinds", op.Kind.Type())
	default:
		op.Kind.check(v)
	}
}

// in is operand i, or None.
func (v *validator) in(i int) TensorID {
	if i < len(v.op.In) {
		return v.op.In[i]
	}
	return None
}

func (v *validator) out() TensorID { return v.op.Out[0] }

func (v *validator) count(what string, id TensorID, factors ...int64) {
	n, ok := product(factors...)
	switch {
	case id == None:
		v.errorf("%s is missing", what)
	case !ok:
		v.errorf("%s has more than 2^63 elements", what)
	case v.elements[id] != n:
		v.errorf("%s %s of shape %v has %d elements (want %d)", what, v.g.Tensors[id].Name, v.g.Tensors[id].Shape, v.elements[id], n)
	}
}

func (v *validator) shape(what string, id TensorID, want ...int) {
	if id == None {
		v.errorf("%s is missing", what)
		return
	}
	got := v.g.Tensors[id].Shape
	same := len(got) == len(want)
	for i := 0; same && i < len(want); i++ {
		same = got[i] == want[i]
	}
	if !same {
		v.errorf("%s %s has shape %v (want %v)", what, v.g.Tensors[id].Name, got, append([]int(nil), want...))
	}
}

// broadcasts reports whether shape from broadcasts to shape to: aligned at the last dimension,
// each is equal, 1 or absent.
func broadcasts(from, to []int) bool {
	if len(from) > len(to) {
		return false
	}
	to = to[len(to)-len(from):]
	for i, d := range from {
		if d != 1 && d != to[i] {
			return false
		}
	}
	return true
}
