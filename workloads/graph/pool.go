package graph

import "fmt"

// A Pool is a window reduction. In: N,C,H,W. Out: N,C,OH,OW.
type Pool struct {
	N, C, H, W       int
	R, S             int
	StrideH, StrideW int
	PadTop, PadLeft  int
	PadBottom        int
	PadRight         int
	CeilMode         bool
	Average          bool // else maximum
	Global           bool
}

// Type implements Kind.
func (Pool) Type() string { return "pool" }

// MACs implements Kind.
func (Pool) MACs() int64 { return 0 }

// VectorOps implements Kind: one operation for each element of a window, less one for a
// maximum. Padding is not skipped.
func (p Pool) VectorOps() int64 {
	window := int64(p.R) * int64(p.S)
	if !p.Average {
		window-- // one compare less than elements; an average multiplies at the end
	}
	return int64(p.N) * int64(p.C) * int64(p.OutH()) * int64(p.OutW()) * window
}

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
// padding after the input, as PyTorch does and ONNX since opset 19 too.
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

// Check returns an error for impossible sizes.
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

func (p Pool) check(v *validator) {
	if err := p.Check(); err != nil {
		v.errorf("%v", err)
		return
	}
	v.shape("input", v.in(0), p.N, p.C, p.H, p.W)
	v.shape("output", v.out(), p.OutShape()...)
}
