package graph

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
