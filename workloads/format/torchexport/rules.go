package torchexport

import (
	"slices"

	"github.com/causeway-sim/causeway/workloads/format/program"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// maps are the elementwise operators by the name of their function.
var maps = map[string]string{
	"add": "add", "sub": "sub", "rsub": "sub", "mul": "mul", "div": "div", "maximum": "max", "minimum": "min", "pow": "pow", "fmod": "mod", "remainder": "mod", "atan2": "atan2",
	"eq": "equal", "ne": "not_equal", "lt": "less", "le": "less_equal", "gt": "greater", "ge": "greater_equal",
	"logical_and": "and", "bitwise_and": "and", "logical_or": "or", "bitwise_or": "or", "logical_not": "not", "bitwise_not": "not",
	"neg": "neg", "abs": "abs", "sign": "sign", "exp": "exp", "log": "log", "log1p": "log1p", "expm1": "expm1", "sqrt": "sqrt", "rsqrt": "rsqrt", "reciprocal": "reciprocal",
	"sin": "sin", "cos": "cos", "tan": "tan", "erf": "erf", "tanh": "tanh", "sigmoid": "sigmoid", "floor": "floor", "ceil": "ceil", "round": "round", "isnan": "is_finite", "isinf": "is_finite",
	"relu": "relu", "gelu": "gelu", "silu": "silu", "softplus": "softplus", "hardswish": "hard_swish", "hardsigmoid": "hard_sigmoid", "elu": "elu", "leaky_relu": "leaky_relu", "hardtanh": "clip", "relu6": "relu6",
	"clamp": "clip", "clamp_min": "relu", "clamp_max": "min", "square": "square", "where": "where", "masked_fill": "where", "addcmul": "mul",
	"threshold_backward": "threshold_backward", "gelu_backward": "gelu_backward", "silu_backward": "silu_backward", "sigmoid_backward": "sigmoid_backward", "tanh_backward": "tanh_backward",
}

// operands is how many of the first arguments an elementwise operator reads; 2 for the others.
var operands = map[string]int{"where": 3, "masked_fill": 3, "addcmul": 3, "clamp": 1, "clamp_min": 1, "clamp_max": 1, "hardtanh": 1, "leaky_relu": 1, "elu": 1, "softplus": 1, "gelu": 1, "round": 1, "threshold_backward": 2}

// rules are the other operators.
var rules = map[string]func(c *call) ([]*program.Value, error){}

// mapped adds an elementwise operator: operands broadcast, and numbers are repeated.
func (c *call) mapped(fn string) ([]*program.Value, error) {
	if !c.has {
		return nil, c.fail("it has no type of its result")
	}
	n := operands[c.op]
	if n == 0 {
		n = 2
	}
	if fn == "gelu" && c.named(1, "approximate") == "tanh" {
		fn = "gelu_tanh"
	}
	if n = min(n, len(c.args)); n == 0 {
		return nil, c.fail("no argument")
	}
	var in []*program.Value
	for i := range n {
		v, err := c.operand(i)
		if err != nil {
			return nil, err
		}
		in = append(in, v)
	}
	switch {
	case c.op == "masked_fill" && n == 3: // where the mask holds, the number
		in[0], in[1], in[2] = in[1], in[2], in[0]
	case c.op == "pow":
		if x, ok := c.arg(1).(float64); ok && (x == 2 || x == 0.5 || x == -0.5) {
			fn, in = map[float64]string{2: "square", 0.5: "sqrt", -0.5: "rsqrt"}[x], in[:1]
		}
	}
	return c.one(program.Map{Fn: fn}, in...)
}

// operand is argument i with the shape of the result.
func (c *call) operand(i int) (*program.Value, error) {
	shape := c.typ.Shape
	if !c.given(i) {
		switch c.arg(i).(type) {
		case float64, bool:
		default:
			return nil, c.fail("argument %d is %v (want a value or a number)", i, c.arg(i))
		}
		v, err := c.add(program.Floats(c.number(i, 0)), program.Type{Elem: c.typ.Elem, Int: c.typ.Int})
		if err != nil {
			return nil, err
		}
		return c.spread(v, shape)
	}
	v, err := c.in(i)
	if err != nil {
		return nil, err
	}
	return c.spread(v, shape)
}

// spread broadcasts v to a shape, from the last dimension on.
func (c *call) spread(v *program.Value, shape []int) (*program.Value, error) {
	if slices.Equal(v.Shape, shape) {
		return v, nil
	}
	var dims []int
	for d := range v.Shape {
		dims = append(dims, len(shape)-len(v.Shape)+d)
	}
	if len(v.Shape) > len(shape) {
		return nil, c.fail("shape %v does not broadcast to %v", v.Shape, shape)
	}
	t := v.Type
	t.Shape = shape
	return c.add(program.Broadcast{Dims: dims}, t, v)
}

// typed is the type of v with another shape.
func typed(v *program.Value, shape ...int) program.Type {
	t := v.Type
	t.Shape = shape
	return t
}

func init() {
	for _, name := range []string{"view", "_unsafe_view", "reshape", "_reshape_alias", "flatten", "squeeze", "unsqueeze", "unflatten", "view_as"} {
		rules[name] = func(c *call) ([]*program.Value, error) { return c.first(program.Reshape{}) }
	}
	for _, name := range []string{"clone", "detach", "contiguous", "alias", "lift_fresh_copy", "lift_fresh", "dropout", "_to_copy", "to", "type_as", "copy", "float", "_assert_tensor_metadata"} {
		rules[name] = func(c *call) ([]*program.Value, error) { return c.first(program.Convert{}) }
	}
	rules["t"] = func(c *call) ([]*program.Value, error) { return c.exchanged(0, 1) }
	rules["transpose"] = func(c *call) ([]*program.Value, error) {
		return c.exchanged(int(c.number(1, 0)), int(c.number(2, 1)))
	}
	rules["permute"] = func(c *call) ([]*program.Value, error) {
		x, err := c.in(0)
		if err != nil {
			return nil, err
		}
		perm, err := c.ints(1, len(x.Shape), 0)
		for i, d := range perm {
			if d < 0 {
				perm[i] = d + len(x.Shape)
			}
		}
		if err != nil {
			return nil, err
		}
		return c.one(program.Transpose{Perm: perm}, x)
	}
	for _, name := range []string{"expand", "broadcast_to", "expand_as"} {
		rules[name] = func(c *call) ([]*program.Value, error) {
			x, err := c.in(0)
			if err != nil {
				return nil, err
			}
			v, err := c.spread(x, c.typ.Shape)
			return []*program.Value{v}, err
		}
	}
	rules["cat"] = (*call).concat
	for _, name := range []string{"split", "split_with_sizes", "chunk", "unbind"} {
		rules[name] = (*call).split
	}
	rules["slice"] = (*call).slice
	rules["select"] = (*call).sel
	rules["embedding"] = func(c *call) ([]*program.Value, error) { return c.look(0, 1, true) }
	rules["index_select"] = func(c *call) ([]*program.Value, error) { return c.look(0, 2, c.number(1, 0) == 0) }
	rules["gather"] = func(c *call) ([]*program.Value, error) { return c.look(0, 2, false) }
	for _, name := range []string{"arange", "full", "zeros", "ones", "empty", "scalar_tensor", "zeros_like", "ones_like", "full_like", "empty_like", "new_zeros", "new_ones", "new_full", "new_empty", "rand_like", "randn"} {
		rules[name] = (*call).made
	}
	rules["triu"] = func(c *call) ([]*program.Value, error) { return c.triangle(true) }
	rules["tril"] = func(c *call) ([]*program.Value, error) { return c.triangle(false) }
}

// first adds an operator on argument 0.
func (c *call) first(op program.Op) ([]*program.Value, error) {
	x, err := c.in(0)
	if err != nil {
		return nil, err
	}
	if !c.has {
		c.typ, c.has = x.Type, true
	}
	return c.one(op, x)
}

func (c *call) exchanged(a, b int) ([]*program.Value, error) {
	x, err := c.in(0)
	if err != nil {
		return nil, err
	}
	perm := make([]int, len(x.Shape))
	for d := range perm {
		perm[d] = d
	}
	if len(perm) < 2 {
		return c.one(program.Transpose{Perm: perm}, x)
	}
	for _, d := range []*int{&a, &b} {
		if *d < 0 {
			*d += len(perm)
		}
		if *d < 0 || *d >= len(perm) {
			return nil, c.fail("dimensions %d and %d of an array of %d", a, b, len(perm))
		}
	}
	perm[a], perm[b] = perm[b], perm[a]
	return c.one(program.Transpose{Perm: perm}, x)
}

func (c *call) concat() ([]*program.Value, error) {
	list, _ := c.arg(0).([]any)
	var in []*program.Value
	for _, a := range list {
		v, err := c.value(a)
		if err != nil {
			return nil, err
		}
		in = append(in, v)
	}
	d, err := c.dim(1, 0, len(c.typ.Shape))
	if err != nil {
		return nil, err
	}
	return c.one(program.Concat{Dim: d}, in...)
}

// split takes parts of an array along a dimension, with the types that getitem gives them.
func (c *call) split() ([]*program.Value, error) {
	x, err := c.in(0)
	if err != nil {
		return nil, err
	}
	at := 2
	if c.op == "unbind" {
		at = 1
	}
	d, err := c.dim(at, 0, len(x.Shape))
	if err != nil {
		return nil, err
	}
	parts := c.f.parts[c.Name]
	var out []*program.Value
	size := int(c.number(1, 1))
	if c.op == "chunk" && size > 0 && len(x.Shape) > 0 {
		size = (x.Shape[d] + size - 1) / size
	}
	list, _ := c.ints(1, 0, 0)
	from := 0
	for k := 0; len(x.Shape) > 0 && from < x.Shape[d]; k++ {
		n := max(size, 1)
		switch {
		case c.op == "unbind":
			n = 1
		case c.op == "split_with_sizes" && k < len(list):
			n = list[k]
		}
		n = max(min(n, x.Shape[d]-from), 1)
		shape := slices.Clone(x.Shape)
		shape[d] = n
		v, err := c.part(x, d, from, 1, shape)
		if t, named := parts[k]; err == nil && named && !slices.Equal(t.Shape, shape) {
			v, err = c.add(program.Reshape{}, t, v)
		}
		if err != nil {
			return nil, err
		}
		out = append(out, v)
		from += n
	}
	return out, nil
}

// part is elements of x from a place of a dimension on.
func (c *call) part(x *program.Value, d, from, step int, shape []int) (*program.Value, error) {
	op := program.Slice{Start: make([]int, len(x.Shape)), Stride: slices.Repeat([]int{1}, len(x.Shape))}
	op.Start[d], op.Stride[d] = from, step
	return c.add(op, typed(x, shape...), x)
}

func (c *call) slice() ([]*program.Value, error) {
	x, err := c.in(0)
	if err != nil {
		return nil, err
	}
	d, err := c.dim(1, 0, len(x.Shape))
	if err != nil || !c.has || len(c.typ.Shape) != len(x.Shape) || len(x.Shape) == 0 {
		return nil, c.fail("a part of an array of shape %v", x.Shape)
	}
	from := int(c.number(2, 0))
	if from < 0 {
		from = max(from+x.Shape[d], 0)
	}
	v, err := c.part(x, d, min(from, x.Shape[d]), max(int(c.number(4, 1)), 1), c.typ.Shape)
	return []*program.Value{v}, err
}

// sel is one element of a dimension, which goes away.
func (c *call) sel() ([]*program.Value, error) {
	x, err := c.in(0)
	if err != nil {
		return nil, err
	}
	d, err := c.dim(1, 0, len(x.Shape))
	if err != nil || len(x.Shape) == 0 {
		return nil, c.fail("an element of an array of shape %v", x.Shape)
	}
	at := int(c.number(2, 0))
	if at < 0 {
		at += x.Shape[d]
	}
	shape := slices.Clone(x.Shape)
	shape[d] = 1
	v, err := c.part(x, d, at, 1, shape)
	if err != nil {
		return nil, err
	}
	return c.one(program.Reshape{}, v)
}

func (c *call) look(table, index int, whole bool) ([]*program.Value, error) {
	t, err := c.in(table)
	if err != nil {
		return nil, err
	}
	i, err := c.in(index)
	if err != nil {
		return nil, err
	}
	return c.one(program.Gather{Whole: whole}, t, i)
}

// made is an array of one number, or one that counts.
func (c *call) made() ([]*program.Value, error) {
	x := 0.0
	switch c.op {
	case "arange":
		if len(c.typ.Shape) == 1 {
			return c.one(program.Iota{})
		}
	case "full", "full_like":
		x = c.fill(1)
	case "new_full":
		x = c.fill(2)
	case "scalar_tensor":
		x = c.fill(0)
	case "ones", "ones_like", "new_ones":
		x = 1
	}
	if c.typ.Int || c.typ.Bool {
		return c.one(program.Ints(int64(x)))
	}
	return c.one(program.Floats(x))
}

// fill is the number at argument i; infinity is a string in files of make_fx.
func (c *call) fill(i int) float64 {
	switch c.arg(i) {
	case "-inf":
		return -1e38
	case "inf":
		return 1e38
	}
	return c.number(i, 0)
}

// triangle keeps the elements above or below a diagonal: a choice by positions.
func (c *call) triangle(upper bool) ([]*program.Value, error) {
	x, err := c.in(0)
	rank := len(c.typ.Shape)
	if err != nil || rank < 2 {
		return nil, c.fail("a triangle of an array of %d dimensions", rank)
	}
	pos := program.Type{Shape: c.typ.Shape, Elem: graph.Int32, Int: true}
	row, err1 := c.add(program.Iota{Dim: rank - 2}, pos)
	col, err2 := c.add(program.Iota{Dim: rank - 1}, pos)
	k, err3 := c.add(program.Ints(int64(c.number(1, 0))), program.Type{Elem: graph.Int32, Int: true})
	for _, err := range []error{err1, err2, err3} {
		if err != nil {
			return nil, err
		}
	}
	if k, err = c.spread(k, c.typ.Shape); err != nil {
		return nil, err
	}
	last, err := c.add(program.Map{Fn: "add"}, pos, row, k)
	if err != nil {
		return nil, err
	}
	zero, err := c.add(program.Floats(0), c.typ)
	if err != nil {
		return nil, err
	}
	truth := program.Type{Shape: c.typ.Shape, Elem: graph.Int8, Bool: true}
	if upper { // columns before row + k go
		cond, err := c.add(program.Map{Fn: "greater"}, truth, last, col)
		if err != nil {
			return nil, err
		}
		return c.one(program.Map{Fn: "where"}, cond, zero, x)
	}
	cond, err := c.add(program.Map{Fn: "greater_equal"}, truth, last, col)
	if err != nil {
		return nil, err
	}
	return c.one(program.Map{Fn: "where"}, cond, x, zero)
}
