package traffic

import (
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/components/stats"
)

// counters are of the whole run.
type counters struct {
	sent, come           uint64 // packets
	sentFlits, comeFlits uint64
	lost, lostFlits      uint64 // with channels that failed
	latency              uint64 // sum
}

func (n *counters) send(flits int32) {
	n.sent++
	n.sentFlits += uint64(flits)
}

func (n *counters) arrive(p *trip) {
	n.come++
	n.comeFlits += uint64(p.flits)
	n.latency += uint64(p.arrived - p.created)
}

// add joins the counters of a part.
func (n *counters) add(o *counters) {
	n.sent, n.come = n.sent+o.sent, n.come+o.come
	n.sentFlits, n.comeFlits = n.sentFlits+o.sentFlits, n.comeFlits+o.comeFlits
	n.latency += o.latency
}

// measured reports whether there is a single measurement, and it has begun.
func (c *Comp) measured() bool { return c.spec.Search.Repeats == 0 && c.window.series.Measuring }

func (c *Comp) newStats() *stats.Group {
	w := &c.window
	g := stats.NewGroup(c.Name())
	g.Count("packets", stats.Request, "Packets sent in the whole run.", &c.count.sent)
	g.Count("packets_delivered", stats.Request, "Packets that have come in the whole run.", &c.count.come)
	g.Count("flits", stats.Flit, "Flits sent in the whole run.", &c.count.sentFlits)
	g.Count("flits_delivered", stats.Flit, "Flits that have come in the whole run.", &c.count.comeFlits)
	g.Count("latency_sum", stats.Cycle, "Latencies of all packets of the run, added up.", &c.count.latency)
	g.Value("simulated_cycles", stats.Cycle, "Cycles until the measurement ended, warm-up and drain included.", func() (float64, bool) {
		if c.state == done && c.spec.Search.Repeats == 0 {
			return float64(max(w.over, w.latest)), true // later than over: a quantum makes packets late
		}
		return float64(c.now), c.now > 0
	})
	in := func(name string, unit stats.Unit, text string, ok func() bool, f func() float64) {
		g.ValueIn("measure", name, unit, text, func() (float64, bool) {
			if !c.measured() || !ok() {
				return 0, false
			}
			return f(), true
		})
	}
	some := func() bool { return w.packets > 0 }
	sampled := func() bool { return w.series.Samples() > w.series.Rules.Warmup }
	ended := func() bool { return w.end != far && !c.company }
	in("packet_latency_mean", stats.Cycle, "Mean time from the creation of a packet to its last flit's arrival, source queue included.", some, w.mean)
	in("packet_latency_min", stats.Cycle, "Least latency of a packet.", some, func() float64 { return float64(w.latencies().Min()) })
	in("packet_latency_p50", stats.Cycle, "Median latency of packets.", some, func() float64 { return float64(w.latencies().Percentile(50)) })
	in("packet_latency_p99", stats.Cycle, "99th percentile of the latency of packets.", some, func() float64 { return float64(w.latencies().Percentile(99)) })
	in("packet_latency_max", stats.Cycle, "Greatest latency of a packet.", some, func() float64 { return float64(w.latencies().Max()) })
	in("network_latency_mean", stats.Cycle, "Mean time from the entry of a packet's first flit to its last flit's arrival.", some, func() float64 {
		return float64(w.net) / float64(w.packets)
	})
	in("hops_mean", stats.One, "Mean number of channels between routers on a packet's way.", some, func() float64 {
		return float64(w.hops) / float64(w.packets)
	})
	in("round_trip_mean", stats.Cycle, "Mean time from the creation of a packet to the arrival of its answer.", func() bool { return w.trips > 0 }, func() float64 {
		return float64(w.trip) / float64(w.trips)
	})
	in("packets", stats.Request, "Packets that the means are over.", some, func() float64 { return float64(w.packets) })
	in("offered_load", stats.Load, "Flits that terminals are to create per cycle, answers left out.", func() bool { return len(c.spec.Changes.list) == 0 }, func() float64 { return c.spec.Load })
	in("accepted_load", stats.Load, "Flits that have come per terminal and cycle.", sampled, func() float64 { return w.accepted })
	in("saturated", stats.One, "1 if the network cannot carry the load: the mean latency has exceeded the limit; else 0.", sampled, func() float64 {
		if w.saturated {
			return 1
		}
		return 0
	})
	in("converged", stats.One, "1 if mean latency and accepted load have settled; 0 if the samples ran out before.", ended, func() float64 {
		if w.series.Converged() {
			return 1
		}
		return 0
	})
	in("measured_cycles", stats.Cycle, "Cycles that were measured.", sampled, func() float64 { return float64(min(w.end, c.now) - w.start) })
	loads := func(f func(list []uint64) float64) func() float64 {
		return func() float64 { return f(w.ejectedBy) / float64(max(1, min(w.end, c.now)-w.since)) }
	}
	in("source_load_min", stats.Load, "Accepted load of the source that got least through.", sampled, loads(func(l []uint64) float64 { return float64(slices.Min(l)) }))
	in("source_load_max", stats.Load, "Accepted load of the source that got most through.", sampled, loads(func(l []uint64) float64 { return float64(slices.Max(l)) }))
	in("source_fairness", stats.One, "Jain's index of the accepted loads of all sources: 1 if they are equal, 1/n if one has all.", func() bool { return sampled() && slices.Max(w.ejectedBy) > 0 }, func() float64 { return jain(w.ejectedBy) })
	phase := func(phase, name, text string, ok func() bool, f func() int64) {
		g.ValueIn(phase, name, stats.Cycle, text, func() (float64, bool) {
			if !c.measured() || !ok() {
				return 0, false
			}
			return float64(f()), true
		})
	}
	phase("warmup", "cycles", "Cycles of the warm-up.", func() bool { return true }, func() int64 { return w.start - w.begun })
	phase("drain", "cycles", "Cycles until the last measured packet had come.", func() bool { return w.drained && !w.saturated }, func() int64 { return w.over - w.end })
	found := func(name, text string, f func(mean, half float64) float64) {
		g.ValueIn("measure", name, stats.Load, text, func() (float64, bool) {
			if !c.search.over {
				return 0, false
			}
			return f(c.search.result()), true
		})
	}
	found("saturation_accepted", "Flits accepted per terminal that sends, and cycle, at the least load that saturates: mean of the searches.", func(_, _ float64) float64 {
		m, _ := interval(c.search.accepts)
		return m
	})
	found("saturation_load", "Offered load that saturates the network: mean of the searches.", func(m, _ float64) float64 { return m })
	found("saturation_load_low", "Lower end of the 95 % interval of the saturation load, not above what is accepted there.", func(_, _ float64) float64 { return c.search.low() })
	found("saturation_load_high", "Upper end of the 95 % interval of the saturation load.", func(m, h float64) float64 { return min(c.search.most, m+h) })
	g.Value("trials", stats.One, "Measurements that the search for the saturation load took.", func() (float64, bool) {
		return float64(c.search.trials), c.spec.Search.Repeats > 0
	})
	g.Check("every packet comes once, or is told as lost", func() error {
		if c.out != 0 || c.count.sent != c.count.come+c.count.lost || c.window.flits != 0 {
			return fmt.Errorf("%d packets sent, %d come, %d lost, %d under way", c.count.sent, c.count.come, c.count.lost, c.out)
		}
		return nil
	})
	return g
}

// jain is the fairness index of Jain, Chiu and Hawe, DEC-TR-301, 1984.
func jain(list []uint64) float64 {
	var sum, squares float64
	for _, x := range list {
		sum += float64(x)
		squares += float64(x) * float64(x)
	}
	return sum * sum / (float64(len(list)) * squares)
}

// Summarize implements system.Summarizer: the result in a sentence.
func (c *Comp) Summarize() string {
	w := &c.window
	switch {
	case c.search.over && c.search.carried == len(c.search.found):
		return fmt.Sprintf("%s does not saturate: it carries %.4f flits per terminal and cycle, the most that is offered.", c.netName, c.search.most)
	case c.search.over:
		mean, half := c.search.result()
		accepted, _ := interval(c.search.accepts)
		return fmt.Sprintf("%s saturates at a load of %.4f (%.4f to %.4f) flits per terminal and cycle, and accepts %.4f there.",
			c.netName, mean, c.search.low(), min(c.search.most, mean+half), accepted)
	case !c.measured() || w.end == far:
		return ""
	case w.saturated:
		return fmt.Sprintf("%s is saturated: of %g flits per terminal and cycle it accepts %.4f.", c.netName, c.spec.Load, w.accepted)
	}
	if w.packets == 0 {
		return fmt.Sprintf("%s: no packet was measured in %d cycles (raise rules.sample or load).", c.netName, w.end-w.start)
	}
	return fmt.Sprintf("%s is not saturated: at %g flits per terminal and cycle a packet takes %.1f cycles.", c.netName, c.spec.Load, w.mean())
}
