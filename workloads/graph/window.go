package graph

import "fmt"

// Normal returns c with strides, dilations and groups of 0 replaced by 1.
func (c Conv) Normal() Conv {
	for _, p := range []*int{&c.StrideH, &c.StrideW, &c.DilationH, &c.DilationW, &c.Groups} {
		if *p == 0 {
			*p = 1
		}
	}
	return c
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

// Check says what makes c impossible: a size below 1, a negative padding, groups
// that do not divide the channels, or an output without pixels.
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

// fits says that a window goes into a padded input at least once. Integer
// division rounds towards 0, so the output size alone does not tell.
func fits(in, k, dilation, pad int) bool { return dilation*(k-1)+1 <= in+pad }

// Normal returns p with strides of 0 replaced by 1 and, if Global, the window
// set to the input.
func (p Pool) Normal() Pool {
	p.StrideH, p.StrideW = max(p.StrideH, 1), max(p.StrideW, 1)
	if p.Global {
		p.R, p.S = p.H, p.W
	}
	return p
}

// SquarePool is a pooling with a size x size window, one stride and one padding
// for all sides.
func SquarePool(size, stride, pad int) Pool {
	return Pool{R: size, S: size, StrideH: stride, StrideW: stride, PadTop: pad, PadLeft: pad, PadBottom: pad, PadRight: pad}
}

// OutH is the output height.
func (p Pool) OutH() int {
	if p.Global {
		return 1
	}
	return p.out(p.H, p.R, p.StrideH, p.PadTop, p.PadBottom)
}

// OutW is the output width.
func (p Pool) OutW() int {
	if p.Global {
		return 1
	}
	return p.out(p.W, p.S, p.StrideW, p.PadLeft, p.PadRight)
}

// OutShape is N, C, OH, OW.
func (p Pool) OutShape() []int { return []int{p.N, p.C, p.OutH(), p.OutW()} }

// out rounds up with CeilMode, but drops a last window that would begin in the
// padding behind the input, as PyTorch does and ONNX since opset 19 too.
func (p Pool) out(in, k, stride, before, after int) int {
	if !p.CeilMode {
		return outSize(in, k, stride, 1, before, after)
	}
	n := (in+before+after-k+stride-1)/stride + 1
	if (n-1)*stride >= in+before {
		n--
	}
	return n
}

// Check says what makes p impossible.
func (p Pool) Check() error {
	switch {
	case min(p.N, p.C, p.H, p.W, p.R, p.S) < 1:
		return fmt.Errorf("input %dx%dx%dx%d, window %dx%d (want sizes of at least 1)", p.N, p.C, p.H, p.W, p.R, p.S)
	case min(p.StrideH, p.StrideW) < 1 || min(p.PadTop, p.PadLeft, p.PadBottom, p.PadRight) < 0:
		return fmt.Errorf("stride %dx%d, padding %d,%d,%d,%d (want at least 1 and 0)", p.StrideH, p.StrideW, p.PadTop, p.PadLeft, p.PadBottom, p.PadRight)
	case !p.Global && !(fits(p.H, p.R, 1, p.PadTop+p.PadBottom) && fits(p.W, p.S, 1, p.PadLeft+p.PadRight)):
		return fmt.Errorf("window %dx%d is larger than the padded input %dx%d", p.R, p.S, p.H+p.PadTop+p.PadBottom, p.W+p.PadLeft+p.PadRight)
	}
	return nil
}

// Normal returns m with a Batch or SharedB of 0 replaced by 1.
func (m MatMul) Normal() MatMul {
	m.Batch, m.SharedB = max(m.Batch, 1), max(m.SharedB, 1)
	return m
}

// Check says what makes m impossible.
func (m MatMul) Check() error {
	switch {
	case min(m.Batch, m.M, m.N, m.K) < 1:
		return fmt.Errorf("%d products of %dx%d by %dx%d (want at least 1)", m.Batch, m.M, m.K, m.K, m.N)
	case m.SharedB < 0 || m.Batch%max(m.SharedB, 1) != 0:
		return fmt.Errorf("matrix B shared by %d of %d products (want a divisor)", m.SharedB, m.Batch)
	}
	return nil
}

// Same is a transposed convolution with the padding that gives a stride times as many
// outputs as inputs, as TensorFlow's SAME does: what the kernel reaches beyond is cropped,
// the smaller half at the top and left; a stride wider than the kernel leaves rows and
// columns empty.
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
