package onnx

import (
	"slices"

	"github.com/causeway-sim/causeway/workloads/graph"

	"github.com/causeway-sim/causeway/workloads/format"
)

func onnxSplit(n *onnxNode) error {
	v := n.in[0]
	axis, err := n.axis(n.int("axis", 0), v.rank())
	if err != nil {
		return err
	}
	parts := len(n.pb.Output)
	sizes, ok, err := n.listOr(1, "split", "the sizes")
	if err != nil {
		return err
	}
	if !ok {
		if k := n.int("num_outputs", int64(parts)); k != int64(parts) || parts == 0 {
			return n.fail("num_outputs is %d, but it has %d results", k, parts)
		}
		chunk := (v.shape[axis] + parts - 1) / parts // the last one is smaller
		for i := range parts {
			sizes = append(sizes, int64(min(chunk, max(v.shape[axis]-i*chunk, 0))))
		}
	}
	sum := int64(0)
	for _, s := range sizes {
		if s < 0 || s > format.MaxDim {
			return n.fail("the sizes %v", sizes)
		}
		sum += s
	}
	if len(sizes) != parts || sum != int64(v.shape[axis]) {
		return n.fail("the sizes %v do not divide axis %d of %v among %d results", sizes, axis, v.shape, parts)
	}
	moved := int64(0)
	if elementsOf(v.shape[:axis]) != 1 { // else each part is a run of the input: a view
		moved = v.elements()
	}
	step := strides(v.shape)
	begin := 0
	var outs []*onnxValue
	for i, s := range sizes {
		shape := slices.Clone(v.shape)
		shape[axis] = int(s)
		out, err := n.result(i, v.elem, shape...)
		if err != nil {
			return err
		}
		if v.data != nil && out.elements() <= maxConst {
			out.data = v.data.pick(gatherAt(shape, begin*step[axis], step))
		}
		begin += int(s)
		if out.elements() > 0 {
			outs = append(outs, out)
		}
	}
	return n.emit(graph.Move{Func: "split", Elements: moved}, n.in[:1], outs...)
}

func onnxSlice(n *onnxNode) error {
	v := n.in[0]
	starts, ok1, err1 := n.listOr(1, "starts", "the starts")
	ends, ok2, err2 := n.listOr(2, "ends", "the ends")
	axes, ok3, err3 := n.listOr(3, "axes", "the axes")
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
	if n.has(4) {
		var err error
		if steps, err = n.known(4, "the steps"); err != nil {
			return err
		}
	}
	if !ok1 || !ok2 || len(ends) != len(starts) || len(axes) != len(starts) || len(steps) != len(starts) {
		return n.fail("%d starts, %d ends, %d axes and %d steps (want as many of each)", len(starts), len(ends), len(axes), len(steps))
	}
	if _, err := n.axes(axes, v.rank()); err != nil {
		return err
	}
	shape, step, begin := slices.Clone(v.shape), strides(v.shape), 0
	for i, a := range axes {
		if a < 0 {
			a += int64(v.rank())
		}
		if steps[i] == 0 {
			return n.fail("the step of axis %d is 0", a)
		}
		s := min(max(steps[i], -format.MaxDim), format.MaxDim)
		from, count := clampRange(starts[i], ends[i], s, int64(v.shape[a]))
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
func (n *onnxNode) slice(v *onnxValue, begin int, shape, step []int) error {
	if slices.Equal(shape, v.shape) && begin == 0 {
		n.set(0, v)
		return nil
	}
	out, err := n.result(0, v.elem, shape...)
	if err != nil {
		return err
	}
	if v.data != nil && out.elements() <= maxConst {
		out.data = v.data.pick(gatherAt(shape, begin, step))
	}
	k := graph.Move{Func: "slice", Elements: out.elements()}
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
	return n.emit(k, []*onnxValue{v}, out)
}

// onnxGather picks slices along an axis by index. Rows of a table become a
// Gather of the graph; with known indices it is a slice.
func onnxGather(n *onnxNode) error {
	v, index := n.in[0], n.in[1]
	if v.rank() == 0 {
		return n.fail("it gathers from a scalar")
	}
	axis, err := n.axis(n.int("axis", 0), v.rank())
	if err != nil {
		return err
	}
	shape := slices.Concat(v.shape[:axis], index.shape, v.shape[axis+1:])
	list, known := index.ints()
	for _, i := range list {
		if known && (i < -int64(v.shape[axis]) || i >= int64(v.shape[axis])) {
			return n.fail("index %d of axis %d, which has %d", i, axis, v.shape[axis])
		}
	}
	if v.konst && index.konst || axis > 0 || known {
		if known && len(list) == 1 {
			return n.gatherOne(v, index.rank(), axis, list[0], shape)
		}
		return n.move("gather", v, func(out *onnxValue) []int {
			if !known {
				return nil
			}
			return gathered(v.shape, axis, list)
		}, shape...)
	}
	out, err := n.result(0, v.elem, shape...)
	if err != nil {
		return err
	}
	k := graph.Gather{Rows: index.elements(), Cols: elementsOf(v.shape[1:]), Table: int64(v.shape[0])}
	return n.emit(k, n.in, out)
}

// gatherOne is a gather of one index: a slice. rank is that of the index.
func (n *onnxNode) gatherOne(v *onnxValue, rank, axis int, i int64, shape []int) error {
	if i < 0 {
		i += int64(v.shape[axis])
	}
	old := strides(v.shape)
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
	chunk := int(elementsOf(shape[axis+1:]))
	for o := range int(elementsOf(shape[:axis])) {
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
	v, index := n.in[0], n.in[1]
	batch := n.int("batch_dims", 0)
	if index.rank() == 0 || batch < 0 || batch >= int64(min(v.rank(), index.rank())) {
		return n.fail("batch_dims %d with shapes %v and %v", batch, v.shape, index.shape)
	}
	last := index.shape[index.rank()-1]
	if int(batch)+last > v.rank() {
		return n.fail("indices of shape %v into shape %v", index.shape, v.shape)
	}
	return n.move("gather", v, nil, slices.Concat(index.shape[:index.rank()-1], v.shape[int(batch)+last:])...)
}

// onnxScatter writes updates into a copy.
func onnxScatter(n *onnxNode) error {
	out, err := n.result(0, n.in[0].elem, n.in[0].shape...)
	if err != nil {
		return err
	}
	return n.emit(graph.Move{Func: "scatter", Elements: out.elements()}, []*onnxValue{n.in[0], n.in[2]}, out)
}
