package experiment

import (
	"cmp"
	"slices"

	"github.com/causeway-sim/causeway/components/experiment/plan"
	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/system"
)

// Made lists the nodes of the experiment with their kinds and Specs.
func (x *Experiment) Made() ([]system.Made, error) {
	if err := x.build(); err != nil {
		return nil, err
	}
	return x.built.Sys.Made(), nil
}

// build assembles what the next Run spends.
func (x *Experiment) build() (err error) {
	if x.built == nil {
		x.built, err = x.assemble()
	}
	return err
}

// Goal returns the metric by which a run is judged, given a result with its metrics: the time,
// unless a player, a server or arrivals fix the time.
func (x *Experiment) Goal(r *result.Result) (result.Goal, error) {
	if err := x.build(); err != nil {
		return result.Goal{}, err
	}
	return x.built.goal(r), nil
}

func (a *assembly) goal(r *result.Result) result.Goal {
	if len(a.Loads) > 0 && !a.Serves() && (len(a.Jobs) == 0 || !a.arriving()) {
		return result.TotalTime
	}
	setters := slices.DeleteFunc(slices.Clone(a.Sys.Made()), func(m system.Made) bool { return m.Kind.Goal(m.Spec) == "" })
	if len(setters) == 0 {
		return result.TotalTime
	}
	first := slices.MinFunc(setters, func(x, y system.Made) int { return cmp.Compare(x.Kind.Subject, y.Kind.Subject) })
	name := first.Kind.Goal(first.Spec)
	if name == system.TotalTime {
		return result.TotalTime
	}
	at := slices.IndexFunc(first.Kind.Headlines, func(h system.Headline) bool { return h.Metric == name })
	for _, h := range first.Kind.Headlines[at:] {
		if h.Better == system.Neither {
			continue
		}
		g := result.Goal{Headline: h}
		for _, m := range setters {
			if m.Kind.Kind == first.Kind.Kind && m.Kind.Goal(m.Spec) == name {
				g.Where = append(g.Where, m.Name())
			}
		}
		if _, ok := g.Of(r); ok {
			return g
		}
	}
	return result.TotalTime
}

// arriving reports whether requests of a workload arrive over time.
func (a *assembly) arriving() bool {
	return slices.ContainsFunc(a.Loads, func(w *plan.Workload) bool {
		return w.Spec.Arrival > 0 || w.At.Get("arrivals").Exists()
	})
}
