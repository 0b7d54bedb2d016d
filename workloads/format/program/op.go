package program

import (
	"slices"

	"github.com/causeway-sim/causeway/workloads/graph"
)

// An Op is what an instruction does. check returns a Fault if operands or results do not fit.
type Op interface{ check(i *Inst) error }

// A Literal is an array in the program; its elements are followed if they are few.
type Literal struct{ known *known }

// Iota counts along a dimension.
type Iota struct{ Dim int }

// A Map is an elementwise function of operands of the shape of the result. Fn is a name of
// graph.OpsPerElement or of funcs here.
type Map struct{ Fn string }

// Convert changes the element type.
type Convert struct{}

// Reshape is the same elements with another shape.
type Reshape struct{}

// Broadcast repeats elements: dimension d of the operand is dimension Dims[d] of the result.
type Broadcast struct{ Dims []int }

// Transpose exchanges dimensions: dimension d of the result is dimension Perm[d] of the operand.
type Transpose struct{ Perm []int }

// Slice takes every Stride-th element from Start on, as many as the result has.
type Slice struct{ Start, Stride []int }

// Concat joins arrays along a dimension.
type Concat struct{ Dim int }

// Pad puts operand 1 around and between the elements of operand 0; negative numbers crop.
type Pad struct{ Low, High, Inner []int }

// Reverse turns dimensions round.
type Reverse struct{ Dims []int }

// Reduce folds dimensions of each operand by Fn: add, max, min, mul, and, or, mean, or fold for
// anything else. Operands and results are as many.
type Reduce struct {
	Fn   string
	Dims []int
}

// A Gather reads slices of operand 0 at the indices of operand 1. Whole is set if a slice is a row
// of a table: it is whole in all dimensions but the first.
type Gather struct{ Whole bool }

// A Scatter writes operand 2 into operand 0 at the indices of operand 1. Fn is how it joins
// elements: "" replaces.
type Scatter struct{ Fn string }

// DynamicSlice takes a part of operand 0 at the indices of the other operands.
type DynamicSlice struct{}

// DynamicUpdate writes operand 1 into operand 0 at the indices of the other operands.
type DynamicUpdate struct{}

// A Sort orders Passes times log2 of the dimension's size, or finds the greatest elements.
type Sort struct{ Dim int }

// Random makes numbers.
type Random struct{}

// A Softmax normalises operand 0 over a dimension.
type Softmax struct{ Dim int }

// A Norm normalises operand 0 over dimensions, by the rule Fn of graph.Norms; operand 1 is the
// scale, operand 2 the shift. With Channel it scales and shifts that dimension only.
type Norm struct {
	Fn      string
	Dims    []int
	Channel int // of batch norms
}

// An Attention is scaled dot-product attention of queries (batch, heads, tokens, size), keys and
// values; operand 3 is a mask that is added. Heads of queries share keys in groups.
type Attention struct {
	Causal bool
	// Tokens is the dimension of tokens: 2, or 1 if heads come after them.
	Tokens int
}

// funcs holds operations per element of functions that package graph has no count for, made of
// those that it has (assumption, as there).
var funcs = map[string]int{
	"not_equal": 1, "less_equal": 1, "greater_equal": 1, "xor": 1, "shift": 1, "is_finite": 1,
	"mod": 6, "atan2": 16, "cbrt": 9, "log1p": 5, "expm1": 5, "tan": 12, "clamp": 2, "popcnt": 4, "clz": 4,
	"erfc": 5, "erf_inv": 12, "lgamma": 30, "digamma": 30, "square": 1, "threshold_backward": 2,
	"gelu_backward": 20, "silu_backward": 14, "sigmoid_backward": 3, "tanh_backward": 3, "dropout": 2,
	"sinh": 12, "cosh": 12, "asin": 12, "acos": 12, "atan": 12, "asinh": 12, "acosh": 12, "atanh": 12, "random": 10,
}

// Known reports whether Map has a function.
func Known(fn string) bool { return opsOf(fn) >= 0 }

// opsOf is the operations per element of a function, -1 for an unknown one.
func opsOf(fn string) int {
	if n, ok := graph.OpsPerElement(fn); ok {
		return n
	}
	if n, ok := funcs[fn]; ok {
		return n
	}
	return -1
}

func (i *Inst) arity(least, most, results int) error {
	if len(i.in) < least || len(i.in) > most {
		if least == most {
			return i.fault("%d operands (want %d)", len(i.in), least)
		}
		return i.fault("%d operands (want %d to %d)", len(i.in), least, most)
	}
	if len(i.out) != results {
		return i.fault("%d results (want %d)", len(i.out), results)
	}
	return nil
}

// shaped checks the shape of result 0.
func (i *Inst) shaped(want []int) error {
	if got := i.out[0].Shape; !slices.Equal(got, want) {
		return i.fault("the result is said to have shape %v, but it is %v", got, want)
	}
	return nil
}

// dims checks a list of different dimensions.
func (i *Inst) dims(what string, list []int, rank int) error {
	for n, d := range list {
		if d < 0 || d >= rank {
			return i.fault("%s %d of an array of %d dimensions (want 0 to %d)", what, d, rank, rank-1)
		}
		if slices.Contains(list[:n], d) {
			return i.fault("%s %d is there twice", what, d)
		}
	}
	return nil
}

func (o Literal) check(i *Inst) error {
	if err := i.arity(0, 0, 1); err != nil || o.known == nil {
		return err
	}
	if n := max(len(o.known.ints), len(o.known.floats)); !o.known.splat && int64(n) != i.out[0].Elements() {
		return i.fault("%d elements for the shape %v, which has %d", n, i.out[0].Shape, i.out[0].Elements())
	}
	return nil
}

func (o Iota) check(i *Inst) error {
	if err := i.arity(0, 0, 1); err != nil {
		return err
	}
	return i.dims("dimension", []int{o.Dim}, len(i.out[0].Shape))
}

func (o Map) check(i *Inst) error {
	if err := i.arity(1, 8, 1); err != nil {
		return err
	}
	if opsOf(o.Fn) < 0 {
		return i.fault("unknown function %s", o.Fn)
	}
	for n, v := range i.in {
		if !slices.Equal(v.Shape, i.out[0].Shape) && (len(v.Shape) > 0 || o.Fn != "clamp" && o.Fn != "where") {
			return i.fault("operand %d has shape %v, the result %v", n, v.Shape, i.out[0].Shape)
		}
	}
	return nil
}

func (Convert) check(i *Inst) error {
	if err := i.arity(1, 1, 1); err != nil {
		return err
	}
	return i.shaped(i.in[0].Shape)
}

func (Reshape) check(i *Inst) error {
	if err := i.arity(1, 1, 1); err != nil {
		return err
	}
	if a, b := i.in[0].Elements(), i.out[0].Elements(); a != b {
		return i.fault("shape %v with %d elements cannot become %v with %d", i.in[0].Shape, a, i.out[0].Shape, b)
	}
	return nil
}

func (o Broadcast) check(i *Inst) error {
	if err := i.arity(1, 1, 1); err != nil {
		return err
	}
	from, to := i.in[0].Shape, i.out[0].Shape
	if len(o.Dims) != len(from) {
		return i.fault("%d dimensions for an operand of shape %v", len(o.Dims), from)
	}
	if err := i.dims("dimension", o.Dims, len(to)); err != nil {
		return err
	}
	for d, n := range from {
		if n != 1 && n != to[o.Dims[d]] {
			return i.fault("dimension %d of %v does not become dimension %d of %v", d, from, o.Dims[d], to)
		}
	}
	return nil
}

func (o Transpose) check(i *Inst) error {
	if err := i.arity(1, 1, 1); err != nil {
		return err
	}
	from := i.in[0].Shape
	if len(o.Perm) != len(from) {
		return i.fault("%d dimensions for an operand of shape %v", len(o.Perm), from)
	}
	if err := i.dims("dimension", o.Perm, len(from)); err != nil {
		return err
	}
	want := make([]int, len(from))
	for d, p := range o.Perm {
		want[d] = from[p]
	}
	return i.shaped(want)
}

func (o Slice) check(i *Inst) error {
	if err := i.arity(1, 1, 1); err != nil {
		return err
	}
	from, to := i.in[0].Shape, i.out[0].Shape
	if len(o.Start) != len(from) || len(o.Stride) != len(from) || len(to) != len(from) {
		return i.fault("%d ranges of an operand of shape %v", len(o.Start), from)
	}
	for d, n := range to {
		if o.Start[d] < 0 || o.Stride[d] < 1 || n > 0 && int64(o.Start[d])+int64(n-1)*int64(o.Stride[d]) >= int64(from[d]) {
			return i.fault("%d elements from %d in steps of %d of dimension %d, which has %d", n, o.Start[d], o.Stride[d], d, from[d])
		}
	}
	return nil
}

func (o Concat) check(i *Inst) error {
	if err := i.arity(1, 1<<20, 1); err != nil {
		return err
	}
	want := slices.Clone(i.in[0].Shape)
	if err := i.dims("dimension", []int{o.Dim}, len(want)); err != nil {
		return err
	}
	want[o.Dim] = 0
	for _, v := range i.in {
		if len(v.Shape) != len(want) {
			return i.fault("shapes %v and %v do not join", i.in[0].Shape, v.Shape)
		}
		for d, n := range v.Shape {
			if d == o.Dim {
				want[d] += n
			} else if n != want[d] {
				return i.fault("shapes %v and %v do not join along dimension %d", i.in[0].Shape, v.Shape, o.Dim)
			}
		}
	}
	return i.shaped(want)
}

func (o Pad) check(i *Inst) error {
	if err := i.arity(2, 2, 1); err != nil {
		return err
	}
	from := i.in[0].Shape
	if len(o.Low) != len(from) || len(o.High) != len(from) || len(o.Inner) != len(from) {
		return i.fault("%d, %d and %d paddings of an operand of shape %v", len(o.Low), len(o.High), len(o.Inner), from)
	}
	want := make([]int, len(from))
	for d, n := range from {
		want[d] = n + o.Low[d] + o.High[d] + max(n-1, 0)*o.Inner[d]
	}
	return i.shaped(want)
}

func (o Reverse) check(i *Inst) error {
	if err := i.arity(1, 1, 1); err != nil {
		return err
	}
	if err := i.dims("dimension", o.Dims, len(i.in[0].Shape)); err != nil {
		return err
	}
	return i.shaped(i.in[0].Shape)
}

func (o Reduce) check(i *Inst) error {
	if err := i.arity(1, 64, len(i.in)); err != nil {
		return err
	}
	if err := i.dims("dimension", o.Dims, len(i.in[0].Shape)); err != nil {
		return err
	}
	for n, v := range i.in {
		var want []int
		for d, s := range v.Shape {
			if !slices.Contains(o.Dims, d) {
				want = append(want, s)
			}
		}
		if !slices.Equal(v.Shape, i.in[0].Shape) {
			return i.fault("operands have shapes %v and %v", i.in[0].Shape, v.Shape)
		}
		if !slices.Equal(want, i.out[n].Shape) {
			return i.fault("result %d is said to have shape %v, but it is %v", n, i.out[n].Shape, want)
		}
	}
	return nil
}

func (o Gather) check(i *Inst) error  { return i.arity(2, 2, 1) }
func (o Scatter) check(i *Inst) error { return i.likeFirst(3, 3) }

// likeFirst checks an instruction whose result has the shape of operand 0.
func (i *Inst) likeFirst(least, most int) error {
	if err := i.arity(least, most, 1); err != nil {
		return err
	}
	return i.shaped(i.in[0].Shape)
}

func (DynamicSlice) check(i *Inst) error {
	rank := len(i.out[0].Shape)
	if err := i.arity(1+rank, 1+rank, 1); err != nil {
		return err
	}
	return i.part(i.out[0].Shape)
}

func (DynamicUpdate) check(i *Inst) error {
	if err := i.arity(2, 64, 1); err != nil {
		return err
	}
	if err := i.arity(2+len(i.in[1].Shape), 2+len(i.in[1].Shape), 1); err != nil {
		return err
	}
	if err := i.part(i.in[1].Shape); err != nil {
		return err
	}
	return i.shaped(i.in[0].Shape)
}

// part checks that a part fits into operand 0.
func (i *Inst) part(shape []int) error {
	whole := i.in[0].Shape
	if len(shape) != len(whole) {
		return i.fault("a part of shape %v of an array of shape %v", shape, whole)
	}
	for d, n := range shape {
		if n > whole[d] {
			return i.fault("a part of shape %v of an array of shape %v", shape, whole)
		}
	}
	return nil
}

func (o Sort) check(i *Inst) error {
	if len(i.in) == 0 || len(i.out) == 0 {
		return i.fault("no operand or no result")
	}
	return i.dims("dimension", []int{o.Dim}, len(i.in[0].Shape))
}

func (Random) check(i *Inst) error {
	if len(i.out) == 0 {
		return i.fault("no result")
	}
	return nil
}

func (o Softmax) check(i *Inst) error {
	if err := i.likeFirst(1, 1); err != nil {
		return err
	}
	return i.dims("dimension", []int{o.Dim}, len(i.in[0].Shape))
}

func (o Norm) check(i *Inst) error {
	if err := i.likeFirst(1, 3); err != nil {
		return err
	}
	return i.dims("dimension", append(slices.Clone(o.Dims), o.Channel)[:max(len(o.Dims), 1)], len(i.in[0].Shape))
}

func (o Attention) check(i *Inst) error {
	if err := i.arity(3, 4, 1); err != nil {
		return err
	}
	q, k, v := i.in[0].Shape, i.in[1].Shape, i.in[2].Shape
	heads := 3 - o.Tokens
	switch {
	case len(q) != 4 || len(k) != 4 || len(v) != 4:
		return i.fault("queries, keys and values of shapes %v, %v and %v (want four dimensions)", q, k, v)
	case q[0] != k[0] || k[0] != v[0] || q[3] != k[3] || k[o.Tokens] != v[o.Tokens] || k[heads] != v[heads] || k[heads] == 0 || q[heads]%k[heads] != 0:
		return i.fault("queries, keys and values of shapes %v, %v and %v do not fit together", q, k, v)
	}
	want := slices.Clone(q)
	want[3] = v[3]
	return i.shaped(want)
}

// A Copy makes results of operands by moving elements, such as the part of one device in a
// collective. Fn is what the move is called.
type Copy struct{ Fn string }

func (Copy) check(i *Inst) error {
	if len(i.in) == 0 || len(i.in) != len(i.out) {
		return i.fault("%d operands and %d results", len(i.in), len(i.out))
	}
	return nil
}
