package program

import (
	"slices"
)

// A Dot sums products of two operands. LB and RB are their batch dimensions, LC and RC the dimensions
// of the sum. The result has the batch dimensions, the free ones of operand 0, and those of operand 1.
type Dot struct{ LB, RB, LC, RC []int }

func (o Dot) check(i *Inst) error {
	if err := i.arity(2, 2, 1); err != nil {
		return err
	}
	a, b := i.in[0].Shape, i.in[1].Shape
	if len(o.LB) != len(o.RB) || len(o.LC) != len(o.RC) {
		return i.fault("%d and %d batch dimensions, %d and %d contracting ones", len(o.LB), len(o.RB), len(o.LC), len(o.RC))
	}
	if err := i.dims("dimension", slices.Concat(o.LB, o.LC), len(a)); err != nil {
		return err
	}
	if err := i.dims("dimension", slices.Concat(o.RB, o.RC), len(b)); err != nil {
		return err
	}
	pairs := slices.Concat(o.RB, o.RC)
	for n, d := range slices.Concat(o.LB, o.LC) {
		if a[d] != b[pairs[n]] {
			return i.fault("dimension %d of %v and dimension %d of %v do not agree", d, a, pairs[n], b)
		}
	}
	var want []int
	for _, d := range o.LB {
		want = append(want, a[d])
	}
	for _, d := range free(len(a), o.LB, o.LC) {
		want = append(want, a[d])
	}
	for _, d := range free(len(b), o.RB, o.RC) {
		want = append(want, b[d])
	}
	return i.shaped(want)
}

// free lists the dimensions that are in neither list.
func free(rank int, x, y []int) (out []int) {
	for d := range rank {
		if !slices.Contains(x, d) && !slices.Contains(y, d) {
			out = append(out, d)
		}
	}
	return out
}

// Layout is where the dimensions of an image, of a kernel or of a result stand: batch and features
// (of a kernel: output and input features), then space.
type Layout struct {
	Batch, Feature int
	Space          []int
}

func (l Layout) order() []int { return append([]int{l.Batch, l.Feature}, l.Space...) }

// A Conv is a convolution of operand 0 with kernel operand 1; operand 2, if it is there, is a bias.
type Conv struct {
	In, Kernel, Out Layout
	Stride, Low     []int // by spatial dimension
	High            []int
	// Spread is the distance between elements of the image (lhs dilation), Dilation that of the
	// kernel.
	Spread, Dilation []int
	Groups           int
	BatchGroups      int
	// Bias says that operand 2 is added to each output feature.
	Bias bool
}

func (o Conv) check(i *Inst) error {
	n := 2
	if o.Bias {
		n = 3
	}
	if err := i.arity(n, n, 1); err != nil {
		return err
	}
	a, w, out := i.in[0].Shape, i.in[1].Shape, i.out[0].Shape
	space := len(o.In.Space)
	if space < 1 || space > 2 {
		return i.fault("a convolution with %d spatial dimensions (want 1 or 2)", space)
	}
	for _, l := range []struct {
		what  string
		shape []int
		l     Layout
	}{{"the image", a, o.In}, {"the kernel", w, o.Kernel}, {"the result", out, o.Out}} {
		if len(l.shape) != space+2 || len(l.l.Space) != space {
			return i.fault("%s has shape %v, its layout %d dimensions", l.what, l.shape, len(l.l.Space)+2)
		}
		if err := i.dims("dimension", l.l.order(), len(l.shape)); err != nil {
			return err
		}
	}
	for _, list := range [][]int{o.Stride, o.Low, o.High, o.Spread, o.Dilation} {
		if len(list) != space {
			return i.fault("a window of %d dimensions (want %d)", len(list), space)
		}
	}
	if min(slices.Min(o.Stride), slices.Min(o.Spread), slices.Min(o.Dilation), o.Groups, o.BatchGroups) < 1 || o.Groups > 1 && o.BatchGroups > 1 {
		return i.fault("strides %v, dilations %v and %v, %d and %d groups (want at least 1)", o.Stride, o.Spread, o.Dilation, o.Groups, o.BatchGroups)
	}
	return o.sizes(i, a, w)
}

// sizes checks the shape of the result.
func (o Conv) sizes(i *Inst, a, w []int) error {
	if slices.Contains(a, 0) || slices.Contains(w, 0) {
		return i.fault("an image of shape %v and a kernel of shape %v (want at least one element)", a, w)
	}
	features, groups := a[o.In.Feature], o.Groups
	if w[o.Kernel.Feature]*groups != features || w[o.Kernel.Batch]%(groups*o.BatchGroups) != 0 || a[o.In.Batch]%o.BatchGroups != 0 {
		return i.fault("an image of shape %v and a kernel of shape %v in %d groups: %d features, and %d inputs and %d outputs of the kernel", a, w, groups, features, w[o.Kernel.Feature], w[o.Kernel.Batch])
	}
	want := make([]int, len(a))
	want[o.Out.Batch], want[o.Out.Feature] = a[o.In.Batch]/o.BatchGroups, w[o.Kernel.Batch]
	for d := range o.In.Space {
		want[o.Out.Space[d]] = outSize((a[o.In.Space[d]]-1)*o.Spread[d]+1+o.Low[d]+o.High[d], w[o.Kernel.Space[d]], o.Stride[d], o.Dilation[d])
	}
	return i.shaped(want)
}

// outSize is how many windows there are.
func outSize(in, window, stride, dilation int) int {
	if in -= (window-1)*dilation + 1; in < 0 {
		return 0
	}
	return in/stride + 1
}

// A Window folds windows of operand 0 by Fn, as Reduce; sizes are by dimension.
type Window struct {
	Fn                      string
	Size, Stride, Low, High []int
	Spread, Dilation        []int
	// Average divides by the size of the window.
	Average bool
}

func (o Window) check(i *Inst) error {
	if err := i.arity(1, 1, 1); err != nil {
		return err
	}
	a := i.in[0].Shape
	want := make([]int, len(a))
	for _, list := range [][]int{o.Size, o.Stride, o.Low, o.High, o.Spread, o.Dilation} {
		if len(list) != len(a) {
			return i.fault("a window of %d dimensions of an operand of shape %v", len(list), a)
		}
	}
	for d, n := range a {
		if min(o.Size[d], o.Stride[d], o.Spread[d], o.Dilation[d]) < 1 {
			return i.fault("a window of %v with strides %v and dilations %v, %v (want at least 1)", o.Size, o.Stride, o.Spread, o.Dilation)
		}
		want[d] = outSize((n-1)*o.Spread[d]+1+o.Low[d]+o.High[d], o.Size[d], o.Stride[d], o.Dilation[d])
	}
	return i.shaped(want)
}
