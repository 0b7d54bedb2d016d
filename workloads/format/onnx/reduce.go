package onnx

import (
	"slices"

	"github.com/causeway-sim/causeway/workloads/format/onnx/onnxpb"
	"github.com/causeway-sim/causeway/workloads/graph"
)

func (n *onnxNode) reduce(fn string) error {
	x := n.in[0]
	list, ok, err := n.listOr(1, "axes", "the axes")
	if err != nil {
		return err
	}
	if len(list) == 0 {
		if n.flag("noop_with_empty_axes") {
			return onnxSame(n)
		}
		ok = false
	}
	axes, err := n.axes(list, x.rank())
	if err != nil {
		return err
	}
	var shape []int
	keep := n.int("keepdims", 1) != 0
	for i, d := range x.shape {
		switch {
		case ok && !slices.Contains(axes, i):
			shape = append(shape, d)
		case keep:
			shape = append(shape, 1)
		}
	}
	if elementsOf(shape) == x.elements() && (fn == "sum" || fn == "mean" || fn == "max" || fn == "min" || fn == "prod") {
		return n.view(x, shape...)
	}
	out, err := n.result(0, x.elem, shape...)
	if err != nil {
		return err
	}
	if out.scalar() {
		out.data = foldReduce(fn, x)
	}
	return n.emit(graph.Reduce{Func: fn, Elements: x.elements(), Out: out.elements()}, n.in[:1], out)
}

// foldReduce reduces a known integer array to one number: the products and sums
// that shapes are made of.
func foldReduce(fn string, x *onnxValue) *constant {
	list, ok := x.ints()
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
	return &constant{ints: []int64{r}}
}

func onnxArg(n *onnxNode) error {
	x := n.in[0]
	axis, err := n.axis(n.int("axis", 0), x.rank())
	if err != nil {
		return err
	}
	shape := slices.Clone(x.shape)
	if shape[axis] = 1; n.int("keepdims", 1) == 0 {
		shape = slices.Delete(shape, axis, axis+1)
	}
	out, err := n.result(0, onnxpb.TensorProto_INT64, shape...)
	if err != nil {
		return err
	}
	return n.emit(graph.Reduce{Func: "argmax", Elements: x.elements(), Out: out.elements()}, n.in, out)
}

func onnxTopK(n *onnxNode) error {
	x := n.in[0]
	axis, err := n.axis(n.int("axis", -1), x.rank())
	if err != nil {
		return err
	}
	k := n.int("k", -1)
	if n.has(1) {
		list, err := n.known(1, "k")
		if err != nil {
			return err
		}
		if len(list) == 1 {
			k = list[0]
		}
	}
	if k < 0 || k > int64(x.shape[axis]) {
		return n.fail("k is %d, axis %d has %d", k, axis, x.shape[axis])
	}
	shape := slices.Clone(x.shape)
	shape[axis] = int(k)
	values, err := n.result(0, x.elem, shape...)
	if err != nil {
		return err
	}
	places, err := n.result(1, onnxpb.TensorProto_INT64, shape...)
	if err != nil {
		return err
	}
	return n.emit(graph.Reduce{Func: "topk", Elements: x.elements(), Out: values.elements()}, n.in[:1], values, places)
}
