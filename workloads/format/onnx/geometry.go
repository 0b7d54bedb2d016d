package onnx

import (
	"slices"

	"github.com/causeway-sim/causeway/workloads/format"
	"github.com/causeway-sim/causeway/workloads/format/onnx/node"
)

// A window is the geometry of a convolution or pooling, per spatial axis.
type window struct {
	kernel, stride, dilation []int
	before, after            []int // padding
}

// window reads the attributes of an operator on x with the given kernel.
func (n *onnxNode) window(x *node.Value, kernel []int) (window, error) {
	axes := x.Rank() - 2
	w := window{kernel: kernel, before: make([]int, axes), after: make([]int, axes)}
	var err error
	if w.stride, err = n.Sizes("strides", axes, 1, 1); err != nil {
		return w, err
	}
	if w.dilation, err = n.Sizes("dilations", axes, 1, 1); err != nil {
		return w, err
	}
	for i, k := range kernel {
		if int64(k-1)*int64(w.dilation[i]) >= format.MaxDim {
			return w, n.Fail("a kernel of %v with dilations %v", kernel, w.dilation)
		}
	}
	auto := n.Text("auto_pad", "NOTSET")
	switch auto {
	case "NOTSET", "":
		pads, err := n.Sizes("pads", 2*axes, 0, -format.MaxDim)
		if err != nil {
			return w, err
		}
		copy(w.before, pads[:axes])
		copy(w.after, pads[axes:])
	case "VALID":
	case "SAME_UPPER", "SAME_LOWER":
		for i, k := range kernel {
			in, s := x.Shape[2+i], w.stride[i]
			out := (in + s - 1) / s
			total := max((out-1)*s+(k-1)*w.dilation[i]+1-in, 0)
			w.before[i], w.after[i] = total/2, total-total/2
			if auto == "SAME_LOWER" {
				w.before[i], w.after[i] = w.after[i], w.before[i]
			}
		}
	default:
		return w, n.Fail("auto_pad %q (want one of: NOTSET, VALID, SAME_UPPER, SAME_LOWER)", auto)
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

// kernelShape is the attribute, or else that of the weight.
func (n *onnxNode) kernelShape(x, weight *node.Value) ([]int, error) {
	if x.Rank() < 3 || x.Rank() > 5 {
		return nil, n.Fail("the input has shape %v (want N, C and one to three spatial dimensions)", x.Shape)
	}
	if slices.Contains(x.Shape, 0) {
		return nil, n.Fail("the input of shape %v has no elements", x.Shape)
	}
	axes := x.Rank() - 2
	if weight == nil {
		if n.Attrs["kernel_shape"] == nil {
			return nil, n.Fail("it has no kernel_shape")
		}
		return n.Sizes("kernel_shape", axes, 1, 1)
	}
	if weight.Rank() != x.Rank() || slices.Contains(weight.Shape, 0) {
		return nil, n.Fail("the weight has shape %v, the input %v (want as many dimensions)", weight.Shape, x.Shape)
	}
	kernel, err := n.Sizes("kernel_shape", axes, 1, 1)
	if err != nil {
		return nil, err
	}
	if n.Attrs["kernel_shape"] != nil && !slices.Equal(kernel, weight.Shape[2:]) {
		return nil, n.Fail("kernel_shape %v, but the weight has shape %v", kernel, weight.Shape)
	}
	return weight.Shape[2:], nil
}

// outCeil is the same by the ceil rule: a last window that is not full counts,
// unless it would begin after the input (MaxPool-22).
func (w window) outCeil(i, in int) int {
	room := in + w.before[i] + w.after[i] - (w.kernel[i]-1)*w.dilation[i] - 1
	n := (room+w.stride[i]-1)/w.stride[i] + 1
	if (n-1)*w.stride[i] >= in+w.before[i] {
		n--
	}
	return n
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
