package onnx

import (
	"slices"

	"github.com/causeway-sim/causeway/workloads/graph"

	"github.com/causeway-sim/causeway/workloads/format"
)

// Operators that copy elements to other places.
func init() {
	onnxOps["Transpose"] = onnxOp{1, 1, onnxTranspose}
	onnxOps["Concat"] = onnxOp{1, many, onnxConcat}
	onnxOps["Split"] = onnxOp{1, 2, onnxSplit}
	onnxOps["Slice"] = onnxOp{1, 5, onnxSlice}
	onnxOps["Gather"] = onnxOp{2, 2, onnxGather}
	onnxOps["GatherElements"] = onnxOp{2, 2, func(n *onnxNode) error { return n.move("gather", n.in[0], nil, n.in[1].shape...) }}
	onnxOps["GatherND"] = onnxOp{2, 2, onnxGatherND}
	for _, name := range []string{"Scatter", "ScatterElements", "ScatterND"} {
		onnxOps[name] = onnxOp{3, 3, onnxScatter}
	}
	onnxOps["Expand"] = onnxOp{2, 2, onnxExpand}
	onnxOps["Tile"] = onnxOp{2, 2, onnxTile}
	onnxOps["Pad"] = onnxOp{1, 4, onnxPad}
	onnxOps["DepthToSpace"] = onnxOp{1, 1, func(n *onnxNode) error { return n.blocks(true) }}
	onnxOps["SpaceToDepth"] = onnxOp{1, 1, func(n *onnxNode) error { return n.blocks(false) }}
	onnxOps["Resize"] = onnxOp{1, 4, onnxResize}
	onnxOps["Upsample"] = onnxOp{1, 2, onnxResize}
	onnxOps["OneHot"] = onnxOp{3, 3, onnxOneHot}
	onnxOps["ReverseSequence"] = onnxOp{2, 2, func(n *onnxNode) error { return n.move("reverse", n.in[0], nil, n.in[0].shape...) }}
	onnxOps["GridSample"] = onnxOp{2, 2, onnxGridSample}
}

func onnxTranspose(n *onnxNode) error {
	v := n.in[0]
	perm, ok := n.ints("perm")
	if !ok {
		for i := v.rank() - 1; i >= 0; i-- {
			perm = append(perm, int64(i))
		}
	}
	if _, err := n.axes(perm, v.rank()); err != nil {
		return err
	}
	if len(perm) != v.rank() {
		return n.fail("perm %v of an array with %d dimensions", perm, v.rank())
	}
	shape, step := make([]int, v.rank()), make([]int, v.rank())
	moved, last := false, -1
	old := strides(v.shape)
	for i, p := range perm {
		if p < 0 {
			p += int64(v.rank())
		}
		shape[i], step[i] = v.shape[p], old[p]
		if v.shape[p] != 1 { // dimensions of 1 may go anywhere
			moved = moved || int(p) < last
			last = int(p)
		}
	}
	if !moved {
		return n.view(v, shape...)
	}
	return n.move("transpose", v, func(out *onnxValue) []int { return gatherAt(out.shape, 0, step) }, shape...)
}

// gatherAt lists the places that a walk from start with the given steps meets.
func gatherAt(shape []int, start int, step []int) []int {
	at := make([]int, elementsOf(shape))
	walk(shape, []int{start}, [][]int{step}, func(i int, p []int) { at[i] = p[0] })
	return at
}

func onnxConcat(n *onnxNode) error {
	def := int64(1) // before operator set 4
	if n.attrs["axis"] == nil && n.opset >= 4 {
		return n.fail("it has no axis")
	}
	var in []*onnxValue
	for i, v := range n.in {
		if v == nil {
			return n.fail("input %d is left out", i)
		}
		if v.rank() == 1 && v.shape[0] == 0 && n.in[0].rank() != 1 {
			continue // an empty start value, as loops leave it
		}
		in = append(in, v)
	}
	if len(in) == 0 {
		return n.fail("it has no inputs")
	}
	axis, err := n.axis(n.int("axis", def), in[0].rank())
	if err != nil {
		return err
	}
	shape := slices.Clone(in[0].shape)
	for i, v := range in[1:] {
		if v.rank() != len(shape) {
			return n.fail("input %d has shape %v, input 0 %v", i+1, v.shape, in[0].shape)
		}
		for d := range shape {
			if d != axis && v.shape[d] != shape[d] {
				return n.fail("input %d has shape %v, input 0 %v; they may differ in axis %d only", i+1, v.shape, in[0].shape, axis)
			}
		}
		shape[axis] += v.shape[axis]
	}
	out, err := n.result(0, in[0].elem, shape...)
	if err != nil {
		return err
	}
	n.foldConcat(in, axis, out)
	full := slices.DeleteFunc(slices.Clone(in), func(v *onnxValue) bool { return v.elements() == 0 })
	return n.emit(graph.Move{Func: "concat", Elements: out.elements()}, full, out)
}

func (n *onnxNode) foldConcat(in []*onnxValue, axis int, out *onnxValue) {
	if !out.konst || out.elements() > maxConst {
		return
	}
	all, start := &constant{}, make([]int, len(in))
	for i, v := range in {
		if v.data == nil || (v.data.floats == nil) != (in[0].data.floats == nil) {
			return
		}
		start[i] = all.len()
		all.ints, all.floats = append(all.ints, v.data.ints...), append(all.floats, v.data.floats...)
	}
	if all.len() == 0 {
		out.data = in[0].data
		return
	}
	at := make([]int, 0, out.elements())
	outer := int(elementsOf(out.shape[:axis]))
	for o := range outer {
		for i, v := range in {
			chunk := int(elementsOf(v.shape[axis:]))
			for j := range chunk {
				at = append(at, start[i]+o*chunk+j)
			}
		}
	}
	out.data = all.pick(at)
}

func onnxExpand(n *onnxNode) error {
	v := n.in[0]
	list, err := n.known(1, "the shape")
	if err != nil {
		return err
	}
	want, ok := dims(list)
	if !ok {
		return n.fail("shape %v (want dimensions from 0 to %d)", list, format.MaxDim)
	}
	shape, ok := broadcast(v.shape, want)
	if !ok {
		return n.fail("shape %v does not broadcast to %v", v.shape, want)
	}
	if elementsOf(shape) == v.elements() {
		return n.view(v, shape...)
	}
	return n.move("expand", v, func(out *onnxValue) []int { return gatherAt(shape, 0, broadcastStep(v.shape, shape)) }, shape...)
}

func onnxTile(n *onnxNode) error {
	v := n.in[0]
	repeats, err := n.known(1, "the repeats")
	if err != nil {
		return err
	}
	if len(repeats) != v.rank() {
		return n.fail("%d repeats of an array with %d dimensions", len(repeats), v.rank())
	}
	shape := slices.Clone(v.shape)
	for i, r := range repeats {
		p, ok := format.Product(int64(shape[i]), max(r, 0))
		if r < 0 || !ok || p > format.MaxDim {
			return n.fail("the repeats are %v", repeats)
		}
		shape[i] = int(p)
	}
	if slices.Equal(shape, v.shape) {
		return onnxSame(n)
	}
	return n.move("tile", v, func(out *onnxValue) []int {
		at, old, next := make([]int, out.elements()), strides(v.shape), strides(shape)
		for i := range at {
			for d := range shape {
				at[i] += i / next[d] % shape[d] % v.shape[d] * old[d]
			}
		}
		return at
	}, shape...)
}

func onnxOneHot(n *onnxNode) error {
	index := n.in[0]
	depth, err := n.knownFloats(1, "the depth")
	if err != nil {
		return err
	}
	if len(depth) != 1 || depth[0] < 0 || depth[0] > format.MaxDim {
		return n.fail("depth %v", depth)
	}
	axis, err := n.axis(n.int("axis", -1), index.rank()+1)
	if err != nil {
		return err
	}
	return n.moveAs("one_hot", index, n.in[2].elem, slices.Insert(slices.Clone(index.shape), axis, int(depth[0]))...)
}

// moveAs is move into another element type.
func (n *onnxNode) moveAs(fn string, v *onnxValue, elem elemType, shape ...int) error {
	out, err := n.result(0, elem, shape...)
	if err != nil {
		return err
	}
	return n.emit(graph.Move{Func: fn, Elements: out.elements()}, []*onnxValue{v}, out)
}
