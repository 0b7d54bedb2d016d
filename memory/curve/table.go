package curve

import (
	"fmt"
	"math"
	"math/bits"
	"slices"

	"gonum.org/v1/gonum/interp"

	"github.com/causeway-sim/causeway/components/clock"
)

// Fixed point of the table.
const (
	shares   = 16      // steps of the share of reads
	full     = 1 << 20 // the load at the end of a curve
	fraction = 256     // parts of a cycle
	unit     = 1 << 16 // a scale of 1
)

// table is a family of curves in integers, one row per share of reads, 0 to
// shares. A row has a breakpoint wherever one of the curves has.
type table struct {
	row   [shares + 1][]breakpoint
	scale [shares + 1]uint64  // bytes of the peak that one byte costs, in 1/unit
	end   [shares + 1]float64 // load at the end of the curve
}

type breakpoint struct {
	load    uint64 // 0 to full
	latency uint64 // in 1/fraction cycles
}

// CheckLine returns an error for a curve with fewer than two points, loads that do not rise or
// are outside 0 to 1, or latencies that fall or are negative.
func CheckLine(l Line) error {
	if !(l.Reads >= 0 && l.Reads <= 1) {
		return fmt.Errorf("a share of reads of %g (want 0 to 1)", l.Reads)
	}
	if len(l.Points) < 2 {
		return fmt.Errorf("a curve of %d points (want at least 2)", len(l.Points))
	}
	for i, p := range l.Points {
		switch {
		case !(p.Load >= 0 && p.Load <= 1):
			return fmt.Errorf("point %d has load %g (want 0 to 1)", i, p.Load)
		case !(p.NS >= 0 && p.NS <= 1e9):
			return fmt.Errorf("point %d has latency %g ns (want 0 to 1 s)", i, p.NS)
		case i > 0 && p.Load <= l.Points[i-1].Load:
			return fmt.Errorf("load does not rise from %g to %g at point %d", l.Points[i-1].Load, p.Load, i)
		case i > 0 && p.NS < l.Points[i-1].NS:
			return fmt.Errorf("latency falls from %g ns to %g ns at point %d: more load never gives less", l.Points[i-1].NS, p.NS, i)
		}
	}
	return nil
}

// newTable turns curves that CheckLine likes, of different shares of reads,
// into a table. shift is added to all latencies; none gets negative.
func newTable(lines []Line, c clock.Clock, shift float64) *table {
	lines = slices.Clone(lines)
	slices.SortFunc(lines, func(a, b Line) int {
		if a.Reads < b.Reads {
			return -1
		}
		return 1
	})
	t := new(table)
	xs := make([]float64, len(lines))
	ends := make([]float64, len(lines))
	for i, l := range lines {
		xs[i], ends[i] = l.Reads, l.Points[len(l.Points)-1].Load
	}
	end := across(xs, ends)
	for s := range shares + 1 {
		t.end[s] = end(float64(s) / shares)
		t.scale[s] = uint64(math.Ceil(unit / t.end[s]))
	}
	curves := make([]interp.PiecewiseLinear, len(lines))
	var breaks []float64
	for i, l := range lines {
		curves[i] = along(l)
		for _, p := range l.Points {
			breaks = append(breaks, p.Load/ends[i])
		}
	}
	breaks = append(breaks, 0)
	slices.Sort(breaks)
	breaks = slices.Compact(breaks)
	perCycle := c.Nanoseconds(1)
	column := make([]float64, len(lines))
	for _, x := range breaks {
		for i := range lines {
			column[i] = curves[i].Predict(x)
		}
		at := across(xs, column)
		for s := range shares + 1 {
			ns := max(0, at(float64(s)/shares)+shift)
			t.add(s, breakpoint{uint64(math.Round(x * full)), uint64(math.Round(ns / perCycle * fraction))})
		}
	}
	return t
}

// add appends a breakpoint. Rounding of floats must not break the order.
func (t *table) add(share int, p breakpoint) {
	r := t.row[share]
	if n := len(r); n > 0 {
		p.latency = max(p.latency, r[n-1].latency)
		if p.load == r[n-1].load {
			r = r[:n-1]
		}
	}
	t.row[share] = append(r, p)
}

// along is the latency in ns over the load relative to the end of the curve.
func along(l Line) interp.PiecewiseLinear {
	var xs, ys []float64
	end := l.Points[len(l.Points)-1].Load
	if l.Points[0].Load > 0 {
		xs, ys = append(xs, 0), append(ys, l.Points[0].NS)
	}
	for _, p := range l.Points {
		xs, ys = append(xs, p.Load/end), append(ys, p.NS)
	}
	var out interp.PiecewiseLinear
	if err := out.Fit(xs, ys); err != nil {
		panic("curve: " + err.Error()) // CheckLine has refused such points
	}
	return out
}

// across interpolates between curves by the share of reads; constant beyond the
// outermost.
func across(xs, ys []float64) func(float64) float64 {
	if len(xs) == 1 {
		return func(float64) float64 { return ys[0] }
	}
	var p interp.PiecewiseLinear
	if err := p.Fit(xs, ys); err != nil {
		panic("curve: " + err.Error())
	}
	return func(x float64) float64 { return p.Predict(min(max(x, xs[0]), xs[len(xs)-1])) }
}

// at is the latency in cycles, rounded up, at a load of x/full.
func (t *table) at(share int, x uint64) uint64 {
	row := t.row[share]
	x = min(x, full)
	lo, hi := 0, len(row)-1 // row[0] is at 0, row[hi] at full
	for hi-lo > 1 {
		if mid := (lo + hi) / 2; row[mid].load <= x {
			lo = mid
		} else {
			hi = mid
		}
	}
	a, b := row[lo], row[hi]
	h, l := bits.Mul64(b.latency-a.latency, x-a.load)
	q, _ := bits.Div64(h, l, b.load-a.load) // x <= b.load, so it fits
	return (a.latency + q + fraction - 1) / fraction
}
