package onnx

import (
	"github.com/causeway-sim/causeway/workloads/graph"

	"github.com/causeway-sim/causeway/workloads/format"
)

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
	if groups < 1 || groups > format.MaxDim || weight.shape[0] != c || int64(c)%groups != 0 || int64(weight.shape[1])*groups > format.MaxDim {
		return n.fail("%d groups with input %v and weight %v", groups, x.shape, weight.shape)
	}
	k := weight.shape[1] * int(groups)
	shape := []int{x.shape[0], k}
	spatial, err := n.transposedSizes(x, w, auto, extra, target)
	if err != nil {
		return err
	}
	shape = append(shape, spatial...)
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

// transposedSizes returns the rows and columns of the result. Where they are given (target), or
// follow from auto_pad, it sets the padding of w, and enlarges extra if the products do not
// reach that far.
func (n *onnxNode) transposedSizes(x *onnxValue, w window, auto string, extra, target []int) (shape []int, err error) {
	for i := range w.kernel {
		full := int64(x.shape[2+i]-1)*int64(w.stride[i]) + int64(w.kernel[i]-1)*int64(w.dilation[i]) + 1
		want := int64(target[i])
		if want == 0 && (auto == "SAME_UPPER" || auto == "SAME_LOWER") {
			want = int64(x.shape[2+i]) * int64(w.stride[i])
		}
		if want > 0 {
			total := full + int64(extra[i]) - want
			if total < 0 { // larger than the products reach: more rows at the end
				extra[i] += int(min(-total, format.MaxDim))
				total = 0
			}
			half := int(total / 2)
			w.before[i], w.after[i] = int(total)-half, half
			if auto == "SAME_UPPER" {
				w.before[i], w.after[i] = half, int(total)-half
			}
		}
		o := full + int64(extra[i]) - int64(w.before[i]) - int64(w.after[i])
		if o < 1 || o > format.MaxDim {
			return nil, n.fail("the result would have %d rows or columns", o)
		}
		shape = append(shape, int(o))
	}
	return shape, nil
}
