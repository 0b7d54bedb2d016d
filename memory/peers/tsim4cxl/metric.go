package tsim4cxl

import (
	"fmt"

	"github.com/causeway-sim/causeway/components/stats"
)

func (c *Comp) newStats() {
	g := stats.NewGroup(c.Name())
	c.stats = g
	g.Count("reads", stats.Request, "Read requests accepted.", &c.count.Reads)
	g.Count("writes", stats.Request, "Write requests accepted.", &c.count.Writes)
	g.Count("read_bytes", stats.Byte, "Bytes asked for by the reads.", &c.count.ReadBytes)
	g.Count("write_bytes", stats.Byte, "Bytes brought by the writes.", &c.count.WriteBytes)
	for k, name := range []string{"read_flits", "write_flits"} {
		g.Value(name, stats.Flit, "Flits of "+name[:len(name)-len("_flits")]+"s towards the device, requests padded to whole packets.", func() (float64, bool) {
			n := uint64(0)
			for i := range c.ports {
				n += c.ports[i].flits[k]
			}
			return float64(n), true
		})
	}
	g.Value("stop_time", stats.NS, "When TSim4CXL would have stopped: all requests have come, all reads are answered, and nothing is at the memory; writes may still be on their way.", func() (float64, bool) {
		return float64(c.stop) / 1000, c.stop != never && c.count.answered > 0
	})
	g.Check("every request is answered once", func() error {
		if n := c.count.Reads + c.count.Writes; n != c.count.answered {
			return fmt.Errorf("%d requests, %d answers", n, c.count.answered)
		}
		return nil
	})
}
