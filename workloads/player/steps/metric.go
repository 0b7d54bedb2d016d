package steps

import (
	"fmt"

	"github.com/causeway-sim/causeway/components/stats"
)

// counters are in requests, bytes and ps.
type counters struct {
	reads, bytes      uint64
	answered, latency uint64
	region            []uint64 // bytes
	end               uint64
}

func (c *Comp) newStats() *stats.Group {
	n, p := &c.count, &c.play
	g := stats.NewGroup(c.Name())
	over := func(f func() float64) func() (float64, bool) {
		return func() (float64, bool) {
			if n.end == 0 {
				return 0, false
			}
			return f(), true
		}
	}
	g.Count("reads", stats.Request, "Requests.", &n.reads)
	g.Count("read_bytes", stats.Byte, "Bytes of the requests.", &n.bytes)
	for i := range p.program.Regions {
		name := p.program.Regions[i].Name
		g.Count("read_bytes_"+name, stats.Byte, "Bytes read of region "+name+".", &n.region[i])
	}
	g.Value("total_time", stats.NS, "Time from the start to the end of the last step.", over(func() float64 { return float64(n.end) / 1000 }))
	g.Value("item_time", stats.NS, "total_time over the queries, samples or tokens that came out.", over(func() float64 {
		return float64(n.end) / 1000 / float64(p.program.Items)
	}))
	g.Value("compute_time", stats.NS, "Time of computation.", over(func() float64 { return float64(p.compute) / 1000 }))
	g.Value("wait_time", stats.NS, "Time in which nothing computed: total_time less compute_time.", over(func() float64 { return float64(n.end-p.compute) / 1000 }))
	g.Value("bandwidth", stats.GBps, "Bytes read over total_time.", over(func() float64 { return float64(n.bytes) / float64(n.end) * 1000 }))
	g.Value("read_latency_mean", stats.NS, "Mean time from a request to its answer.", func() (float64, bool) {
		return float64(n.latency) / float64(max(n.answered, 1)) / 1000, n.answered > 0
	})
	g.Check("everything is read once", func() error {
		for i, want := range p.program.Bytes() {
			if n.region[i] != want {
				return fmt.Errorf("region %s: %d bytes read, %d are of the program", p.program.Regions[i].Name, n.region[i], want)
			}
		}
		if n.answered != n.reads || !p.over() {
			return fmt.Errorf("%d reads, %d answered, step %d of %d", n.reads, n.answered, p.turn, len(p.program.Steps))
		}
		return nil
	})
	return g
}
