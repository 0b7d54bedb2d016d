package format

import (
	"math"
	"slices"

	"github.com/causeway-sim/causeway/workloads/format/onnxpb"
	"github.com/causeway-sim/causeway/workloads/graph"
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
		if s < 0 || s > maxDim {
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
		size, s := int64(v.shape[a]), steps[i]
		if s == 0 {
			return n.fail("the step of axis %d is 0", a)
		}
		s = min(max(s, -maxDim), maxDim)
		from, to := starts[i], ends[i]
		if from < 0 {
			from += size
		}
		if to < 0 {
			to += size
		}
		count := int64(0)
		if s > 0 {
			from, to = min(max(from, 0), size), min(max(to, 0), size)
			count = (to - from + s - 1) / s
		} else {
			from, to = min(max(from, 0), size-1), min(max(to, -1), size-1)
			count = (to - from + s + 1) / s
		}
		if shape[a] = int(max(count, 0)); shape[a] > 0 {
			begin += int(from) * step[a]
		}
		step[a] *= int(s)
	}
	return n.slice(v, begin, shape, step)
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
			i := list[0]
			if i < 0 {
				i += int64(v.shape[axis])
			}
			old := strides(v.shape)
			var step []int
			for d := range shape {
				switch {
				case d < axis:
					step = append(step, old[d])
				case d < axis+index.rank():
					step = append(step, 0)
				default:
					step = append(step, old[d-index.rank()+1])
				}
			}
			return n.slice(v, int(i)*old[axis], shape, step)
		}
		return n.move("gather", v, func(out *onnxValue) []int {
			if !known {
				return nil
			}
			chunk := int(elementsOf(v.shape[axis+1:]))
			var at []int
			for o := range int(elementsOf(v.shape[:axis])) {
				for _, i := range list {
					if i < 0 {
						i += int64(v.shape[axis])
					}
					for j := range chunk {
						at = append(at, (o*v.shape[axis]+int(i))*chunk+j)
					}
				}
			}
			return at
		}, shape...)
	}
	out, err := n.result(0, v.elem, shape...)
	if err != nil {
		return err
	}
	k := graph.Gather{Rows: index.elements(), Cols: elementsOf(v.shape[1:]), Table: int64(v.shape[0])}
	return n.emit(k, n.in, out)
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

func onnxExpand(n *onnxNode) error {
	v := n.in[0]
	list, err := n.known(1, "the shape")
	if err != nil {
		return err
	}
	want, ok := dims(list)
	if !ok {
		return n.fail("shape %v (want dimensions from 0 to %d)", list, maxDim)
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
		p, ok := product(int64(shape[i]), max(r, 0))
		if r < 0 || !ok || p > maxDim {
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

func onnxPad(n *onnxNode) error {
	v := n.in[0]
	name := "pads"
	if n.attrs["paddings"] != nil { // operator set 1
		name = "paddings"
	}
	pads, ok, err := n.listOr(1, name, "the pads")
	if err != nil {
		return err
	}
	axes := make([]int64, v.rank())
	for i := range axes {
		axes[i] = int64(i)
	}
	if n.has(3) {
		if axes, err = n.known(3, "the axes"); err != nil {
			return err
		}
		if _, err := n.axes(axes, v.rank()); err != nil {
			return err
		}
	}
	if !ok || len(pads) != 2*len(axes) {
		return n.fail("%d pads for %d axes (want two each)", len(pads), len(axes))
	}
	shape := slices.Clone(v.shape)
	for i, a := range axes {
		if a < 0 {
			a += int64(v.rank())
		}
		before, after := pads[i], pads[i+len(axes)]
		if before < -maxDim || before > maxDim || after < -maxDim || after > maxDim {
			return n.fail("the pads are %v", pads)
		}
		shape[a] += int(before + after)
	}
	if slices.Equal(shape, v.shape) {
		return onnxSame(n)
	}
	return n.move("pad", v, nil, shape...)
}

// blocks trades channels for pixels.
func (n *onnxNode) blocks(toSpace bool) error {
	v := n.in[0]
	b := n.int("blocksize", 0)
	if v.rank() != 4 || b < 1 || b > maxDim {
		return n.fail("blocksize %d, input %v (want at least 1, and N,C,H,W)", b, v.shape)
	}
	c, h, w, k := v.shape[1], v.shape[2], v.shape[3], int(b)
	if toSpace {
		if int64(c)%(b*b) != 0 || h > maxDim/k || w > maxDim/k {
			return n.fail("%d channels in blocks of %dx%d", c, k, k)
		}
		return n.move("depth_to_space", v, nil, v.shape[0], c/(k*k), h*k, w*k)
	}
	if h%k != 0 || w%k != 0 || int64(c) > maxDim/(b*b) {
		return n.fail("%dx%d pixels in blocks of %dx%d", h, w, k, k)
	}
	return n.move("space_to_depth", v, nil, v.shape[0], c*k*k, h/k, w/k)
}

// onnxResize: Resize since operator set 10 and Upsample before it. What
// interpolation computes is not counted.
func onnxResize(n *onnxNode) error {
	v := n.in[0]
	scaleAt := 1
	if n.pb.OpType == "Resize" && n.opset >= 11 {
		scaleAt = 2 // input 1 is the region of interest
	}
	axes := make([]int64, v.rank())
	for i := range axes {
		axes[i] = int64(i)
	}
	if list, ok := n.ints("axes"); ok {
		if _, err := n.axes(list, v.rank()); err != nil {
			return err
		}
		axes = list
	}
	shape := slices.Clone(v.shape)
	set := func(i int, size float64) error {
		a := axes[i]
		if a < 0 {
			a += int64(v.rank())
		}
		if math.IsNaN(size) || size < 0 || size > maxDim {
			return n.fail("axis %d would have the size %v", a, size)
		}
		shape[a] = int(size)
		return nil
	}
	size := func(i int) float64 { // of axis i of axes
		a := axes[i]
		if a < 0 {
			a += int64(v.rank())
		}
		return float64(v.shape[a])
	}
	scales, ok := n.floats("scales")
	if n.has(scaleAt) && n.in[scaleAt].elements() > 0 {
		var err error
		if scales, err = n.knownFloats(scaleAt, "the scales"); err != nil {
			return err
		}
		ok = true
	}
	switch {
	case ok:
		if len(scales) != len(axes) {
			return n.fail("%d scales for %d axes", len(scales), len(axes))
		}
		for i, s := range scales {
			if err := set(i, math.Floor(size(i)*s)); err != nil {
				return err
			}
		}
	case n.has(3):
		list, err := n.known(3, "the sizes")
		if err != nil {
			return err
		}
		if len(list) != len(axes) {
			return n.fail("%d sizes for %d axes", len(list), len(axes))
		}
		policy := n.text("keep_aspect_ratio_policy", "stretch")
		ratio := math.NaN()
		for i, s := range list {
			r := float64(s) / size(i)
			if math.IsNaN(ratio) || policy == "not_larger" && r < ratio || policy == "not_smaller" && r > ratio {
				ratio = r
			}
		}
		for i, s := range list {
			want := float64(s)
			if policy != "stretch" {
				want = math.Round(ratio * size(i))
			}
			if err := set(i, want); err != nil {
				return err
			}
		}
	default:
		return n.fail("it has neither scales nor sizes")
	}
	if slices.Equal(shape, v.shape) {
		return onnxSame(n)
	}
	return n.move("resize", v, nil, shape...)
}

func onnxOneHot(n *onnxNode) error {
	index := n.in[0]
	depth, err := n.knownFloats(1, "the depth")
	if err != nil {
		return err
	}
	if len(depth) != 1 || depth[0] < 0 || depth[0] > maxDim {
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

func onnxGridSample(n *onnxNode) error {
	x, grid := n.in[0], n.in[1]
	if x.rank() < 3 || grid.rank() != x.rank() || grid.elem == onnxpb.TensorProto_STRING {
		return n.fail("shapes %v and %v", x.shape, grid.shape)
	}
	return n.move("grid_sample", x, nil, append(slices.Clone(x.shape[:2]), grid.shape[1:grid.rank()-1]...)...)
}
