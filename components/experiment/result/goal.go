package result

import (
	"cmp"

	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
)

// A Goal is the metric that says how good a run is: that of the system as a whole, or of
// all nodes of one kind together.
type Goal struct {
	Where []string // "" is the system
	system.Headline
}

// TotalTime is the goal of a run that ends when its work is done.
var TotalTime = Goal{[]string{""}, system.Headline{Metric: system.TotalTime, Unit: stats.NS, Better: system.Less, Label: "time"}}

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
	return Key(stats.Metric{Where: g.Where[0], Name: g.Metric, Phase: cmp.Or(g.Phase, "all")})
}

// Gain is how many times better a value is than another one.
func (g Goal) Gain(base, v float64) float64 {
	if g.Better == system.More {
		return v / base
	}
	return base / v
}
