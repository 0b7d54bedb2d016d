package graph

import (
	"encoding/csv"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// drawConv draws a convolution that Check accepts or refuses.
func drawConv(t *rapid.T) Conv {
	g := rapid.IntRange(1, 3).Draw(t, "groups")
	size := func(name string, lo, hi int) int { return rapid.IntRange(lo, hi).Draw(t, name) }
	c := Conv{N: size("n", 1, 2), C: g * size("c", 1, 2), H: size("h", 1, 9), W: size("w", 1, 9),
		K: g * size("k", 1, 2), R: size("r", 1, 4), S: size("s", 1, 4), Groups: g,
		StrideH: size("sh", 1, 3), StrideW: size("sw", 1, 3), DilationH: size("dh", 1, 3), DilationW: size("dw", 1, 3),
		PadTop: size("pt", 0, 3), PadLeft: size("pl", 0, 3), PadBottom: size("pb", 0, 3), PadRight: size("pr", 0, 3),
		Transposed: rapid.Bool().Draw(t, "transposed")}
	if c.Transposed {
		c.OutPadH, c.OutPadW = size("oh", 0, 2), size("ow", 0, 2)
	}
	return c
}

// slide is the dumb twin of the output size: it moves a window until it leaves
// the padded input.
func slide(in, k, stride, dilation, before, after int) (n int) {
	for at := -before; at+dilation*(k-1) < in+after; at += stride {
		n++
	}
	return n
}

// walk is the dumb twin of the counts: it visits every product of one image and
// marks where it lands.
func walk(c Conv) (macs, effective, adds int64) {
	hits := map[[3]int]int64{} // output channel, row, column
	for k := range c.K {
		for ch := range c.C {
			if k/(c.K/c.Groups) != ch/(c.C/c.Groups) {
				continue
			}
			h, w := c.OutH(), c.OutW() // from
			toH, toW := c.H, c.W
			if c.Transposed {
				h, w, toH, toW = c.H, c.W, c.OutH(), c.OutW()
			}
			for y := range h {
				for x := range w {
					for r := range c.R {
						for s := range c.S {
							macs++
							ty, tx := y*c.StrideH+r*c.DilationH-c.PadTop, x*c.StrideW+s*c.DilationW-c.PadLeft
							if ty >= 0 && ty < toH && tx >= 0 && tx < toW {
								effective++
								if ch%(c.C/c.Groups) == 0 { // channels are summed in the array
									hits[[3]int{k, ty, tx}]++
								}
							}
						}
					}
				}
			}
		}
	}
	for _, n := range hits {
		adds += n - 1
	}
	if !c.Transposed {
		adds = 0
	}
	return macs, effective, adds
}

func TestConvEqualsItsTwin(t *testing.T) {
	drawn, accepted := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		c := drawConv(t)
		drawn++
		if !c.Transposed {
			oh := slide(c.H, c.R, c.StrideH, c.DilationH, c.PadTop, c.PadBottom)
			ow := slide(c.W, c.S, c.StrideW, c.DilationW, c.PadLeft, c.PadRight)
			require.Equal(t, oh > 0 && ow > 0, c.Check() == nil, "%+v: %v", c, c.Check())
			if c.Check() == nil {
				require.Equal(t, []int{c.N, c.K, oh, ow}, c.OutShape())
			}
		}
		if c.Check() != nil {
			return
		}
		accepted++
		macs, effective, adds := walk(c)
		n := int64(c.N)
		require.Equal(t, n*macs, c.MACs())
		require.Equal(t, n*effective, c.EffectiveMACs())
		op := Op{Kind: c}
		require.Equal(t, n*adds, op.VectorOps())
		m, ok := op.Matrix()
		require.True(t, ok)
		require.Equal(t, c.MACs(), m.MACs())
	})
	require.Greater(t, 5*accepted, drawn, "most draws are refused") // -short draws a fifth
}

// TestTransposedUndoesConv: a transposed convolution of a convolution's output
// has the convolution's input size (Dumoulin and Visin, relation 14), given the
// rows that the stride left over as output padding.
func TestTransposedUndoesConv(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawConv(t)
		c.Transposed, c.OutPadH, c.OutPadW = false, 0, 0
		if c.Check() != nil {
			return
		}
		d := c
		d.Transposed, d.C, d.K, d.H, d.W = true, c.K, c.C, c.OutH(), c.OutW()
		d.OutPadH = (c.H + c.PadTop + c.PadBottom - c.DilationH*(c.R-1) - 1) % c.StrideH
		d.OutPadW = (c.W + c.PadLeft + c.PadRight - c.DilationW*(c.S-1) - 1) % c.StrideW
		require.Equal(t, []int{c.N, c.C, c.H, c.W}, d.OutShape())
		require.Equal(t, c.WeightShape(), d.WeightShape())
		require.Equal(t, c.EffectiveMACs(), d.EffectiveMACs())
	})
}

// TestTransposedProblems compares with the sizes and useful products of the
// transposed convolutions of MM2IM (arXiv 2507.07683), computed from the
// published problem list with TensorFlow's SAME padding: output = input x
// stride, the surplus cropped, the smaller half first.
func TestTransposedProblems(t *testing.T) {
	f, err := os.Open("testdata/tconv_configs.csv")
	require.NoError(t, err)
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	require.NoError(t, err)
	require.Len(t, rows, 1+230)
	for _, row := range rows[1:] {
		n := func(i int) int {
			v, err := strconv.Atoi(row[i])
			require.NoError(t, err)
			return v
		}
		stride, k := n(2), n(4)
		crop := max(k-stride, 0)
		c := Conv{N: 1, C: n(6), H: n(5), W: n(5), K: n(3), R: k, S: k, StrideH: stride, StrideW: stride, Transposed: true,
			PadTop: crop / 2, PadLeft: crop / 2, PadBottom: crop - crop/2, PadRight: crop - crop/2}.Normal()
		require.NoError(t, c.Check())
		require.Equal(t, n(5)*stride, c.OutH())
		require.Equal(t, int64(n(7)), c.MACs(), row)
		require.Equal(t, int64(n(8)), c.EffectiveMACs(), row)
		require.Equal(t, n(10), c.K*c.OutH()*c.OutW())
	}
}

func TestPoolEqualsItsTwin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := func(name string, lo, hi int) int { return rapid.IntRange(lo, hi).Draw(t, name) }
		p := Pool{N: 1, C: 2, H: size("h", 1, 12), W: size("w", 1, 12), R: size("r", 1, 4), S: size("s", 1, 4),
			StrideH: size("sh", 1, 4), StrideW: size("sw", 1, 4), PadTop: size("pt", 0, 1), PadLeft: size("pl", 0, 1),
			PadBottom: size("pb", 0, 1), PadRight: size("pr", 0, 1), CeilMode: rapid.Bool().Draw(t, "ceil")}
		if p.Check() != nil {
			return
		}
		// The twin counts windows that begin inside; the last may stick out
		// with ceil mode, once the one before does not reach the end.
		twin := func(in, k, stride, before, after int) (n int) {
			for at := -before; ; at += stride {
				whole := at+k <= in+after
				partly := p.CeilMode && at < in && at-stride+k < in+after
				if !whole && !partly {
					return n
				}
				if p.CeilMode && at >= in { // begins after the input
					return n
				}
				n++
			}
		}
		require.Equal(t, twin(p.H, p.R, p.StrideH, p.PadTop, p.PadBottom), p.OutH(), "%+v", p)
		require.Equal(t, twin(p.W, p.S, p.StrideW, p.PadLeft, p.PadRight), p.OutW(), "%+v", p)
	})
}

func TestChecks(t *testing.T) {
	good := SquareConv(4, 3, 1, 0)
	good.N, good.C, good.H, good.W = 1, 2, 8, 8
	require.NoError(t, good.Check())
	for _, c := range []struct {
		change func(*Conv)
		want   string
	}{
		{func(c *Conv) { c.K = 0 }, "input 1x2x8x8, 0 filters of 3x3 (want sizes of at least 1)"},
		{func(c *Conv) { c.StrideW = -1 }, "stride 1x-1, dilation 1x1, 1 groups (want at least 1)"},
		{func(c *Conv) { c.PadLeft = -1 }, "padding 0,-1,0,0, output padding 0x0 (want at least 0)"},
		{func(c *Conv) { c.Groups = 3 }, "3 groups of 2 channels and 4 filters (want a divisor of both)"},
		{func(c *Conv) { c.OutPadH = 1 }, "output padding 1x0 without transposition"},
		{func(c *Conv) { c.DilationH = 4 }, "window 3x3 with dilation 4x1 is larger than the padded input 8x8"},
		{func(c *Conv) { c.Transposed, c.PadTop = true, 10 }, "padding 10,0,0,0 crops all of the output"},
	} {
		bad := good
		c.change(&bad)
		require.EqualError(t, bad.Check(), c.want)
	}
	require.EqualError(t, Pool{N: 1, C: 1, H: 2, W: 2, R: 3, S: 3}.Normal().Check(), "window 3x3 is larger than the padded input 2x2")
	require.EqualError(t, Pool{N: 1, C: 1, H: 2, W: 2}.Normal().Check(), "input 1x1x2x2, window 0x0 (want sizes of at least 1)")
	require.EqualError(t, Pool{N: 1, C: 1, H: 2, W: 2, R: 1, S: 1, PadTop: -1}.Normal().Check(), "stride 1x1, padding -1,0,0,0 (want at least 1 and 0)")
	require.EqualError(t, MatMul{Batch: 1, M: 1, N: 0, K: 1}.Check(), "1 products of 1x1 by 1x0 (want at least 1)")
	require.EqualError(t, MatMul{Batch: 8, M: 1, N: 1, K: 1, SharedB: 3}.Check(), "matrix B shared by 3 of 8 products (want a divisor)")
}
