package sweep

import (
	"fmt"
	"math"
	"slices"

	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/explore"
	"github.com/causeway-sim/causeway/components/formula"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/configs"
)

// An Objective is a quantity to minimise or maximise: a formula over metrics, named as the columns
// of sweep.csv, and settings.
type Objective struct {
	Name string
	Max  bool // more is better
	f    sweepFormula
}

// decodeObjectives reads objectives:, a list of formulas that are to be small, or a mapping
// from formulas to min or max.
func decodeObjectives(v configs.Value) (out []Objective, err error) {
	var errs configs.Errors
	add := func(at configs.Value, text string, max bool) {
		f, err := formula.Parse(text)
		if err == nil && f.Condition() {
			err = fmt.Errorf("%s is a condition, and not a quantity", text)
		}
		if err != nil {
			errs.Add(at.Errorf(nil, "%v", err))
			return
		}
		out = append(out, Objective{text, max, sweepFormula{f, at}})
	}
	switch {
	case !v.Exists():
	case v.Kind() == configs.Map:
		for _, k := range v.Keys() {
			goal := v.Get(k)
			if t := goal.Text(); t != "min" && t != "max" {
				errs.Add(goal.Errorf([]string{"min", "max"}, "unknown goal %q", t))
			}
			add(goal, k, goal.Text() == "max")
		}
	case v.Kind() == configs.List:
		for _, it := range v.Items() {
			f, err := decodeFormula(it, false)
			errs.Add(err)
			if err == nil {
				out = append(out, Objective{it.Text(), false, f})
			}
		}
	default:
		f, err := decodeFormula(v, false)
		errs.Add(err)
		out = append(out, Objective{v.Text(), false, f})
	}
	for i, o := range out {
		if slices.ContainsFunc(out[:i], func(p Objective) bool { return p.Name == o.Name }) {
			errs.Add(v.Errorf(nil, "objective %q stands twice", o.Name))
		}
	}
	return out, errs.Err()
}

// looks finds metrics of a point, then settings.
func (s *Sweep) looks(point int, found map[string]stats.Metric) func(string) (formula.Value, bool) {
	var settings func(string) (formula.Value, bool) // made where a formula asks: most name metrics alone
	return func(path string) (formula.Value, bool) {
		if m, ok := found[path]; ok {
			return formula.Number(m.Value, unitOf(m.Unit)), true
		}
		if settings == nil {
			t := newSettingTable(s.Grid)
			t.fixed = s.stated
			settings = t.look(s.Grid.Position(point))
		}
		return settings(path)
	}
}

// unitOf is the unit of a metric as formulas compare it; counts have none.
func unitOf(u stats.Unit) string {
	if u == stats.One {
		return ""
	}
	return string(u)
}

// value is the objective of a point, and its unit.
func (o Objective) value(look func(string) (formula.Value, bool)) (formula.Value, error) {
	v, err := o.f.Eval(look)
	if err != nil {
		return v, o.f.fault(err)
	}
	if !v.Quantity() || math.IsNaN(v.X) {
		return v, o.f.at.Errorf(nil, "%s is no number", o.Name)
	}
	return v, nil
}

// outcome is the explore.Outcome of a point.
func (s *Sweep) outcome(point int, f finding) (explore.Outcome, error) {
	if f.status != string(result.Complete) {
		return explore.Failed, nil
	}
	look := s.looks(point, f.values)
	var out explore.Outcome
	for _, o := range s.Objectives {
		v, err := o.value(look)
		if err != nil {
			return explore.Failed, err
		}
		if o.Max {
			v.X = -v.X
		}
		out.Values = append(out.Values, v.X)
	}
	for _, c := range s.constraints {
		v, err := s.miss(c, point, f.values)
		if err != nil {
			return explore.Failed, c.fault(err)
		}
		out.Miss += v.X
	}
	return out, nil
}

// miss is how far a point is from meeting a constraint. Metrics are in base units, so that
// total_time <= 2ms holds; where the constraint compares them with plain numbers they are in their
// own units and lose them: total_time <= 5e6 is in ns.
func (s *Sweep) miss(c sweepFormula, point int, found map[string]stats.Metric) (formula.Value, error) {
	look := s.looks(point, found)
	v, err := c.Eval(func(path string) (formula.Value, bool) {
		if m, ok := found[path]; ok {
			base, per := m.Unit.Base()
			return formula.Number(m.Value/per, unitOf(base)), true
		}
		return look(path)
	})
	if err == nil {
		return v, nil
	}
	if v, plain := c.Eval(func(path string) (formula.Value, bool) {
		v, ok := look(path)
		if v.Quantity() {
			v.Unit = ""
		}
		return v, ok
	}); plain == nil {
		return v, nil
	}
	return v, err
}

// Constraints are those of the sweep, as written.
func (s *Sweep) Constraints() (out []string) {
	for _, c := range s.constraints {
		out = append(out, c.String())
	}
	return out
}
