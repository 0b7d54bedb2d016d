package panel

import (
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/stats"
)

// An OfWorkload is the points of a sweep that run one workload.
type OfWorkload struct {
	*Sweep
	Name string // "workload.model resnet18"; "" of a sweep of one workload
}

// ByWorkload are the sweep's points by workload, in the order of the first point of each: times and
// energies of unlike workloads do not say which machine is better.
func (s *Sweep) ByWorkload() []OfWorkload {
	var at []int
	var paths []string
	for _, x := range s.settings() {
		for _, p := range s.Facts.Workloads {
			if x.path == p {
				at, paths = append(at, x.text), append(paths, p)
			}
		}
	}
	if len(at) == 0 {
		return []OfWorkload{{s, ""}}
	}
	var out []OfWorkload
	t := s.table()
	seen := map[string]bool{}
	for _, row := range t.Rows {
		var words []string
		var conditions []Condition
		for k, i := range at {
			text := result.Cell(row[i])
			words = append(words, paths[k]+" "+text)
			conditions = append(conditions, Condition{t.Columns[i].Name, text})
		}
		name := strings.Join(words, ", ")
		if seen[name] {
			continue
		}
		seen[name] = true
		part := s.with(conditions)
		part.Facts.Workloads, part.Facts.Machines = nil, nil
		out = append(out, OfWorkload{part, name})
	}
	return out
}

// Machine are settings but those of the workload.
func (p OfWorkload) Machine(settings []string) []string {
	return slices.DeleteFunc(slices.Clone(settings), func(x string) bool { return slices.Contains(strings.Split(p.Name, ", "), x) })
}

// with is the sweep of the points whose cells are the given texts.
func (s *Sweep) with(conditions []Condition) *Sweep {
	out := *s
	for _, c := range conditions {
		is := func(text string, _ float64, _ bool) bool { return text == c.Is }
		for _, t := range []**stats.Table{&out.Points, &out.Means, &out.Pareto} {
			*t = keepRows(*t, c.Column, is)
		}
	}
	return &out
}
