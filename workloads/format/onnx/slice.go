package onnx

import (
	"slices"

	"github.com/causeway-sim/causeway/workloads/format/onnx/node"
	"github.com/causeway-sim/causeway/workloads/graph"

	"github.com/causeway-sim/causeway/workloads/format"
)

func onnxSplit(n *onnxNode) error {
	v := n.In[0]
	axis, err := n.Axis(n.Int("axis", 0), v.Rank())
	if err != nil {
		return err
	}
	parts := len(n.Proto.Output)
	sizes, ok, err := n.ListOr(1, "split", "the sizes")
	if err != nil {
		return err
	}
	if !ok {
		if k := n.Int("num_outputs", int64(parts)); k != int64(parts) || parts == 0 {
			return n.Fail("num_outputs is %d, but it has %d results", k, parts)
		}
		chunk := (v.Shape[axis] + parts - 1) / parts // the last one is smaller
		for i := range parts {
			sizes = append(sizes, int64(min(chunk, max(v.Shape[axis]-i*chunk, 0))))
		}
	}
	sum := int64(0)
	for _, s := range sizes {
		if s < 0 || s > format.MaxDim {
			return n.Fail("the sizes %v", sizes)
		}
		sum += s
	}
	if len(sizes) != parts || sum != int64(v.Shape[axis]) {
		return n.Fail("the sizes %v do not divide axis %d of %v among %d results", sizes, axis, v.Shape, parts)
	}
	moved := int64(0)
	if node.Elements(v.Shape[:axis]) != 1 { // else each part is a run of the input: a view
		moved = v.Elements()
	}
	step := node.Strides(v.Shape)
	begin := 0
	var outs []*node.Value
	for i, s := range sizes {
		shape := slices.Clone(v.Shape)
		shape[axis] = int(s)
		out, err := n.Result(i, v.Elem, shape...)
		if err != nil {
			return err
		}
		if v.Data != nil && out.Elements() <= node.MaxConstant {
			out.Data = v.Data.Pick(gatherAt(shape, begin*step[axis], step))
		}
		begin += int(s)
		if out.Elements() > 0 {
			outs = append(outs, out)
		}
	}
	return n.Emit(graph.Move{Func: "split", Elements: moved}, n.In[:1], outs...)
}

func onnxSlice(n *onnxNode) error {
	v := n.In[0]
	starts, ok1, err1 := n.ListOr(1, "starts", "the starts")
	ends, ok2, err2 := n.ListOr(2, "ends", "the ends")
	axes, ok3, err3 := n.ListOr(3, "axes", "the axes")
	for _, err := range []error{err1, err2, err3} {
		if err != nil {
			return err
		}
	}
	if !ok3 {
		for i := range starts {
			axes = append(axes, int64(i))
		}
	}
	steps := make([]int64, len(starts))
	for i := range steps {
		steps[i] = 1
	}
	if n.Has(4) {
		var err error
		if steps, err = n.Known(4, "the steps"); err != nil {
			return err
		}
	}
	if !ok1 || !ok2 || len(ends) != len(starts) || len(axes) != len(starts) || len(steps) != len(starts) {
		return n.Fail("%d starts, %d ends, %d axes and %d steps (want as many of each)", len(starts), len(ends), len(axes), len(steps))
	}
	if _, err := n.Axes(axes, v.Rank()); err != nil {
		return err
	}
	shape, step, begin := slices.Clone(v.Shape), node.Strides(v.Shape), 0
	for i, a := range axes {
		if a < 0 {
			a += int64(v.Rank())
		}
		if steps[i] == 0 {
			return n.Fail("the step of axis %d is 0", a)
		}
		s := min(max(steps[i], -format.MaxDim), format.MaxDim)
		from, count := clampRange(starts[i], ends[i], s, int64(v.Shape[a]))
		if shape[a] = int(max(count, 0)); shape[a] > 0 {
			begin += int(from) * step[a]
		}
		step[a] *= int(s)
	}
	return n.slice(v, begin, shape, step)
}

// clampRange is where a slice of an axis begins, and how many elements it has; negative bounds
// count from the end of the axis.
func clampRange(from, to, step, size int64) (begin, count int64) {
	if from < 0 {
		from += size
	}
	if to < 0 {
		to += size
	}
	if step > 0 {
		from, to = min(max(from, 0), size), min(max(to, 0), size)
		return from, (to - from + step - 1) / step
	}
	from, to = min(max(from, 0), size-1), min(max(to, -1), size-1)
	return from, (to - from + step + 1) / step
}

// slice is a strided part of v. One that is a run of elements is a view.
func (n *onnxNode) slice(v *node.Value, begin int, shape, step []int) error {
	if slices.Equal(shape, v.Shape) && begin == 0 {
		n.Set(0, v)
		return nil
	}
	out, err := n.Result(0, v.Elem, shape...)
	if err != nil {
		return err
	}
	if v.Data != nil && out.Elements() <= node.MaxConstant {
		out.Data = v.Data.Pick(gatherAt(shape, begin, step))
	}
	k := graph.Move{Func: "slice", Elements: out.Elements()}
	run := true
	next := 1
	for d := len(shape) - 1; d >= 0; d-- {
		if shape[d] > 1 {
			run = run && step[d] == next
		}
		next *= shape[d]
	}
	if run {
		k.Elements = 0
	}
	return n.Emit(k, []*node.Value{v}, out)
}

// onnxGather picks slices along an axis by index. Rows of a table become a
// Gather of the graph; with known indices it is a slice.
func onnxGather(n *onnxNode) error {
	v, index := n.In[0], n.In[1]
	if v.Rank() == 0 {
		return n.Fail("it gathers from a scalar")
	}
	axis, err := n.Axis(n.Int("axis", 0), v.Rank())
	if err != nil {
		return err
	}
	shape := slices.Concat(v.Shape[:axis], index.Shape, v.Shape[axis+1:])
	list, known := index.Ints()
	for _, i := range list {
		if known && (i < -int64(v.Shape[axis]) || i >= int64(v.Shape[axis])) {
			return n.Fail("index %d of axis %d, which has %d", i, axis, v.Shape[axis])
		}
	}
	if v.Const && index.Const || axis > 0 || known {
		if known && len(list) == 1 {
			return n.gatherOne(v, index.Rank(), axis, list[0], shape)
		}
		return n.Move("gather", v, func(out *node.Value) []int {
			if !known {
				return nil
			}
			return gathered(v.Shape, axis, list)
		}, shape...)
	}
	out, err := n.Result(0, v.Elem, shape...)
	if err != nil {
		return err
	}
	k := graph.Gather{Rows: index.Elements(), Cols: node.Elements(v.Shape[1:]), Table: int64(v.Shape[0])}
	return n.Emit(k, n.In, out)
}

// gatherOne is a gather of one index: a slice. rank is that of the index.
func (n *onnxNode) gatherOne(v *node.Value, rank, axis int, i int64, shape []int) error {
	if i < 0 {
		i += int64(v.Shape[axis])
	}
	old := node.Strides(v.Shape)
	var step []int
	for d := range shape {
		switch {
		case d < axis:
			step = append(step, old[d])
		case d < axis+rank:
			step = append(step, 0)
		default:
			step = append(step, old[d-rank+1])
		}
	}
	return n.slice(v, int(i)*old[axis], shape, step)
}

// gathered is which elements of an array the slices at some indices of an axis are.
func gathered(shape []int, axis int, list []int64) (at []int) {
	chunk := int(node.Elements(shape[axis+1:]))
	for o := range int(node.Elements(shape[:axis])) {
		for _, i := range list {
			if i < 0 {
				i += int64(shape[axis])
			}
			for j := range chunk {
				at = append(at, (o*shape[axis]+int(i))*chunk+j)
			}
		}
	}
	return at
}

func onnxGatherND(n *onnxNode) error {
	v, index := n.In[0], n.In[1]
	batch := n.Int("batch_dims", 0)
	if index.Rank() == 0 || batch < 0 || batch >= int64(min(v.Rank(), index.Rank())) {
		return n.Fail("batch_dims %d with shapes %v and %v", batch, v.Shape, index.Shape)
	}
	last := index.Shape[index.Rank()-1]
	if int(batch)+last > v.Rank() {
		return n.Fail("indices of shape %v into shape %v", index.Shape, v.Shape)
	}
	return n.Move("gather", v, nil, slices.Concat(index.Shape[:index.Rank()-1], v.Shape[int(batch)+last:])...)
}

// onnxScatter writes updates into a copy.
func onnxScatter(n *onnxNode) error {
	out, err := n.Result(0, n.In[0].Elem, n.In[0].Shape...)
	if err != nil {
		return err
	}
	return n.Emit(graph.Move{Func: "scatter", Elements: out.Elements()}, []*node.Value{n.In[0], n.In[2]}, out)
}
