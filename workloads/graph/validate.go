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

// operands checks the ids of operator i and says whether its kind can be
// checked too.
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
	switch k := op.Kind.(type) {
	case Conv:
		v.conv(k)
	case MatMul:
		v.matmul(k)
	case Pool:
		if err := k.Check(); err != nil {
			v.errorf("%v", err)
			return
		}
		v.shape("input", v.in(0), k.N, k.C, k.H, k.W)
		v.shape("output", v.out(), k.OutShape()...)
	case Elementwise:
		v.elementwise(k)
	case Attention:
		v.attention(k)
	case Merge:
		v.merge(k)
	case Softmax:
		if err := k.Mask.Check(1, int(k.Cols)); err != nil {
			v.errorf("%v", err)
		}
		v.count("input", v.in(0), k.Rows, k.Cols)
		v.count("output", v.out(), k.Rows, k.Cols)
	case Norm:
		v.count("input", v.in(0), k.Rows, k.Cols)
		v.count("output", v.out(), k.Rows, k.Cols)
	case Reduce:
		v.count("input", v.in(0), k.Elements)
		v.count("output", v.out(), k.Out)
	case Gather:
		v.count("table", v.in(0), k.Table, k.Cols)
		v.count("indices", v.in(1), k.Rows)
		v.count("output", v.out(), k.Rows, k.Cols)
	case Move:
		v.move(k)
	case Transfer:
		v.transfer(k)
	case nil:
		v.errorf("has no kind")
	}
}

func (v *validator) elementwise(k Elementwise) {
	v.count("output", v.out(), k.Elements)
	if k.Inputs < 1 || k.OpsPer < 0 {
		v.errorf("%d inputs, %d operations per element (want at least 1 and 0)", k.Inputs, k.OpsPer)
	}
	for _, id := range v.op.In {
		if id != None && !broadcasts(v.g.Tensors[id].Shape, v.g.Tensors[v.out()].Shape) {
			v.errorf("input %s of shape %v does not broadcast to %v", v.g.Tensors[id].Name, v.g.Tensors[id].Shape, v.g.Tensors[v.out()].Shape)
		}
	}
}

func (v *validator) conv(c Conv) {
	if err := c.Check(); err != nil {
		v.errorf("%v", err)
		return
	}
	v.shape("input", v.in(0), c.N, c.C, c.H, c.W)
	v.shape("weight", v.in(1), c.WeightShape()...)
	v.shape("output", v.out(), c.OutShape()...)
	if v.in(2) != None {
		v.count("bias", v.in(2), int64(c.K))
	}
	out := int64(c.OutH()) * int64(c.OutW())
	if c.Transposed {
		out = int64(c.H) * int64(c.W)
	}
	if _, ok := product(int64(c.N), int64(c.C), int64(c.K), int64(c.R), int64(c.S), out); !ok {
		v.errorf("more than 2^63 multiply-accumulates")
	}
}

func (v *validator) matmul(m MatMul) {
	if err := m.Check(); err != nil {
		v.errorf("%v", err)
		return
	}
	v.count("matrix A", v.in(0), int64(m.Batch), int64(m.M), int64(m.K))
	v.count("matrix B", v.in(1), int64(m.Batch/max(m.SharedB, 1)), int64(m.K), int64(m.N))
	v.count("output", v.out(), int64(m.Batch), int64(m.M), int64(m.N))
	if _, ok := product(int64(m.Batch), int64(m.M), int64(m.N), int64(m.K)); !ok {
		v.errorf("more than 2^63 multiply-accumulates")
	}
}

func (v *validator) attention(a Attention) {
	if min(a.Batch, a.Group, a.Queries, a.Keys, a.Size, a.Value) < 1 || a.ScoreOps < 0 {
		v.errorf("sizes %+v (want at least 1)", a)
		return
	}
	if err := a.Mask.Check(a.Queries, a.Keys); err != nil {
		v.errorf("%v", err)
		return
	}
	b, heads := int64(a.Batch), int64(a.Group)
	v.count("queries", v.in(0), b, heads, int64(a.Queries), int64(a.Size))
	v.count("keys", v.in(1), b, int64(a.Keys), int64(a.Size))
	v.count("values", v.in(2), b, int64(a.Keys), int64(a.Value))
	v.count("output", v.out(), b, heads, int64(a.Queries), int64(a.Value))
	v.statistics(a)
	if _, ok := product(b, heads, int64(a.Queries), int64(a.Keys), int64(a.Size)+int64(a.Value)); !ok {
		v.errorf("more than 2^63 multiply-accumulates")
	}
}

func (v *validator) move(m Move) {
	var out int64
	for _, id := range v.op.Out {
		out += v.elements[id]
	}
	if m.Elements < 0 || m.Elements > out {
		v.errorf("moves %d elements into %d", m.Elements, out)
	}
	if m.Func == "reshape" {
		v.count("input", v.in(0), out)
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

// broadcasts says that a tensor of shape from can be read as one of shape to:
// aligned at the last dimension, each is equal, 1 or absent.
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
