package panel

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/experiment/sweep/grid"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/units"
)

// A Condition keeps the points of a sweep whose value in a column is one of a list ("os, ws"), in a
// range ("8..64") or on one side of a limit ("<= 64"). A limit has a unit ("10ms") or is in that of
// the column.
type Condition struct{ Column, Is string }

// By is a column that points can be filtered by.
type By struct{ Column, Name, Unit string }

// Filters are the settings and the metrics that points can be filtered by: those that figures are
// drawn of, and the objectives.
func (s *Sweep) Filters() (out []By) {
	t := s.table()
	for _, x := range s.settings() {
		by := By{Column: t.Columns[x.text].Name, Name: x.path}
		if x.number >= 0 {
			by.Unit = x.unit
		}
		out = append(out, by)
	}
	names := s.objectives()
	for _, i := range s.metrics() {
		names = append(names, t.Columns[i].Name)
	}
	for i, name := range names {
		if k := t.Index(name); k >= 0 && s.varies(k) && slices.Index(names, name) == i {
			out = append(out, By{Column: name, Name: name, Unit: s.UnitOf(name)})
		}
	}
	return out
}

// Where is the sweep of the points that meet all conditions. Its front is that of these points;
// it has no sensitivities of the whole grid.
func (s *Sweep) Where(conditions []Condition) (*Sweep, error) {
	out := *s
	out.Sensitivity, out.Pairs = nil, nil
	for _, c := range conditions {
		pass, err := c.test(s.unitOfFilter(c.Column))
		if err != nil {
			return nil, err
		}
		if s.table().Index(c.Column) < 0 {
			return nil, fmt.Errorf("%s: the sweep has no such column", c.Column)
		}
		for _, t := range []**stats.Table{&out.Points, &out.Means, &out.Failures} {
			*t = keepRows(*t, c.Column, pass)
		}
	}
	if s.Pareto != nil {
		front := &stats.Table{}
		for _, part := range out.ByWorkload() {
			t := s.frontOver(part.table())
			front.Columns, front.Rows = t.Columns, append(front.Rows, t.Rows...)
		}
		out.Pareto = front
	}
	out.Facts.Of = max(s.Facts.Of, s.Facts.Points, len(s.Points.Rows))
	out.Facts.Points = len(out.Points.Rows)
	out.Facts.Complete, out.Facts.Failed, out.Facts.Missing = 0, 0, 0
	return &out, nil
}

// keepRows is a table with the rows that pass by a column, or by its number in a base unit.
func keepRows(t *stats.Table, column string, pass func(text string, number float64, ok bool) bool) *stats.Table {
	if t == nil {
		return nil
	}
	at := t.Index(column)
	quantity := at
	for i, c := range t.Columns {
		path, unit, setting := grid.SettingOf(c.Name)
		if setting && unit != "" && grid.SetPrefix+path == column {
			quantity = i
		}
	}
	out := &stats.Table{Columns: t.Columns}
	for _, row := range t.Rows {
		if at >= 0 {
			number, ok := value(row, quantity)
			if pass(result.Cell(row[at]), number, ok) {
				out.Rows = append(out.Rows, row)
			}
		}
	}
	return out
}

// unitOfFilter is the unit of the numbers that a column is filtered by.
func (s *Sweep) unitOfFilter(column string) string {
	for _, by := range s.Filters() {
		if by.Column == column {
			return by.Unit
		}
	}
	return ""
}

// thousands are numbers with commas between thousands, as pages show them.
var thousands = regexp.MustCompile(`^-?[0-9]{1,3}(,[0-9]{3})+(\.[0-9]+)?[ a-zA-Z/%]*$`)

// in reads a number, with a unit or in that of the column.
func in(text, unit string) (float64, bool) {
	if text = strings.TrimSpace(text); thousands.MatchString(text) {
		text = strings.ReplaceAll(text, ",", "")
	}
	if x, err := strconv.ParseFloat(text, 64); err == nil {
		return x, true
	}
	x, base, ok := units.SI(text)
	of, per := stats.Unit(unit).Base()
	return x * per, ok && base == string(of)
}

// test is the condition as a function of a cell as text and, where it is one, as a number in unit.
func (c Condition) test(unit string) (func(text string, number float64, ok bool) bool, error) {
	is := strings.TrimSpace(c.Is)
	number := func(text string) (float64, error) {
		x, ok := in(text, unit)
		if !ok {
			of := ""
			if unit != "" {
				of = ", in " + unit + " or with a unit of that kind"
			}
			return 0, fmt.Errorf("%q: want values as in 8, 16, a range as in 8..64, or a limit as in <= 64%s", c.Is, of)
		}
		return x, nil
	}
	for _, op := range []string{"<=", ">=", "<", ">"} {
		rest, ok := strings.CutPrefix(is, op)
		if !ok {
			continue
		}
		x, err := number(rest)
		return func(_ string, v float64, ok bool) bool {
			return ok && (v < x && op[0] == '<' || v > x && op[0] == '>' || v == x && len(op) == 2)
		}, err
	}
	if from, to, ok := strings.Cut(is, ".."); ok {
		lo, err := number(from)
		if err != nil {
			return nil, err
		}
		hi, err := number(to)
		return func(_ string, v float64, ok bool) bool { return ok && v >= lo && v <= hi }, err
	}
	if is == "" {
		_, err := number("")
		return nil, err
	}
	return oneOf(is, unit), nil
}

// oneOf is the condition of a list of values, which are compared as texts and as numbers.
func oneOf(is, unit string) func(text string, number float64, ok bool) bool {
	list := strings.Split(is, ",")
	if thousands.MatchString(is) {
		list = []string{is}
	}
	var numbers []float64
	for i, v := range list {
		list[i] = strings.TrimSpace(v)
		if x, ok := in(v, unit); ok {
			numbers = append(numbers, x)
		}
	}
	return func(text string, v float64, ok bool) bool {
		return slices.Contains(list, text) || ok && slices.Contains(numbers, v)
	}
}

// misses are the rows of a table of points or means whose designs miss the constraints.
func (s *Sweep) misses(t *stats.Table) map[int]bool {
	point := s.Points.Index("point")
	if len(s.Facts.Misses) == 0 || point < 0 {
		return nil
	}
	var names []string // of the settings of the table
	for _, c := range t.Columns {
		if _, unit, ok := grid.SettingOf(c.Name); ok && unit == "" {
			names = append(names, c.Name)
		}
	}
	design := func(t *stats.Table, row []any) string {
		var b strings.Builder
		for _, n := range names {
			if i := t.Index(n); i >= 0 {
				b.WriteString(result.Cell(row[i]) + "\n")
			}
		}
		return b.String()
	}
	missing := map[string]bool{}
	for _, row := range s.Points.Rows {
		if p, ok := value(row, point); ok && slices.Contains(s.Facts.Misses, int(p)) {
			missing[design(s.Points, row)] = true
		}
	}
	out := map[int]bool{}
	for i, row := range t.Rows {
		out[i] = missing[design(t, row)]
	}
	return out
}

// frontOver is the front of the rows of a table over the objectives of the sweep, with the columns
// that pareto.csv has.
func (s *Sweep) frontOver(t *stats.Table) *stats.Table {
	out := &stats.Table{}
	var columns, goals []int
	var signs []float64
	for _, c := range s.Pareto.Columns {
		if i := t.Index(c.Name); i >= 0 {
			columns, out.Columns = append(columns, i), append(out.Columns, c)
		}
	}
	for _, name := range s.objectives() {
		sign := 1.0
		if s.larger(name) {
			sign = -1
		}
		if i := t.Index(name); i >= 0 {
			goals, signs = append(goals, i), append(signs, sign)
		}
	}
	var rows [][]any
	status, misses := t.Index("status"), s.misses(t)
	for i, row := range t.Rows {
		if status >= 0 && row[status] != any("complete") || misses[i] {
			continue
		}
		if !slices.ContainsFunc(goals, func(g int) bool { _, ok := value(row, g); return !ok }) {
			rows = append(rows, row)
		}
	}
	beats := func(a, b []any) bool {
		better := false
		for k, g := range goals {
			x, _ := value(a, g)
			y, _ := value(b, g)
			if signs[k]*x > signs[k]*y {
				return false
			}
			better = better || x != y
		}
		return better
	}
	for _, row := range rows {
		if slices.ContainsFunc(rows, func(other []any) bool { return beats(other, row) }) {
			continue
		}
		cells := make([]any, len(columns))
		for k, i := range columns {
			cells[k] = row[i]
		}
		out.Rows = append(out.Rows, cells)
	}
	return out
}
