package sweep

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/formula"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
)

// mostOfNodes bounds the objectives that are of nodes, where a sweep names none.
const mostOfNodes = 3

// asked are the headlines of the sweep's runs, by the first point that is complete.
func (s *Sweep) asked(points []finding) []result.Asked {
	i := slices.IndexFunc(points, func(f finding) bool { return f.status == string(result.Complete) })
	if i < 0 {
		return nil
	}
	var config []byte
	if job, err := s.Runner.Prepare(s.Grid.Point(s.points[i])); err == nil {
		if c, ok := job.(configured); ok {
			config = c.Config()
		}
	}
	var ms []stats.Metric
	for _, key := range slices.Sorted(maps.Keys(points[i].values)) {
		ms = append(ms, points[i].values[key])
	}
	return result.Headlines(config, ms)
}

// chooseObjectives takes the headlines where the sweep names no objectives: those of the
// nodes that its runs are about, then those of the whole, as far as they have a direction, every
// complete point has them, they differ, and they do not put the points in the order of one before.
func (s *Sweep) chooseObjectives(points []finding) []Objective {
	if len(s.Objectives) > 0 {
		return s.Objectives
	}
	var out []Objective
	var orders [][]float64
	add := func(a result.Asked) bool {
		o := Objective{Name: a.Key, Max: a.Better == system.More}
		values, ok := o.across(points)
		f, err := formula.Parse(a.Key)
		if !ok || err != nil || a.Better == system.Neither || slices.ContainsFunc(orders, func(v []float64) bool { return alike(v, values) }) {
			return false
		}
		o.f = sweepFormula{Formula: f}
		out, orders = append(out, o), append(orders, values)
		return true
	}
	all := s.asked(points)
	about := slices.IndexFunc(all, func(a result.Asked) bool {
		return a.Where != "" && a.Subject != system.OfWork && a.Subject <= system.OfRequests
	})
	if len(all) > 0 && all[0].Subject == system.OfWork { // a workload: the whole is what it is about
		about = -1
	}
	n := 0
	for _, a := range all {
		one := about >= 0 && a.Where != "" && a.Subject == all[about].Subject && !strings.Contains(a.Where, "[")
		if one && n < mostOfNodes && add(a) {
			n++
		}
	}
	for _, a := range all {
		if a.Where == "" {
			add(a)
		}
	}
	return out
}

// across are the objective's values at the complete points, small where good; ok is false
// where one has none, or all are the same.
func (o *Objective) across(points []finding) (values []float64, ok bool) {
	vary := false
	for _, p := range points {
		if p.status != string(result.Complete) {
			continue
		}
		m, has := p.values[o.Name]
		if !has {
			return nil, false
		}
		v := m.Value
		if o.Max {
			v = -v
		}
		vary = vary || len(values) > 0 && v != values[0]
		values = append(values, v)
	}
	return values, vary
}

// alike reports whether two lists of values order the points equally.
func alike(a, b []float64) bool {
	order := make([]int, len(a))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(a[i], a[j]) })
	for k, i := range order[1:] {
		before := order[k]
		da, db := a[i]-a[before], b[i]-b[before]
		if math.Abs(da) > 0 != (math.Abs(db) > 0) || db < 0 {
			return false
		}
	}
	return true
}

// A configured job knows its resolved configuration.
type configured interface{ Config() []byte }
