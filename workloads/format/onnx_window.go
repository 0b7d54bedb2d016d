package format

import (
	"slices"

	"github.com/causeway-sim/causeway/workloads/format/onnxpb"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// Convolutions and poolings.
func init() {
	conv := func(n *onnxNode) error { return n.conv(n.in[0], n.in[1], n.get(2), n.in[0].elem) }
	onnxOps["Conv"] = onnxOp{2, 3, conv}
	onnxOps["ConvInteger"] = onnxOp{2, 4, func(n *onnxNode) error {
		return n.conv(n.in[0], n.in[1], nil, onnxpb.TensorProto_INT32)
	}}
	onnxOps["QLinearConv"] = onnxOp{8, 9, func(n *onnxNode) error {
		return n.conv(n.in[0], n.in[3], n.get(8), n.in[7].elem)
	}}
	onnxOps["FusedConv"] = onnxOp{2, 4, onnxFusedConv}
	onnxOps["ConvTranspose"] = onnxOp{2, 3, onnxConvTranspose}
	onnxOps["MaxPool"] = onnxOp{1, 1, func(n *onnxNode) error { return n.pool(false) }}
	onnxOps["AveragePool"] = onnxOp{1, 1, func(n *onnxNode) error { return n.pool(true) }}
	onnxOps["LpPool"] = onnxOp{1, 1, func(n *onnxNode) error { return n.pool(true) }}
	onnxOps["GlobalAveragePool"] = onnxOp{1, 1, func(n *onnxNode) error { return n.globalPool(true) }}
	onnxOps["GlobalLpPool"] = onnxOp{1, 1, func(n *onnxNode) error { return n.globalPool(true) }}
	onnxOps["GlobalMaxPool"] = onnxOp{1, 1, func(n *onnxNode) error { return n.globalPool(false) }}
}

// A window is the geometry of a convolution or pooling, per spatial axis.
type window struct {
	kernel, stride, dilation []int
	before, after            []int // padding
}

// window reads the attributes of an operator on x with the given kernel.
func (n *onnxNode) window(x *onnxValue, kernel []int) (window, error) {
	axes := x.rank() - 2
	w := window{kernel: kernel, before: make([]int, axes), after: make([]int, axes)}
	var err error
	if w.stride, err = n.sizes("strides", axes, 1, 1); err != nil {
		return w, err
	}
	if w.dilation, err = n.sizes("dilations", axes, 1, 1); err != nil {
		return w, err
	}
	for i, k := range kernel {
		if int64(k-1)*int64(w.dilation[i]) >= maxDim {
			return w, n.fail("a kernel of %v with dilations %v", kernel, w.dilation)
		}
	}
	auto := n.text("auto_pad", "NOTSET")
	switch auto {
	case "NOTSET", "":
		pads, err := n.sizes("pads", 2*axes, 0, -maxDim)
		if err != nil {
			return w, err
		}
		copy(w.before, pads[:axes])
		copy(w.after, pads[axes:])
	case "VALID":
	case "SAME_UPPER", "SAME_LOWER":
		for i, k := range kernel {
			in, s := x.shape[2+i], w.stride[i]
			out := (in + s - 1) / s
			total := max((out-1)*s+(k-1)*w.dilation[i]+1-in, 0)
			w.before[i], w.after[i] = total/2, total-total/2
			if auto == "SAME_LOWER" {
				w.before[i], w.after[i] = w.after[i], w.before[i]
			}
		}
	default:
		return w, n.fail("auto_pad %q (want one of: NOTSET, VALID, SAME_UPPER, SAME_LOWER)", auto)
	}
	return w, nil
}

// out is the result's size on axis i by the floor rule.
func (w window) out(i, in int) int {
	room := in + w.before[i] + w.after[i] - (w.kernel[i]-1)*w.dilation[i] - 1
	if room < 0 {
		return 0
	}
	return room/w.stride[i] + 1
}

// kernelShape is the attribute, or what the weight says.
func (n *onnxNode) kernelShape(x, weight *onnxValue) ([]int, error) {
	if x.rank() < 3 || x.rank() > 5 {
		return nil, n.fail("the input has shape %v (want N, C and one to three spatial dimensions)", x.shape)
	}
	if slices.Contains(x.shape, 0) {
		return nil, n.fail("the input of shape %v has no elements", x.shape)
	}
	axes := x.rank() - 2
	if weight == nil {
		if n.attrs["kernel_shape"] == nil {
			return nil, n.fail("it has no kernel_shape")
		}
		return n.sizes("kernel_shape", axes, 1, 1)
	}
	if weight.rank() != x.rank() || slices.Contains(weight.shape, 0) {
		return nil, n.fail("the weight has shape %v, the input %v (want as many dimensions)", weight.shape, x.shape)
	}
	kernel, err := n.sizes("kernel_shape", axes, 1, 1)
	if err != nil {
		return nil, err
	}
	if n.attrs["kernel_shape"] != nil && !slices.Equal(kernel, weight.shape[2:]) {
		return nil, n.fail("kernel_shape %v, but the weight has shape %v", kernel, weight.shape)
	}
	return weight.shape[2:], nil
}

// conv imports a convolution of one to three spatial dimensions. One becomes an
// image of height 1. Three are lowered over depth: the kernel's depth slices
// become channels, which a move lays out (assumption: as im2col in software
// does), and the depth of the result becomes images.
func (n *onnxNode) conv(x, weight, bias *onnxValue, elem elemType) error {
	kernel, err := n.kernelShape(x, weight)
	if err != nil {
		return err
	}
	w, err := n.window(x, kernel)
	if err != nil {
		return err
	}
	groups := n.int("group", 1)
	k, c := weight.shape[0], x.shape[1]
	if groups < 1 || groups > maxDim || int64(weight.shape[1])*groups != int64(c) || int64(k)%groups != 0 {
		return n.fail("%d groups with input %v and weight %v (want channels = groups x weight channels, filters a multiple)", groups, x.shape, weight.shape)
	}
	shape := []int{x.shape[0], k}
	for i := range kernel {
		o := w.out(i, x.shape[2+i])
		if o < 1 {
			return n.fail("the kernel %v with dilations %v is larger than the padded input %v", kernel, w.dilation, x.shape[2:])
		}
		shape = append(shape, o)
	}
	out, err := n.result(0, elem, shape...)
	if err != nil {
		return err
	}
	kc := graph.Conv{N: x.shape[0], C: c, K: k, Groups: int(groups)}
	in, kern, res := x, weight, out
	switch len(kernel) {
	case 1:
		w = w.flat()
		if in, err = n.reshaped("in", x, x.shape[0], c, 1, x.shape[2]); err != nil {
			return err
		}
		if kern, err = n.reshaped("weight", weight, k, weight.shape[1], 1, weight.shape[2]); err != nil {
			return err
		}
		res = n.temp("out", elem, shape[0], k, 1, shape[2])
	case 3:
		depth, slabs := shape[2], kernel[0]
		images, ok := product(int64(x.shape[0]), int64(depth))
		channels, ok2 := product(int64(c), int64(slabs))
		if !ok || !ok2 || images > maxDim || channels > maxDim {
			return n.fail("%d images of %d channels", images, channels)
		}
		kc.N, kc.C = int(images), int(channels)
		in = n.temp("unfold", x.elem, kc.N, kc.C, x.shape[3], x.shape[4])
		if _, ok := dims([]int64{images, channels, int64(x.shape[3]), int64(x.shape[4])}); !ok {
			return n.fail("unfolded over depth the input has more than 2^52 elements")
		}
		if err := n.emitStep("unfold", graph.Move{Func: "unfold", Elements: in.elements()}, []*onnxValue{x}, in); err != nil {
			return err
		}
		if kern, err = n.reshaped("weight", weight, k, weight.shape[1]*slabs, kernel[1], kernel[2]); err != nil {
			return err
		}
		res = n.temp("out", elem, kc.N, k, shape[3], shape[4])
		w = w.tail()
	}
	kc.H, kc.W = in.shape[2], in.shape[3]
	kc.R, kc.S = w.kernel[0], w.kernel[1]
	kc.StrideH, kc.StrideW = w.stride[0], w.stride[1]
	kc.DilationH, kc.DilationW = w.dilation[0], w.dilation[1]
	kc.PadTop, kc.PadLeft, kc.PadBottom, kc.PadRight = w.before[0], w.before[1], w.after[0], w.after[1]
	if err := kc.Check(); err != nil {
		return n.fail("%v", err)
	}
	if bias != nil && bias.elements() != int64(k) {
		return n.fail("the bias has shape %v (want %d)", bias.shape, k)
	}
	if err := n.emit(kc, []*onnxValue{in, kern, bias}, res); err != nil {
		return err
	}
	if res == out {
		return nil
	}
	return n.viewAs("view", res, out)
}

// flat is a one-dimensional window as an image of height 1.
func (w window) flat() window {
	pre := func(v int, s []int) []int { return []int{v, s[0]} }
	return window{pre(1, w.kernel), pre(1, w.stride), pre(1, w.dilation), pre(0, w.before), pre(0, w.after)}
}

// tail is the window of the last two axes.
func (w window) tail() window {
	cut := func(s []int) []int { return s[len(s)-2:] }
	return window{cut(w.kernel), cut(w.stride), cut(w.dilation), cut(w.before), cut(w.after)}
}

// onnxFusedConv is a convolution with an optional sum and activation behind it.
func onnxFusedConv(n *onnxNode) error {
	if err := n.conv(n.in[0], n.in[1], n.get(2), n.in[0].elem); err != nil {
		return err
	}
	then := func(step, fn string, ops int, in ...*onnxValue) error {
		out := *n.out[0]
		out.id = graph.None
		out.name += "." + step
		n.out[0] = &out
		return n.elementwise(step, onnxMap{fn: fn, ops: ops}, in, nil, &out)
	}
	if n.has(3) {
		if !slices.Equal(n.in[3].shape, n.out[0].shape) {
			return n.fail("it adds an array of shape %v to one of %v", n.in[3].shape, n.out[0].shape)
		}
		if err := then("sum", "add", 1, n.out[0], n.in[3]); err != nil {
			return err
		}
	}
	if act := n.text("activation", ""); act != "" {
		f, ok := unaryMaps[act]
		if act == "Clip" {
			f, ok = onnxMap{fn: "clip"}, true
		}
		if !ok {
			return n.fail("unknown activation %q", act)
		}
		return then("activation", f.fn, f.ops, n.out[0])
	}
	return nil
}

// onnxConvTranspose: the weight is C, K/groups, R, S.
func onnxConvTranspose(n *onnxNode) error {
	x, weight := n.in[0], n.in[1]
	kernel, err := n.kernelShape(x, weight)
	if err != nil {
		return err
	}
	if len(kernel) == 3 {
		return n.fail("transposed convolutions of three dimensions are not supported")
	}
	axes := len(kernel)
	auto := n.text("auto_pad", "NOTSET")
	var w window
	if auto == "SAME_UPPER" || auto == "SAME_LOWER" { // other rules than those of Conv
		n.attrs["auto_pad"] = nil
	}
	if w, err = n.window(x, kernel); err != nil {
		return err
	}
	extra, err := n.sizes("output_padding", axes, 0, 0)
	if err != nil {
		return err
	}
	target, err := n.sizes("output_shape", axes, 0, 0)
	if err != nil {
		if target, err = n.sizes("output_shape", axes+2, 0, 0); err != nil { // some exporters give N and C too
			return err
		}
		target, n.err = target[2:], nil
	}
	groups := n.int("group", 1)
	c := x.shape[1]
	if groups < 1 || groups > maxDim || weight.shape[0] != c || int64(c)%groups != 0 || int64(weight.shape[1])*groups > maxDim {
		return n.fail("%d groups with input %v and weight %v", groups, x.shape, weight.shape)
	}
	k := weight.shape[1] * int(groups)
	shape := []int{x.shape[0], k}
	for i := range kernel {
		full := int64(x.shape[2+i]-1)*int64(w.stride[i]) + int64(kernel[i]-1)*int64(w.dilation[i]) + 1
		want := int64(target[i])
		if want == 0 && (auto == "SAME_UPPER" || auto == "SAME_LOWER") {
			want = int64(x.shape[2+i]) * int64(w.stride[i])
		}
		if want > 0 {
			total := full + int64(extra[i]) - want
			if total < 0 { // larger than the products reach: more rows at the end
				extra[i] += int(min(-total, maxDim))
				total = 0
			}
			half := int(total / 2)
			w.before[i], w.after[i] = int(total)-half, half
			if auto == "SAME_UPPER" {
				w.before[i], w.after[i] = half, int(total)-half
			}
		}
		o := full + int64(extra[i]) - int64(w.before[i]) - int64(w.after[i])
		if o < 1 || o > maxDim {
			return n.fail("the result would have %d rows or columns", o)
		}
		shape = append(shape, int(o))
	}
	out, err := n.result(0, x.elem, shape...)
	if err != nil {
		return err
	}
	in, kern, res := x, weight, out
	if axes == 1 {
		w, extra = w.flat(), []int{0, extra[0]}
		if in, err = n.reshaped("in", x, x.shape[0], c, 1, x.shape[2]); err != nil {
			return err
		}
		if kern, err = n.reshaped("weight", weight, c, weight.shape[1], 1, kernel[0]); err != nil {
			return err
		}
		res = n.temp("out", x.elem, shape[0], k, 1, shape[2])
	}
	kc := graph.Conv{
		N: x.shape[0], C: c, H: in.shape[2], W: in.shape[3], K: k, R: w.kernel[0], S: w.kernel[1],
		StrideH: w.stride[0], StrideW: w.stride[1], DilationH: w.dilation[0], DilationW: w.dilation[1],
		PadTop: w.before[0], PadLeft: w.before[1], PadBottom: w.after[0], PadRight: w.after[1],
		Groups: int(groups), Transposed: true, OutPadH: extra[0], OutPadW: extra[1],
	}
	if err := kc.Check(); err != nil {
		return n.fail("%v", err)
	}
	if b := n.get(2); b != nil && b.elements() != int64(k) {
		return n.fail("the bias has shape %v (want %d)", b.shape, k)
	}
	if err := n.emit(kc, []*onnxValue{in, kern, n.get(2)}, res); err != nil || res == out {
		return err
	}
	return n.viewAs("view", res, out)
}

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
