package work

import "github.com/causeway-sim/causeway/components/stats"

// DeclareAwaited adds the metric stall_network_cycles: cycles without an operator until a
// transfer or collective ended whose result the next one reads. The metric is absent if *cycles
// is 0.
func DeclareAwaited(g *stats.Group, cycles *uint64) {
	g.Sum(cycles)
	g.Value("stall_network_cycles", stats.Cycle, "Cycles without an operator, until a transfer or collective had ended whose result the next one reads; absent where there were none.", func() (float64, bool) {
		return float64(*cycles), *cycles > 0
	})
}
