package arbiter

import (
	"fmt"

	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/memory"
)

// counters are those of a port, in requests, bytes and cycles.
type counters struct {
	memory.Traffic
	answered              uint64
	waited, longest, took uint64
}

func (c *Comp) newStats() *stats.Group {
	g := stats.NewGroup(c.Name())
	for p, name := range [ports]string{"first", "later"} {
		c.count[p].declare(g, name, func(cycles uint64) float64 { return c.clock.Nanoseconds(cycles) })
	}
	g.Value("queue_peak", stats.Byte, "Bytes of requests at the memory at the most.", func() (float64, bool) { return float64(c.most), c.end > 0 })
	g.Count("total_cycles", stats.Cycle, "Cycle of the last answer.", &c.end)
	g.Check("every request was answered", func() error {
		if n := c.requests.Taken(); n > 0 {
			return fmt.Errorf("%d were not", n)
		}
		return nil
	})
	return g
}

// declare publishes what a port counts.
func (n *counters) declare(g *stats.Group, port string, ns func(uint64) float64) {
	g.Count(port+"_read_bytes", stats.Byte, "Bytes of reads that came to port "+port+".", &n.ReadBytes)
	g.Count(port+"_write_bytes", stats.Byte, "Bytes of writes that came to port "+port+".", &n.WriteBytes)
	g.Value(port+"_requests", stats.Request, "Requests that came to port "+port+".", func() (float64, bool) { return float64(n.Requests()), true })
	mean := func(name, text string, sum *uint64) {
		g.Value(port+"_"+name, stats.NS, text, func() (float64, bool) { return ns(*sum) / float64(max(n.answered, 1)), n.answered > 0 })
	}
	mean("wait_mean", "Mean time for which a request of port "+port+" waited here before it went on.", &n.waited)
	mean("latency_mean", "Mean time from a request of port "+port+" to its answer.", &n.took)
	g.Value(port+"_wait_max", stats.NS, "The longest wait.", func() (float64, bool) { return ns(n.longest), n.answered > 0 })
	g.Sum(&n.Traffic, &n.answered, &n.waited, &n.took)
}
