package lanes

import (
	"fmt"

	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/stats"
)

func (c *Comp) newStats() *stats.Group {
	g, t, end, idle := stats.NewGroup(c.Name()), &c.sum, c.End(), c.Idle()
	g.Sum(t)
	g.Count("total_cycles", stats.Cycle, "Cycles of the engine's clock from the start of the run to the end of its last layer.", end)
	g.Count("idle_cycles", stats.Cycle, "Cycles before a workload arrived.", idle)
	work.DeclareAwaited(g, c.Awaited())
	g.Count("compute_cycles", stats.Cycle, "Cycles in which the lanes worked.", &t.compute)
	g.Count("stall_memory_cycles", stats.Cycle, "Cycles in which only the memory still worked.", &t.memory)
	g.Count("stall_overhead_cycles", stats.Cycle, "Cycles to start operators.", &t.overhead)
	g.Count("macs", stats.One, "Multiply-accumulates of the matrix products, those of cropped outputs among them.", &t.macs)
	g.Count("ineffectual_macs", stats.One, "Of the multiply-accumulates, those by a border of zeros or for an output that is cropped.", &t.ineffectual)
	g.Count("skipped_macs", stats.One, "Of the multiply-accumulates, those that the engine leaves out.", &t.skipped)
	g.Count("small_macs", stats.One, "Of skipped_macs, those by an operand that is small and not zero.", &t.small)
	g.Value("skipped_share", stats.Percent, "Share of the multiply-accumulates that is left out.", func() (float64, bool) {
		return 100 * float64(t.skipped) / float64(t.macs), t.macs > 0
	})
	g.Value("lane_wait_share", stats.Percent, "With skip: share of the multipliers' time in matrix products in which they wait for slower lanes, or have no channel or filter.", func() (float64, bool) {
		return 100 * float64(t.wait) / float64(t.wait+t.done), c.spec.Skip.On() && t.wait+t.done > 0
	})
	g.Count("performed_macs", stats.One, "Multiply-accumulates that the engine carries out: without those skipped, with those by inserted zeros.", &t.done)
	g.Count("vector_ops", stats.One, "Operations that are not multiply-accumulates.", &t.vector)
	g.Count("memory_bytes", stats.Byte, "Bytes read and written, partial sums among them.", &t.bytes)
	g.Count("partial_sum_bytes", stats.Byte, "Bytes of partial sums that lie on the chip at a time, of the operator with the most.", &t.partial)
	g.Count("spill_bytes", stats.Byte, "Bytes of partial sums that went to memory and came back, counted once.", &t.spill)
	g.Value("utilization", stats.Percent, "Share of the peak of the lanes over the total time; only products that count.", func() (float64, bool) {
		return 100 * float64(t.useful) / (float64(*end) * c.peak()), *end > 0
	})
	g.Value("bandwidth", stats.GBps, "Bytes read and written over the total time.", func() (float64, bool) {
		return float64(t.bytes) / c.Clock().Nanoseconds(max(*end, 1)), *end > 0
	})
	g.Value("peak_macs", stats.One, "Multiply-accumulates per cycle of all lanes.", func() (float64, bool) { return c.peak(), true })
	g.Value("peak_bandwidth", stats.GBps, "Bandwidth of the engine's own memory.", func() (float64, bool) { return float64(c.spec.Memory) / 8e9, true })
	g.Value("peak_bytes", stats.Byte, "Bytes per cycle at that bandwidth.", func() (float64, bool) {
		return float64(c.spec.Memory) * c.Clock().Nanoseconds(1) / 8e9, true
	})
	count := func(name string, n int, text string) {
		g.Value(name, stats.One, "With device: "+text, func() (float64, bool) { return float64(n), c.spec.Device != none })
	}
	u := c.spec.use
	count("dsp_slices", u.DSP, "DSP slices that the multipliers take.")
	count("bram_blocks", u.BRAM, "blocks of 36 Kbit of block RAM that the buffer takes.")
	count("uram_blocks", u.URAM, "blocks of 288 Kbit of ultra RAM that the buffer takes.")
	count("memory_channels", u.Channels, "channels of the FPGA's memory that the bandwidth takes.")
	g.Check("causes add up to total_cycles", func() error {
		if n := *idle + *c.Awaited() + t.compute + t.memory + t.overhead; n != *end {
			return fmt.Errorf("%d of %d cycles", n, *end)
		}
		return nil
	})
	return g
}

func (c *Comp) peak() float64 { return float64(c.spec.Lanes) * float64(c.spec.Width) }

// Assumptions implements system.Assumer.
func (c *Comp) Assumptions() []string {
	out := []string{
		"Weights of a group of filters lie in the lanes when their turn begins.",
		"What is no matrix product takes one operation per lane and cycle.",
	}
	if c.spec.Skip.On() {
		out = append(out, "Operands are skipped independently of each other; memory moves all of them.")
	}
	return out
}

// Layers implements work.Executor.
func (c *Comp) Layers() *stats.Table {
	return c.Table(append(work.Columns(), []stats.Column{
		{Name: "compute_cycles", Unit: stats.Cycle, Text: "Cycles in which the lanes worked."},
		{Name: "stall_memory_cycles", Unit: stats.Cycle, Text: "Cycles in which only the memory still worked."},
		{Name: "stall_overhead_cycles", Unit: stats.Cycle, Text: "Cycles to start it."},
		{Name: "macs", Unit: stats.One, Text: "Multiply-accumulates of the matrix product."},
		{Name: "ineffectual_macs", Unit: stats.One, Text: "Of them by a border of zeros or for an output that is cropped."},
		{Name: "skipped_macs", Unit: stats.One, Text: "Of them left out."},
		{Name: "vector_ops", Unit: stats.One, Text: "Operations that are not multiply-accumulates."},
		{Name: "memory_bytes", Unit: stats.Byte, Text: "Bytes read and written."},
		{Name: "partial_sum_bytes", Unit: stats.Byte, Text: "Bytes of partial sums on the chip at a time."},
		{Name: "utilization", Unit: stats.Percent, Text: "Share of the peak of the lanes; only products that count."},
	}...), func(l *layer) []any {
		var used any
		if n := l.Cycles(); n > 0 {
			used = 100 * float64(l.useful) / (float64(n) * c.peak())
		}
		return []any{l.name, l.workload, l.kind, l.start, l.Cycles(), l.compute, l.Cycles() - l.overhead - l.compute, l.overhead,
			l.macs, l.ineffectual, l.skipped, l.vector, l.bytes, l.partial, used}
	})
}
