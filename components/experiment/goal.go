package experiment

import (
	"cmp"
	"slices"

	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
)

// A Goal is the metric that says how good a run is: that of the system as a whole, or of
// all nodes of one kind together.
type Goal struct {
	Where []string // "" is the system
	system.Headline
}

// wholeTime is the goal of a run that ends when its work is done.
var wholeTime = Goal{[]string{""}, system.Headline{Metric: system.TotalTime, Unit: stats.NS, Better: system.Less, Label: "time"}}

// Made lists the nodes of the experiment with what they were made from.
func (x *Experiment) Made() ([]system.Made, error) {
	if err := x.build(); err != nil {
		return nil, err
	}
	return x.built.sys.Made(), nil
}

// build assembles what the next Run spends.
func (x *Experiment) build() (err error) {
	if x.built == nil {
		x.built, err = x.assemble()
	}
	return err
}

// Goal finds what says how good a run is, once r has shown which metrics mean something: the
// time, unless a player, a server or arrivals set how long it takes.
func (x *Experiment) Goal(r *Result) (Goal, error) {
	if err := x.build(); err != nil {
		return Goal{}, err
	}
	return x.built.goal(r), nil
}

func (a *assembly) goal(r *Result) Goal {
	if len(a.loads) > 0 && !a.serves() && (len(a.jobs) == 0 || !a.arriving()) {
		return wholeTime
	}
	setters := slices.DeleteFunc(slices.Clone(a.sys.Made()), func(m system.Made) bool { return m.Kind.Goal(m.Spec) == "" })
	if len(setters) == 0 {
		return wholeTime
	}
	first := slices.MinFunc(setters, func(x, y system.Made) int { return cmp.Compare(x.Kind.Subject, y.Kind.Subject) })
	name := first.Kind.Goal(first.Spec)
	if name == system.TotalTime {
		return wholeTime
	}
	at := slices.IndexFunc(first.Kind.Headlines, func(h system.Headline) bool { return h.Metric == name })
	for _, h := range first.Kind.Headlines[at:] {
		g := Goal{Headline: h}
		for _, m := range setters {
			if m.Kind.Kind == first.Kind.Kind && m.Kind.Goal(m.Spec) == name {
				g.Where = append(g.Where, m.Name())
			}
		}
		if _, ok := g.Of(r); ok {
			return g
		}
	}
	return wholeTime
}

// arriving reports whether requests of a workload arrive over time.
func (a *assembly) arriving() bool {
	return slices.ContainsFunc(a.loads, func(w *workload) bool {
		return w.Spec.Arrival > 0 || w.At.Get("arrivals").Exists()
	})
}

// Of is the goal's value in a result: the sum over its nodes of what adds up, the mean of
// times and shares. ok is false where a node has none, or it means nothing.
func (g Goal) Of(r *Result) (v float64, ok bool) {
	phase := cmp.Or(g.Phase, "all")
	n := 0.0
	for _, where := range g.Where {
		if g.Unless != "" {
			if m, ok := r.MetricIn(phase, where, g.Unless); ok && m.Value != 0 {
				return 0, false
			}
		}
		m, ok := r.MetricIn(phase, where, g.Metric)
		if !ok {
			return 0, false
		}
		v, n = v+m.Value, n+1
	}
	if n > 0 && g.Mean() {
		v /= n
	}
	return v, n > 0
}

// Key names the goal as a metric, that of its first node.
func (g Goal) Key() string {
	return MetricKey(stats.Metric{Where: g.Where[0], Name: g.Metric, Phase: cmp.Or(g.Phase, "all")})
}

// Gain is how many times better a value is than another one.
func (g Goal) Gain(base, v float64) float64 {
	if g.Better == system.More {
		return v / base
	}
	return base / v
}
