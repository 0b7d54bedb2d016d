package panel

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/stats"
)

// BestTable is the most designs of a sweep by its first objective, those of the front where it
// has one, with their settings and how the objectives compare with the first point's, which is
// the base; those of one workload after those of another. It is nil where nothing varies.
func (s *Sweep) BestTable(most int) *stats.Table {
	var out *stats.Table
	parts := s.ByWorkload()
	for _, part := range parts {
		t := part.bestOfWorkload(most)
		if t == nil {
			continue
		}
		if len(parts) > 1 {
			t.Columns = slices.Insert(t.Columns, 1, stats.Column{Name: "workload"})
			for i := range t.Rows {
				t.Rows[i] = slices.Insert(t.Rows[i], 1, any(part.Name))
			}
		}
		if out == nil {
			out = t
		} else {
			out.Rows = append(out.Rows, t.Rows...)
		}
	}
	return out
}

// bestOfWorkload is BestTable of a sweep of one workload.
func (s *Sweep) bestOfWorkload(most int) *stats.Table {
	t, goals, settings := s.table(), s.objectives(), s.settings()
	goals = slices.DeleteFunc(goals, func(g string) bool { return t.Index(g) < 0 })
	if len(goals) == 0 || len(t.Rows) < 2 {
		return nil
	}
	out := &stats.Table{Columns: []stats.Column{{Name: "design"}}}
	for _, x := range settings {
		out.Columns = append(out.Columns, stats.Column{Name: x.path})
	}
	for _, g := range goals {
		out.Columns = append(out.Columns, stats.Column{Name: g, Unit: stats.Unit(cmp.Or(s.UnitOf(g), "1"))}, stats.Column{Name: g + " over base", Unit: stats.One})
	}
	base := t.Rows[0]
	row := func(name string, cells []any) {
		r := []any{name}
		for _, x := range settings {
			r = append(r, result.Cell(cells[x.text]))
		}
		for _, g := range goals {
			v, ok := value(cells, t.Index(g))
			from, any := value(base, t.Index(g))
			switch {
			case !ok:
				r = append(r, nil, nil)
			case !any || from == 0:
				r = append(r, v, nil)
			default:
				ratio, _ := strconv.ParseFloat(strconv.FormatFloat(v/from, 'g', 4, 64), 64)
				r = append(r, v, ratio)
			}
		}
		out.Rows = append(out.Rows, r)
	}
	row("base: "+pointName(t, base), base)
	for _, cells := range s.ranked(goals[0], most) {
		row(pointName(t, cells), cells)
	}
	return out
}

// Missed reports whether the sweep has constraints that none of these designs meets.
func (s *Sweep) Missed() bool {
	return len(s.Facts.Constraints) > 0 && (s.Pareto == nil || len(s.Pareto.Rows) == 0)
}

// A Winner is the best design of a sweep by one objective.
type Winner struct {
	Metric, Point string
	Unit          stats.Unit
	Value, Base   float64  // of the design, and of the first point
	Settings      []string // "Core.rows 64"
}

// Winners are the best designs by each objective, in their order; none where nothing varies.
func (s *Sweep) Winners() (out []Winner) {
	t := s.table()
	if len(t.Rows) < 2 {
		return nil
	}
	for _, goal := range s.objectives() {
		best := s.ranked(goal, 1)
		if t.Index(goal) < 0 || len(best) == 0 {
			continue
		}
		w := Winner{Metric: goal, Point: pointName(t, best[0]), Unit: stats.Unit(s.UnitOf(goal))}
		w.Value, _ = value(best[0], t.Index(goal))
		w.Base, _ = value(t.Rows[0], t.Index(goal))
		for _, x := range s.settings() {
			w.Settings = append(w.Settings, x.path+" "+result.Cell(best[0][x.text]))
		}
		out = append(out, w)
	}
	return out
}

// ranked are the rows of the best designs by a goal: of the front where the sweep has written
// one, and none where no design meets the constraints.
func (s *Sweep) ranked(goal string, most int) [][]any {
	if s.Missed() {
		return nil
	}
	t := s.table()
	g, point := t.Index(goal), t.Index("point")
	front := map[string]bool{}
	if p := s.Pareto; p != nil && p.Index("point") >= 0 && point >= 0 {
		for _, row := range p.Rows {
			front[result.Cell(row[p.Index("point")])] = true
		}
	}
	var rows [][]any
	for _, row := range t.Rows {
		if _, ok := value(row, g); ok && (len(front) == 0 || front[result.Cell(row[point])]) {
			rows = append(rows, row)
		}
	}
	slices.SortStableFunc(rows, func(a, b []any) int {
		x, _ := value(a, g)
		y, _ := value(b, g)
		if s.larger(goal) {
			x, y = y, x
		}
		return cmp.Compare(x, y)
	})
	return rows[:min(most, len(rows))]
}
