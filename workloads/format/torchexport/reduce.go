package torchexport

import (
	"slices"

	"github.com/causeway-sim/causeway/workloads/format/program"
)

func init() {
	for name, fn := range map[string]string{"sum": "add", "mean": "mean", "amax": "max", "amin": "min", "prod": "mul", "any": "or", "all": "and", "argmax": "max", "argmin": "min", "var": "fold", "std": "fold"} {
		rules[name] = func(c *call) ([]*program.Value, error) { return c.reduce(fn) }
	}
	for _, name := range []string{"_softmax", "softmax", "_log_softmax", "log_softmax", "_safe_softmax"} {
		rules[name] = func(c *call) ([]*program.Value, error) {
			x, err := c.in(0)
			if err != nil {
				return nil, err
			}
			d, err := c.dim(1, -1, len(x.Shape))
			if err != nil {
				return nil, err
			}
			return c.one(program.Softmax{Dim: d}, x)
		}
	}
	for _, name := range []string{"native_layer_norm", "layer_norm", "rms_norm", "_fused_rms_norm"} {
		rules[name] = (*call).layerNorm
	}
	for _, name := range []string{"native_batch_norm", "batch_norm", "cudnn_batch_norm", "_native_batch_norm_legit_no_training", "_native_batch_norm_legit", "_native_batch_norm_legit_functional"} {
		rules[name] = (*call).batchNorm
	}
	for _, name := range []string{"native_group_norm", "group_norm"} {
		rules[name] = (*call).groupNorm
	}
	for _, name := range []string{"max_pool2d", "max_pool2d_with_indices", "avg_pool2d"} {
		rules[name] = (*call).pool
	}
	for _, name := range []string{"adaptive_avg_pool2d", "_adaptive_avg_pool2d"} {
		rules[name] = (*call).adaptive
	}
	rules["topk"] = (*call).sort
	rules["sort"] = (*call).sort
}

// reduce folds dimensions; those that stay as 1 are put back.
func (c *call) reduce(fn string) ([]*program.Value, error) {
	x, err := c.in(0)
	if err != nil {
		return nil, err
	}
	dims, err := c.ints(1, 0, 0)
	if err != nil || !c.has {
		return nil, c.fail("no dimensions or no type of the result")
	}
	for i, d := range dims {
		if d < 0 {
			dims[i] = d + len(x.Shape)
		}
	}
	if len(dims) == 0 {
		for d := range x.Shape {
			dims = append(dims, d)
		}
	}
	slices.Sort(dims)
	var shape []int
	for d, n := range x.Shape {
		if !slices.Contains(dims, d) {
			shape = append(shape, n)
		}
	}
	t := c.typ
	t.Shape = shape
	v, err := c.add(program.Reduce{Fn: fn, Dims: dims}, t, x)
	if err != nil || slices.Equal(shape, c.typ.Shape) {
		return []*program.Value{v}, err
	}
	return c.one(program.Reshape{}, v)
}

// like gives a node the type of its first result, or of v.
func (c *call) like(v *program.Value) {
	if t, several := c.f.parts[c.Name][0]; several {
		c.typ, c.has = t, true
	} else if !c.has {
		c.typ, c.has = v.Type, true
	}
}

// affine lists x, and the scale and shift that are given.
func (c *call) affine(scale, shift int) ([]*program.Value, error) {
	var in []*program.Value
	for _, i := range []int{0, scale, shift} {
		if i > 0 && !c.given(i) {
			continue
		}
		v, err := c.in(i)
		if err != nil {
			return nil, err
		}
		in = append(in, v)
	}
	c.like(in[0])
	return in, nil
}

func (c *call) layerNorm() ([]*program.Value, error) {
	in, err := c.affine(2, 3)
	if err != nil {
		return nil, err
	}
	op := program.Norm{Fn: "layer"}
	if c.op == "rms_norm" || c.op == "_fused_rms_norm" {
		op.Fn, in = "rms", in[:min(len(in), 2)]
	}
	over, err := c.ints(1, 0, 0)
	if err != nil || len(over) > len(in[0].Shape) || len(over) == 0 {
		return nil, c.fail("a norm over %v of an array of shape %v", c.arg(1), in[0].Shape)
	}
	for d := len(in[0].Shape) - len(over); d < len(in[0].Shape); d++ {
		op.Dims = append(op.Dims, d)
	}
	return c.one(op, in...)
}

func (c *call) batchNorm() ([]*program.Value, error) {
	in, err := c.affine(1, 2)
	if err != nil {
		return nil, err
	}
	if len(in[0].Shape) < 2 {
		return nil, c.fail("a batch norm of an array of shape %v", in[0].Shape)
	}
	op := program.Norm{Fn: "batch", Channel: 1}
	if c.op != "_native_batch_norm_legit_no_training" && c.number(5, 0) != 0 {
		op.Fn = "batch_training"
		for d := range in[0].Shape {
			if d != 1 {
				op.Dims = append(op.Dims, d)
			}
		}
	}
	return c.one(op, in...)
}

// groupNorm sees the channels of a group and their pixels as one row.
func (c *call) groupNorm() ([]*program.Value, error) {
	scale, groups := 1, 6
	if c.op == "group_norm" {
		scale, groups = 2, 1
	}
	in, err := c.affine(scale, scale+1)
	if err != nil {
		return nil, err
	}
	x, g := in[0], int(c.number(groups, 1))
	if len(x.Shape) < 2 || g < 1 || x.Shape[1]%g != 0 || x.Elements() == 0 {
		return nil, c.fail("%d groups of an array of shape %v", g, x.Shape)
	}
	rows := x.Shape[0] * g
	if in[0], err = c.add(program.Reshape{}, typed(x, rows, int(x.Elements())/rows), x); err != nil {
		return nil, err
	}
	v, err := c.add(program.Norm{Fn: "group", Dims: []int{1}}, in[0].Type, in...)
	if err != nil {
		return nil, err
	}
	return c.one(program.Reshape{}, v)
}

// pool is a pooling of N, C, H, W. With the ceiling rule the last window reaches beyond the padding.
func (c *call) pool() ([]*program.Value, error) {
	x, err := c.in(0)
	if err != nil {
		return nil, err
	}
	c.like(x)
	size, err1 := c.ints(1, 2, 1)
	stride, err2 := c.ints(2, 2, 0)
	pad, err3 := c.ints(3, 2, 0)
	for _, err := range []error{err1, err2, err3} {
		if err != nil {
			return nil, err
		}
	}
	if len(x.Shape) != 4 || len(c.typ.Shape) != 4 {
		return nil, c.fail("a pooling of an array of shape %v (want four dimensions)", x.Shape)
	}
	one, zero := []int{1, 1}, []int{0, 0}
	op := program.Window{Fn: "max", Size: slices.Concat(one, size), Stride: slices.Concat(one, stride), Low: slices.Concat(zero, pad), High: slices.Concat(zero, pad), Spread: []int{1, 1, 1, 1}, Dilation: []int{1, 1, 1, 1}}
	if c.op == "avg_pool2d" {
		op.Fn, op.Average = "add", true
	}
	for d := 2; d < 4; d++ {
		if op.Stride[d] < 1 {
			op.Stride[d] = op.Size[d]
		}
		if need := (c.typ.Shape[d]-1)*op.Stride[d] + op.Size[d] - x.Shape[d] - op.Low[d]; need > op.High[d] {
			op.High[d] = need
		}
	}
	return c.one(op, x)
}

// adaptive is a mean over the image, or over windows that divide it.
func (c *call) adaptive() ([]*program.Value, error) {
	x, err := c.in(0)
	if err != nil {
		return nil, err
	}
	if len(x.Shape) != 4 || len(c.typ.Shape) != 4 || slices.Contains(c.typ.Shape, 0) || x.Shape[2]%c.typ.Shape[2] != 0 || x.Shape[3]%c.typ.Shape[3] != 0 {
		return nil, c.fail("windows of an array of shape %v for a result of shape %v (want sizes that divide)", x.Shape, c.typ.Shape)
	}
	h, w := x.Shape[2]/c.typ.Shape[2], x.Shape[3]/c.typ.Shape[3]
	zero, ones := []int{0, 0, 0, 0}, []int{1, 1, 1, 1}
	return c.one(program.Window{Fn: "add", Average: true, Size: []int{1, 1, h, w}, Stride: []int{1, 1, h, w}, Low: zero, High: zero, Spread: ones, Dilation: ones}, x)
}

func (c *call) sort() ([]*program.Value, error) {
	x, err := c.in(0)
	if err != nil {
		return nil, err
	}
	c.like(x)
	return c.one(program.Sort{Dim: max(len(x.Shape)-1, 0)}, x)
}
