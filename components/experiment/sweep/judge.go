package sweep

import (
	"cmp"
	"math"
	"slices"

	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/experiment/sweep/grid"
	"github.com/causeway-sim/causeway/components/explore"
	"github.com/causeway-sim/causeway/components/stats"
)

// A Best is the best point by one objective.
type Best struct {
	Objective string
	Goal      string // min or max
	Unit      stats.Unit
	Value     float64
	Point     int      // of the grid, the first of several
	Set       []string // its settings, but for what means are taken over
	Of        []string // those of the workload, where the sweep has several
}

// designs are those that are compared, and what they have come to: the points that meet the
// constraints or, where means are taken, the first of the points of each.
type designs struct {
	good  []int
	known func(int) explore.Outcome
}

// judge fills in what the complete points show: the best by each objective and the Pareto set, of
// each workload, and what each axis explains.
func (s *Sweep) judge(out *Outcome, points []finding) error {
	row := map[int]int{}
	for i, p := range s.points {
		row[p] = i
	}
	judged := *s
	judged.Objectives = s.chooseObjectives(points)
	out.Objectives = judged.Objectives
	out.outcomes = judged.outcomesOf(out, points)
	d := s.designs(out.outcomes)
	out.Met = len(d.good)
	if len(judged.Objectives) > 0 && len(d.good) > 0 {
		found := func(i int) finding { return points[i] }
		if !s.adaptive() {
			out.workloads = s.workloads(s.points, found)
		} else if w := s.mixed(points); w != "" {
			out.Dead = append(out.Dead, w)
		}
		for _, k := range out.workloads {
			out.Workloads = append(out.Workloads, s.Grid[k].Paths...)
		}
		out.Front = s.front(d.good, out.workloads, d.known)
		for _, part := range s.apart(d.good, out.workloads) {
			out.Pareto = s.pareto(out, explore.Front(part, d.known), points, judged.Objectives, row, d.known)
			for k, o := range judged.Objectives {
				best := slices.MinFunc(part, func(p, q int) int { return cmp.Compare(d.known(p).Values[k], d.known(q).Values[k]) })
				b := Best{Objective: o.Name, Goal: "min", Value: d.known(best).Values[k], Point: best, Unit: unitIn(points, o.Name), Set: s.settingsOf(best), Of: s.Grid.SetOf(best, out.workloads)}
				if o.Max {
					b.Goal, b.Value = "max", -b.Value
				}
				out.Best = append(out.Best, b)
			}
		}
		for k, o := range judged.Objectives {
			if all := s.bestMachine(out.workloads, d, k, o); all != nil {
				out.Machines = append(out.Machines, *all)
			}
		}
	}
	if len(s.constraints) > 0 {
		out.Misses = s.misses(points, d)
		met := map[int]bool{}
		for _, p := range d.good {
			met[s.Grid.Group(p, out.workloads)] = true
		}
		for _, part := range s.apart(s.points, out.workloads) {
			if !met[s.Grid.Group(part[0], out.workloads)] {
				out.Unmet = append(out.Unmet, s.Grid.SetOf(part[0], out.workloads))
			}
		}
	}
	out.Effects = s.sensitivity(out, judged.Objectives, points)
	out.Pairs = s.interactions(out, judged.Objectives, points)
	return nil
}

// outcomesOf are the outcomes of all points. A constraint that no point can be held against is
// among what is unknown.
func (s *Sweep) outcomesOf(out *Outcome, points []finding) map[int]explore.Outcome {
	outcomes := map[int]explore.Outcome{}
	held := false
	var fault error
	for i, p := range s.points {
		o, err := s.outcome(p, points[i])
		if err != nil { // what a point lacks, its row shows
			o = explore.Failed
			fault = cmp.Or(fault, err)
		}
		held = held || err == nil && points[i].status == string(result.Complete)
		outcomes[p] = o
	}
	if fault != nil && !held && len(s.constraints) > 0 && len(out.Unknown) == 0 {
		out.Unknown = append(out.Unknown, fault)
	}
	return outcomes
}

// designs are what is compared of points with these outcomes.
func (s *Sweep) designs(outcomes map[int]explore.Outcome) designs {
	d := designs{known: func(p int) explore.Outcome { return outcomes[p] }}
	axes, _ := s.settings()
	if len(axes) == len(s.Grid) {
		for _, p := range s.points {
			if outcomes[p].Miss == 0 {
				d.good = append(d.good, p)
			}
		}
		return d
	}
	means := map[int]explore.Outcome{}
	for _, same := range s.apart(s.points, axes) {
		mean := explore.Outcome{Values: make([]float64, len(outcomes[same[0]].Values))}
		for _, p := range same {
			o := outcomes[p]
			if mean.Miss += o.Miss; len(o.Values) != len(mean.Values) {
				mean.Miss = math.Inf(1)
				break
			}
			for k, v := range o.Values {
				mean.Values[k] += v / float64(len(same))
			}
		}
		if means[same[0]] = mean; mean.Miss == 0 {
			d.good = append(d.good, same[0])
		}
	}
	d.known = func(p int) explore.Outcome { return means[p] }
	return d
}

// misses are the complete points whose designs are not among the good ones.
func (s *Sweep) misses(points []finding, d designs) (out []int) {
	axes, _ := s.settings()
	good := map[int]bool{}
	for _, p := range d.good {
		good[s.Grid.Group(p, axes)] = true
	}
	for i, p := range s.points {
		if points[i].status == string(result.Complete) && !good[s.Grid.Group(p, axes)] {
			out = append(out, p)
		}
	}
	slices.Sort(out)
	return out
}

// settingsOf is what a point sets, but for what means are taken over.
func (s *Sweep) settingsOf(p int) []string {
	axes, _ := s.settings()
	return s.Grid.SetOf(p, axes)
}

// front is the Pareto-optimal points of each workload, in the order of the grid.
func (s *Sweep) front(points, workloads []int, known func(int) explore.Outcome) (out []int) {
	for _, part := range s.apart(points, workloads) {
		out = append(out, explore.Front(part, known)...)
	}
	slices.Sort(out)
	return out
}

// unitIn is the unit of a metric that a point has, if one is called so.
func unitIn(points []finding, name string) stats.Unit {
	for _, p := range points {
		if m, ok := p.values[name]; ok {
			return m.Unit
		}
	}
	return ""
}

// apart are the points of each combination of values of the axes, in their order.
func (s *Sweep) apart(points []int, axes []int) (out [][]int) {
	at := map[int]int{}
	for _, p := range points {
		g := s.Grid.Group(p, axes)
		k, ok := at[g]
		if !ok {
			k = len(out)
			at[g], out = k, append(out, nil)
		}
		out[k] = append(out[k], p)
	}
	return out
}

// pareto is the table of the designs that no other beats: their settings and objectives, in
// the order of the first objective. It goes on with the front of another workload.
func (s *Sweep) pareto(out *Outcome, front []int, points []finding, objectives []Objective, row map[int]int, known func(int) explore.Outcome) *stats.Table {
	t := &stats.Table{}
	var keep []int
	for i, c := range out.Table.Columns {
		path, _, setting := grid.SettingOf(c.Name)
		if len(s.Average) > 0 && (slices.Contains(s.Average, path) || c.Name == "identity") {
			continue // a row is of several points
		}
		if setting || c.Name == "point" || c.Name == "identity" {
			keep = append(keep, i)
			t.Columns = append(t.Columns, c)
		}
	}
	for _, o := range objectives {
		t.Columns = append(t.Columns, stats.Column{Name: o.Name, Unit: unitIn(points, o.Name)})
	}
	if out.Pareto != nil {
		t = out.Pareto
	}
	order := slices.Clone(front)
	slices.SortStableFunc(order, func(p, q int) int { return slices.Compare(known(p).Values, known(q).Values) })
	for _, p := range order {
		var cells []any
		for _, i := range keep {
			cells = append(cells, out.Table.Rows[row[p]][i])
		}
		for k, o := range objectives {
			v := known(p).Values[k]
			if o.Max {
				v = -v
			}
			cells = append(cells, v)
		}
		t.Append(cells...)
	}
	return t
}

// sensitivity is the table of the share of variance that each axis explains, of each objective and
// of the requested metrics, or of the metrics of the whole system.
func (s *Sweep) sensitivity(out *Outcome, objectives []Objective, points []finding) *stats.Table {
	t := &stats.Table{Columns: []stats.Column{
		{Name: "axis", Text: "Paths of the axis."},
		{Name: "metric", Text: "What varies."},
		{Name: "unit", Text: "Of mean_least and mean_most."},
		{Name: "first_order", Unit: stats.One, Text: "Part of the variance that the axis explains alone."},
		{Name: "mean_least", Text: "Least mean over the values of the axis."},
		{Name: "at_least", Text: "The value with it."},
		{Name: "mean_most", Text: "Greatest mean over the values of the axis."},
		{Name: "at_most", Text: "The value with it."},
	}}
	space := s.Grid.Space()
	whole := s.where == nil && !s.adaptive() && len(s.points) == space.Len()
	for _, m := range s.varying(out, points, objectives) {
		at, values := s.seen(m, points)
		for k, e := range space.Effects(at, values, whole && len(at) == len(s.points)) {
			least, most := 0, 0
			for x, mean := range e.Means {
				if math.IsNaN(e.Means[least]) || mean < e.Means[least] {
					least = x
				}
				if math.IsNaN(e.Means[most]) || mean > e.Means[most] {
					most = x
				}
			}
			a := s.Grid[k]
			t.Append(a.Joined(), m.name, string(m.unit), e.FirstOrder, e.Means[least], a.Label(least), e.Means[most], a.Label(most))
		}
	}
	if len(t.Rows) == 0 {
		return nil
	}
	return t
}

// seen are the designs that have a value, and the values.
func (s *Sweep) seen(m variable, points []finding) (at []int, values []float64) {
	for i, p := range s.points {
		if v, ok := m.of(i, points[i]); ok {
			at, values = append(at, p), append(values, v)
		}
	}
	return at, values
}

// interactions is the table of what every two axes of a whole grid do together, for the
// metrics of sensitivity; of each the strongest pair first.
func (s *Sweep) interactions(out *Outcome, objectives []Objective, points []finding) *stats.Table {
	t := &stats.Table{Columns: []stats.Column{
		{Name: "axis", Text: "Paths of one axis."},
		{Name: "with", Text: "Paths of the other."},
		{Name: "metric", Text: "What varies."},
		{Name: "unit", Text: "Of the last three columns."},
		{Name: "second_order", Unit: stats.One, Text: "Part of the variance that the two explain together and neither alone."},
		{Name: "effect_first", Text: "By how much the mean grows from the first value of the axis to its second, at the first value of the other; empty where one has other than two values."},
		{Name: "effect_second", Text: "The same at the second value of the other."},
		{Name: "interaction", Text: "The difference of the two: 0 where the axes add up."},
	}}
	space := s.Grid.Space()
	if s.where != nil || s.adaptive() || len(s.points) != space.Len() || len(s.Grid) < 2 {
		return nil
	}
	for _, m := range s.varying(out, points, objectives) {
		pairs := space.Pairs(s.seen(m, points))
		slices.SortStableFunc(pairs, func(x, y explore.Pair) int { return cmp.Compare(y.SecondOrder, x.SecondOrder) })
		for _, p := range pairs {
			a, b := s.Grid[p.A], s.Grid[p.B]
			row := []any{a.Joined(), b.Joined(), m.name, string(m.unit), p.SecondOrder, nil, nil, nil}
			if space.Sizes[p.A] == 2 && space.Sizes[p.B] == 2 {
				row[5], row[6], row[7] = p.At[0], p.At[1], p.At[1]-p.At[0]
			}
			t.Append(row...)
		}
	}
	if len(t.Rows) == 0 {
		return nil
	}
	return t
}

// A variable is the value that a row of sensitivity.csv describes.
type variable struct {
	name string
	unit stats.Unit
	of   func(row int, f finding) (float64, bool)
}

func (s *Sweep) varying(out *Outcome, points []finding, objectives []Objective) (vars []variable) {
	has := func(name string) bool {
		return slices.ContainsFunc(vars, func(v variable) bool { return v.name == name })
	}
	for _, o := range objectives {
		vars = append(vars, variable{o.Name, unitIn(points, o.Name), func(row int, f finding) (float64, bool) {
			if f.status != string(result.Complete) {
				return 0, false
			}
			v, err := o.value(s.looks(s.points[row], f.values))
			return v.X, err == nil
		}})
	}
	names := s.Metrics
	if len(names) == 0 {
		for _, c := range out.Table.Columns[3:] {
			if _, _, setting := grid.SettingOf(c.Name); !setting && isWhole(c.Name) {
				names = append(names, c.Name)
			}
		}
	}
	for _, n := range names {
		if !has(n) {
			vars = append(vars, variable{n, unitIn(points, n), func(_ int, f finding) (float64, bool) {
				m, ok := f.values[n]
				return m.Value, ok
			}})
		}
	}
	return vars
}

// isWhole reports whether a metric is of the whole system in all of a run.
func isWhole(key string) bool {
	for _, r := range key {
		if r == '.' || r == '@' {
			return false
		}
	}
	return true
}
