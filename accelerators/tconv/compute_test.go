package tconv

import "github.com/causeway-sim/causeway/workloads/graph"

// Compute carries out the lowering on numbers: x is C x H x W of one image, w is
// C x K x R x S, the result K x OutH x OutW; products counts the multiplications that
// were done, for all channels. Groups are 1.
func Compute(c graph.Conv, l Lowering, x, w []int64) (y []int64, products int64) {
	oh, ow := c.OutH(), c.OutW()
	y = make([]int64, c.K*oh*ow)
	at := func(f, i, j int) *int64 { return &y[(f*oh+i)*ow+j] }
	in := func(ch, i, j int) int64 { return x[(ch*c.H+i)*c.W+j] }
	weight := func(ch, f, r, s int) int64 { return w[((ch*c.K+f)*c.R+r)*c.S+s] }
	if l == ZeroInsertion {
		for f := range c.K {
			for i := range oh {
				for j := range ow {
					for r := range c.R {
						for s := range c.S {
							a, b := i+c.PadTop-r*c.DilationH, j+c.PadLeft-s*c.DilationW
							for ch := range c.C {
								v := int64(0) // an inserted zero, or the border
								if a >= 0 && b >= 0 && a%c.StrideH == 0 && b%c.StrideW == 0 && a/c.StrideH < c.H && b/c.StrideW < c.W {
									v = in(ch, a/c.StrideH, b/c.StrideW)
								}
								*at(f, i, j) += v * weight(ch, f, r, s)
								products++
							}
						}
					}
				}
			}
		}
		return y, products
	}
	for i := range c.H {
		for j := range c.W {
			for r := range c.R {
				for s := range c.S {
					a, b := i*c.StrideH+r*c.DilationH-c.PadTop, j*c.StrideW+s*c.DilationW-c.PadLeft
					inside := a >= 0 && a < oh && b >= 0 && b < ow
					if l == Scatter && !inside {
						continue
					}
					for f := range c.K {
						sum := int64(0)
						for ch := range c.C {
							sum += in(ch, i, j) * weight(ch, f, r, s)
							products++
						}
						if inside {
							*at(f, a, b) += sum
						}
					}
				}
			}
		}
	}
	return y, products
}
