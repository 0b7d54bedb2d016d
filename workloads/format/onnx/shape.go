package onnx

import (
	"math"
	"slices"

	"github.com/causeway-sim/causeway/workloads/format/onnx/node"
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
		n.Set(0, intConst(n.Name, nil, n.In[0].Elements()))
		return nil
	}}
	onnxOps["Constant"] = onnxOp{0, 0, onnxConstant}
	onnxOps["ConstantOfShape"] = onnxOp{1, 1, onnxConstantOfShape}
	onnxOps["Range"] = onnxOp{3, 3, onnxRange}
	onnxOps["NonZero"] = onnxOp{1, 1, onnxNonZero}
	onnxOps["EyeLike"] = onnxOp{1, 1, func(n *onnxNode) error {
		n.Set(0, node.NewConstant(n.Name, node.ElemType(n.Int("dtype", int64(n.In[0].Elem))), n.In[0].Shape...))
		return nil
	}}
}

// intConst is a constant of type int64. A nil shape is a scalar.
func intConst(name string, shape []int, values ...int64) *node.Value {
	v := node.NewConstant(name, onnxpb.TensorProto_INT64, shape...)
	v.Data = &node.Constant{Ints: values}
	return v
}

func onnxSame(n *onnxNode) error { n.Set(0, n.In[0]); return nil }

// onnxDropout passes its input on: this is inference. The mask is all true.
func onnxDropout(n *onnxNode) error {
	n.Set(0, n.In[0])
	n.Set(1, node.NewConstant(n.Name+".mask", onnxpb.TensorProto_BOOL, n.In[0].Shape...))
	return nil
}

func onnxReshape(n *onnxNode) error {
	v := n.In[0]
	want, ok, err := n.ListOr(1, "shape", "the shape")
	if err != nil {
		return err
	}
	if !ok {
		return n.Fail("it has no shape")
	}
	if shape, ok := reshapeTo(v.Shape, want, n.Flag("allowzero")); ok {
		return n.View(v, shape...)
	}
	// A model exported for one image that runs with more: a literal 1 in front
	// follows the batch.
	if b := n.Model.Rebatch; b > 0 && len(want) > 0 && want[0] == 1 {
		again := slices.Clone(want)
		again[0] = int64(b)
		if shape, ok := reshapeTo(v.Shape, again, n.Flag("allowzero")); ok {
			return n.View(v, shape...)
		}
	}
	return n.Fail("shape %v with %d elements cannot become %v", v.Shape, v.Elements(), want)
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
	n := node.Elements(from)
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
	v := n.In[0]
	axis := n.Int("axis", 1)
	if axis < -int64(v.Rank()) || axis > int64(v.Rank()) {
		return n.Fail("axis %d of an array with %d dimensions", axis, v.Rank())
	}
	if axis < 0 {
		axis += int64(v.Rank())
	}
	rows, cols := node.Elements(v.Shape[:axis]), node.Elements(v.Shape[axis:])
	if rows > format.MaxDim || cols > format.MaxDim {
		return n.Fail("%v flattened at axis %d has a dimension above %d", v.Shape, axis, format.MaxDim)
	}
	return n.View(v, int(rows), int(cols))
}

func onnxSqueeze(n *onnxNode) error {
	v := n.In[0]
	list, ok, err := n.ListOr(1, "axes", "the axes")
	if err != nil {
		return err
	}
	axes, err := n.Axes(list, v.Rank())
	if err != nil {
		return err
	}
	shape := []int{}
	for i, d := range v.Shape {
		drop := slices.Contains(axes, i)
		if drop && d != 1 {
			return n.Fail("axis %d of shape %v is not 1", i, v.Shape)
		}
		if !drop && (ok || d != 1) {
			shape = append(shape, d)
		}
	}
	return n.View(v, shape...)
}

func onnxUnsqueeze(n *onnxNode) error {
	v := n.In[0]
	list, ok, err := n.ListOr(1, "axes", "the axes")
	if err != nil {
		return err
	}
	if !ok || len(list) > 64 {
		return n.Fail("it has no axes, or more than 64")
	}
	axes, err := n.Axes(list, v.Rank()+len(list))
	if err != nil {
		return err
	}
	shape := slices.Clone(v.Shape)
	for _, a := range axes {
		shape = slices.Insert(shape, a, 1)
	}
	return n.View(v, shape...)
}

func onnxShape(n *onnxNode) error {
	shape := n.In[0].Shape
	clamp := func(a int64) int64 {
		if a < 0 {
			a += int64(len(shape))
		}
		return min(max(a, 0), int64(len(shape)))
	}
	from, to := clamp(n.Int("start", 0)), clamp(n.Int("end", int64(len(shape))))
	values := []int64{}
	for i := from; i < to; i++ {
		values = append(values, int64(shape[i]))
	}
	n.Set(0, intConst(n.Name, []int{len(values)}, values...))
	return nil
}

func onnxConstant(n *onnxNode) error {
	for _, name := range []string{"value", "value_int", "value_ints", "value_float", "value_floats"} {
		a := n.Attrs[name]
		if a == nil {
			continue
		}
		switch name {
		case "value":
			if a.T == nil {
				return n.Fail("attribute value holds no tensor")
			}
			v, err := n.Model.TensorConst(a.T, "the constant "+n.Name)
			if err != nil {
				return err
			}
			v.Name = n.Name
			n.Set(0, v)
		case "value_int":
			n.Set(0, intConst(n.Name, nil, n.Int(name, 0)))
		case "value_ints":
			list, _ := n.Ints(name)
			n.Set(0, intConst(n.Name, []int{len(list)}, append([]int64{}, list...)...))
		case "value_float":
			v := node.NewConstant(n.Name, onnxpb.TensorProto_FLOAT)
			v.Data = &node.Constant{Floats: []float64{n.Float(name, 0)}}
			n.Set(0, v)
		case "value_floats":
			list, _ := n.Floats(name)
			v := node.NewConstant(n.Name, onnxpb.TensorProto_FLOAT, len(list))
			v.Data = &node.Constant{Floats: append([]float64{}, list...)}
			n.Set(0, v)
		}
	}
	if len(n.Out) == 0 && n.Err == nil {
		return n.Fail("it has none of the attributes value, value_int, value_ints, value_float and value_floats")
	}
	return nil
}

func onnxConstantOfShape(n *onnxNode) error {
	want, err := n.Known(0, "the shape")
	if err != nil {
		return err
	}
	shape, ok := node.Dims(want)
	if !ok {
		return n.Fail("shape %v (want dimensions from 0 to %d and at most 2^52 elements)", want, format.MaxDim)
	}
	v := node.NewConstant(n.Name, onnxpb.TensorProto_FLOAT, shape...)
	fill := &node.Constant{Floats: []float64{0}}
	if a := n.Attr("value", onnxpb.AttributeProto_TENSOR); a != nil && a.T != nil {
		v.Elem = node.ElemType(a.T.DataType)
		one, err := n.Model.TensorConst(a.T, "the value")
		if err != nil {
			return err
		}
		if fill = one.Data; one.Elements() != 1 {
			return n.Fail("the value has %d elements (want 1)", one.Elements())
		}
	}
	if n.Wants(0) {
		v.Name = n.Proto.Output[0]
	}
	// Shapes are computed with integers; an array of floats is a weight.
	if fill != nil && v.Elements() <= node.MaxConstant && (fill.Ints != nil || v.Elements() <= 16) {
		v.Data = fill.Pick(make([]int, v.Elements()))
	}
	n.Set(0, v)
	return nil
}

func onnxRange(n *onnxNode) error {
	var x [3]float64
	for i, what := range []string{"the start", "the limit", "the step"} {
		v, err := n.KnownFloats(i, what)
		if err != nil {
			return err
		}
		if len(v) != 1 {
			return n.Fail("%s has %d elements (want 1)", what, len(v))
		}
		x[i] = v[0]
	}
	count := math.Ceil((x[1] - x[0]) / x[2])
	if x[2] == 0 || math.IsNaN(count) || count > format.MaxDim {
		return n.Fail("from %v to %v in steps of %v", x[0], x[1], x[2])
	}
	out := node.NewConstant(n.Name, n.In[0].Elem, int(max(count, 0)))
	if c := out.Shape[0]; c <= node.MaxConstant {
		if n.In[0].Data.Floats != nil {
			out.Data = &node.Constant{Floats: make([]float64, c)}
			for i := range c {
				out.Data.Floats[i] = x[0] + float64(i)*x[2]
			}
		} else {
			out.Data = &node.Constant{Ints: make([]int64, c)}
			for i := range c {
				out.Data.Ints[i] = wholeNumber(x[0] + float64(i)*x[2])
			}
		}
	}
	n.Set(0, out)
	return nil
}

// onnxNonZero lists the places of what is not zero, which older exporters use
// to count; known before the run only for constants.
func onnxNonZero(n *onnxNode) error {
	x, err := n.KnownFloats(0, "the array")
	if err != nil {
		return err
	}
	v := n.In[0]
	var places []int
	for i, f := range x {
		if f != 0 {
			places = append(places, i)
		}
	}
	values := make([]int64, 0, v.Rank()*len(places))
	for d, s := range node.Strides(v.Shape) {
		for _, p := range places {
			values = append(values, int64(p/s%v.Shape[d]))
		}
	}
	n.Set(0, intConst(n.Name, []int{v.Rank(), len(places)}, values...))
	return nil
}
