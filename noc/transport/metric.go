package transport

import (
	"github.com/causeway-sim/causeway/components/stats"
)

// counts are what happened.
type counts struct {
	messages, arrived uint64
	packets           uint64 // of data that left terminals
	hops              uint64
	marks, notices    uint64
	pauses, paused    uint64 // paused in ticks, of pauses that have ended
	drops, trims      uint64
	resent, timeouts  uint64
	completion        stats.Histogram // ns
}

// complete notes a message that its sender knows to have arrived, after a time in ns.
func (c *counts) complete(ns float64) { c.completion.Add(uint64(ns + 0.5)) }

// declare adds what this core knows to the metrics of a network.
func (n *Network) declare(g *stats.Group) {
	c := &n.count
	h := &c.completion
	g.Value("flow_completion_mean", stats.NS, "Mean time from taking a message to the acknowledgement of its last packet.", func() (float64, bool) {
		return float64(h.Sum()) / float64(max(1, h.Count())), h.Count() > 0
	})
	for _, p := range []struct {
		name    string
		percent uint64
		text    string
	}{
		{"flow_completion_p50", 50, "Median time from taking a message to the acknowledgement of its last packet."},
		{"flow_completion_p99", 99, "99th percentile of the time from taking a message to the acknowledgement of its last packet."},
		{"flow_completion_max", 100, "Longest time from taking a message to the acknowledgement of its last packet."},
	} {
		g.Value(p.name, stats.NS, p.text, func() (float64, bool) { return float64(h.Percentile(p.percent)), h.Count() > 0 })
	}
	g.Count("packets", stats.Request, "Packets of data that left terminals, those sent again included.", &c.packets)
	g.Count("packet_hops", stats.Request, "Channels between routers that packets passed, acknowledgements included.", &c.hops)
	g.Count("packets_marked", stats.Request, "Packets that a switch marked, once per switch.", &c.marks)
	g.Count("notifications", stats.Request, "Congestion notification packets that receivers sent.", &c.notices)
	g.Count("pauses", stats.Request, "Times that a switch paused a channel (pfc).", &c.pauses)
	g.Value("pause_time", stats.NS, "Time that channels were paused, summed over channels.", func() (float64, bool) { return n.pausedNS(), true })
	g.Count("packets_dropped", stats.Request, "Packets that found no room in a queue and were lost.", &c.drops)
	g.Count("packets_trimmed", stats.Request, "Packets that found no room in a queue and were trimmed to their header.", &c.trims)
	g.Count("packets_resent", stats.Request, "Packets that terminals sent again.", &c.resent)
	g.Count("timeouts", stats.Request, "Times that a sender found a packet unacknowledged after its timeout.", &c.timeouts)
	g.Value("queue_max", stats.Byte, "Most bytes of data that waited at a port of a switch.", func() (float64, bool) {
		most := int64(0)
		for i := range n.links {
			most = max(most, n.links[i].most)
		}
		return float64(most), true
	})
	g.Sum(&c.paused)
	g.Sum(func() (all []any) {
		for i := range n.links {
			l := &n.links[i]
			all = append(all, &l.busy, &l.stalls, &l.flits, &l.bytes)
		}
		return all
	})
	g.Stays("flow_completion_p50", "flow_completion_p99", "flow_completion_max", "queue_max")
	g.Value("channel_busy_max", stats.Cycle, "Time that the busiest channel between routers carried packets.", func() (float64, bool) {
		most, _, channels := n.busy()
		return most, channels > 0
	})
	g.Value("channel_busy_mean", stats.Cycle, "Mean time that channels between routers carried packets.", func() (float64, bool) {
		_, sum, channels := n.busy()
		return sum / float64(max(1, channels)), channels > 0
	})
}

// pausedNS is the time that channels were paused, up to now.
func (n *Network) pausedNS() float64 {
	sum := n.count.paused
	for i := range n.links {
		if x := &n.links[i]; x.paused {
			sum += n.now - x.since
		}
	}
	return n.ns(sum)
}

// busy is the most busy cycles of a channel between routers, the sum and the number of them.
func (n *Network) busy() (most, sum float64, channels int) {
	for i := range n.links[:n.first] {
		if l := &n.links[i]; l.to != none && !l.in {
			b := float64(l.busy) / tick
			most, sum = max(most, b), sum+b
			channels++
		}
	}
	return most, sum, channels
}
