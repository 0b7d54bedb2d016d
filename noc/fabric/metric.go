package fabric

import (
	"github.com/causeway-sim/causeway/components/stats"
)

// Declare adds what this fidelity knows to the metrics of a network.
func (n *Network) Declare(g *stats.Group) {
	g.Count("flit_hops", stats.Flit, "Flits that passed a router, once for each.", &n.flitHops)
	g.Count("packets", stats.Request, "Packets that messages were sent as.", &n.sentPackets)
	g.Before(func(float64) { n.noted() })
	g.Sum(func() (all []any) {
		for _, p := range n.parts {
			all = append(all, &p.sentPackets, &p.gotPackets, &p.flitHops)
		}
		n.noted()
		return append(all, &n.total)
	})
	g.Value("channel_busy_max", stats.Cycle, "Time that the busiest channel between routers carried packets.", func() (float64, bool) {
		most, _, channels := n.Busy()
		return most, channels > 0
	})
	g.Value("channel_busy_mean", stats.Cycle, "Mean time that channels between routers carried packets.", func() (float64, bool) {
		_, sum, channels := n.Busy()
		return sum / float64(max(1, channels)), channels > 0
	})
}
