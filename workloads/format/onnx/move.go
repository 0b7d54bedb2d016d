package onnx

import (
	"slices"

	"github.com/causeway-sim/causeway/workloads/format/onnx/node"
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
	onnxOps["GatherElements"] = onnxOp{2, 2, func(n *onnxNode) error { return n.Move("gather", n.In[0], nil, n.In[1].Shape...) }}
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
	onnxOps["ReverseSequence"] = onnxOp{2, 2, func(n *onnxNode) error { return n.Move("reverse", n.In[0], nil, n.In[0].Shape...) }}
	onnxOps["GridSample"] = onnxOp{2, 2, onnxGridSample}
}

func onnxTranspose(n *onnxNode) error {
	v := n.In[0]
	perm, ok := n.Ints("perm")
	if !ok {
		for i := v.Rank() - 1; i >= 0; i-- {
			perm = append(perm, int64(i))
		}
	}
	if _, err := n.Axes(perm, v.Rank()); err != nil {
		return err
	}
	if len(perm) != v.Rank() {
		return n.Fail("perm %v of an array with %d dimensions", perm, v.Rank())
	}
	shape, step := make([]int, v.Rank()), make([]int, v.Rank())
	moved, last := false, -1
	old := node.Strides(v.Shape)
	for i, p := range perm {
		if p < 0 {
			p += int64(v.Rank())
		}
		shape[i], step[i] = v.Shape[p], old[p]
		if v.Shape[p] != 1 { // dimensions of 1 may go anywhere
			moved = moved || int(p) < last
			last = int(p)
		}
	}
	if !moved {
		return n.View(v, shape...)
	}
	return n.Move("transpose", v, func(out *node.Value) []int { return gatherAt(out.Shape, 0, step) }, shape...)
}

// gatherAt lists the places that a walk from start with the given steps meets.
func gatherAt(shape []int, start int, step []int) []int {
	at := make([]int, node.Elements(shape))
	node.Walk(shape, []int{start}, [][]int{step}, func(i int, p []int) { at[i] = p[0] })
	return at
}

func onnxConcat(n *onnxNode) error {
	def := int64(1) // before operator set 4
	if n.Attrs["axis"] == nil && n.Opset >= 4 {
		return n.Fail("it has no axis")
	}
	var in []*node.Value
	for i, v := range n.In {
		if v == nil {
			return n.Fail("input %d is left out", i)
		}
		if v.Rank() == 1 && v.Shape[0] == 0 && n.In[0].Rank() != 1 {
			continue // an empty start value, as loops leave it
		}
		in = append(in, v)
	}
	if len(in) == 0 {
		return n.Fail("it has no inputs")
	}
	axis, err := n.Axis(n.Int("axis", def), in[0].Rank())
	if err != nil {
		return err
	}
	shape := slices.Clone(in[0].Shape)
	for i, v := range in[1:] {
		if v.Rank() != len(shape) {
			return n.Fail("input %d has shape %v, input 0 %v", i+1, v.Shape, in[0].Shape)
		}
		for d := range shape {
			if d != axis && v.Shape[d] != shape[d] {
				return n.Fail("input %d has shape %v, input 0 %v; they may differ in axis %d only", i+1, v.Shape, in[0].Shape, axis)
			}
		}
		shape[axis] += v.Shape[axis]
	}
	out, err := n.Result(0, in[0].Elem, shape...)
	if err != nil {
		return err
	}
	n.foldConcat(in, axis, out)
	full := slices.DeleteFunc(slices.Clone(in), func(v *node.Value) bool { return v.Elements() == 0 })
	return n.Emit(graph.Move{Func: "concat", Elements: out.Elements()}, full, out)
}

func (n *onnxNode) foldConcat(in []*node.Value, axis int, out *node.Value) {
	if !out.Const || out.Elements() > node.MaxConstant {
		return
	}
	all, start := &node.Constant{}, make([]int, len(in))
	for i, v := range in {
		if v.Data == nil || (v.Data.Floats == nil) != (in[0].Data.Floats == nil) {
			return
		}
		start[i] = all.Len()
		all.Ints, all.Floats = append(all.Ints, v.Data.Ints...), append(all.Floats, v.Data.Floats...)
	}
	if all.Len() == 0 {
		out.Data = in[0].Data
		return
	}
	at := make([]int, 0, out.Elements())
	outer := int(node.Elements(out.Shape[:axis]))
	for o := range outer {
		for i, v := range in {
			chunk := int(node.Elements(v.Shape[axis:]))
			for j := range chunk {
				at = append(at, start[i]+o*chunk+j)
			}
		}
	}
	out.Data = all.Pick(at)
}

func onnxExpand(n *onnxNode) error {
	v := n.In[0]
	list, err := n.Known(1, "the shape")
	if err != nil {
		return err
	}
	want, ok := node.Dims(list)
	if !ok {
		return n.Fail("shape %v (want dimensions from 0 to %d)", list, format.MaxDim)
	}
	shape, ok := node.Broadcast(v.Shape, want)
	if !ok {
		return n.Fail("shape %v does not broadcast to %v", v.Shape, want)
	}
	if node.Elements(shape) == v.Elements() {
		return n.View(v, shape...)
	}
	return n.Move("expand", v, func(out *node.Value) []int { return gatherAt(shape, 0, node.BroadcastStep(v.Shape, shape)) }, shape...)
}

func onnxTile(n *onnxNode) error {
	v := n.In[0]
	repeats, err := n.Known(1, "the repeats")
	if err != nil {
		return err
	}
	if len(repeats) != v.Rank() {
		return n.Fail("%d repeats of an array with %d dimensions", len(repeats), v.Rank())
	}
	shape := slices.Clone(v.Shape)
	for i, r := range repeats {
		p, ok := format.Product(int64(shape[i]), max(r, 0))
		if r < 0 || !ok || p > format.MaxDim {
			return n.Fail("the repeats are %v", repeats)
		}
		shape[i] = int(p)
	}
	if slices.Equal(shape, v.Shape) {
		return onnxSame(n)
	}
	return n.Move("tile", v, func(out *node.Value) []int {
		at, old, next := make([]int, out.Elements()), node.Strides(v.Shape), node.Strides(shape)
		for i := range at {
			for d := range shape {
				at[i] += i / next[d] % shape[d] % v.Shape[d] * old[d]
			}
		}
		return at
	}, shape...)
}

func onnxOneHot(n *onnxNode) error {
	index := n.In[0]
	depth, err := n.KnownFloats(1, "the depth")
	if err != nil {
		return err
	}
	if len(depth) != 1 || depth[0] < 0 || depth[0] > format.MaxDim {
		return n.Fail("depth %v", depth)
	}
	axis, err := n.Axis(n.Int("axis", -1), index.Rank()+1)
	if err != nil {
		return err
	}
	return n.moveAs("one_hot", index, n.In[2].Elem, slices.Insert(slices.Clone(index.Shape), axis, int(depth[0]))...)
}

// moveAs is move into another element type.
func (n *onnxNode) moveAs(fn string, v *node.Value, elem node.ElemType, shape ...int) error {
	out, err := n.Result(0, elem, shape...)
	if err != nil {
		return err
	}
	return n.Emit(graph.Move{Func: fn, Elements: out.Elements()}, []*node.Value{v}, out)
}
