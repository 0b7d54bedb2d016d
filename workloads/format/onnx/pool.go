package onnx

import (
	"slices"

	"github.com/causeway-sim/causeway/workloads/format/onnx/node"
	"github.com/causeway-sim/causeway/workloads/format/onnx/onnxpb"
	"github.com/causeway-sim/causeway/workloads/graph"

	"github.com/causeway-sim/causeway/workloads/format"
)

// pool imports a pooling. One spatial dimension becomes an image of height 1.
func (n *onnxNode) pool(average bool) error {
	x := n.In[0]
	kernel, err := n.kernelShape(x, nil)
	if err != nil {
		return err
	}
	w, err := n.window(x, kernel)
	if err != nil {
		return err
	}
	dilated := false
	for i, d := range w.dilation {
		dilated = dilated || d != 1 && kernel[i] != 1
	}
	if len(kernel) == 3 || dilated {
		return n.unfoldedPool(x, w, average)
	}
	in := x
	if len(kernel) == 1 {
		w = w.flat()
		if in, err = n.Reshaped("in", x, x.Shape[0], x.Shape[1], 1, x.Shape[2]); err != nil {
			return err
		}
	}
	p := graph.Pool{
		N: in.Shape[0], C: in.Shape[1], H: in.Shape[2], W: in.Shape[3], R: w.kernel[0], S: w.kernel[1],
		StrideH: w.stride[0], StrideW: w.stride[1], PadTop: w.before[0], PadLeft: w.before[1],
		PadBottom: w.after[0], PadRight: w.after[1], CeilMode: n.Flag("ceil_mode"), Average: average,
	}
	if err := p.Check(); err != nil {
		return n.Fail("%v", err)
	}
	shape := []int{p.N, p.C, p.OutH(), p.OutW()}
	if len(kernel) == 1 {
		shape = []int{p.N, p.C, p.OutW()}
	}
	out, err := n.Result(0, x.Elem, shape...)
	if err != nil {
		return err
	}
	outs := []*node.Value{out}
	if len(kernel) == 1 {
		outs[0] = n.Temp("out", x.Elem, p.OutShape()...)
	}
	if n.Wants(1) {
		at, err := n.Result(1, onnxpb.TensorProto_INT64, shape...)
		if err != nil {
			return err
		}
		outs = append(outs, at)
	}
	if err := n.Emit(p, []*node.Value{in}, outs...); err != nil || outs[0] == out {
		return err
	}
	return n.ViewAs("view", outs[0], out)
}

// unfoldedPool imports what a pooling of an image cannot say, three dimensions or
// dilations: a move lays out every window as a row (assumption: as im2col in
// software does), and each row is pooled.
func (n *onnxNode) unfoldedPool(x *node.Value, w window, average bool) error {
	shape := slices.Clone(x.Shape)
	pixels, window := int64(1), int64(1)
	for i, k := range w.kernel {
		o := w.out(i, x.Shape[2+i])
		if o < 1 || min(w.before[i], w.after[i]) < 0 {
			return n.Fail("the kernel %v with dilations %v is larger than the padded input %v, or the padding negative", w.kernel, w.dilation, x.Shape[2:])
		}
		if n.Flag("ceil_mode") {
			o = w.outCeil(i, x.Shape[2+i])
		}
		shape[2+i] = o
		var ok1, ok2 bool
		pixels, ok1 = format.Product(pixels, int64(o))
		window, ok2 = format.Product(window, int64(k))
		if !ok1 || !ok2 || pixels > format.MaxDim || window > format.MaxDim {
			return n.Fail("%d windows of %d elements", pixels, window)
		}
	}
	if _, ok := node.Dims([]int64{int64(shape[0]), int64(shape[1]), pixels, window}); !ok {
		return n.Fail("unfolded, the input has more than 2^52 elements")
	}
	rows := n.Temp("unfold", x.Elem, shape[0], shape[1], int(pixels), int(window))
	if err := n.EmitStep("unfold", graph.Move{Func: "unfold", Elements: rows.Elements()}, []*node.Value{x}, rows); err != nil {
		return err
	}
	p := graph.Pool{N: shape[0], C: shape[1], H: int(pixels), W: int(window), R: 1, S: int(window), StrideH: 1, StrideW: 1, Average: average}
	outs := []*node.Value{n.Temp("out", x.Elem, p.OutShape()...)}
	if n.Wants(1) {
		at, err := n.Result(1, onnxpb.TensorProto_INT64, shape...)
		if err != nil {
			return err
		}
		outs = append(outs, at)
	}
	out, err := n.Result(0, x.Elem, shape...)
	if err != nil {
		return err
	}
	if err := n.Emit(p, []*node.Value{rows}, outs...); err != nil {
		return err
	}
	return n.ViewAs("view", outs[0], out)
}

// globalPool reduces all spatial dimensions, whatever their number.
func (n *onnxNode) globalPool(average bool) error {
	x := n.In[0]
	if x.Rank() < 3 || slices.Contains(x.Shape, 0) {
		return n.Fail("the input has shape %v (want N, C and spatial dimensions)", x.Shape)
	}
	shape := slices.Clone(x.Shape)
	for i := 2; i < len(shape); i++ {
		shape[i] = 1
	}
	out, err := n.Result(0, x.Elem, shape...)
	if err != nil {
		return err
	}
	if x.Rank() == 4 {
		p := graph.Pool{N: x.Shape[0], C: x.Shape[1], H: x.Shape[2], W: x.Shape[3], Global: true, Average: average}
		return n.Emit(p.Normal(), n.In, out)
	}
	fn := "max"
	if average {
		fn = "mean"
	}
	return n.Emit(graph.Reduce{Func: fn, Elements: x.Elements(), Out: out.Elements()}, n.In, out)
}
