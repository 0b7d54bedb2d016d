package channel

import (
	"github.com/causeway-sim/causeway/components/stats"
)

// declare adds what this fidelity knows to the metrics of a network.
func (n *Network) declare(g *stats.Group) {
	g.Count("packets", stats.Request, "Packets that messages were sent as.", &n.moved)
	g.Count("packet_hops", stats.Request, "Channels between routers that packets passed.", &n.hops)
	if len(n.cfg.Outages) > 0 {
		g.Count("packets_resent", stats.Request, "Packets that left a router again because the channel went down which carried them or which they waited for.", &n.out.resent)
	}
	g.Sum(func() (all []any) {
		for i := range n.links {
			l := &n.links[i]
			all = append(all, &l.busy, &l.stalls, &l.flits, &l.bytes)
		}
		return all
	})
	g.Value("channel_busy_max", stats.Cycle, "Time that the busiest channel between routers carried packets.", func() (float64, bool) {
		most, _ := n.Busy()
		return most, n.Channels() > 0
	})
	g.Value("channel_busy_mean", stats.Cycle, "Mean time that channels between routers carried packets.", func() (float64, bool) {
		_, sum := n.Busy()
		return sum / float64(max(1, n.Channels())), n.Channels() > 0
	})
}
