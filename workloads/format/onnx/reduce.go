package onnx

import (
	"slices"

	"github.com/causeway-sim/causeway/workloads/format/onnx/node"
	"github.com/causeway-sim/causeway/workloads/format/onnx/onnxpb"
	"github.com/causeway-sim/causeway/workloads/graph"
)

func (n *onnxNode) reduce(fn string) error {
	x := n.In[0]
	list, ok, err := n.ListOr(1, "axes", "the axes")
	if err != nil {
		return err
	}
	if len(list) == 0 {
		if n.Flag("noop_with_empty_axes") {
			return onnxSame(n)
		}
		ok = false
	}
	axes, err := n.Axes(list, x.Rank())
	if err != nil {
		return err
	}
	var shape []int
	keep := n.Int("keepdims", 1) != 0
	for i, d := range x.Shape {
		switch {
		case ok && !slices.Contains(axes, i):
			shape = append(shape, d)
		case keep:
			shape = append(shape, 1)
		}
	}
	if node.Elements(shape) == x.Elements() && (fn == "sum" || fn == "mean" || fn == "max" || fn == "min" || fn == "prod") {
		return n.View(x, shape...)
	}
	out, err := n.Result(0, x.Elem, shape...)
	if err != nil {
		return err
	}
	if out.Scalar() {
		out.Data = foldReduce(fn, x)
	}
	return n.Emit(graph.Reduce{Func: fn, Elements: x.Elements(), Out: out.Elements()}, n.In[:1], out)
}

// foldReduce reduces a known integer array to one number: the products and sums
// that shapes are made of.
func foldReduce(fn string, x *node.Value) *node.Constant {
	list, ok := x.Ints()
	if !ok || len(list) == 0 {
		return nil
	}
	r := list[0]
	for _, v := range list[1:] {
		switch fn {
		case "sum":
			r += v
		case "prod":
			r *= v
		case "max":
			r = max(r, v)
		case "min":
			r = min(r, v)
		default:
			return nil
		}
	}
	if fn != "sum" && fn != "prod" && fn != "max" && fn != "min" {
		return nil
	}
	return &node.Constant{Ints: []int64{r}}
}

func onnxArg(n *onnxNode) error {
	x := n.In[0]
	axis, err := n.Axis(n.Int("axis", 0), x.Rank())
	if err != nil {
		return err
	}
	shape := slices.Clone(x.Shape)
	if shape[axis] = 1; n.Int("keepdims", 1) == 0 {
		shape = slices.Delete(shape, axis, axis+1)
	}
	out, err := n.Result(0, onnxpb.TensorProto_INT64, shape...)
	if err != nil {
		return err
	}
	return n.Emit(graph.Reduce{Func: "argmax", Elements: x.Elements(), Out: out.Elements()}, n.In, out)
}

func onnxTopK(n *onnxNode) error {
	x := n.In[0]
	axis, err := n.Axis(n.Int("axis", -1), x.Rank())
	if err != nil {
		return err
	}
	k := n.Int("k", -1)
	if n.Has(1) {
		list, err := n.Known(1, "k")
		if err != nil {
			return err
		}
		if len(list) == 1 {
			k = list[0]
		}
	}
	if k < 0 || k > int64(x.Shape[axis]) {
		return n.Fail("k is %d, axis %d has %d", k, axis, x.Shape[axis])
	}
	shape := slices.Clone(x.Shape)
	shape[axis] = int(k)
	values, err := n.Result(0, x.Elem, shape...)
	if err != nil {
		return err
	}
	places, err := n.Result(1, onnxpb.TensorProto_INT64, shape...)
	if err != nil {
		return err
	}
	return n.Emit(graph.Reduce{Func: "topk", Elements: x.Elements(), Out: values.Elements()}, n.In[:1], values, places)
}
