package curve

import "github.com/causeway-sim/causeway/components/stats"

// declare adds what curves know to the metrics of a memory.
func (t *timing) declare(g *stats.Group) {
	g.Value("load_mean", stats.Percent, "Mean load that requests met, relative to the end of the curves.", func() (float64, bool) {
		return 100 * float64(t.loadSum) / float64(t.requests) / full, t.requests > 0
	})
}
