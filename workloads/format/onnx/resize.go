package onnx

import (
	"math"
	"slices"

	"github.com/causeway-sim/causeway/workloads/format/onnx/onnxpb"

	"github.com/causeway-sim/causeway/workloads/format"
)

func onnxPad(n *onnxNode) error {
	v := n.In[0]
	name := "pads"
	if n.Attrs["paddings"] != nil { // operator set 1
		name = "paddings"
	}
	pads, ok, err := n.ListOr(1, name, "the pads")
	if err != nil {
		return err
	}
	axes := make([]int64, v.Rank())
	for i := range axes {
		axes[i] = int64(i)
	}
	if n.Has(3) {
		if axes, err = n.Known(3, "the axes"); err != nil {
			return err
		}
		if _, err := n.Axes(axes, v.Rank()); err != nil {
			return err
		}
	}
	if !ok || len(pads) != 2*len(axes) {
		return n.Fail("%d pads for %d axes (want two each)", len(pads), len(axes))
	}
	shape := slices.Clone(v.Shape)
	for i, a := range axes {
		if a < 0 {
			a += int64(v.Rank())
		}
		before, after := pads[i], pads[i+len(axes)]
		if before < -format.MaxDim || before > format.MaxDim || after < -format.MaxDim || after > format.MaxDim {
			return n.Fail("the pads are %v", pads)
		}
		shape[a] += int(before + after)
	}
	if slices.Equal(shape, v.Shape) {
		return onnxSame(n)
	}
	return n.Move("pad", v, nil, shape...)
}

// blocks trades channels for pixels.
func (n *onnxNode) blocks(toSpace bool) error {
	v := n.In[0]
	b := n.Int("blocksize", 0)
	if v.Rank() != 4 || b < 1 || b > format.MaxDim {
		return n.Fail("blocksize %d, input %v (want at least 1, and N,C,H,W)", b, v.Shape)
	}
	c, h, w, k := v.Shape[1], v.Shape[2], v.Shape[3], int(b)
	if toSpace {
		if int64(c)%(b*b) != 0 || h > format.MaxDim/k || w > format.MaxDim/k {
			return n.Fail("%d channels in blocks of %dx%d", c, k, k)
		}
		return n.Move("depth_to_space", v, nil, v.Shape[0], c/(k*k), h*k, w*k)
	}
	if h%k != 0 || w%k != 0 || int64(c) > format.MaxDim/(b*b) {
		return n.Fail("%dx%d pixels in blocks of %dx%d", h, w, k, k)
	}
	return n.Move("space_to_depth", v, nil, v.Shape[0], c*k*k, h/k, w/k)
}

// A resizing is the axes that a Resize changes and the shape that it makes.
type resizing struct {
	n     *onnxNode
	axes  []int // in the order in which scales and sizes name them
	shape []int
}

// resize starts from the shape of input 0 and the axes of attribute axes; without it all change.
func (n *onnxNode) resize() (r resizing, err error) {
	v := n.In[0]
	r = resizing{n: n, shape: slices.Clone(v.Shape)}
	list, ok := n.Ints("axes")
	if !ok {
		for i := range v.Rank() {
			r.axes = append(r.axes, i)
		}
		return r, nil
	}
	if _, err := n.Axes(list, v.Rank()); err != nil {
		return r, err
	}
	for _, a := range list {
		if a < 0 {
			a += int64(v.Rank())
		}
		r.axes = append(r.axes, int(a))
	}
	return r, nil
}

// size is that of axis i of axes before the change, and set makes it another one.
func (r *resizing) size(i int) float64 { return float64(r.n.In[0].Shape[r.axes[i]]) }

func (r *resizing) set(i int, size float64) error {
	if math.IsNaN(size) || size < 0 || size > format.MaxDim {
		return r.n.Fail("axis %d would have the size %v", r.axes[i], size)
	}
	r.shape[r.axes[i]] = int(size)
	return nil
}

// scale multiplies the axes.
func (r *resizing) scale(scales []float64) error {
	if len(scales) != len(r.axes) {
		return r.n.Fail("%d scales for %d axes", len(scales), len(r.axes))
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
		return r.n.Fail("%d sizes for %d axes", len(sizes), len(r.axes))
	}
	policy := r.n.Text("keep_aspect_ratio_policy", "stretch")
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
	v := n.In[0]
	scaleAt := 1
	if n.Proto.OpType == "Resize" && n.Opset >= 11 {
		scaleAt = 2 // input 1 is the region of interest
	}
	r, err := n.resize()
	if err != nil {
		return err
	}
	scales, ok := n.Floats("scales")
	if n.Has(scaleAt) && n.In[scaleAt].Elements() > 0 {
		if scales, err = n.KnownFloats(scaleAt, "the scales"); err != nil {
			return err
		}
		ok = true
	}
	switch {
	case ok:
		err = r.scale(scales)
	case n.Has(3):
		var sizes []int64
		if sizes, err = n.Known(3, "the sizes"); err == nil {
			err = r.fit(sizes)
		}
	default:
		err = n.Fail("it has neither scales nor sizes")
	}
	if err != nil {
		return err
	}
	if slices.Equal(r.shape, v.Shape) {
		return onnxSame(n)
	}
	return n.Move("resize", v, nil, r.shape...)
}

func onnxGridSample(n *onnxNode) error {
	x, grid := n.In[0], n.In[1]
	if x.Rank() < 3 || grid.Rank() != x.Rank() || grid.Elem == onnxpb.TensorProto_STRING {
		return n.Fail("shapes %v and %v", x.Shape, grid.Shape)
	}
	return n.Move("grid_sample", x, nil, append(slices.Clone(x.Shape[:2]), grid.Shape[1:grid.Rank()-1]...)...)
}
