package skip

import (
	"math"
	"math/rand/v2"

	"github.com/causeway-sim/causeway/workloads/graph"
)

// A Share is the shares of an operand's values that are skipped, 0 to 1.
type Share struct {
	Zero  float64 // zero values
	Small float64 // small values that are not zero
}

// left returns the share of values that are multiplied.
func (s Share) left() float64 { return min(1, max(0, 1-s.Zero-s.Small)) }

// An Engine has Lanes filters times Width channels, and skips one operand.
type Engine struct {
	Lanes, Width int64
	Weights      bool // skip weights; false: inputs
	Sync         Sync
}

// Work counts the cycles of a product and its multiplications.
type Work struct {
	Cycles      uint64
	Done        uint64 // multiplications that are carried out
	Zero, Small uint64 // multiplications that are skipped, by reason; borders count as zeros
}

// Do returns the work of a product whose operand is skipped with share s; r draws the skipped
// values. The convolution of m, if any, must not be transposed.
func (e Engine) Do(m graph.Matrix, s Share, r *rand.Rand) Work {
	var w Work
	total := uint64(int64(m.Batch) * m.M * m.N * m.K)
	border := uint64(0)
	if e.Weights {
		w = e.weights(m, s, r)
	} else {
		w = e.inputs(m, s, r)
		if m.Conv != nil {
			border = total - uint64(m.Conv.EffectiveMACs())
		}
	}
	skipped := total - border - w.Done
	w.Small = part(skipped, s, r)
	w.Zero = total - w.Done - w.Small
	return w
}

// part draws how many of the skipped products had small values.
func part(skipped uint64, s Share, r *rand.Rand) uint64 {
	if s.Zero+s.Small == 0 {
		return 0
	}
	n, p := float64(skipped), s.Small/(s.Zero+s.Small)
	x := math.Round(n*p + math.Sqrt(n*p*(1-p))*r.NormFloat64())
	return uint64(min(n, max(0, x)))
}

// A draws keeps the tables of one product, by their number of values.
type draws struct {
	left   float64
	tables map[int]*binomial
	r      *rand.Rand
}

func (d *draws) of(n int) int {
	t := d.tables[n]
	if t == nil {
		t = newBinomial(n, d.left)
		d.tables[n] = t
	}
	return t.draw(d.r)
}

// inputs walks over the positions: taps that lie on the border are never multiplied.
func (e Engine) inputs(m graph.Matrix, s Share, r *rand.Rand) (w Work) {
	d := &draws{s.left(), map[int]*binomial{}, r}
	channels := m.K
	tapsH, tapsW := []int{1}, []int{1}
	repeat := m.M
	if c := m.Conv; c != nil {
		channels = int64(c.C / c.Groups)
		tapsH = taps(c.OutH(), c.R, c.StrideH, c.DilationH, c.PadTop, c.H)
		tapsW = taps(c.OutW(), c.S, c.StrideW, c.DilationW, c.PadLeft, c.W)
		repeat = int64(c.N)
	}
	filters := (m.N + e.Lanes - 1) / e.Lanes
	lanes := make([]int, min(e.Width, channels)) // channels of each
	for i := range lanes {
		lanes[i] = int((channels - int64(i) + e.Width - 1) / e.Width)
	}
	sums := make([]uint64, len(lanes))
	for range int64(m.Batch) * repeat {
		for _, h := range tapsH {
			for _, v := range tapsW {
				most, left := 0, 0
				if e.Sync == Turn {
					for at := int64(0); at < channels; at += e.Width {
						for range h * v {
							if n := d.of(int(min(e.Width, channels-at))); n > 0 {
								most++
								left += n
							}
						}
					}
				} else {
					for i, n := range lanes {
						x := d.of(n * h * v)
						left += x
						most = max(most, x)
						sums[i] += uint64(x)
					}
				}
				w.Cycles += uint64(most)
				w.Done += uint64(left)
			}
		}
	}
	if e.Sync == Never {
		w.Cycles = maxOf(sums)
	}
	w.Cycles *= uint64(filters)
	w.Done *= uint64(m.N)
	return w
}

// taps is, of each output position along one dimension, how many taps lie inside.
func taps(out, k, stride, dilation, pad, size int) []int {
	n := make([]int, out)
	for i := range n {
		for r := range k {
			if at := i*stride + r*dilation - pad; at >= 0 && at < size {
				n[i]++
			}
		}
	}
	return n
}

// weights walks over the filters: every position takes what the first takes.
func (e Engine) weights(m graph.Matrix, s Share, r *rand.Rand) (w Work) {
	d := &draws{s.left(), map[int]*binomial{}, r}
	channels, taps := m.K, int64(1)
	if c := m.Conv; c != nil {
		channels, taps = int64(c.C/c.Groups), int64(c.R*c.S)
	}
	positions := uint64(m.M)
	width := min(e.Width, channels)
	sums := make([]uint64, min(e.Lanes, m.N)*width)
	for range m.Batch {
		for f := int64(0); f < m.N; f += e.Lanes {
			n := min(e.Lanes, m.N-f)
			most := 0
			if e.Sync == Turn {
				for at := int64(0); at < channels; at += e.Width {
					for range taps {
						if x := d.of(int(n * min(e.Width, channels-at))); x > 0 {
							most++
							w.Done += uint64(x)
						}
					}
				}
			} else {
				for i := range n * width {
					x := d.of(int(taps * ((channels - i%width + e.Width - 1) / e.Width)))
					w.Done += uint64(x)
					most = max(most, x)
					sums[i] += uint64(x)
				}
			}
			w.Cycles += uint64(most)
		}
	}
	if e.Sync == Never {
		w.Cycles = maxOf(sums)
	}
	w.Cycles *= positions
	w.Done *= positions
	return w
}

func maxOf(list []uint64) (m uint64) {
	for _, x := range list {
		m = max(m, x)
	}
	return m
}
