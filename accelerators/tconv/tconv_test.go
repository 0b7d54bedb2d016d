package tconv

import (
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/workloads/graph"
)

func draw(t *rapid.T) graph.Conv {
	n := func(name string, most int) int { return rapid.IntRange(1, most).Draw(t, name) }
	c := graph.Conv{N: 1, C: n("c", 3), H: n("h", 5), W: n("w", 5), K: n("k", 3), R: n("r", 5), S: n("s", 5),
		StrideH: n("sh", 3), StrideW: n("sw", 3), DilationH: n("dh", 2), DilationW: n("dw", 2), Groups: 1, Transposed: true}
	c.PadTop, c.PadBottom = rapid.IntRange(0, c.R-1).Draw(t, "top"), rapid.IntRange(0, c.R-1).Draw(t, "bottom")
	c.PadLeft, c.PadRight = rapid.IntRange(0, c.S-1).Draw(t, "left"), rapid.IntRange(0, c.S-1).Draw(t, "right")
	return c
}

// All lowerings give the sums of the definition, and do as many products as is said.
func TestLoweringsAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := draw(t)
		if c.OutH() < 1 || c.OutW() < 1 {
			t.Skip("the crop leaves no output")
		}
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		numbers := func(n int) []int64 {
			v := make([]int64, n)
			for i := range v {
				v[i] = int64(rng.IntN(255) - 127)
			}
			return v
		}
		x, w := numbers(c.C*c.H*c.W), numbers(c.C*c.K*c.R*c.S)
		want := make([]int64, c.K*c.OutH()*c.OutW()) // the definition, output by output
		for f := range c.K {
			for a := range c.OutH() {
				for b := range c.OutW() {
					for i := range c.H {
						for r := range c.R {
							if i*c.StrideH+r*c.DilationH-c.PadTop != a {
								continue
							}
							for j := range c.W {
								for s := range c.S {
									if j*c.StrideW+s*c.DilationW-c.PadLeft != b {
										continue
									}
									for ch := range c.C {
										want[(f*c.OutH()+a)*c.OutW()+b] += x[(ch*c.H+i)*c.W+j] * w[((ch*c.K+f)*c.R+r)*c.S+s]
									}
								}
							}
						}
					}
				}
			}
		}
		for l := range Lowering(len(names)) {
			y, products := Compute(c, l, x, w)
			require.Equal(t, want, y, l)
			require.Equal(t, Of(c, l).Products*int64(c.C*c.K), products, l)
		}
		require.Equal(t, c.EffectiveMACs(), Of(c, Scatter).Products*int64(c.C*c.K))
		require.LessOrEqual(t, Of(c, Scatter).Products, Of(c, InputOriented).Products)
	})
}

// An engine of one lane and one channel takes one cycle per product and sum; wider ones
// take turns.
func TestCycles(t *testing.T) {
	c := graph.Conv{N: 1, C: 20, H: 7, W: 7, K: 24, R: 5, S: 5, StrideH: 2, StrideW: 2, PadTop: 1, PadLeft: 1, PadBottom: 2, PadRight: 2,
		DilationH: 1, DilationW: 1, Groups: 1, Transposed: true}
	require.Equal(t, 14, c.OutH())
	one, wide := Engine{1, 1}, Engine{16, 16}
	w := Of(c, Scatter)
	require.Equal(t, w.Products*20*24, one.Cycles(c, Scatter))
	require.Equal(t, w.Products*2*2, wide.Cycles(c, Scatter))
	require.Equal(t, 49*25*2*2+w.Landing*2, wide.Cycles(c, InputOriented))
	require.Equal(t, int64(14*14*25*2*2), wide.Cycles(c, ZeroInsertion))
	require.Equal(t, w.Products*4+14*14*2+21*7-34, wide.Streaming(c, true))
	require.Equal(t, int64(49*25*4+14*14*2+17*7-34), wide.Streaming(c, false))
}

// Every published problem: products, and those that are cropped, of TensorFlow's SAME
// padding.
func TestPublishedProblems(t *testing.T) {
	read := func(name string) [][]string {
		f, err := os.Open("../../configs/studies/mm2im/" + name)
		require.NoError(t, err)
		defer f.Close()
		rows, err := csv.NewReader(f).ReadAll()
		require.NoError(t, err)
		return rows[1:]
	}
	problems, expected := slices.Concat(read("synth.csv"), read("generative.csv")), slices.Concat(read("synth_expected.csv"), read("generative_expected.csv"))
	require.Len(t, problems, 229)
	for i, r := range problems {
		n := func(text string) int {
			v, err := strconv.Atoi(text)
			require.NoError(t, err)
			return v
		}
		c := graph.Same(graph.Conv{N: 1, C: n(r[7]), H: n(r[5]), W: n(r[6]), K: n(r[3]), R: n(r[4]), S: n(r[4]), StrideH: n(r[2]), StrideW: n(r[2]),
			DilationH: 1, DilationW: 1, Groups: 1, Transposed: true})
		require.Equal(t, r[0], expected[i][0])
		require.Equal(t, n(r[5])*n(r[2]), c.OutH(), r[0])
		require.EqualValues(t, n(expected[i][1]), c.MACs(), r[0])
		require.EqualValues(t, n(expected[i][2]), c.MACs()-c.EffectiveMACs(), r[0])
	}
}

func ExampleOf() {
	c := graph.Same(graph.Conv{N: 1, C: 1024, H: 4, W: 4, K: 512, R: 5, S: 5, StrideH: 2, StrideW: 2, DilationH: 1, DilationW: 1, Groups: 1, Transposed: true})
	all, kept := Of(c, InputOriented).Products, Of(c, Scatter).Products
	fmt.Printf("%d of %d products land, %.1f%% do not\n", kept, all, 100*float64(all-kept)/float64(all))
	// Output: 289 of 400 products land, 27.8% do not
}
