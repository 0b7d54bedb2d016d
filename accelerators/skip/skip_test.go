package skip

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/workloads/graph"
)

// square is a convolution over an image of side x side.
func square(channels, filters, kernel, stride, pad, side int) graph.Matrix {
	c := graph.SquareConv(filters, kernel, stride, pad)
	c.N, c.C, c.H, c.W = 1, channels, side, side
	c = c.Normal()
	op := graph.Op{Kind: c}
	m, _ := op.Matrix()
	return m
}

// Shares below a threshold, against numbers of tables: the normal distribution within
// 1, 2 sigma; the median of an exponential; a histogram by hand.
func TestBelow(t *testing.T) {
	of := func(name string, spec any) Values {
		d, err := Make(name, spec, Operand{})
		require.NoError(t, err)
		return d.values
	}
	n := of("half_normal", Scaled{Scale: 2})
	require.InDelta(t, 0.682689, n.Below(2), 1e-6)
	require.InDelta(t, 0.954500, n.Below(4), 1e-6)
	require.InDelta(t, 0.5, of("laplace", Scaled{Scale: 3}).Below(3*math.Ln2), 1e-12)
	h := of("histogram", Histogram{Edges: []float64{0, 1, 3, 4}, Shares: []float64{2, 6, 2}})
	for x, want := range map[float64]float64{0: 0, 0.5: 0.1, 1: 0.2, 2: 0.5, 3: 0.8, 4: 1, 9: 1} {
		require.InDelta(t, want, h.Below(x), 1e-12, x)
	}
	_, err := Make("histogram", Histogram{Edges: []float64{0, 1, 1}, Shares: []float64{1, 1}}, Operand{})
	require.ErrorContains(t, err, "a bin from 1 to 1")
}

// The tables draw the binomial distribution: mean and variance, and no value outside.
func TestBinomial(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		n int
		p float64
	}{{1, 0.3}, {9, 0.5}, {288, 0.55}, {20000, 0.01}, {5, 0}, {5, 1}, {0, 0.5}} {
		b := newBinomial(c.n, c.p)
		const draws = 200000
		sum, square := 0.0, 0.0
		for range draws {
			x := float64(b.draw(r))
			require.True(t, x >= 0 && x <= float64(c.n))
			sum, square = sum+x, square+x*x
		}
		mean := sum / draws
		sigma := math.Sqrt(float64(c.n) * c.p * (1 - c.p))
		require.InDelta(t, float64(c.n)*c.p, mean, 5*sigma/math.Sqrt(draws)+1e-12, c)
		require.InDelta(t, sigma*sigma, square/draws-mean*mean, 0.02*sigma*sigma+1e-9, c)
	}
}

// twin draws every value of a small convolution, inputs anew for each position, and lets
// lanes go through theirs one product at a time.
func twin(e Engine, c graph.Conv, zero float64, r *rand.Rand) (cycles, done int) {
	x := make([]bool, c.C*c.H*c.W) // left
	w := make([]bool, c.K*c.C*c.R*c.S)
	for i := range w {
		w[i] = r.Float64() >= zero
	}
	never := map[int]int{}
	for oh := range c.OutH() {
		for ow := range c.OutW() {
			for i := range x {
				x[i] = r.Float64() >= zero
			}
			for f := 0; f < c.K; f += int(e.Lanes) {
				lane, turns := map[int]int{}, 0
				for ch0 := 0; ch0 < c.C; ch0 += int(e.Width) {
					for a := range c.R {
						for b := range c.S {
							i, j := oh*c.StrideH+a-c.PadTop, ow*c.StrideW+b-c.PadLeft
							inside := i >= 0 && i < c.H && j >= 0 && j < c.W
							any := false
							for ch := ch0; ch < min(c.C, ch0+int(e.Width)); ch++ {
								for k := f; k < min(c.K, f+int(e.Lanes)); k++ {
									left := inside && x[(ch*c.H+max(0, min(i, c.H-1)))*c.W+max(0, min(j, c.W-1))]
									id := ch % int(e.Width)
									if e.Weights {
										left = w[((k*c.C+ch)*c.R+a)*c.S+b]
										id += (k - f) * int(e.Width)
									}
									if left {
										done++
										any = true
										if e.Weights || k == f {
											lane[id]++
										}
									}
								}
							}
							if any {
								turns++
							}
						}
					}
				}
				most := 0
				for id, n := range lane {
					most = max(most, n)
					never[id] += n
				}
				if e.Sync == Turn {
					most = turns
				}
				if e.Sync != Never {
					cycles += most
				}
			}
		}
	}
	if e.Sync == Never {
		for _, n := range never {
			cycles = max(cycles, n)
		}
	}
	return cycles, done
}

// Drawn by counts and drawn value by value come to the same in the mean, within what the
// number of runs resolves; without anything to skip they are equal.
func TestTwin(t *testing.T) {
	m := square(11, 10, 3, 1, 1, 5)
	r := rand.New(rand.NewPCG(3, 4))
	for _, weights := range []bool{false, true} {
		for _, sync := range []Sync{Position, Turn, Never} {
			e := Engine{Lanes: 4, Width: 4, Weights: weights, Sync: sync}
			cycles, done := twin(e, *m.Conv, 0, r)
			w := e.Do(m, Share{}, r)
			require.EqualValues(t, cycles, w.Cycles, "%v %s", weights, sync)
			require.EqualValues(t, done, w.Done)
			const runs = 300
			var a, b, d, all float64
			for range runs {
				cycles, done := twin(e, *m.Conv, 0.6, r)
				w := e.Do(m, Share{Zero: 0.6}, r)
				a, b, d, all = a+float64(cycles), b+float64(w.Cycles), d+float64(done)-float64(w.Done), all+float64(done)
			}
			require.InEpsilon(t, a, b, 0.015, "%v %s", weights, sync)
			require.InDelta(t, 0, d/all, 0.015, "%v %s", weights, sync)
		}
	}
}

// Lanes that wait at each position take the mean of the greatest of Width binomial
// numbers, which is the sum over k of 1 - F(k)^Width.
func TestMeanOfTheSlowestLane(t *testing.T) {
	const left, width = 0.45, 16
	m := square(64, 32, 3, 1, 0, 66)
	w := Engine{Lanes: 16, Width: width}.Do(m, Share{Zero: 0.4, Small: 0.15}, rand.New(rand.NewPCG(5, 6)))
	n, f, mean := 64/width*9, 0.0, 0.0
	for k := range n {
		c, _ := math.Lgamma(float64(n) + 1)
		a, _ := math.Lgamma(float64(k) + 1)
		b, _ := math.Lgamma(float64(n-k) + 1)
		f += math.Exp(c - a - b + float64(k)*math.Log(left) + float64(n-k)*math.Log(1-left))
		mean += 1 - math.Pow(f, width)
	}
	require.InEpsilon(t, mean*64*64*2, float64(w.Cycles), 0.002)
	require.InEpsilon(t, 0.15/0.55, float64(w.Small)/float64(w.Small+w.Zero), 0.01)
}

// Products are carried out or left out; no engine is faster than its multipliers; lanes
// that wait less often are no slower; more zeros never cost.
func TestSkipProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := func(name string, most int) int { return rapid.IntRange(1, most).Draw(t, name) }
		k := n("kernel", 3)
		m := square(n("channels", 20), n("filters", 20), k, n("stride", 2), rapid.IntRange(0, k-1).Draw(t, "pad"), n("side", 5)+3)
		e := Engine{Lanes: int64(n("lanes", 8)), Width: int64(n("width", 8)), Weights: rapid.Bool().Draw(t, "weights")}
		s := Share{Zero: rapid.Float64Range(0, 1).Draw(t, "zero")}
		s.Small = rapid.Float64Range(0, 1-s.Zero).Draw(t, "small")
		seed := rapid.Uint64().Draw(t, "seed")
		total := uint64(int64(m.Batch) * m.M * m.N * m.K)
		for _, e.Sync = range []Sync{Turn, Position, Never} {
			w := e.Do(m, s, rand.New(rand.NewPCG(seed, 1)))
			require.Equal(t, total, w.Done+w.Zero+w.Small)
			require.LessOrEqual(t, w.Done, w.Cycles*uint64(e.Lanes*e.Width))
			full := e.Do(m, Share{}, rand.New(rand.NewPCG(seed, 1)))
			require.LessOrEqual(t, w.Cycles, full.Cycles)
			require.Equal(t, w, e.Do(m, s, rand.New(rand.NewPCG(seed, 1))))
		}
		e.Sync = Position
		p := e.Do(m, s, rand.New(rand.NewPCG(seed, 1)))
		e.Sync = Never
		require.LessOrEqual(t, e.Do(m, s, rand.New(rand.NewPCG(seed, 1))).Cycles, p.Cycles)
	})
}

// What a table may not say is refused where it stands.
func TestTable(t *testing.T) {
	d, err := Make("half_normal", Scaled{Scale: 1}, Operand{Zeros: 0.3, Threshold: 0.5})
	require.NoError(t, err)
	write := func(text string) string {
		p := filepath.Join(t.TempDir(), "zeros.csv")
		require.NoError(t, os.WriteFile(p, []byte(text), 0o600))
		return p
	}
	for text, want := range map[string]string{
		"layer,zeros,depth\n":                     "1:13: column \"depth\" is unknown",
		"layer,scale\n":                           "no column \"zeros\"",
		"layer,zeros\nconv1,1.5\n":                "2:7: zeros is \"1.5\" (want a number from 0 to 1)",
		"layer,zeros\nconv1,1\nconv1,0\n":         "3:1: layer is \"conv1\" (want one row per layer)",
		"layer,zeros,scale\nconv1,0.5,0\n":        "2:11: scale is \"0\"",
		"workload,layer,zeros\na,conv1,0.1,0.2\n": "wrong number of fields",
	} {
		_, err := Read(write(text), &d)
		require.ErrorContains(t, err, want, text)
	}
	tab, err := Read(write("workload,layer,zeros,scale\n,conv1,0.5,\nnet,conv2,0.25,2\n"), &d)
	require.NoError(t, err)
	s := Spec{Inputs: d}
	require.InDelta(t, 0.5*math.Erf(0.5/math.Sqrt2), s.Share(tab, "net", "conv1").Small, 1e-12)
	require.InDelta(t, 0.75*math.Erf(0.25/math.Sqrt2), s.Share(tab, "net", "conv2").Small, 1e-12)
	require.Equal(t, 0.3, s.Share(nil, "net", "conv2").Zero)
	require.NoError(t, tab.Check("net", []string{"conv1", "conv2"}))
	require.ErrorContains(t, tab.Check("net", []string{"conv1", "conv2", "fc1"}), "has no row for layer fc1 of net")
	require.ErrorContains(t, tab.Check("net", []string{"conv1"}), "3:1: net has no matrix product called \"conv2\"")
}
