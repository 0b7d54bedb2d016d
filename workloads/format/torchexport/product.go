package torchexport

import (
	"slices"

	"github.com/causeway-sim/causeway/workloads/format/program"
)

func init() {
	rules["mm"] = func(c *call) ([]*program.Value, error) {
		return c.dot(0, 1, program.Dot{LC: []int{1}, RC: []int{0}}, -1)
	}
	rules["addmm"] = func(c *call) ([]*program.Value, error) {
		return c.dot(1, 2, program.Dot{LC: []int{1}, RC: []int{0}}, 0)
	}
	bmm := program.Dot{LB: []int{0}, RB: []int{0}, LC: []int{2}, RC: []int{1}}
	rules["bmm"] = func(c *call) ([]*program.Value, error) { return c.dot(0, 1, bmm, -1) }
	rules["baddbmm"] = func(c *call) ([]*program.Value, error) { return c.dot(1, 2, bmm, 0) }
	rules["linear"] = func(c *call) ([]*program.Value, error) {
		return c.dot(0, 1, program.Dot{LC: []int{len(c.typ.Shape) - 1}, RC: []int{1}}, 2)
	}
	rules["matmul"] = (*call).matmul
	for _, name := range []string{"convolution", "conv1d", "conv2d"} {
		rules[name] = (*call).conv
	}
	for _, name := range []string{"scaled_dot_product_attention", "_scaled_dot_product_flash_attention", "_scaled_dot_product_efficient_attention", "_scaled_dot_product_flash_attention_for_cpu", "_scaled_dot_product_cudnn_attention"} {
		rules[name] = (*call).attention
	}
}

// dot is a product of two arguments, and the sum with a third; no sum if that is not given.
func (c *call) dot(a, b int, op program.Dot, bias int) ([]*program.Value, error) {
	x, err := c.in(a)
	if err != nil {
		return nil, err
	}
	y, err := c.in(b)
	if err != nil {
		return nil, err
	}
	if bias < 0 || !c.given(bias) {
		return c.one(op, x, y)
	}
	z, err := c.in(bias)
	if err != nil || !c.has {
		return nil, c.fail("a product with a sum without a type")
	}
	v, err := c.add(op, c.typ, x, y)
	if err != nil {
		return nil, err
	}
	if z, err = c.spread(z, c.typ.Shape); err != nil {
		return nil, err
	}
	return c.one(program.Map{Fn: "add"}, v, z)
}

// matmul multiplies stacks of matrices that broadcast.
func (c *call) matmul() ([]*program.Value, error) {
	x, err := c.in(0)
	if err != nil {
		return nil, err
	}
	y, err := c.in(1)
	if err != nil {
		return nil, err
	}
	n := len(y.Shape)
	if len(x.Shape) == 0 || n == 0 {
		return nil, c.fail("shapes %v and %v (want at least one dimension)", x.Shape, y.Shape)
	}
	op := program.Dot{LC: []int{len(x.Shape) - 1}, RC: []int{max(n-2, 0)}}
	if n > 2 {
		if len(x.Shape) != n {
			return nil, c.fail("shapes %v and %v have no rule (want as many dimensions, or a matrix)", x.Shape, y.Shape)
		}
		for _, v := range []**program.Value{&x, &y} {
			want := slices.Concat(c.typ.Shape[:max(len(c.typ.Shape)-2, 0)], (*v).Shape[n-2:])
			if *v, err = c.spread(*v, want); err != nil {
				return nil, err
			}
		}
		for d := range n - 2 {
			op.LB, op.RB = append(op.LB, d), append(op.RB, d)
		}
	}
	return c.one(op, x, y)
}

// conv is a convolution, or a transposed one.
func (c *call) conv() ([]*program.Value, error) {
	x, err := c.in(0)
	if err != nil {
		return nil, err
	}
	w, err := c.in(1)
	if err != nil {
		return nil, err
	}
	n := len(x.Shape) - 2
	if n < 1 || n > 2 || len(w.Shape) != n+2 {
		return nil, c.fail("an image of shape %v and a kernel of shape %v (want one or two spatial dimensions)", x.Shape, w.Shape)
	}
	space := []int{2, 3}[:n]
	l := program.Layout{Batch: 0, Feature: 1, Space: space}
	op := program.Conv{In: l, Kernel: l, Out: l, Spread: slices.Repeat([]int{1}, n), BatchGroups: 1}
	pads, groups := []int(nil), 6
	transposed := false
	if c.op == "convolution" {
		transposed, groups = c.number(6, 0) != 0, 8
	}
	for _, a := range []struct {
		to     *[]int
		at, or int
	}{{&op.Stride, 3, 1}, {&pads, 4, 0}, {&op.Dilation, 5, 1}} {
		if *a.to, err = c.ints(a.at, n, a.or); err != nil {
			return nil, err
		}
	}
	op.Low, op.High, op.Groups = pads, pads, int(c.number(groups, 1))
	if transposed {
		c.transpose(&op, w, pads)
	}
	in := []*program.Value{x, w}
	if c.given(2) {
		b, err := c.in(2)
		if err != nil {
			return nil, err
		}
		in, op.Bias = append(in, b), true
	}
	return c.one(op, in...)
}

// transpose makes a transposed convolution one of a spread image: kernels are C, K, R, S.
func (c *call) transpose(op *program.Conv, w *program.Value, pads []int) {
	op.Kernel.Batch, op.Kernel.Feature = 1, 0
	op.Spread, op.Stride = op.Stride, slices.Repeat([]int{1}, len(op.Stride))
	op.Low, op.High = make([]int, len(pads)), make([]int, len(pads))
	more, _ := c.ints(7, len(pads), 0)
	for d, p := range pads {
		reach := op.Dilation[d] * (w.Shape[2+d] - 1)
		op.Low[d] = reach - p
		op.High[d] = reach - p
		if d < len(more) {
			op.High[d] += more[d]
		}
	}
}

// attention is scaled dot-product attention. Its other results are not read.
func (c *call) attention() ([]*program.Value, error) {
	var in []*program.Value
	for i := range 3 {
		v, err := c.in(i)
		if err != nil {
			return nil, err
		}
		in = append(in, v)
	}
	op := program.Attention{Tokens: 2}
	causal := 5
	if c.op != "scaled_dot_product_attention" {
		causal = 4
	}
	op.Causal = c.number(causal, 0) != 0 || c.Kwargs["is_causal"] == true
	if mask := c.named(3, "attn_mask"); reference(mask) != "" && !op.Causal {
		m, err := c.value(mask)
		if err != nil {
			return nil, err
		}
		shape := []int{in[0].Shape[0], in[0].Shape[1], in[0].Shape[2], in[1].Shape[2]}
		if m, err = c.spread(m, shape); err != nil {
			return nil, err
		}
		in = append(in, m)
	}
	if t, several := c.f.parts[c.Name][0]; several {
		c.typ, c.has = t, true
	}
	return c.one(op, in...)
}
