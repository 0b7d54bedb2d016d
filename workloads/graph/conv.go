package graph

import "fmt"

// A Conv is a two-dimensional convolution, grouped and dilated as given, or a
// transposed one. In: activation N,C,H,W; weight K,C/groups,R,S (transposed:
// C,K/groups,R,S); optional bias K. Out: N,K,OH,OW.
type Conv struct {
	N, C, H, W int // input: batch, channels, height, width
	K, R, S    int // filters, kernel height and width
	StrideH    int
	StrideW    int
	PadTop     int
	PadLeft    int
	PadBottom  int
	PadRight   int
	DilationH  int
	DilationW  int
	Groups     int
	Transposed bool
	OutPadH    int // transposed: extra rows and columns of the output
	OutPadW    int
	// Applies is the number of operators in the kernel's epilogue, see fuse.Epilogues.
	Applies int
}

// Type implements Kind.
func (Conv) Type() string { return "conv" }

// MACs is the number of multiply-accumulates, padding included and, for a
// transposed convolution, cropped products included.
func (c Conv) MACs() int64 {
	if c.Transposed {
		return int64(c.N) * int64(c.C) * int64(c.H) * int64(c.W) * int64(c.K/c.Groups) * int64(c.R*c.S)
	}
	return int64(c.N) * int64(c.K) * int64(c.OutH()) * int64(c.OutW()) * int64(c.C/c.Groups) * int64(c.R*c.S)
}

// VectorOps implements Kind. A transposed convolution adds up overlapping products; others
// need none, since a bias is loaded into the accumulators first.
//
// assumption: biases are loaded as in output-stationary arrays.
func (c Conv) VectorOps() int64 {
	if c.Transposed {
		return c.overlapAdds()
	}
	return 0
}

// Matrix returns the matrix view of the convolution (im2col).
func (c Conv) Matrix() Matrix {
	m := Matrix{Batch: c.Groups, SharedB: 1, Conv: &c}
	if c.Transposed {
		m.M = int64(c.N) * int64(c.H) * int64(c.W)
		m.N = int64(c.K/c.Groups) * int64(c.R) * int64(c.S)
		m.K = int64(c.C / c.Groups)
		return m
	}
	m.M = int64(c.N) * int64(c.OutH()) * int64(c.OutW())
	m.N = int64(c.K / c.Groups)
	m.K = int64(c.C/c.Groups) * int64(c.R) * int64(c.S)
	return m
}

// Normal returns c with strides, dilations and groups of 0 replaced by 1.
func (c Conv) Normal() Conv {
	for _, p := range []*int{&c.StrideH, &c.StrideW, &c.DilationH, &c.DilationW, &c.Groups} {
		if *p == 0 {
			*p = 1
		}
	}
	return c
}

// OutH is the output height.
func (c Conv) OutH() int {
	if c.Transposed {
		return (c.H-1)*c.StrideH - c.PadTop - c.PadBottom + c.DilationH*(c.R-1) + c.OutPadH + 1
	}
	return outSize(c.H, c.R, c.StrideH, c.DilationH, c.PadTop, c.PadBottom)
}

// OutW is the output width.
func (c Conv) OutW() int {
	if c.Transposed {
		return (c.W-1)*c.StrideW - c.PadLeft - c.PadRight + c.DilationW*(c.S-1) + c.OutPadW + 1
	}
	return outSize(c.W, c.S, c.StrideW, c.DilationW, c.PadLeft, c.PadRight)
}

// WeightShape is K, C/groups, R, S; transposed: C, K/groups, R, S.
func (c Conv) WeightShape() []int {
	if c.Transposed {
		return []int{c.C, c.K / c.Groups, c.R, c.S}
	}
	return []int{c.K, c.C / c.Groups, c.R, c.S}
}

// OutShape is N, K, OH, OW.
func (c Conv) OutShape() []int { return []int{c.N, c.K, c.OutH(), c.OutW()} }

// Check returns an error for a size below 1, a negative padding, groups that do not divide the
// channels, or an output without pixels.
func (c Conv) Check() error {
	switch {
	case min(c.N, c.C, c.H, c.W, c.K, c.R, c.S) < 1:
		return fmt.Errorf("input %dx%dx%dx%d, %d filters of %dx%d (want sizes of at least 1)", c.N, c.C, c.H, c.W, c.K, c.R, c.S)
	case min(c.StrideH, c.StrideW, c.DilationH, c.DilationW, c.Groups) < 1:
		return fmt.Errorf("stride %dx%d, dilation %dx%d, %d groups (want at least 1)", c.StrideH, c.StrideW, c.DilationH, c.DilationW, c.Groups)
	case min(c.PadTop, c.PadLeft, c.PadBottom, c.PadRight, c.OutPadH, c.OutPadW) < 0:
		return fmt.Errorf("padding %d,%d,%d,%d, output padding %dx%d (want at least 0)", c.PadTop, c.PadLeft, c.PadBottom, c.PadRight, c.OutPadH, c.OutPadW)
	case c.C%c.Groups != 0 || c.K%c.Groups != 0:
		return fmt.Errorf("%d groups of %d channels and %d filters (want a divisor of both)", c.Groups, c.C, c.K)
	case !c.Transposed && c.OutPadH+c.OutPadW > 0:
		return fmt.Errorf("output padding %dx%d without transposition", c.OutPadH, c.OutPadW)
	case !c.Transposed && !(fits(c.H, c.R, c.DilationH, c.PadTop+c.PadBottom) && fits(c.W, c.S, c.DilationW, c.PadLeft+c.PadRight)):
		return fmt.Errorf("window %dx%d with dilation %dx%d is larger than the padded input %dx%d", c.R, c.S,
			c.DilationH, c.DilationW, c.H+c.PadTop+c.PadBottom, c.W+c.PadLeft+c.PadRight)
	case c.OutH() < 1 || c.OutW() < 1:
		return fmt.Errorf("padding %d,%d,%d,%d crops all of the output", c.PadTop, c.PadLeft, c.PadBottom, c.PadRight)
	}
	return nil
}

// Same returns the transposed convolution c with the padding of TensorFlow's SAME: it has stride
// times as many outputs as inputs. Surplus outputs are cropped, the smaller half at the top and
// left; a stride wider than the kernel leaves rows and columns empty.
func Same(c Conv) Conv {
	c.PadTop, c.PadBottom, c.OutPadH = same(c.R, c.StrideH, c.DilationH)
	c.PadLeft, c.PadRight, c.OutPadW = same(c.S, c.StrideW, c.DilationW)
	return c
}

func same(kernel, stride, dilation int) (before, after, more int) {
	crop := dilation*(kernel-1) + 1 - stride
	if crop < 0 {
		return 0, 0, -crop
	}
	return crop / 2, crop - crop/2, 0
}

func (c Conv) check(v *validator) {
	if err := c.Check(); err != nil {
		v.errorf("%v", err)
		return
	}
	v.shape("input", v.in(0), c.N, c.C, c.H, c.W)
	v.shape("weight", v.in(1), c.WeightShape()...)
	v.shape("output", v.out(), c.OutShape()...)
	if v.in(2) != None {
		v.count("bias", v.in(2), int64(c.K))
	}
	out := int64(c.OutH()) * int64(c.OutW())
	if c.Transposed {
		out = int64(c.H) * int64(c.W)
	}
	if _, ok := product(int64(c.N), int64(c.C), int64(c.K), int64(c.R), int64(c.S), out); !ok {
		v.errorf("more than 2^63 multiply-accumulates")
	}
}

// outSize is the output size of a window over one dimension, rounded down.
func outSize(in, k, stride, dilation, padA, padB int) int {
	return (in+padA+padB-dilation*(k-1)-1)/stride + 1
}

// fits reports whether a window fits into a padded input. The output size does not show it,
// because integer division rounds towards 0.
func fits(in, k, dilation, pad int) bool { return dilation*(k-1)+1 <= in+pad }

// EffectiveMACs is MACs without products with padding and without products that a transposed
// convolution crops.
func (c Conv) EffectiveMACs() int64 {
	if c.Transposed {
		h, _ := land(c.H, c.R, c.StrideH, c.DilationH, c.PadTop, c.OutH())
		w, _ := land(c.W, c.S, c.StrideW, c.DilationW, c.PadLeft, c.OutW())
		return int64(c.N) * int64(c.C) * int64(c.K/c.Groups) * h * w
	}
	// A convolution reads where its transposed twin writes.
	h, _ := land(c.OutH(), c.R, c.StrideH, c.DilationH, c.PadTop, c.H)
	w, _ := land(c.OutW(), c.S, c.StrideW, c.DilationW, c.PadLeft, c.W)
	return int64(c.N) * int64(c.K) * int64(c.C/c.Groups) * h * w
}

// overlapAdds counts the additions that fold the products of a transposed
// convolution, channels summed, into its output: those that fall inside, less
// the first of each output pixel. Rows and columns are independent.
func (c Conv) overlapAdds() int64 {
	landH, hitH := land(c.H, c.R, c.StrideH, c.DilationH, c.PadTop, c.OutH())
	landW, hitW := land(c.W, c.S, c.StrideW, c.DilationW, c.PadLeft, c.OutW())
	return int64(c.N) * int64(c.K) * (landH*landW - hitH*hitW)
}

// land counts, in one dimension, the pairs of from positions and k taps that
// fall on one of to positions, and the positions that are hit at all.
func land(from, k, stride, dilation, pad, to int) (pairs, hits int64) {
	hit := make([]bool, to)
	for i := range from {
		for r := range k {
			if o := i*stride + r*dilation - pad; o >= 0 && o < to {
				pairs++
				if !hit[o] {
					hit[o] = true
					hits++
				}
			}
		}
	}
	return pairs, hits
}
