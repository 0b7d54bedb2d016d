package result

import (
	"cmp"

	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
)

// A Goal is the metric by which a run is judged: of the whole system, or of all nodes of one kind.
type Goal struct {
	Where []string // "" is the system
	system.Headline
}

// TotalTime is the goal of a run that ends when its work is done: less simulated time.
var TotalTime = Goal{[]string{""}, system.Headline{Metric: system.TotalTime, Unit: stats.NS, Better: system.Less, Label: "time"}}

// Of returns the goal's value in a result: the sum over its nodes, or the mean for times and
// shares. ok is false if a node lacks the metric or it has no meaning.
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

// Key returns the key of the goal's metric, of its first node.
func (g Goal) Key() string {
	return Key(stats.Metric{Where: g.Where[0], Name: g.Metric, Phase: cmp.Or(g.Phase, "all")})
}

// Gain returns how many times better v is than base.
func (g Goal) Gain(base, v float64) float64 {
	if g.Better == system.More {
		return v / base
	}
	return base / v
}
