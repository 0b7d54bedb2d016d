package format

import (
	"slices"

	"github.com/causeway-sim/causeway/workloads/format/onnxpb"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// pool imports a pooling of one or two spatial dimensions.
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
	if len(kernel) == 3 {
		return n.fail("poolings of three dimensions are not supported")
	}
	for i, d := range w.dilation {
		if d != 1 && kernel[i] != 1 {
			return n.fail("poolings with dilations %v are not supported", w.dilation)
		}
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
