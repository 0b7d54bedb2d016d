package experiment

import "github.com/causeway-sim/causeway/components/stats"

// metricNames are the keys of all metrics that a run may have, but for those that
// come up as it meets what they count.
func (a *assembly) metricNames() (out []string) {
	var all []stats.Metric
	for _, n := range a.nodes() {
		all = append(all, n.Stats().Declared()...)
	}
	all = a.issued(all)
	all = append(append(all, a.overall(all)...), ownedBy(a.configured(), all).metrics()...)
	for _, m := range all {
		out = append(out, MetricKey(m))
	}
	return out
}
