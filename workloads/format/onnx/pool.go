package onnx

import (
	"slices"

	"github.com/causeway-sim/causeway/workloads/format/onnx/onnxpb"
	"github.com/causeway-sim/causeway/workloads/graph"

	"github.com/causeway-sim/causeway/workloads/format"
)

// pool imports a pooling. One spatial dimension becomes an image of height 1.
func (n *onnxNode) pool(average bool) error {
	x := n.in[0]
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
		if in, err = n.reshaped("in", x, x.shape[0], x.shape[1], 1, x.shape[2]); err != nil {
			return err
		}
	}
	p := graph.Pool{
		N: in.shape[0], C: in.shape[1], H: in.shape[2], W: in.shape[3], R: w.kernel[0], S: w.kernel[1],
		StrideH: w.stride[0], StrideW: w.stride[1], PadTop: w.before[0], PadLeft: w.before[1],
		PadBottom: w.after[0], PadRight: w.after[1], CeilMode: n.flag("ceil_mode"), Average: average,
	}
	if err := p.Check(); err != nil {
		return n.fail("%v", err)
	}
	shape := []int{p.N, p.C, p.OutH(), p.OutW()}
	if len(kernel) == 1 {
		shape = []int{p.N, p.C, p.OutW()}
	}
	out, err := n.result(0, x.elem, shape...)
	if err != nil {
		return err
	}
	outs := []*onnxValue{out}
	if len(kernel) == 1 {
		outs[0] = n.temp("out", x.elem, p.OutShape()...)
	}
	if n.wants(1) {
		at, err := n.result(1, onnxpb.TensorProto_INT64, shape...)
		if err != nil {
			return err
		}
		outs = append(outs, at)
	}
	if err := n.emit(p, []*onnxValue{in}, outs...); err != nil || outs[0] == out {
		return err
	}
	return n.viewAs("view", outs[0], out)
}

// unfoldedPool imports what a pooling of an image cannot say, three dimensions or
// dilations: a move lays out every window as a row (assumption: as im2col in
// software does), and each row is pooled.
func (n *onnxNode) unfoldedPool(x *onnxValue, w window, average bool) error {
	shape := slices.Clone(x.shape)
	pixels, window := int64(1), int64(1)
	for i, k := range w.kernel {
		o := w.out(i, x.shape[2+i])
		if o < 1 || min(w.before[i], w.after[i]) < 0 {
			return n.fail("the kernel %v with dilations %v is larger than the padded input %v, or the padding negative", w.kernel, w.dilation, x.shape[2:])
		}
		if n.flag("ceil_mode") {
			o = w.outCeil(i, x.shape[2+i])
		}
		shape[2+i] = o
		var ok1, ok2 bool
		pixels, ok1 = format.Product(pixels, int64(o))
		window, ok2 = format.Product(window, int64(k))
		if !ok1 || !ok2 || pixels > format.MaxDim || window > format.MaxDim {
			return n.fail("%d windows of %d elements", pixels, window)
		}
	}
	if _, ok := dims([]int64{int64(shape[0]), int64(shape[1]), pixels, window}); !ok {
		return n.fail("unfolded, the input has more than 2^52 elements")
	}
	rows := n.temp("unfold", x.elem, shape[0], shape[1], int(pixels), int(window))
	if err := n.emitStep("unfold", graph.Move{Func: "unfold", Elements: rows.elements()}, []*onnxValue{x}, rows); err != nil {
		return err
	}
	p := graph.Pool{N: shape[0], C: shape[1], H: int(pixels), W: int(window), R: 1, S: int(window), StrideH: 1, StrideW: 1, Average: average}
	outs := []*onnxValue{n.temp("out", x.elem, p.OutShape()...)}
	if n.wants(1) {
		at, err := n.result(1, onnxpb.TensorProto_INT64, shape...)
		if err != nil {
			return err
		}
		outs = append(outs, at)
	}
	out, err := n.result(0, x.elem, shape...)
	if err != nil {
		return err
	}
	if err := n.emit(p, []*onnxValue{rows}, outs...); err != nil {
		return err
	}
	return n.viewAs("view", outs[0], out)
}

// globalPool reduces all spatial dimensions, whatever their number.
func (n *onnxNode) globalPool(average bool) error {
	x := n.in[0]
	if x.rank() < 3 || slices.Contains(x.shape, 0) {
		return n.fail("the input has shape %v (want N, C and spatial dimensions)", x.shape)
	}
	shape := slices.Clone(x.shape)
	for i := 2; i < len(shape); i++ {
		shape[i] = 1
	}
	out, err := n.result(0, x.elem, shape...)
	if err != nil {
		return err
	}
	if x.rank() == 4 {
		p := graph.Pool{N: x.shape[0], C: x.shape[1], H: x.shape[2], W: x.shape[3], Global: true, Average: average}
		return n.emit(p.Normal(), n.in, out)
	}
	fn := "max"
	if average {
		fn = "mean"
	}
	return n.emit(graph.Reduce{Func: fn, Elements: x.elements(), Out: out.elements()}, n.in, out)
}
