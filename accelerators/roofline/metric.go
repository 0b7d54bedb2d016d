package roofline

import (
	"fmt"

	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/stats"
)

func (c *Comp) newStats() *stats.Group {
	g, t := stats.NewGroup(c.Name()), &c.sum
	g.Sum(t)
	g.Count("total_cycles", stats.Cycle, "Cycles of the node's clock from the start of the run to the end of its last layer.", c.End())
	g.Count("idle_cycles", stats.Cycle, "Cycles before a workload arrived.", c.Idle())
	g.Count("compute_cycles", stats.Cycle, "Cycles in which the compute units worked at their roof.", &t.bound[byCompute])
	g.Count("stall_memory_cycles", stats.Cycle, "Cycles in which only the memory still worked.", &t.bound[byMemory])
	g.Count("stall_overhead_cycles", stats.Cycle, "Cycles to launch operators.", &t.bound[byOverhead])
	if c.rank.port != nil {
		g.Value("stall_network_cycles", stats.Cycle, "Cycles in which the rank computed nothing: it waited for messages, for loads and stores, or for its host.", func() (float64, bool) {
			return float64(c.waiting()), true
		})
	} else {
		work.DeclareAwaited(g, c.Awaited())
	}
	g.Count("macs", stats.One, "Multiply-accumulates done.", &t.macs)
	g.Count("vector_ops", stats.One, "Operations done that are not multiply-accumulates.", &t.vector)
	g.Count("memory_bytes", stats.Byte, "Bytes read and written.", &t.bytes)
	g.Value("utilization", stats.Percent, "Share of the compute peak over the total time.", func() (float64, bool) {
		return c.used(2*t.macs+t.vector, *c.End())
	})
	g.Value("memory_utilization", stats.Percent, "Share of the total time in which the memory moves bytes.", func() (float64, bool) {
		return 100 * float64(t.moving) / float64(max(*c.End(), 1)), *c.End() > 0
	})
	g.Value("bandwidth", stats.GBps, "Bytes read and written over the total time.", func() (float64, bool) {
		return float64(t.bytes) / c.Clock().Nanoseconds(max(*c.End(), 1)), *c.End() > 0
	})
	g.Value("peak_macs", stats.One, "Multiply-accumulates per cycle at the compute peak.", func() (float64, bool) {
		return float64(c.spec.Compute) * c.Clock().Nanoseconds(1) / 2e9, true
	})
	g.TimeSeries("moved_bytes", stats.Byte, "Bytes read and written, as the memory works.", func() float64 { return float64(c.spec.Memory) / 8e9 }, &c.Moved)
	g.Value("peak_bandwidth", stats.GBps, "Bandwidth of the node's own memory.", func() (float64, bool) { return float64(c.spec.Memory) / 8e9, true })
	g.Value("peak_bytes", stats.Byte, "Bytes per cycle at that bandwidth.", func() (float64, bool) { return float64(c.spec.Memory) * c.Clock().Nanoseconds(1) / 8e9, true })
	g.Check("causes add up to total_cycles", func() error {
		if n := *c.Idle() + *c.Awaited() + t.bound[0] + t.bound[1] + t.bound[2] + c.waiting(); n != *c.End() {
			return fmt.Errorf("%d of %d cycles", n, *c.End())
		}
		return nil
	})
	return g
}

// waiting is the cycles of a rank up to its end in which it computed nothing.
func (c *Comp) waiting() uint64 {
	if c.rank.player == nil {
		return 0
	}
	busy := c.sum.bound[0] + c.sum.bound[1] + c.sum.bound[2]
	return *c.End() - min(*c.End(), busy)
}

// used returns the percentage of the compute peak that operations in cycles reach.
func (c *Comp) used(flops, cycles uint64) (float64, bool) {
	if cycles == 0 {
		return 0, false
	}
	return 100 * float64(flops) / (c.Clock().Nanoseconds(cycles) * 1e-9 * float64(c.spec.Compute)), true
}

// Layers implements work.Executor.
func (c *Comp) Layers() *stats.Table {
	return c.Table(append(work.Columns(), []stats.Column{
		{Name: "compute_cycles", Unit: stats.Cycle, Text: "Cycles under the roof of compute."},
		{Name: "stall_memory_cycles", Unit: stats.Cycle, Text: "Cycles in which only the memory still worked."},
		{Name: "stall_overhead_cycles", Unit: stats.Cycle, Text: "Cycles to launch it."},
		{Name: "bound", Text: "The roof that holds: compute, memory or overhead."},
		{Name: "macs", Unit: stats.One, Text: "Multiply-accumulates."},
		{Name: "vector_ops", Unit: stats.One, Text: "Operations that are not multiply-accumulates."},
		{Name: "memory_bytes", Unit: stats.Byte, Text: "Bytes read and written."},
		{Name: "intensity", Unit: stats.One, Text: "Operations per byte."},
		{Name: "utilization", Unit: stats.Percent, Text: "Share of the compute peak."},
	}...), func(l *layer) []any {
		var intensity, used any
		if l.bytes > 0 {
			intensity = float64(l.flops()) / float64(l.bytes)
		}
		if v, ok := c.used(l.flops(), l.Cycles()); ok {
			used = v
		}
		return []any{l.name, l.workload, l.kind, l.start, l.Cycles(), l.compute, l.Cycles() - l.overhead - l.compute, l.overhead,
			roofs[l.bound()], l.macs, l.vector, l.bytes, intensity, used}
	})
}
