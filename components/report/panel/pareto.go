package panel

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/report/chart"
	"github.com/causeway-sim/causeway/components/stats"
)

func init() {
	Add("pareto", "Designs by the first two objectives, and the front of those that no other beats.", Panel{Section: Space, Place: 1, Draw: pareto})
}

// pareto draws all points and the front. Without a pareto.csv the front is that of the
// first two metrics.
func pareto(d *Data) []chart.Figure {
	if d.Sweep == nil {
		return nil
	}
	if parts := d.Sweep.ByWorkload(); len(parts) > 1 {
		return paretoByWorkload(d.Sweep, parts)
	}
	t := d.Sweep.table()
	all := d.Sweep.objectives()
	goals := slices.DeleteFunc(slices.Clone(all), func(name string) bool { i := t.Index(name); return i >= 0 && !d.Sweep.varies(i) })
	if len(goals) < 2 {
		return nil
	}
	x, y := t.Index(goals[0]), t.Index(goals[1])
	f := chart.Figure{Name: "pareto", Title: "Pareto front", Wide: true}
	f.Kind = chart.Points
	f.X, f.Y = chart.Axis{Name: goals[0]}, chart.Axis{Name: goals[1]}
	if x >= 0 && y >= 0 {
		f.X.Unit, f.Y.Unit = d.Sweep.unit(x), d.Sweep.unit(y)
	}
	designs := dots("designs", "#8fa3b5", t, x, y, goals[2:])
	front := frontOf(designs, d.Sweep.larger(goals[0]), d.Sweep.larger(goals[1]))
	var drawn chart.Series // where the front is of more objectives: points that no other beats on the axes
	if d.Sweep.Pareto != nil {
		if len(goals) > 2 {
			drawn = front
			drawn.Name, drawn.Color = "front of the two axes", "#009e73"
			f.Note = "The front is that of all objectives: a point of it that is worse on both axes is better by another objective, which the hover has. The line joins those that no other beats on the two axes."
		}
		p := d.Sweep.Pareto
		front = dots("front", "", p, p.Index(goals[0]), p.Index(goals[1]), goals[2:])
	} else {
		f.Note = "The front of the two metrics of the axes: less is better" + map[bool]string{true: ", but for metrics of which more is better.", false: "."}[d.Sweep.larger(goals[0]) || d.Sweep.larger(goals[1])]
	}
	front.Name, front.Color = "front", "#d55e00"
	if drawn.Name != "" {
		front.Name = fmt.Sprintf("front of %d objectives", len(goals))
	}
	if n := len(designs.X); n > maxDots {
		f.Note += fmt.Sprintf(" Of %d designs every %dth is drawn.", n, (n+maxDots-1)/maxDots)
		designs, front, drawn = thinned(designs), thinned(front), thinned(drawn)
	}
	line := lineOf(front)
	if drawn.Name != "" {
		line = lineOf(drawn)
	}
	f.X.Log, f.Y.Log = wide(designs.X, front.X), wide(designs.Y, front.Y)
	if len(designs.X) > 0 {
		f.Series = append(f.Series, designs)
	}
	if drawn.Name == "" || len(line.X) > 1 {
		f.Series = append(f.Series, line)
	}
	f.Series = append(f.Series, front)
	if drawn.Name != "" {
		f.Series = append(f.Series, drawn)
	}
	if len(designs.X)+len(front.X) < 2 {
		return nil
	}
	return []chart.Figure{f}
}

// paretoByWorkload draws the designs of each workload, and a line through its front.
func paretoByWorkload(s *Sweep, parts []OfWorkload) []chart.Figure {
	t := s.table()
	goals := slices.DeleteFunc(s.objectives(), func(name string) bool { i := t.Index(name); return i < 0 || !s.varies(i) })
	if len(goals) < 2 {
		return nil
	}
	x, y := t.Index(goals[0]), t.Index(goals[1])
	f := chart.Figure{Name: "pareto", Title: "Pareto fronts by workload", Wide: true}
	f.Kind = chart.Points
	f.X, f.Y = chart.Axis{Name: goals[0], Unit: s.unit(x)}, chart.Axis{Name: goals[1], Unit: s.unit(y)}
	all := dots("", "", t, x, y, nil)
	f.X.Log, f.Y.Log = wide(all.X), wide(all.Y)
	for i, part := range parts[:min(mostFronts, len(parts))] {
		designs := dots(part.Name, chart.Palette(i), part.table(), x, y, goals[2:])
		front := frontOf(designs, s.larger(goals[0]), s.larger(goals[1]))
		front.Name, front.Color = designs.Name, designs.Color
		f.Series = append(f.Series, thinned(designs), lineOf(front))
	}
	f.Note = "A line joins the designs of a workload that no other one beats on the two axes."
	if n := len(parts) - mostFronts; n > 0 {
		f.Note += fmt.Sprintf(" Those of %d workloads more are not drawn.", n)
	}
	return []chart.Figure{f}
}

// mostFronts bounds the workloads whose fronts are drawn.
const mostFronts = 6

// lineOf joins dots from left to right.
func lineOf(dots chart.Series) chart.Series {
	line := chart.Series{Name: dots.Name, Color: dots.Color, Line: true}
	order := make([]int, len(dots.X))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(dots.X[a], dots.X[b]) })
	for _, i := range order {
		line.X, line.Y = append(line.X, dots.X[i]), append(line.Y, dots.Y[i])
	}
	return line
}

// maxSaid bounds the points that say their settings when the mouse is on them; of more, the
// page would be too large, and the table of points is searched by their number.
const maxSaid = 2000

// maxDots bounds the dots of a colour.
const maxDots = 4000

// thinned keeps every so many dots, so that not more than maxDots are left.
func thinned(s chart.Series) chart.Series {
	out := s
	out.X, out.Y, out.Labels = nil, nil, nil
	for i := 0; i < len(s.X); i += (len(s.X) + maxDots - 1) / maxDots {
		out.X, out.Y, out.Labels = append(out.X, s.X[i]), append(out.Y, s.Y[i]), append(out.Labels, s.Labels[i])
	}
	return out
}

// dots are the points of a table that have both values; their labels say their settings and
// the other objectives.
func dots(name, color string, t *stats.Table, x, y int, others []string) chart.Series {
	s := chart.Series{Name: name, Color: color}
	if x < 0 || y < 0 {
		return s
	}
	for _, row := range t.Rows {
		a, ok1 := value(row, x)
		b, ok2 := value(row, y)
		if ok1 && ok2 {
			label := pointName(t, row)
			if len(t.Rows) <= maxSaid {
				label += "\n" + said(t, row)
				for _, o := range others {
					if i := t.Index(o); i >= 0 {
						label += "\n" + o + ": " + result.Cell(row[i])
					}
				}
			}
			s.X, s.Y, s.Labels = append(s.X, a), append(s.Y, b), append(s.Labels, label)
		}
	}
	return s
}

// frontOf are the points that no other beats in both values.
func frontOf(all chart.Series, moreX, moreY bool) (out chart.Series) {
	sign := func(more bool) float64 {
		if more {
			return -1
		}
		return 1
	}
	sx, sy := sign(moreX), sign(moreY)
	order := make([]int, len(all.X))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(sx*all.X[a], sx*all.X[b]), cmp.Compare(sy*all.Y[a], sy*all.Y[b]))
	})
	for k, i := range order {
		if n := len(out.Y); k == 0 || sy*all.Y[i] < sy*out.Y[n-1] {
			out.X, out.Y, out.Labels = append(out.X, all.X[i]), append(out.Y, all.Y[i]), append(out.Labels, all.Labels[i])
		}
	}
	return out
}

// wide reports whether values need a logarithmic axis: all above 0, over two powers of ten.
func wide(lists ...chart.Numbers) bool {
	lo, hi, any := 0.0, 0.0, false
	for _, l := range lists {
		for _, v := range l {
			if !any {
				lo, hi, any = v, v, true
			}
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	return any && lo > 0 && hi/lo > 100
}
