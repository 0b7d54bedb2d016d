package onnx

import (
	"github.com/causeway-sim/causeway/workloads/format/onnx/node"
	"github.com/causeway-sim/causeway/workloads/graph"

	"github.com/causeway-sim/causeway/workloads/format"
)

// onnxConvTranspose: the weight is C, K/groups, R, S.
func onnxConvTranspose(n *onnxNode) error {
	x, weight := n.In[0], n.In[1]
	kernel, err := n.kernelShape(x, weight)
	if err != nil {
		return err
	}
	if len(kernel) == 3 {
		return n.Fail("transposed convolutions of three dimensions are not supported")
	}
	axes := len(kernel)
	auto := n.Text("auto_pad", "NOTSET")
	var w window
	if auto == "SAME_UPPER" || auto == "SAME_LOWER" { // other rules than those of Conv
		n.Attrs["auto_pad"] = nil
	}
	if w, err = n.window(x, kernel); err != nil {
		return err
	}
	extra, err := n.Sizes("output_padding", axes, 0, 0)
	if err != nil {
		return err
	}
	target, err := n.outputShape(axes)
	if err != nil {
		return err
	}
	groups := n.Int("group", 1)
	c := x.Shape[1]
	if groups < 1 || groups > format.MaxDim || weight.Shape[0] != c || int64(c)%groups != 0 || int64(weight.Shape[1])*groups > format.MaxDim {
		return n.Fail("%d groups with input %v and weight %v", groups, x.Shape, weight.Shape)
	}
	k := weight.Shape[1] * int(groups)
	shape := []int{x.Shape[0], k}
	spatial, err := n.transposedSizes(x, w, auto, extra, target)
	if err != nil {
		return err
	}
	shape = append(shape, spatial...)
	out, err := n.Result(0, x.Elem, shape...)
	if err != nil {
		return err
	}
	l := lowered{n: n, w: w, in: x, kernel: weight, out: out}
	if axes == 1 {
		extra = []int{0, extra[0]}
		if err := l.flat(c, k, shape[2]); err != nil {
			return err
		}
	}
	in := l.in
	w = l.w
	return l.emit(graph.Conv{
		N: x.Shape[0], C: c, H: in.Shape[2], W: in.Shape[3], K: k, R: w.kernel[0], S: w.kernel[1],
		StrideH: w.stride[0], StrideW: w.stride[1], DilationH: w.dilation[0], DilationW: w.dilation[1],
		PadTop: w.before[0], PadLeft: w.before[1], PadBottom: w.after[0], PadRight: w.after[1],
		Groups: int(groups), Transposed: true, OutPadH: extra[0], OutPadW: extra[1],
	}, n.Get(2), out)
}

// outputShape is the attribute output_shape of a transposed convolution; zeros where it has none.
func (n *onnxNode) outputShape(axes int) ([]int, error) {
	if target, err := n.Sizes("output_shape", axes, 0, 0); err == nil {
		return target, nil
	}
	target, err := n.Sizes("output_shape", axes+2, 0, 0) // some exporters give N and C too
	if err != nil {
		return nil, err
	}
	n.Err = nil
	return target[2:], nil
}

// transposedSizes returns the rows and columns of the result. Where they are given (target), or
// follow from auto_pad, it sets the padding of w, and enlarges extra if the products do not
// reach that far.
func (n *onnxNode) transposedSizes(x *node.Value, w window, auto string, extra, target []int) (shape []int, err error) {
	for i := range w.kernel {
		full := int64(x.Shape[2+i]-1)*int64(w.stride[i]) + int64(w.kernel[i]-1)*int64(w.dilation[i]) + 1
		want := int64(target[i])
		if want == 0 && (auto == "SAME_UPPER" || auto == "SAME_LOWER") {
			want = int64(x.Shape[2+i]) * int64(w.stride[i])
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
			return nil, n.Fail("the result would have %d rows or columns", o)
		}
		shape = append(shape, int(o))
	}
	return shape, nil
}
