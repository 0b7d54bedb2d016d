package inorder

import (
	"fmt"

	"github.com/causeway-sim/causeway/components/energy"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/memory"
)

// counters are in requests, bytes and cycles of the memory's clock.
type counters struct {
	memory.Traffic      // unsent ones included
	unsent              memory.Traffic
	answered, bytesDone uint64
	latency, latencyMax uint64
	first, last         uint64 // cycle of the first request, of the last answer
}

// pass records the bytes answered in a cycle, for the time series moved_bytes of an observed run.
func (c *Comp) pass(bytes, due uint64) {
	if c.moved != nil {
		c.moved.Pass(float64(bytes), c.clock.Nanoseconds(due))
	}
}

// sent is the number of requests that came.
func (c *counters) sent() uint64 { return c.Requests() - c.unsent.Requests() }

func (c *counters) answer(latency, cycle, bytes uint64) {
	c.answered++
	c.bytesDone += bytes
	c.latency += latency
	c.latencyMax = max(c.latencyMax, latency)
	c.last = max(c.last, cycle)
}

func (c *Comp) newStats() *stats.Group {
	n := &c.count
	g := stats.NewGroup(c.Name())
	g.Before(c.catchUp)
	g.Count("reads", stats.Request, "Read requests accepted, and those that analytic cores reckoned with.", &n.Reads)
	g.Count("writes", stats.Request, "Write requests accepted, and those that analytic cores reckoned with.", &n.Writes)
	g.Count("read_bytes", stats.Byte, "Bytes asked for by the reads.", &n.ReadBytes)
	g.Count("write_bytes", stats.Byte, "Bytes brought by the writes.", &n.WriteBytes)
	g.Sum(&n.bytesDone)
	g.Value("bandwidth", stats.GBps, "Bytes read and written per second, from the first request to the last answer.", func() (float64, bool) {
		if n.last <= n.first {
			return 0, false
		}
		return float64(n.bytesDone) / c.clock.Nanoseconds(n.last-n.first), true
	})
	peak := c.timing.Peak()
	g.TimeSeries("moved_bytes", stats.Byte, "Bytes read and written, as they pass.", func() float64 { return float64(peak) / 8e9 }, &c.moved)
	g.Value("bandwidth_utilization", stats.Percent, "Share of the peak bandwidth in use, from the first request to the last answer.", func() (float64, bool) {
		if n.last <= n.first || peak == 0 {
			return 0, false
		}
		return 100 * float64(n.bytesDone) * 8e9 / c.clock.Nanoseconds(n.last-n.first) / float64(peak), true
	})
	g.Value("latency_mean", stats.NS, "Mean time from the acceptance of a request to the sending of its answer.", func() (float64, bool) {
		return c.clock.Nanoseconds(n.latency) / float64(max(n.answered, 1)), n.answered > 0
	})
	g.Value("latency_max", stats.NS, "Longest time from the acceptance of a request to the sending of its answer.", func() (float64, bool) {
		return c.clock.Nanoseconds(n.latencyMax), n.answered > 0
	})
	g.Check("every request is answered once", func() error {
		if sent := n.sent(); n.answered != sent && !g.Repeated() {
			return fmt.Errorf("%d requests, %d answers", sent, n.answered)
		}
		return nil
	})
	return g
}

// Spend adds a metric energy, if m has a figure. The maker of the memory calls it once. It panics
// for an unknown kind of DRAM.
func (c *Comp) Spend(m energy.Memory) {
	perByte, ok, err := m.PerByte()
	if err != nil {
		panic("inorder: " + c.Name() + ": energy." + err.Error())
	}
	if !ok {
		return
	}
	n := &c.count
	c.stats.Value("energy", stats.PJ, "Energy of the bytes read and written, by a figure per byte.", func() (float64, bool) {
		return perByte * float64(n.ReadBytes+n.WriteBytes), true
	})
	c.assumptions = []string{fmt.Sprintf("Energy of %s is %.4g pJ per byte read or written (%s); refresh and background are not in it.", c.Name(), perByte, m.Source())}
}

// Assumptions implements system.Assumer.
func (c *Comp) Assumptions() []string { return c.assumptions }
