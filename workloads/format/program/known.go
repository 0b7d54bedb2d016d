package program

import (
	"math"
	"slices"
)

// maxKnown bounds the elements of an array whose values are followed one by one.
const maxKnown = 1 << 12

// known is what is followed of the elements of an array: all of them, or one that all are, or for
// positions a linear function of the index, and for truth values comparisons of such functions.
type known struct {
	splat  bool // the one number that is there is each element
	ints   []int64
	floats []float64
	line   *line  // of whole numbers
	where  []line // truth values: all of these are at least 0
}

// A line is a linear function of the index of an element.
type line struct {
	by  []int64 // by dimension
	off int64
}

func (k *known) each(n int64) bool { return k != nil && (k.splat || n <= maxKnown) }

// Ints is a literal of whole numbers or truth values.
func Ints(x ...int64) Literal {
	return Literal{&known{splat: len(x) == 1, ints: slices.Clone(x)}}
}

// Floats is a literal of other numbers.
func Floats(x ...float64) Literal {
	return Literal{&known{splat: len(x) == 1, floats: slices.Clone(x)}}
}

// follow computes what is known of the results of an instruction.
func (i *Inst) follow() {
	switch op := i.Op.(type) {
	case Literal:
		i.out[0].known = op.known
	case Iota:
		k := &known{line: &line{by: make([]int64, len(i.out[0].Shape))}}
		k.line.by[op.Dim] = 1
		if n := i.out[0].Elements(); n <= maxKnown && len(i.out[0].Shape) == 1 {
			k.ints = make([]int64, n)
			for j := range k.ints {
				k.ints[j] = int64(j)
			}
		}
		i.out[0].known = k
	case Map:
		i.followMap(op)
	case Convert:
		i.out[0].known = converted(i.in[0], i.out[0])
	case Reshape, Broadcast, Transpose, Slice:
		i.followView()
	case Concat:
		i.followConcat(op)
	case DynamicSlice:
		i.followDynamicSlice(op)
	case Reduce:
		if k := i.in[0].known; k != nil && k.splat && (op.Fn == "max" || op.Fn == "min" || op.Fn == "and" || op.Fn == "or") {
			i.out[0].known = k
		}
	}
}

func converted(x, out *Value) *known {
	k := x.known
	switch {
	case k == nil || k.where != nil:
		return k // truth values become numbers that are 0 where they were false
	case k.ints != nil && !out.Int && !out.Bool:
		c := &known{splat: k.splat, floats: make([]float64, len(k.ints))}
		for j, n := range k.ints {
			c.floats[j] = float64(n)
		}
		return c
	case k.floats != nil && (out.Int || out.Bool):
		c := &known{splat: k.splat, ints: make([]int64, len(k.floats))}
		for j, f := range k.floats {
			if math.Abs(f) < 1<<53 {
				c.ints[j] = int64(f)
			}
		}
		return c
	}
	return k
}

// followView carries known elements through an instruction that only moves them.
func (i *Inst) followView() {
	x, out := i.in[0], i.out[0]
	k := x.known
	if k == nil {
		return
	}
	if k.splat {
		out.known = k
		return
	}
	c := &known{}
	if k.line != nil {
		if l, ok := i.moveLine(*k.line); ok {
			c.line = &l
		}
	}
	for _, w := range k.where {
		l, ok := i.moveLine(w)
		if !ok {
			c.where = nil
			break
		}
		c.where = append(c.where, l)
	}
	if n := out.Elements(); (k.ints != nil || k.floats != nil) && n <= maxKnown {
		at := i.source(int(n))
		c.pick(k, at)
	}
	if c.line != nil || c.where != nil || c.ints != nil || c.floats != nil {
		out.known = c
	}
}

func (c *known) pick(k *known, at []int) {
	for _, j := range at {
		if k.ints != nil {
			c.ints = append(c.ints, k.ints[j])
		} else {
			c.floats = append(c.floats, k.floats[j])
		}
	}
}

// source lists for each of the n elements of the result which element of the operand it is.
func (i *Inst) source(n int) []int {
	from, to := strides(i.in[0].Shape), i.out[0].Shape
	step, start := make([]int, len(to)), 0
	switch op := i.Op.(type) {
	case Reshape:
		step = strides(to)
	case Broadcast:
		for d, o := range op.Dims {
			if i.in[0].Shape[d] > 1 {
				step[o] = from[d]
			}
		}
	case Transpose:
		for d, o := range op.Perm {
			step[d] = from[o]
		}
	case Slice:
		for d := range to {
			start += op.Start[d] * from[d]
			step[d] = op.Stride[d] * from[d]
		}
	}
	at, index := make([]int, n), make([]int, len(to))
	for j := range at {
		at[j] = start
		for d := range index {
			at[j] += index[d] * step[d]
		}
		for d := len(index) - 1; d >= 0; d-- {
			if index[d]++; index[d] < to[d] {
				break
			}
			index[d] = 0
		}
	}
	return at
}

func strides(shape []int) []int {
	s, n := make([]int, len(shape)), 1
	for d := len(shape) - 1; d >= 0; d-- {
		s[d] = n
		n *= shape[d]
	}
	return s
}

// moveLine is a linear function of the index of the operand, by the index of the result.
func (i *Inst) moveLine(l line) (line, bool) {
	out := line{by: make([]int64, len(i.out[0].Shape)), off: l.off}
	switch op := i.Op.(type) {
	case Broadcast:
		for d, o := range op.Dims {
			if i.in[0].Shape[d] > 1 {
				out.by[o] = l.by[d]
			}
		}
	case Transpose:
		for d, o := range op.Perm {
			out.by[d] = l.by[o]
		}
	case Slice:
		for d := range out.by {
			out.by[d] = l.by[d] * int64(op.Stride[d])
			out.off += l.by[d] * int64(op.Start[d])
		}
	case Reshape:
		pairs, ok := sameDims(i.in[0].Shape, i.out[0].Shape)
		for d, o := range pairs {
			if o >= 0 {
				out.by[o] = l.by[d]
			}
		}
		return out, ok
	}
	return out, true
}

// sameDims pairs the dimensions of a reshape that only adds or drops dimensions of 1: by dimension
// of from that of to, or -1.
func sameDims(from, to []int) ([]int, bool) {
	pairs, o := make([]int, len(from)), 0
	for d, n := range from {
		if pairs[d] = -1; n == 1 {
			continue
		}
		for o < len(to) && to[o] == 1 {
			o++
		}
		if o == len(to) || to[o] != n {
			return nil, false
		}
		pairs[d] = o
		o++
	}
	for ; o < len(to); o++ {
		if to[o] != 1 {
			return nil, false
		}
	}
	return pairs, true
}

func (i *Inst) followConcat(op Concat) {
	out := i.out[0]
	if len(out.Shape) != 1 || out.Elements() > maxKnown {
		return
	}
	c := &known{}
	for _, v := range i.in {
		x, ok := v.Known()
		if !ok {
			return
		}
		c.ints = append(c.ints, x...)
	}
	out.known = c
}

func (i *Inst) followDynamicSlice(op DynamicSlice) {
	k := i.in[0].known
	if k == nil {
		return
	}
	if k.splat {
		i.out[0].known = k
		return
	}
	start, ok := i.starts(1, i.out[0].Shape)
	if !ok {
		return
	}
	s := &Inst{Op: Slice{Start: start, Stride: slices.Repeat([]int{1}, len(start))}, in: i.in[:1], out: i.out}
	s.followView()
}

// starts are the known indices that begin at operand first, moved inside the operand so that a part
// of a shape fits.
func (i *Inst) starts(first int, shape []int) ([]int, bool) {
	var start []int
	for d, v := range i.in[first:] {
		x, ok := v.Scalar()
		if !ok || d >= len(shape) {
			return nil, false
		}
		start = append(start, min(max(int(x), 0), i.in[0].Shape[d]-shape[d]))
	}
	return start, len(start) == len(shape)
}
