package onnx

import (
	"slices"

	"github.com/causeway-sim/causeway/workloads/format/onnx/node"
	"github.com/causeway-sim/causeway/workloads/format/onnx/onnxpb"
	"github.com/causeway-sim/causeway/workloads/graph"

	"github.com/causeway-sim/causeway/workloads/format"
)

// Convolutions and poolings.
func init() {
	conv := func(n *onnxNode) error { return n.conv(n.In[0], n.In[1], n.Get(2), n.In[0].Elem) }
	onnxOps["Conv"] = onnxOp{2, 3, conv}
	onnxOps["ConvInteger"] = onnxOp{2, 4, func(n *onnxNode) error {
		return n.conv(n.In[0], n.In[1], nil, onnxpb.TensorProto_INT32)
	}}
	onnxOps["QLinearConv"] = onnxOp{8, 9, func(n *onnxNode) error {
		return n.conv(n.In[0], n.In[3], n.Get(8), n.In[7].Elem)
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

// conv imports a convolution of one to three spatial dimensions. One becomes an
// image of height 1. Three are lowered over depth: the kernel's depth slices
// become channels, which a move lays out (assumption: as im2col in software
// does), and the depth of the result becomes images.
func (n *onnxNode) conv(x, weight, bias *node.Value, elem node.ElemType) error {
	kernel, err := n.kernelShape(x, weight)
	if err != nil {
		return err
	}
	w, err := n.window(x, kernel)
	if err != nil {
		return err
	}
	groups := n.Int("group", 1)
	k, c := weight.Shape[0], x.Shape[1]
	if groups < 1 || groups > format.MaxDim || int64(weight.Shape[1])*groups != int64(c) || int64(k)%groups != 0 {
		return n.Fail("%d groups with input %v and weight %v (want channels = groups x weight channels, filters a multiple)", groups, x.Shape, weight.Shape)
	}
	shape := []int{x.Shape[0], k}
	for i := range kernel {
		o := w.out(i, x.Shape[2+i])
		if o < 1 {
			return n.Fail("the kernel %v with dilations %v is larger than the padded input %v", kernel, w.dilation, x.Shape[2:])
		}
		shape = append(shape, o)
	}
	out, err := n.Result(0, elem, shape...)
	if err != nil {
		return err
	}
	l := lowered{n: n, w: w, in: x, kernel: weight, out: out}
	kc := graph.Conv{N: x.Shape[0], C: c, K: k, Groups: int(groups)}
	switch len(kernel) {
	case 1:
		err = l.flat(c, k, shape[2])
	case 3:
		err = l.unfold(&kc, kernel, shape)
	}
	if err != nil {
		return err
	}
	in := l.in
	w = l.w
	kc.H, kc.W = in.Shape[2], in.Shape[3]
	kc.R, kc.S = w.kernel[0], w.kernel[1]
	kc.StrideH, kc.StrideW = w.stride[0], w.stride[1]
	kc.DilationH, kc.DilationW = w.dilation[0], w.dilation[1]
	kc.PadTop, kc.PadLeft, kc.PadBottom, kc.PadRight = w.before[0], w.before[1], w.after[0], w.after[1]
	return l.emit(kc, bias, out)
}

// A lowered convolution is one of two dimensions that stands for one of one or three.
type lowered struct {
	n               *onnxNode
	w               window
	in, kernel, out *node.Value
}

// flat makes one dimension an image of height 1; the kernel's channels are those of the weight's axis 1.
func (l *lowered) flat(c, k, width int) (err error) {
	x, weight := l.in, l.kernel
	l.w = l.w.flat()
	if l.in, err = l.n.Reshaped("in", x, x.Shape[0], c, 1, x.Shape[2]); err != nil {
		return err
	}
	l.kernel, err = l.n.Reshaped("weight", weight, weight.Shape[0], weight.Shape[1], 1, weight.Shape[2])
	l.out = l.n.Temp("out", l.out.Elem, x.Shape[0], k, 1, width)
	return err
}

// unfold lowers three dimensions over depth, and says in k how many images and channels there are.
func (l *lowered) unfold(k *graph.Conv, kernel, shape []int) (err error) {
	n, x, weight := l.n, l.in, l.kernel
	depth, slabs := shape[2], kernel[0]
	images, ok := format.Product(int64(x.Shape[0]), int64(depth))
	channels, ok2 := format.Product(int64(k.C), int64(slabs))
	if !ok || !ok2 || images > format.MaxDim || channels > format.MaxDim {
		return n.Fail("%d images of %d channels", images, channels)
	}
	k.N, k.C = int(images), int(channels)
	l.in = n.Temp("unfold", x.Elem, k.N, k.C, x.Shape[3], x.Shape[4])
	if _, ok := node.Dims([]int64{images, channels, int64(x.Shape[3]), int64(x.Shape[4])}); !ok {
		return n.Fail("unfolded over depth the input has more than 2^52 elements")
	}
	if err := n.EmitStep("unfold", graph.Move{Func: "unfold", Elements: l.in.Elements()}, []*node.Value{x}, l.in); err != nil {
		return err
	}
	l.kernel, err = n.Reshaped("weight", weight, k.K, weight.Shape[1]*slabs, kernel[1], kernel[2])
	l.out = n.Temp("out", l.out.Elem, k.N, k.K, shape[3], shape[4])
	l.w = l.w.tail()
	return err
}

// emit adds the convolution, and shows its result in the shape of out.
func (l *lowered) emit(k graph.Conv, bias, out *node.Value) error {
	n := l.n
	if err := k.Check(); err != nil {
		return n.Fail("%v", err)
	}
	if bias != nil && bias.Elements() != int64(k.K) {
		return n.Fail("the bias has shape %v (want %d)", bias.Shape, k.K)
	}
	if err := n.Emit(k, []*node.Value{l.in, l.kernel, bias}, l.out); err != nil || l.out == out {
		return err
	}
	return n.ViewAs("view", l.out, out)
}

// onnxFusedConv is a convolution with an optional sum and activation after it.
func onnxFusedConv(n *onnxNode) error {
	if err := n.conv(n.In[0], n.In[1], n.Get(2), n.In[0].Elem); err != nil {
		return err
	}
	then := func(step, fn string, ops int, in ...*node.Value) error {
		out := *n.Out[0]
		out.ID = graph.None
		out.Name += "." + step
		n.Out[0] = &out
		return n.elementwise(step, onnxMap{fn: fn, ops: ops}, in, nil, &out)
	}
	if n.Has(3) {
		if !slices.Equal(n.In[3].Shape, n.Out[0].Shape) {
			return n.Fail("it adds an array of shape %v to one of %v", n.In[3].Shape, n.Out[0].Shape)
		}
		if err := then("sum", "add", 1, n.Out[0], n.In[3]); err != nil {
			return err
		}
	}
	if act := n.Text("activation", ""); act != "" {
		f, ok := unaryMaps[act]
		if act == "Clip" {
			f, ok = onnxMap{fn: "clip"}, true
		}
		if !ok {
			return n.Fail("unknown activation %q", act)
		}
		return then("activation", f.fn, f.ops, n.Out[0])
	}
	return nil
}
