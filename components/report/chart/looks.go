package chart

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
)

// Scale makes axes logarithmic, as they are seen: bars lie, and begin at 0.
func (f *Figure) Scale(x, y bool) error {
	if !x && !y {
		return nil
	}
	if f.Kind != Lines && f.Kind != Points {
		return errors.New("only lines and points have logarithmic axes")
	}
	f.X.Log, f.Y.Log = f.X.Log || x, f.Y.Log || y
	return nil
}

// Titles names axes, as they are seen; "" leaves the name.
func (f *Figure) Titles(x, y string) {
	if f.Kind == Bars { // they lie
		x, y = y, x
	}
	if x != "" {
		f.X.Title = x
	}
	if y != "" {
		f.Y.Title = y
	}
}

// Top is the figure with its n largest bars, lines or first lanes. What is left of bars that
// stack, or of one kind of bars that counts something, is a bar called others.
func (f Figure) Top(n int) Figure {
	switch {
	case f.Kind == Bars && len(f.X.Labels) > n:
		return f.topBars(n)
	case f.Kind == Lines && len(f.Series) > n:
		f.Series = topSeries(f.Series, n)
	case f.Kind == Lanes && len(f.Lanes) > n:
		return f.firstLanes(n)
	}
	return f
}

func (f Figure) topBars(n int) Figure {
	sums := make([]float64, len(f.X.Labels))
	order := make([]int, len(sums))
	for i := range sums {
		order[i] = i
		for _, s := range f.Series {
			if !math.IsNaN(s.Y[i]) {
				sums[i] += math.Abs(s.Y[i])
			}
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(sums[b], sums[a]) })
	keep, rest := slices.Clone(order[:n]), order[n:]
	slices.Sort(keep) // in the order of the figure
	labels := make([]string, 0, n+1)
	for _, i := range keep {
		labels = append(labels, f.X.Labels[i])
	}
	others := f.Stack && f.Y.Unit != "%"
	if others {
		labels = append(labels, fmt.Sprintf("others (%d)", len(rest)))
	}
	f.X.Labels, f.Series = labels, slices.Clone(f.Series)
	for k, s := range f.Series {
		y := make(Numbers, 0, n+1)
		for _, i := range keep {
			y = append(y, s.Y[i])
		}
		if others {
			sum := 0.0
			for _, i := range rest {
				if !math.IsNaN(s.Y[i]) {
					sum += s.Y[i]
				}
			}
			y = append(y, sum)
		}
		f.Series[k].Y = y
	}
	return f
}

// topSeries keeps the n lines with the largest sums, in their order.
func topSeries(all []Series, n int) (out []Series) {
	order := make([]int, len(all))
	sums := make([]float64, len(all))
	for i, s := range all {
		order[i] = i
		for _, v := range s.Y {
			if !math.IsNaN(v) {
				sums[i] += v
			}
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(sums[b], sums[a]) })
	keep := slices.Clone(order[:n])
	slices.Sort(keep)
	for _, i := range keep {
		out = append(out, all[i])
	}
	return out
}

// firstLanes keeps the first n lanes and what is in them.
func (f Figure) firstLanes(n int) Figure {
	f.Lanes = f.Lanes[:n]
	s := *f.Slices
	s.Lane, s.Begin, s.Span, s.Kind, s.Name = nil, nil, nil, nil, nil
	for i, lane := range f.Slices.Lane {
		if lane < n {
			s.Lane, s.Begin, s.Span = append(s.Lane, lane), append(s.Begin, f.Slices.Begin[i]), append(s.Span, f.Slices.Span[i])
			s.Kind, s.Name = append(s.Kind, f.Slices.Kind[i]), append(s.Name, f.Slices.Name[i])
		}
	}
	f.Slices = &s
	return f
}

// scales are the units that people use for large values of others, each a thousand times the
// one before.
var scales = map[string][]string{
	"ns": {"ns", "us", "ms", "s"}, "B": {"B", "KB", "MB", "GB", "TB"}, "GB/s": {"GB/s", "TB/s", "PB/s"}, "pJ": {"pJ", "nJ", "uJ", "mJ", "J"},
	"B/s": {"B/s", "KB/s", "MB/s", "GB/s", "TB/s"}, "Hz": {"Hz", "kHz", "MHz", "GHz"},
}

// Human is the figure with its axes in units of the right size: 12 ms, not 1.2e7 ns.
func (f Figure) Human() Figure {
	f.Series = slices.Clone(f.Series)
	x, y := 0.0, 0.0
	for _, s := range f.Series {
		x, y = max(x, most(s.X)), max(y, most(s.Y))
	}
	if len(f.Cells) > 0 {
		top := 0.0
		for _, c := range f.Cells {
			top = max(top, math.Abs(c.Value))
		}
		by := f.Value.scale(top)
		f.Cells = slices.Clone(f.Cells)
		for i := range f.Cells {
			f.Cells[i].Value /= by
		}
	}
	if f.Kind == Bars && f.Stack {
		y = 0
		for i := range f.X.Labels {
			sum := 0.0
			for _, s := range f.Series {
				sum += s.Y[i]
			}
			y = max(y, sum)
		}
	}
	if f.Slices != nil {
		s := *f.Slices
		for i := range s.Begin {
			x = max(x, s.Begin[i]+s.Span[i])
		}
		by := f.X.scale(x)
		s.Begin, s.Span = s.Begin.over(by), s.Span.over(by)
		f.Slices = &s
		return f
	}
	byX, byY := f.X.scale(x), f.Y.scale(y)
	for i, s := range f.Series {
		f.Series[i].X, f.Series[i].Y, f.Series[i].Half = s.X.over(byX), s.Y.over(byY), s.Half.over(byY)
	}
	return f
}

// scale gives an axis whose values go up to most a larger unit, and returns how many of the
// old ones it is.
func (a *Axis) scale(most float64) float64 {
	units, by := scales[a.Unit], 1.0
	for i := 1; i < len(units) && most >= 1000*by; i++ {
		by *= 1000
		a.Unit = units[i]
	}
	return by
}

func most(n Numbers) (out float64) {
	for _, v := range n {
		if !math.IsNaN(v) {
			out = max(out, math.Abs(v))
		}
	}
	return out
}

// over divides numbers.
func (n Numbers) over(by float64) Numbers {
	if by == 1 || n == nil {
		return n
	}
	out := make(Numbers, len(n))
	for i, v := range n {
		out[i] = v / by
	}
	return out
}
