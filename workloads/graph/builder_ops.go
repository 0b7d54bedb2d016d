package graph

import "slices"

// image returns the shape of a N,C,H,W tensor, or records an error.
func (b *Builder) image(name string, x TensorID) (n, c, h, w int) {
	s := b.Shape(x)
	if len(s) != 4 {
		b.Errorf("%s: input %s has shape %v (want N,C,H,W)", name, b.g.Tensors[x].Name, s)
		return 1, 1, 1, 1
	}
	return s[0], s[1], s[2], s[3]
}

// Conv adds a convolution of x. N, C, H and W are taken from x; strides,
// dilations and groups of 0 mean 1. It makes the tensors NAME.weight and, with
// WithBias, NAME.bias.
func (b *Builder) Conv(name string, x TensorID, c Conv, opts ...Option) TensorID {
	c.N, c.C, c.H, c.W = b.image(name, x)
	c = c.Normal()
	if err := c.Check(); err != nil {
		b.Errorf("%s: %v", name, err)
		return b.Tensor(name, Activation, c.N, max(c.K, 1), 1, 1)
	}
	w, bias := b.Weight(name+".weight", c.WeightShape()...), None
	if slices.Contains(opts, WithBias) {
		bias = b.Weight(name+".bias", c.K)
	}
	return b.Op(name, c, []TensorID{x, w, bias}, c.OutShape()...)
}

// SquareConv returns a convolution with k filters of size x size, one stride and one padding for
// all sides. Builder.Conv fills in the input sizes.
func SquareConv(k, size, stride, pad int) Conv {
	return Conv{K: k, R: size, S: size, StrideH: stride, StrideW: stride,
		PadTop: pad, PadLeft: pad, PadBottom: pad, PadRight: pad}.Normal()
}

// Pool adds a pooling of x. N, C, H and W are taken from x; strides of 0 mean
// 1; Global takes the window from x.
func (b *Builder) Pool(name string, x TensorID, p Pool) TensorID {
	p.N, p.C, p.H, p.W = b.image(name, x)
	p = p.Normal()
	if err := p.Check(); err != nil {
		b.Errorf("%s: %v", name, err)
		return b.Tensor(name, Activation, p.N, p.C, 1, 1)
	}
	return b.Op(name, p, []TensorID{x}, p.OutShape()...)
}

// Linear adds the product of x, seen as rows of its last dimension, and a new
// weight of that dimension by n. It makes the tensors NAME.weight and, with
// WithBias, NAME.bias.
func (b *Builder) Linear(name string, x TensorID, n int, opts ...Option) TensorID {
	s := b.Shape(x)
	k := s[len(s)-1]
	m := MatMul{Batch: 1, M: int(b.Elements(x)) / k, N: n, K: k, SharedB: 1}
	w, bias := b.Weight(name+".weight", k, n), None
	if slices.Contains(opts, WithBias) {
		bias = b.Weight(name+".bias", n)
	}
	out := b.lastDim(name, x, n)
	b.Into(name, m, []TensorID{x, w, bias}, out)
	return out
}

// MatMul adds the product m of the existing tensors a and w. The output has the given shape.
func (b *Builder) MatMul(name string, a, w TensorID, m MatMul, shape ...int) TensorID {
	return b.Op(name, m.Normal(), []TensorID{a, w}, shape...)
}

// Elementwise applies fn to x and the others, which broadcast to the shape of
// x. OpsPer follows from fn, see OpsPerElement.
func (b *Builder) Elementwise(name, fn string, x TensorID, others ...TensorID) TensorID {
	n, ok := OpsPerElement(fn)
	if !ok {
		b.Errorf("%s: unknown function %q (want one of: %v)", name, fn, FuncNames())
	}
	in := append(make([]TensorID, 0, 4), x)
	in = append(in, others...)
	return b.Op(name, Elementwise{Func: fn, Elements: b.Elements(x), Inputs: len(in), OpsPer: n}, in, b.Shape(x)...)
}

// Add adds x and y; y broadcasts to x.
func (b *Builder) Add(name string, x, y TensorID) TensorID { return b.Elementwise(name, "add", x, y) }

// Mul multiplies x and y; y broadcasts to x.
func (b *Builder) Mul(name string, x, y TensorID) TensorID { return b.Elementwise(name, "mul", x, y) }

// Softmax normalises x over its last dimension.
func (b *Builder) Softmax(name string, x TensorID) TensorID {
	s := b.Shape(x)
	cols := int64(s[len(s)-1])
	return b.Op(name, Softmax{Rows: b.Elements(x) / cols, Cols: cols}, []TensorID{x}, s...)
}

// Norm adds a layer or rms norm over the last dimension of x, with a learned
// NAME.weight and, with WithBias, NAME.bias.
func (b *Builder) Norm(name, fn string, x TensorID, opts ...Option) TensorID {
	s := b.Shape(x)
	d := s[len(s)-1]
	return b.norm(name, fn, x, b.Elements(x)/int64(d), int64(d), d, opts)
}

// GroupNorm normalises the channels of x, N,C,H,W, in groups, with a learned
// scale and shift per channel.
func (b *Builder) GroupNorm(name string, x TensorID, groups int) TensorID {
	n, c, _, _ := b.image(name, x)
	if groups < 1 || c%groups != 0 {
		b.Errorf("%s: %d groups of %d channels (want a divisor)", name, groups, c)
		groups = 1
	}
	rows := int64(n) * int64(groups)
	return b.norm(name, "group", x, rows, b.Elements(x)/rows, c, []Option{WithBias})
}

// BatchNorm scales and shifts the channels of x, N,C,H,W, as at inference: the
// running mean and variance are folded into NAME.weight and NAME.bias.
func (b *Builder) BatchNorm(name string, x TensorID) TensorID {
	_, c, _, _ := b.image(name, x)
	return b.norm(name, "batch", x, b.Elements(x)/int64(c), int64(c), c, []Option{WithBias})
}

// LRN adds a local response normalisation over channels; it has no weights.
func (b *Builder) LRN(name string, x TensorID) TensorID {
	_, c, _, _ := b.image(name, x)
	return b.Op(name, Norm{Func: "lrn", Rows: b.Elements(x) / int64(c), Cols: int64(c)}, []TensorID{x}, b.Shape(x)...)
}

func (b *Builder) norm(name, fn string, x TensorID, rows, cols int64, d int, opts []Option) TensorID {
	k := Norm{Func: fn, Rows: rows, Cols: cols, Bias: slices.Contains(opts, WithBias)}
	w, bias := b.Weight(name+".weight", d), None
	if k.Bias {
		bias = b.Weight(name+".bias", d)
	}
	return b.Op(name, k, []TensorID{x, w, bias}, b.Shape(x)...)
}

// Gather reads one row of table, rows x cols, per element of indices.
func (b *Builder) Gather(name string, table, indices TensorID) TensorID {
	t := b.Shape(table)
	if len(t) != 2 {
		b.Errorf("%s: table has shape %v (want rows, columns)", name, t)
		return indices
	}
	k := Gather{Rows: b.Elements(indices), Cols: int64(t[1]), Table: int64(t[0])}
	return b.Op(name, k, []TensorID{table, indices}, append(slices.Clone(b.Shape(indices)), t[1])...)
}

// Reduce folds x to the given shape by fn: sum, mean or max.
func (b *Builder) Reduce(name, fn string, x TensorID, shape ...int) TensorID {
	id := b.Tensor(name, Activation, shape...)
	b.Into(name, Reduce{Func: fn, Elements: b.Elements(x), Out: b.Elements(id)}, []TensorID{x}, id)
	return id
}

// Reshape adds a view of x with another shape.
func (b *Builder) Reshape(name string, x TensorID, shape ...int) TensorID {
	return b.Op(name, Move{Func: "reshape"}, []TensorID{x}, shape...)
}

// Move adds a data movement fn that writes a new tensor of the given shape.
func (b *Builder) Move(name, fn string, x TensorID, shape ...int) TensorID {
	id := b.Tensor(name, Activation, shape...)
	b.Into(name, Move{Func: fn, Elements: b.Elements(id)}, []TensorID{x}, id)
	return id
}

// Concat joins tensors along an axis; their other dimensions are equal.
func (b *Builder) Concat(name string, axis int, xs ...TensorID) TensorID {
	s := slices.Clone(b.Shape(xs[0]))
	for _, x := range xs[1:] {
		t := b.Shape(x)
		if axis < 0 || axis >= len(s) || len(t) != len(s) || !slices.Equal(t[:axis], s[:axis]) || !slices.Equal(t[axis+1:], s[axis+1:]) {
			b.Errorf("%s: shapes %v and %v do not join along dimension %d", name, s, t, axis)
			break
		}
		s[axis] += t[axis]
	}
	id := b.Tensor(name, Activation, s...)
	b.Into(name, Move{Func: "concat", Elements: b.Elements(id)}, xs, id)
	return id
}

// lastDim is a new tensor shaped as x with another last dimension.
func (b *Builder) lastDim(name string, x TensorID, n int) TensorID {
	s := b.Shape(x)
	id := b.Tensor(name, Activation, s...)
	t := b.Shape(id)
	if n < 1 {
		b.Errorf("%s: %d columns (want at least 1)", name, n)
		n = 1
	}
	t[len(t)-1] = n
	return id
}
