package report

import (
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/experiment/sweep"
	"github.com/causeway-sim/causeway/components/experiment/sweep/grid"
	"github.com/causeway-sim/causeway/components/report/chart"
	"github.com/causeway-sim/causeway/components/report/folder"
	"github.com/causeway-sim/causeway/components/stats"
)

// A CurveSpec says which curves of a sweep are drawn: Y over X, a curve for each
// value of By (one alone without it), of the points where every setting of Where holds.
type CurveSpec struct {
	X, Y, By string
	Where    map[string]string // values as the sweep's file has them
	Unless   string            // a metric: a curve ends before the first point where it is above 0

	unit    string // of X, "" for a plain number
	without string // a value of X that is no number of that unit, and is left out
}

// A curve is one line with half the 95% intervals of its points, 0 where there are
// none.
type curve struct {
	name    string
	x, y, h []float64
}

// Curves are lines with intervals over a setting of a sweep, from the mean.csv that it
// has left in dir, or its sweep.csv where it takes no means.
func Curves(dir string, s CurveSpec) (Figure, error) {
	file := "mean.csv"
	t, err := folder.Table(filepath.Join(dir, file))
	if err == nil && t == nil {
		file = "sweep.csv"
		t, err = folder.Table(filepath.Join(dir, file))
	}
	if err != nil {
		return Figure{}, err
	}
	if t == nil {
		return Figure{}, fmt.Errorf("%s is no folder of a sweep: it has no sweep.csv", dir)
	}
	curves, err := s.of(t)
	if err != nil {
		return Figure{}, fmt.Errorf("%s: %w", filepath.Join(dir, file), err)
	}
	f := Figure{Figure: chart.Figure{Name: "curves", Title: s.title()}}
	f.Kind = chart.Lines
	f.X, f.Y = chart.Axis{Name: s.xName()}, chart.Axis{Name: s.Y}
	if sw, err := folder.Sweep(dir); err == nil && sw != nil {
		f.Y.Unit = sw.UnitOf(s.Y)
	}
	for _, c := range curves {
		f.Series = append(f.Series, chart.Series{Name: c.name, X: c.x, Y: c.y, Half: c.h})
	}
	f.X.Log = chart.Decades(f.Series)
	return f, nil
}

// IsSweep reports whether a folder is one that a sweep has left.
func IsSweep(dir string) bool {
	t, err := folder.Table(filepath.Join(dir, "sweep.csv"))
	return err == nil && t != nil
}

// of picks the curves out of a table, in the order of its rows.
func (s *CurveSpec) of(t *stats.Table) ([]curve, error) {
	at, quantity := map[string]int{}, map[string]int{}
	settings := []string{s.X}
	if s.By != "" {
		settings = append(settings, s.By)
	}
	for k := range s.Where {
		settings = append(settings, k)
	}
	slices.Sort(settings)
	for _, n := range settings {
		text, number := setting(t, n)
		if text < 0 {
			return nil, noColumn(t, n, true)
		}
		at[n], quantity[n] = text, number
	}
	for _, n := range []string{s.Y, s.Unless} {
		if n == "" {
			continue
		}
		if t.Index(n) < 0 {
			return nil, noColumn(t, n, false)
		}
	}
	y, unless := t.Index(s.Y), t.Index(s.Unless)
	x0 := at[s.X]
	if q := quantity[s.X]; q >= 0 {
		x0 = q
		_, s.unit, _ = grid.SettingOf(t.Columns[q].Name)
	}
	ci := t.Index(s.Y + sweep.CISuffix)
	var out []curve
	ended := map[string]bool{}
rows:
	for _, row := range t.Rows {
		for k, v := range s.Where {
			if cellText(row[at[k]]) != v {
				continue rows
			}
		}
		name, which := s.Y, "the sweep"
		if s.By != "" {
			name = cellText(row[at[s.By]])
			which = s.By + " " + name
		}
		x, ok := row[x0].(float64)
		if !ok && s.unit != "" && row[x0] == nil {
			s.without = cellText(row[at[s.X]])
			continue
		}
		if !ok {
			return nil, fmt.Errorf("%s is %q, no number: it cannot be the axis", s.X, cellText(row[at[s.X]]))
		}
		i := slices.IndexFunc(out, func(c curve) bool { return c.name == name })
		if i < 0 {
			i = len(out)
			out = append(out, curve{name: name})
		}
		c := &out[i]
		if slices.Contains(c.x, x) {
			return nil, fmt.Errorf("%s has several points at %s %g: say which by --where (of %s)", which, s.X, x, strings.Join(s.open(t), ", "))
		}
		y, ok := row[y].(float64)
		if !ok {
			continue
		}
		if s.Unless != "" && stats.Number(row[unless]) > 0 {
			ended[fmt.Sprint(name, x)] = true
		}
		h := 0.0
		if ci >= 0 {
			h = stats.Number(row[ci])
		}
		c.x, c.y, c.h = append(c.x, x), append(c.y, y), append(c.h, h)
	}
	for i := range out {
		out[i].sort()
		for k, x := range out[i].x {
			if ended[fmt.Sprint(out[i].name, x)] {
				out[i].x, out[i].y, out[i].h = out[i].x[:k], out[i].y[:k], out[i].h[:k]
				break
			}
		}
	}
	out = slices.DeleteFunc(out, func(c curve) bool { return len(c.x) == 0 })
	if len(out) == 0 {
		return nil, fmt.Errorf("no point has all of it: %s", s.title())
	}
	return out, nil
}

// setting is the column of a setting's text and that of its number in a base
// unit, -1 where there is none. A name that is no setting may be any column, as in
// a sweep of an earlier version.
func setting(t *stats.Table, name string) (text, number int) {
	text, number = -1, -1
	for i, c := range t.Columns {
		path, unit, ok := grid.SettingOf(c.Name)
		switch {
		case !ok || path != strings.TrimPrefix(name, grid.SetPrefix) && c.Name != name:
		case unit == "":
			text = i
		default:
			number = i
		}
	}
	if text < 0 {
		text = max(number, t.Index(name))
	}
	return text, number
}

// noColumn says what may stand in place of a name: settings, or metrics.
func noColumn(t *stats.Table, name string, settings bool) error {
	var names []string
	what := "metric"
	if settings {
		what = "setting"
	}
	for i, c := range t.Columns {
		path, unit, ok := grid.SettingOf(c.Name)
		switch {
		case settings && ok && unit == "":
			names = append(names, path)
		case !settings && !ok && i > 0 && c.Unit != "" && c.Name != "runs" && !strings.HasSuffix(c.Name, sweep.CISuffix):
			names = append(names, c.Name)
		}
	}
	return fmt.Errorf("no %s %q (want one of: %s)", what, name, strings.Join(names, ", "))
}

// open lists the settings that the spec leaves open and that have several values.
func (s *CurveSpec) open(t *stats.Table) (out []string) {
	for c, col := range t.Columns {
		path, unit, ok := grid.SettingOf(col.Name)
		given := func(n string) bool { return strings.TrimPrefix(n, grid.SetPrefix) == path }
		if !ok || unit != "" || given(s.X) || given(s.By) {
			continue
		}
		if slices.ContainsFunc(slices.Collect(maps.Keys(s.Where)), given) {
			continue
		}
		first := t.Rows[0][c]
		if slices.ContainsFunc(t.Rows, func(r []any) bool { return r[c] != first }) {
			out = append(out, path)
		}
	}
	return out
}

// xName is the setting along the axis, with its unit.
func (s *CurveSpec) xName() string {
	path := strings.TrimPrefix(s.X, grid.SetPrefix)
	if s.unit == "" || strings.HasSuffix(path, "]") {
		return path
	}
	name := path + " [" + s.unit + "]"
	if s.without != "" {
		name += ", without " + s.without + ", which is no rate"
	}
	return name
}

func (c *curve) sort() {
	order := make([]int, len(c.x))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return int(math.Copysign(1, c.x[a]-c.x[b])) })
	pick := func(v []float64) []float64 {
		out := make([]float64, len(v))
		for i, k := range order {
			out[i] = v[k]
		}
		return out
	}
	c.x, c.y, c.h = pick(c.x), pick(c.y), pick(c.h)
}

func (s *CurveSpec) title() string {
	var parts []string
	for k, v := range s.Where {
		parts = append(parts, k+" "+v)
	}
	slices.Sort(parts)
	return strings.Join(parts, ", ")
}

// cellText is a cell as it stood in the file.
func cellText(v any) string { return result.Cell(v) }
