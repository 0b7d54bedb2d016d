package onnx

import (
	"math"
	"slices"

	"github.com/causeway-sim/causeway/workloads/format/onnx/onnxpb"

	"github.com/causeway-sim/causeway/workloads/format"
)

// Operators that see the same elements with another shape, and those that make
// shapes.
func init() {
	onnxOps["Reshape"] = onnxOp{1, 2, onnxReshape}
	onnxOps["Flatten"] = onnxOp{1, 1, onnxFlatten}
	onnxOps["Squeeze"] = onnxOp{1, 2, onnxSqueeze}
	onnxOps["Unsqueeze"] = onnxOp{1, 2, onnxUnsqueeze}
	onnxOps["Identity"] = onnxOp{1, 1, onnxSame}
	onnxOps["Dropout"] = onnxOp{1, 3, onnxDropout}
	onnxOps["Shape"] = onnxOp{1, 1, onnxShape}
	onnxOps["Size"] = onnxOp{1, 1, func(n *onnxNode) error {
		n.set(0, intConst(n.name, nil, n.in[0].elements()))
		return nil
	}}
	onnxOps["Constant"] = onnxOp{0, 0, onnxConstant}
	onnxOps["ConstantOfShape"] = onnxOp{1, 1, onnxConstantOfShape}
	onnxOps["Range"] = onnxOp{3, 3, onnxRange}
	onnxOps["NonZero"] = onnxOp{1, 1, onnxNonZero}
	onnxOps["EyeLike"] = onnxOp{1, 1, func(n *onnxNode) error {
		n.set(0, newConst(n.name, elemType(n.int("dtype", int64(n.in[0].elem))), n.in[0].shape...))
		return nil
	}}
}

// intConst is a constant of type int64. A nil shape is a scalar.
func intConst(name string, shape []int, values ...int64) *onnxValue {
	v := newConst(name, onnxpb.TensorProto_INT64, shape...)
	v.data = &constant{ints: values}
	return v
}

func onnxSame(n *onnxNode) error { n.set(0, n.in[0]); return nil }

// onnxDropout passes its input on: this is inference. The mask is all true.
func onnxDropout(n *onnxNode) error {
	n.set(0, n.in[0])
	n.set(1, newConst(n.name+".mask", onnxpb.TensorProto_BOOL, n.in[0].shape...))
	return nil
}

func onnxReshape(n *onnxNode) error {
	v := n.in[0]
	want, ok, err := n.listOr(1, "shape", "the shape")
	if err != nil {
		return err
	}
	if !ok {
		return n.fail("it has no shape")
	}
	if shape, ok := reshapeTo(v.shape, want, n.flag("allowzero")); ok {
		return n.view(v, shape...)
	}
	// A model exported for one image that runs with more: a literal 1 in front
	// follows the batch.
	if b := n.m.rebatch; b > 0 && len(want) > 0 && want[0] == 1 {
		again := slices.Clone(want)
		again[0] = int64(b)
		if shape, ok := reshapeTo(v.shape, again, n.flag("allowzero")); ok {
			return n.view(v, shape...)
		}
	}
	return n.fail("shape %v with %d elements cannot become %v", v.shape, v.elements(), want)
}

// reshapeTo resolves 0 (as before) and -1 (what is left).
func reshapeTo(from []int, want []int64, allowZero bool) ([]int, bool) {
	out := make([]int, len(want))
	rest, known := -1, int64(1)
	for i, d := range want {
		switch {
		case d == 0 && !allowZero:
			if i >= len(from) {
				return nil, false
			}
			out[i] = from[i]
		case d == -1:
			if rest >= 0 {
				return nil, false
			}
			rest = i
			continue
		case d < 0 || d > format.MaxDim:
			return nil, false
		default:
			out[i] = int(d)
		}
		var fits bool
		if known, fits = format.Product(known, int64(out[i])); !fits {
			return nil, false
		}
	}
	n := elementsOf(from)
	if rest >= 0 {
		if known == 0 || n%known != 0 || n/known > format.MaxDim {
			return nil, false
		}
		out[rest] = int(n / known)
		known = n
	}
	return out, known == n
}

func onnxFlatten(n *onnxNode) error {
	v := n.in[0]
	axis := n.int("axis", 1)
	if axis < -int64(v.rank()) || axis > int64(v.rank()) {
		return n.fail("axis %d of an array with %d dimensions", axis, v.rank())
	}
	if axis < 0 {
		axis += int64(v.rank())
	}
	rows, cols := elementsOf(v.shape[:axis]), elementsOf(v.shape[axis:])
	if rows > format.MaxDim || cols > format.MaxDim {
		return n.fail("%v flattened at axis %d has a dimension above %d", v.shape, axis, format.MaxDim)
	}
	return n.view(v, int(rows), int(cols))
}

func onnxSqueeze(n *onnxNode) error {
	v := n.in[0]
	list, ok, err := n.listOr(1, "axes", "the axes")
	if err != nil {
		return err
	}
	axes, err := n.axes(list, v.rank())
	if err != nil {
		return err
	}
	shape := []int{}
	for i, d := range v.shape {
		drop := slices.Contains(axes, i)
		if drop && d != 1 {
			return n.fail("axis %d of shape %v is not 1", i, v.shape)
		}
		if !drop && (ok || d != 1) {
			shape = append(shape, d)
		}
	}
	return n.view(v, shape...)
}

func onnxUnsqueeze(n *onnxNode) error {
	v := n.in[0]
	list, ok, err := n.listOr(1, "axes", "the axes")
	if err != nil {
		return err
	}
	if !ok || len(list) > 64 {
		return n.fail("it has no axes, or more than 64")
	}
	axes, err := n.axes(list, v.rank()+len(list))
	if err != nil {
		return err
	}
	shape := slices.Clone(v.shape)
	for _, a := range axes {
		shape = slices.Insert(shape, a, 1)
	}
	return n.view(v, shape...)
}

func onnxShape(n *onnxNode) error {
	shape := n.in[0].shape
	clamp := func(a int64) int64 {
		if a < 0 {
			a += int64(len(shape))
		}
		return min(max(a, 0), int64(len(shape)))
	}
	from, to := clamp(n.int("start", 0)), clamp(n.int("end", int64(len(shape))))
	values := []int64{}
	for i := from; i < to; i++ {
		values = append(values, int64(shape[i]))
	}
	n.set(0, intConst(n.name, []int{len(values)}, values...))
	return nil
}

func onnxConstant(n *onnxNode) error {
	for _, name := range []string{"value", "value_int", "value_ints", "value_float", "value_floats"} {
		a := n.attrs[name]
		if a == nil {
			continue
		}
		switch name {
		case "value":
			if a.T == nil {
				return n.fail("attribute value holds no tensor")
			}
			v, err := n.m.tensorConst(a.T, "the constant "+n.name)
			if err != nil {
				return err
			}
			v.name = n.name
			n.set(0, v)
		case "value_int":
			n.set(0, intConst(n.name, nil, n.int(name, 0)))
		case "value_ints":
			list, _ := n.ints(name)
			n.set(0, intConst(n.name, []int{len(list)}, append([]int64{}, list...)...))
		case "value_float":
			v := newConst(n.name, onnxpb.TensorProto_FLOAT)
			v.data = &constant{floats: []float64{n.float(name, 0)}}
			n.set(0, v)
		case "value_floats":
			list, _ := n.floats(name)
			v := newConst(n.name, onnxpb.TensorProto_FLOAT, len(list))
			v.data = &constant{floats: append([]float64{}, list...)}
			n.set(0, v)
		}
	}
	if len(n.out) == 0 && n.err == nil {
		return n.fail("it has none of the attributes value, value_int, value_ints, value_float and value_floats")
	}
	return nil
}

func onnxConstantOfShape(n *onnxNode) error {
	want, err := n.known(0, "the shape")
	if err != nil {
		return err
	}
	shape, ok := dims(want)
	if !ok {
		return n.fail("shape %v (want dimensions from 0 to %d and at most 2^52 elements)", want, format.MaxDim)
	}
	v := newConst(n.name, onnxpb.TensorProto_FLOAT, shape...)
	fill := &constant{floats: []float64{0}}
	if a := n.attr("value", onnxpb.AttributeProto_TENSOR); a != nil && a.T != nil {
		v.elem = elemType(a.T.DataType)
		one, err := n.m.tensorConst(a.T, "the value")
		if err != nil {
			return err
		}
		if fill = one.data; one.elements() != 1 {
			return n.fail("the value has %d elements (want 1)", one.elements())
		}
	}
	if n.wants(0) {
		v.name = n.pb.Output[0]
	}
	// Shapes are computed with integers; an array of floats is a weight.
	if fill != nil && v.elements() <= maxConst && (fill.ints != nil || v.elements() <= 16) {
		v.data = fill.pick(make([]int, v.elements()))
	}
	n.set(0, v)
	return nil
}

func onnxRange(n *onnxNode) error {
	var x [3]float64
	for i, what := range []string{"the start", "the limit", "the step"} {
		v, err := n.knownFloats(i, what)
		if err != nil {
			return err
		}
		if len(v) != 1 {
			return n.fail("%s has %d elements (want 1)", what, len(v))
		}
		x[i] = v[0]
	}
	count := math.Ceil((x[1] - x[0]) / x[2])
	if x[2] == 0 || math.IsNaN(count) || count > format.MaxDim {
		return n.fail("from %v to %v in steps of %v", x[0], x[1], x[2])
	}
	out := newConst(n.name, n.in[0].elem, int(max(count, 0)))
	if c := out.shape[0]; c <= maxConst {
		if n.in[0].data.floats != nil {
			out.data = &constant{floats: make([]float64, c)}
			for i := range c {
				out.data.floats[i] = x[0] + float64(i)*x[2]
			}
		} else {
			out.data = &constant{ints: make([]int64, c)}
			for i := range c {
				out.data.ints[i] = wholeNumber(x[0] + float64(i)*x[2])
			}
		}
	}
	n.set(0, out)
	return nil
}

// onnxNonZero lists the places of what is not zero, which older exporters use
// to count; known before the run only for constants.
func onnxNonZero(n *onnxNode) error {
	x, err := n.knownFloats(0, "the array")
	if err != nil {
		return err
	}
	v := n.in[0]
	var places []int
	for i, f := range x {
		if f != 0 {
			places = append(places, i)
		}
	}
	values := make([]int64, 0, v.rank()*len(places))
	for d, s := range strides(v.shape) {
		for _, p := range places {
			values = append(values, int64(p/s%v.shape[d]))
		}
	}
	n.set(0, intConst(n.name, []int{v.rank(), len(places)}, values...))
	return nil
}
