package network

import (
	"fmt"

	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/noc/topology"
)

// counters are in messages, bytes, flits and cycles of the network.
type counters struct {
	taken, arrived, sent    uint64
	bytes, gotBytes         uint64
	flits, gotFlits         uint64
	latency, inside, longer uint64
	hops                    uint64
	first, last             uint64 // cycle of the first message taken, of the last arrival
}

// take counts a message that stands for so many.
func (n *counters) take(s *slot, times uint64) {
	if n.taken == 0 {
		n.first = s.taken
	}
	n.taken += times
	n.bytes += times * uint64(s.bytes)
	n.flits += times * uint64(s.flits)
}

// arrive counts the arrival of a message that stands for so many.
func (n *counters) arrive(s *slot, times, now, injected uint64, hops int) {
	n.arrived += times
	n.gotBytes += times * uint64(s.bytes)
	n.gotFlits += times * uint64(s.flits)
	n.latency += times * (now - s.taken)
	n.inside += times * (now - injected)
	n.longer = max(n.longer, now-s.taken)
	n.hops += times * uint64(hops)
	n.last = now
}

// newStats declares the metrics that all fidelities have.
func (c *Comp) newStats() *stats.Group {
	n := &c.count
	g := stats.NewGroup(c.Name())
	g.Count("messages", stats.Request, "Messages taken from links.", &n.taken)
	g.Count("messages_delivered", stats.Request, "Messages that have left the network.", &n.arrived)
	g.Count("bytes", stats.Byte, "Bytes of the messages taken, headers left out.", &n.bytes)
	g.Count("bytes_delivered", stats.Byte, "Bytes of the messages delivered, headers left out.", &n.gotBytes)
	g.Count("flits", stats.Flit, "Flits of the messages taken.", &n.flits)
	g.Count("flits_delivered", stats.Flit, "Flits of the messages delivered.", &n.gotFlits)
	mean := func(name string, unit stats.Unit, text string, sum *uint64) {
		g.Value(name, unit, text, func() (float64, bool) {
			return float64(*sum) / float64(max(n.arrived, 1)), n.arrived > 0
		})
	}
	mean("message_latency_mean", stats.Cycle, "Mean time from taking a message to its last flit's arrival.", &n.latency)
	mean("message_transit_mean", stats.Cycle, "Mean time from the entry of a message's first flit to its last flit's arrival.", &n.inside)
	mean("message_hops_mean", stats.One, "Mean number of channels between routers that messages passed.", &n.hops)
	if t, ok := topology.Intact(c.top).(topology.Figured); ok {
		for _, f := range t.Figures() {
			g.Value(f.Name, stats.Percent, f.Text, func() (float64, bool) { return f.Value, true })
		}
	}
	g.Value("message_latency_max", stats.Cycle, "Longest time from taking a message to its last flit's arrival.", func() (float64, bool) {
		return float64(n.longer), n.arrived > 0
	})
	g.Value("throughput", stats.GBps, "Bytes delivered per second, from the first message taken to the last arrival.", func() (float64, bool) {
		if n.last <= n.first {
			return 0, false
		}
		return float64(n.gotBytes) / c.Clock().Nanoseconds(n.last-n.first), true
	})
	g.Value("late", stats.Request, "Messages of links, or flits and credits between groups, that came late: at the end of simulation.quantum.", func() (float64, bool) {
		return float64(c.late()), c.quantum > 0
	})
	if perByte, ok, _ := c.spec.Energy.PerByte(); ok { // checked
		c.rest.Watts = c.spec.Energy.Rest(c.top.Routers(), c.capacity())
		c.rest.Declare(g, "Energy of the flits at routers and on the channels that they leave on, by a figure per byte, and of routers at rest.", func() float64 {
			return perByte * float64(c.Width()) * float64(c.flitHops())
		})
		rest := "idle routers are not in it"
		if c.rest.Watts > 0 {
			rest = fmt.Sprintf("routers at rest take %.4g W", c.rest.Watts)
		}
		c.Assume(fmt.Sprintf("Energy of %s is %.4g pJ per byte and router (%s); %s.", c.Name(), perByte, c.spec.Energy.Source(), rest))
	}
	c.timeSeries(g)
	g.Sum(&n.sent, &n.latency, &n.inside, &n.hops)
	g.Check("every message taken is delivered once, or told as lost", func() error {
		l := &c.lost
		if n.taken != n.arrived+l.count || n.arrived != n.sent || n.bytes != n.gotBytes+l.bytes || n.flits != n.gotFlits+l.flits {
			return fmt.Errorf("%d messages of %d bytes taken, %d of %d bytes arrived, %d sent, %d lost", n.taken, n.bytes, n.arrived, n.gotBytes, n.sent, l.count)
		}
		return nil
	})
	g.Check("the core has lost nothing", c.core.Check)
	return g
}

// declareLosses adds the metrics of a core that may lose packets.
func (c *Comp) declareLosses(g *stats.Group) {
	x, ok := c.core.(LossReporter)
	if !ok || !c.spec.Fails() {
		return
	}
	count := func(name string, unit stats.Unit, text string, f func(Losses) uint64) {
		g.Value(name, unit, text, func() (float64, bool) { return float64(f(x.Losses())), true })
	}
	count("packets_lost", stats.Request, "Packets that channels lost which failed during the run, each time.", func(l Losses) uint64 { return l.Packets })
	count("flits_lost", stats.Flit, "Flits of these packets: lost on channels, or discarded by routers and terminals.", func(l Losses) uint64 { return l.Flits })
	count("packets_resent", stats.Request, "Packets that their senders sent again, timeout after they had entered.", func(l Losses) uint64 { return l.Resent })
	g.Count("messages_lost", stats.Request, "Messages that were lost with channels that failed, and not sent again.", &c.lost.count)
}

// capacity is the rate of all channels that leave routers, in GB/s.
func (c *Comp) capacity() (sum float64) {
	for r := range c.top.Routers() {
		for p := range c.top.Ports(r) {
			b := c.spec.Channel(c.top.Class(r, p)).Bandwidth
			if b == 0 {
				b = c.spec.Full()
			}
			sum += float64(b) / 8e9
		}
	}
	return sum
}

// LastActivity implements system.Rester.
func (c *Comp) LastActivity() float64 { return c.Clock().Nanoseconds(c.count.last) }

// RestUntil implements system.Rester.
func (c *Comp) RestUntil(ns float64) { c.rest.Until(ns) }
