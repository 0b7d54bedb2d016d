package program

import (
	"slices"

	"github.com/causeway-sim/causeway/workloads/graph"
)

// image is the tensor of v as N, C, H, W by the order of its dimensions; one without H has a height
// of 1.
func (e *emitter) image(v *Value, order []int) graph.TensorID {
	shape, straight, last := []int{}, v.view.whole(v.Shape), none
	for n, d := range order {
		if n == 2 && len(order) == 3 {
			shape = append(shape, 1)
		}
		shape = append(shape, v.Shape[d])
		if a := v.view.axes[d]; v.Shape[d] > 1 {
			straight = straight && a.dim > last
			last = a.dim
		}
	}
	switch t := v.view.t; {
	case straight && slices.Equal(t.shape, shape):
		return e.id(t)
	case t.konst || v.view.whole(v.Shape):
		return e.shapedAnyway(t, shape, straight)
	}
	return e.all(v, shape)
}

// shapedAnyway is like shaped, also where the order of the elements changes.
func (e *emitter) shapedAnyway(t *tensor, shape []int, straight bool) graph.TensorID {
	if t.konst || straight || !slices.Equal(t.shape, shape) {
		return e.shaped(t, shape)
	}
	return e.reform(t, e.id(t), shape)
}

// pixels makes the view of a result that lies as N, C, H, W.
func (e *emitter) pixels(out *Value, elem graph.DType, order, shape []int) *tensor {
	t := e.fresh(out, shape)
	t.elem = elem
	v := &view{t: t, axes: make([]axis, len(order))}
	for n, d := range order {
		at := n
		if n >= 2 && len(order) == 3 {
			at = n + 1
		}
		v.axes[d] = axis{at, 1}
	}
	out.view = v
	return t
}

// conv emits a convolution, with a bias or without.
func (e *emitter) conv(i *Inst, op Conv, bias *Value, elem graph.DType) error {
	x, w := i.in[0], i.in[1]
	k := graph.Conv{N: x.Shape[op.In.Batch] / op.BatchGroups, C: x.Shape[op.In.Feature] * op.BatchGroups, H: 1,
		K: w.Shape[op.Kernel.Batch], R: 1, Groups: op.Groups * op.BatchGroups}.Normal()
	crop := false
	for n := range op.In.Space {
		crop = crop || op.Low[n] < 0 || op.High[n] < 0
		if op.Spread[n] > 1 && op.Stride[n] > 1 {
			return i.fault("a convolution with a stride of %d and a spread image (lhs dilation) of %d has no rule", op.Stride[n], op.Spread[n])
		}
		k.Transposed = k.Transposed || op.Spread[n] > 1
	}
	if k.Transposed && k.Groups > 1 && op.BatchGroups > 1 {
		return i.fault("a transposed convolution in groups of the batch has no rule")
	}
	last := len(op.In.Space) - 1
	op.axis(&k, last, x, w, &k.W, &k.S, &k.StrideW, &k.DilationW, &k.PadLeft, &k.PadRight, &k.OutPadW)
	if last > 0 {
		op.axis(&k, 0, x, w, &k.H, &k.R, &k.StrideH, &k.DilationH, &k.PadTop, &k.PadBottom, &k.OutPadH)
	}
	if err := k.Check(); err != nil {
		return i.fault("%v", err)
	}
	img := e.image(x, op.In.order())
	if crop && !k.Transposed || op.BatchGroups > 1 {
		img = e.crop(i, img, []int{k.N, k.C, k.H, k.W})
	}
	in := []graph.TensorID{img, e.shapedKernel(w, op.Kernel.order(), k.WeightShape())}
	switch {
	case bias != nil:
		in = append(in, e.id(bias.view.t))
	case op.Bias:
		in = append(in, e.any(i.in[2]))
	}
	t := e.pixels(i.out[0], elem, op.Out.order(), k.OutShape())
	e.b.Into(e.name("conv", i.Name), k, in, e.id(t))
	return nil
}

// axis fills in one spatial dimension of a convolution.
func (o Conv) axis(k *graph.Conv, n int, x, w *Value, size, window, stride, dilation, before, after, more *int) {
	*size, *window = x.Shape[o.In.Space[n]], w.Shape[o.Kernel.Space[n]]
	*dilation = o.Dilation[n]
	if !k.Transposed {
		*stride, *before, *after = o.Stride[n], max(o.Low[n], 0), max(o.High[n], 0)
		*size += min(o.Low[n], 0) + min(o.High[n], 0)
		return
	}
	// A spread image is what a transposed convolution makes of one: it crops what is not padded.
	*stride = o.Spread[n]
	reach := *dilation * (*window - 1)
	*before, *after = reach-o.Low[n], reach-o.High[n]
	if *before < 0 {
		*more, *before = *more-*before, 0
	}
	if *after < 0 {
		*more, *after = *more-*after, 0
	}
}

// crop is a part of an image, or one whose batch is seen as channels.
func (e *emitter) crop(i *Inst, img graph.TensorID, shape []int) graph.TensorID {
	id := e.declare(i.Name+".crop", graph.Activation, i.in[0].view.t.elem, shape)
	e.b.Into(e.name("slice", i.Name), graph.Move{Func: "slice"}, []graph.TensorID{img}, id)
	return id
}

// shapedKernel is the tensor of a kernel in the shape that a convolution wants.
func (e *emitter) shapedKernel(w *Value, order, want []int) graph.TensorID {
	if w.view.t.konst {
		return e.shaped(w.view.t, want)
	}
	id := e.image(w, order)
	if slices.Equal(e.b.Shape(id), want) {
		return id
	}
	return e.reform(w.view.t, id, want)
}

// window emits a pooling over at most two dimensions, or sums that run along one.
func (e *emitter) window(i *Inst, op Window, elem graph.DType) error {
	x, out := i.in[0], i.out[0]
	var space, rest []int
	for d := range x.Shape {
		if op.Spread[d] > 1 {
			return i.fault("a window over a spread array (base dilation of %d) has no rule", op.Spread[d])
		}
		if op.Size[d] > 1 || op.Stride[d] > 1 || op.Low[d] != 0 || op.High[d] != 0 {
			space = append(space, d)
		} else {
			rest = append(rest, d)
		}
	}
	if len(space) == 1 && op.Size[space[0]] == x.Shape[space[0]] && out.Shape[space[0]] == x.Shape[space[0]] && op.Size[space[0]] > 16 {
		// Sums of all elements before: a scan, not windows.
		e.elementwise(e.name("cumsum", i.Name), "add", 1, []*Value{x}, out)
		return nil
	}
	if len(space) > 2 {
		return i.fault("a window over %d dimensions (want at most 2)", len(space))
	}
	for n := len(x.Shape) - 1; n >= 0 && len(space) < 2; n-- {
		if m := slices.Index(rest, n); m >= 0 && len(rest) > 2 {
			space, rest = append(space, n), slices.Delete(rest, m, m+1)
		}
	}
	slices.Sort(space)
	return e.pool(i, op, elem, space, rest)
}

// pool emits a pooling over the dimensions of space; the others are images and channels.
func (e *emitter) pool(i *Inst, op Window, elem graph.DType, space, rest []int) error {
	x, out := i.in[0], i.out[0]
	slices.SortStableFunc(rest, func(a, b int) int { return x.view.axes[a].dim - x.view.axes[b].dim })
	k := graph.Pool{N: 1, C: 1, H: 1, R: 1, W: 1, S: 1, StrideH: 1, StrideW: 1, Average: op.Fn == "add" || op.Average}
	for n, d := range rest {
		if n == 0 && len(rest) > 1 {
			k.N = x.Shape[d]
		} else {
			k.C *= x.Shape[d]
		}
	}
	size := func(d int) int { return (op.Size[d]-1)*op.Dilation[d] + 1 }
	if n := len(space); n > 0 {
		d := space[n-1]
		k.W, k.S, k.StrideW, k.PadLeft, k.PadRight = x.Shape[d], size(d), op.Stride[d], op.Low[d], op.High[d]
	}
	if len(space) > 1 {
		d := space[0]
		k.H, k.R, k.StrideH, k.PadTop, k.PadBottom = x.Shape[d], size(d), op.Stride[d], op.Low[d], op.High[d]
	}
	if err := k.Check(); err != nil {
		return i.fault("%v", err)
	}
	order := slices.Concat(rest, space)
	in := graph.None
	if len(order) == 4 && len(rest) == 2 {
		in = e.image(x, order)
	} else {
		in = e.all(x, []int{k.N, k.C, k.H, k.W})
	}
	if len(order) == 4 && len(rest) == 2 {
		t := e.pixels(out, elem, order, k.OutShape())
		e.b.Into(e.name("pool", i.Name), k, []graph.TensorID{in}, e.id(t))
		return nil
	}
	t := e.fresh(out, k.OutShape())
	e.b.Into(e.name("pool", i.Name), k, []graph.TensorID{in}, e.id(t))
	out.view = direct(e.another(t, out.Shape))
	return nil
}
