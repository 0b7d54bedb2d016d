package panel

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/experiment/sweep"
	"github.com/causeway-sim/causeway/components/experiment/sweep/grid"
	"github.com/causeway-sim/causeway/components/stats"
	kinds "github.com/causeway-sim/causeway/components/system"
)

// A Sweep is what a sweep has left in its folder.
type Sweep struct {
	Name   string
	Points *stats.Table // sweep.csv
	Means  *stats.Table // mean.csv; nil where the sweep takes none
	// Pareto and Sensitivity are nil where the sweep did not write them.
	Pareto      *stats.Table // point, identity, settings, objectives
	Sensitivity *stats.Table // axis, metric, first_order, ...
	Failures    *stats.Table // point, status, settings, error
	Pairs       *stats.Table // axis, with, metric, second_order, ...
	Facts       SweepFacts
	Command     []string
}

// SweepFacts are what of sweep.json a report says.
type SweepFacts struct {
	Version                           string
	Points, Complete, Failed, Missing int
	Of                                int // points before a filter (Where); 0 without one
	Builds                            []string
	Warnings                          []string
	Columns                           []struct{ Name, Unit string }
	Headlines                         []struct{ Metric, Better, Label string } // soonest first
	Best                              []struct{ Objective, Goal string }
	Fixed                             []string // settings of all points
	Constraints                       []string
	Met                               int           // designs that meet them
	Misses                            []int         // complete points of the other designs
	Workloads                         []string      // paths whose values are unlike workloads
	Machines                          []BestMachine `json:"best_over_workloads"`
}

// A BestMachine is the machine that is best over all workloads by an objective, and the geometric mean
// of its ratios to First.
type BestMachine struct {
	Objective string
	Workloads int
	Set       []string
	First     []string // what it is compared with
	Ratio     float64
}

// A setting is one that a sweep varies.
type setting struct {
	path   string
	text   int // column of its text
	number int // column of its number in a base unit; -1 where it has none
	unit   string
	values []string // in the order of the file
}

// table is what figures of a sweep are drawn of: means where there are some.
func (s *Sweep) table() *stats.Table {
	if s.Means != nil {
		return s.Means
	}
	return s.Points
}

// settings are those of the table that have more than one value.
func (s *Sweep) settings() (out []setting) {
	t := s.table()
	for i, c := range t.Columns {
		path, unit, ok := grid.SettingOf(c.Name)
		if !ok {
			continue
		}
		if unit != "" {
			for k := range out {
				if out[k].path == path {
					out[k].number, out[k].unit = i, unit
				}
			}
			continue
		}
		one := setting{path: path, text: i, number: -1}
		if t.Columns[i].Unit != "" {
			one.number = i
		}
		for _, row := range t.Rows {
			if v := result.Cell(row[i]); !slices.Contains(one.values, v) {
				one.values = append(one.values, v)
			}
		}
		out = append(out, one)
	}
	for i := range out {
		out[i].sort(t)
	}
	return slices.DeleteFunc(out, func(x setting) bool { return len(x.values) < 2 })
}

// sort puts values that are numbers in their order: a search meets them in any.
func (s *setting) sort(t *stats.Table) {
	if s.number < 0 {
		return
	}
	at := map[string]float64{}
	for _, row := range t.Rows {
		at[result.Cell(row[s.text])] = stats.Number(row[s.number])
	}
	slices.SortStableFunc(s.values, func(a, b string) int { return cmp.Compare(at[a], at[b]) })
}

// maxMetrics bounds the metrics that a sweep's figures are drawn of.
const maxMetrics = 6

// metrics are the columns that vary from point to point, those that a reader asks for
// first; where the sweep names its metrics, they come in its order.
func (s *Sweep) metrics() (out []int) {
	t := s.table()
	for i := range t.Columns {
		if s.varies(i) {
			out = append(out, i)
		}
	}
	if len(out) > maxMetrics {
		slices.SortStableFunc(out, func(a, b int) int { return s.rank(t.Columns[a].Name) - s.rank(t.Columns[b].Name) })
		var few []int
		for _, i := range out {
			if !slices.ContainsFunc(few, func(k int) bool { return proportional(t, k, i) }) {
				few = append(few, i)
			}
			if len(few) == maxMetrics {
				break
			}
		}
		out = few
	}
	return out[:min(len(out), maxMetrics)]
}

// proportional reports whether one column is the other times a constant: it says the same
// again, as the cycles of the only core say what the time says.
func proportional(t *stats.Table, a, b int) bool {
	ratio := 0.0
	for _, row := range t.Rows {
		x, ok1 := value(row, a)
		y, ok2 := value(row, b)
		switch {
		case ok1 != ok2 || x == 0 && y != 0:
			return false
		case !ok1 || x == 0:
		case ratio == 0:
			ratio = y / x
		case math.Abs(y/x-ratio) > 1e-9*math.Abs(ratio):
			return false
		}
	}
	return true
}

// unit is the unit of a column.
func (s *Sweep) unit(column int) string { return s.UnitOf(s.table().Columns[column].Name) }

// UnitOf is the unit of the column of that name: that of sweep.json, as a CSV has none.
func (s *Sweep) UnitOf(name string) string {
	for _, c := range s.Facts.Columns {
		if c.Name == name {
			return c.Unit
		}
	}
	return ""
}

// objectives are what the front is about: those of pareto.csv, else the first two metrics
// of the whole.
func (s *Sweep) objectives() (out []string) {
	if s.Pareto != nil {
		for _, c := range s.Pareto.Columns {
			if _, _, ok := grid.SettingOf(c.Name); !ok && c.Name != "point" && c.Name != "identity" {
				out = append(out, c.Name)
			}
		}
		return out
	}
	for _, i := range s.metrics() {
		if name := s.table().Columns[i].Name; s.aim(name) && len(out) < 2 {
			out = append(out, name)
		}
	}
	return out
}

// rank is how soon a reader asks for a metric: as sweep.json says, else as kinds declare it.
func (s *Sweep) rank(name string) int {
	if len(s.Facts.Headlines) > 0 {
		for i, h := range s.Facts.Headlines {
			if h.Metric == name {
				return i
			}
		}
		return unranked
	}
	if _, place, ok := result.Headline(name); ok {
		return place
	}
	return unranked
}

// unranked is the rank of a metric that is no headline.
const unranked = 1 << 20

// larger reports whether more of a metric, or of an objective, is better.
func (s *Sweep) larger(name string) bool {
	for _, b := range s.Facts.Best {
		if b.Objective == name {
			return b.Goal == "max"
		}
	}
	for _, h := range s.Facts.Headlines {
		if h.Metric == name {
			return h.Better == kinds.More.String()
		}
	}
	h, _, _ := result.Headline(name)
	return h.Better == kinds.More
}

// aim reports whether a metric has a direction in which it improves: a share of what the machine
// can do has none.
func (s *Sweep) aim(name string) bool {
	for _, h := range s.Facts.Headlines {
		if h.Metric == name {
			return h.Better != kinds.Neither.String()
		}
	}
	h, _, _ := result.Headline(name)
	return h.Better != kinds.Neither
}

// said is a point's settings, a line each, as the tooltip of the point shows them.
func said(t *stats.Table, row []any) string {
	var out []string
	for i, c := range t.Columns {
		if path, unit, ok := grid.SettingOf(c.Name); ok && unit == "" {
			out = append(out, path+": "+result.Cell(row[i]))
		}
	}
	return strings.Join(out, "\n")
}

// value is a cell as a number; ok is false where it has none, or where i is no column (-1).
func value(row []any, i int) (float64, bool) {
	if i < 0 || row[i] == nil {
		return 0, false
	}
	switch row[i].(type) {
	case string:
		return 0, false
	}
	return stats.Number(row[i]), true
}

// pointName is what a point is called: "point 7".
func pointName(t *stats.Table, row []any) string {
	if i := t.Index("point"); i >= 0 {
		return fmt.Sprintf("point %s", result.Cell(row[i]))
	}
	return "point"
}

// Metrics lists the metrics that vary from point to point, by the columns that they have.
func (s *Sweep) Metrics() (out []string) {
	for i, c := range s.table().Columns {
		if s.varies(i) {
			out = append(out, c.Name)
		}
	}
	return out
}

// Main lists the metrics that figures are drawn of.
func (s *Sweep) Main() (out []string) {
	for _, i := range s.metrics() {
		out = append(out, s.table().Columns[i].Name)
	}
	return out
}

// varies reports whether a column is a metric that is not the same at every point.
func (s *Sweep) varies(i int) bool {
	c := s.table().Columns[i]
	if _, _, ok := grid.SettingOf(c.Name); ok || c.Name == "point" || c.Name == "identity" || c.Name == "status" || c.Name == "runs" || c.Unit == "" || strings.HasSuffix(c.Name, sweep.CISuffix) {
		return false
	}
	var first any
	for _, row := range s.table().Rows {
		if v, ok := row[i].(float64); ok {
			if first == nil {
				first = v
			}
			if v != first {
				return true
			}
		}
	}
	return false
}

// Axes lists the settings with how many values each has.
func (s *Sweep) Axes() string {
	var out []string
	for _, x := range s.settings() {
		out = append(out, fmt.Sprintf("%s (%d values)", x.path, len(x.values)))
	}
	if len(out) == 0 {
		return "no setting"
	}
	return strings.Join(out, ", ")
}

// A Best is the best value of a metric, and the point that has it.
type Best struct {
	What, Unit, At string
	Value          float64
}

// Extreme says what is best of a metric in the words of its headline: "least Net message latency".
func (s *Sweep) Extreme(metric string) string {
	what := metric
	if h, _, ok := result.Headline(metric); ok {
		what = h.Label
		if i := strings.LastIndexByte(strings.TrimSuffix(metric, "@measure"), '.'); i >= 0 {
			what = metric[:i] + " " + what
		}
	}
	if s.larger(metric) {
		return "most " + what
	}
	return "least " + what
}

// Best are the best values of the first metrics: the least, or the most where more is
// better.
func (s *Sweep) Best(most int) (out []Best) {
	t := s.table()
	for _, m := range s.metrics() {
		name := t.Columns[m].Name
		b := Best{Unit: s.unit(m)}
		found := false
		for _, row := range t.Rows {
			if v, ok := value(row, m); ok && (!found || s.larger(name) && v > b.Value || !s.larger(name) && v < b.Value) {
				b.Value, b.At, found = v, pointName(t, row)+": "+strings.ReplaceAll(said(t, row), "\n", ", "), true
			}
		}
		b.What = s.Extreme(name)
		if found && s.aim(name) && len(out) < most {
			out = append(out, b)
		}
	}
	return out
}
