package onnx

import (
	"math"
	"slices"

	"github.com/causeway-sim/causeway/workloads/format/onnx/onnxpb"

	"github.com/causeway-sim/causeway/workloads/format"
)

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
		if before < -format.MaxDim || before > format.MaxDim || after < -format.MaxDim || after > format.MaxDim {
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
	if v.rank() != 4 || b < 1 || b > format.MaxDim {
		return n.fail("blocksize %d, input %v (want at least 1, and N,C,H,W)", b, v.shape)
	}
	c, h, w, k := v.shape[1], v.shape[2], v.shape[3], int(b)
	if toSpace {
		if int64(c)%(b*b) != 0 || h > format.MaxDim/k || w > format.MaxDim/k {
			return n.fail("%d channels in blocks of %dx%d", c, k, k)
		}
		return n.move("depth_to_space", v, nil, v.shape[0], c/(k*k), h*k, w*k)
	}
	if h%k != 0 || w%k != 0 || int64(c) > format.MaxDim/(b*b) {
		return n.fail("%dx%d pixels in blocks of %dx%d", h, w, k, k)
	}
	return n.move("space_to_depth", v, nil, v.shape[0], c*k*k, h/k, w/k)
}

// A resizing is the axes that a Resize changes and the shape that it makes.
type resizing struct {
	n     *onnxNode
	axes  []int // in the order in which scales and sizes name them
	shape []int
}

// resize starts from the shape of input 0 and the axes of attribute axes; without it all change.
func (n *onnxNode) resize() (r resizing, err error) {
	v := n.in[0]
	r = resizing{n: n, shape: slices.Clone(v.shape)}
	list, ok := n.ints("axes")
	if !ok {
		for i := range v.rank() {
			r.axes = append(r.axes, i)
		}
		return r, nil
	}
	if _, err := n.axes(list, v.rank()); err != nil {
		return r, err
	}
	for _, a := range list {
		if a < 0 {
			a += int64(v.rank())
		}
		r.axes = append(r.axes, int(a))
	}
	return r, nil
}

// size is that of axis i of axes before the change, and set makes it another one.
func (r *resizing) size(i int) float64 { return float64(r.n.in[0].shape[r.axes[i]]) }

func (r *resizing) set(i int, size float64) error {
	if math.IsNaN(size) || size < 0 || size > format.MaxDim {
		return r.n.fail("axis %d would have the size %v", r.axes[i], size)
	}
	r.shape[r.axes[i]] = int(size)
	return nil
}

// scale multiplies the axes.
func (r *resizing) scale(scales []float64) error {
	if len(scales) != len(r.axes) {
		return r.n.fail("%d scales for %d axes", len(scales), len(r.axes))
	}
	for i, s := range scales {
		if err := r.set(i, math.Floor(r.size(i)*s)); err != nil {
			return err
		}
	}
	return nil
}

// fit gives the axes sizes, by one ratio for all where the aspect is kept.
func (r *resizing) fit(sizes []int64) error {
	if len(sizes) != len(r.axes) {
		return r.n.fail("%d sizes for %d axes", len(sizes), len(r.axes))
	}
	policy := r.n.text("keep_aspect_ratio_policy", "stretch")
	ratio := math.NaN()
	for i, s := range sizes {
		k := float64(s) / r.size(i)
		if math.IsNaN(ratio) || policy == "not_larger" && k < ratio || policy == "not_smaller" && k > ratio {
			ratio = k
		}
	}
	for i, s := range sizes {
		want := float64(s)
		if policy != "stretch" {
			want = math.Round(ratio * r.size(i))
		}
		if err := r.set(i, want); err != nil {
			return err
		}
	}
	return nil
}

// onnxResize: Resize since operator set 10 and Upsample before it. What
// interpolation computes is not counted.
func onnxResize(n *onnxNode) error {
	v := n.in[0]
	scaleAt := 1
	if n.pb.OpType == "Resize" && n.opset >= 11 {
		scaleAt = 2 // input 1 is the region of interest
	}
	r, err := n.resize()
	if err != nil {
		return err
	}
	scales, ok := n.floats("scales")
	if n.has(scaleAt) && n.in[scaleAt].elements() > 0 {
		if scales, err = n.knownFloats(scaleAt, "the scales"); err != nil {
			return err
		}
		ok = true
	}
	switch {
	case ok:
		err = r.scale(scales)
	case n.has(3):
		var sizes []int64
		if sizes, err = n.known(3, "the sizes"); err == nil {
			err = r.fit(sizes)
		}
	default:
		err = n.fail("it has neither scales nor sizes")
	}
	if err != nil {
		return err
	}
	if slices.Equal(r.shape, v.shape) {
		return onnxSame(n)
	}
	return n.move("resize", v, nil, r.shape...)
}

func onnxGridSample(n *onnxNode) error {
	x, grid := n.in[0], n.in[1]
	if x.rank() < 3 || grid.rank() != x.rank() || grid.elem == onnxpb.TensorProto_STRING {
		return n.fail("shapes %v and %v", x.shape, grid.shape)
	}
	return n.move("grid_sample", x, nil, append(slices.Clone(x.shape[:2]), grid.shape[1:grid.rank()-1]...)...)
}
