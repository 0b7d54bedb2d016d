package gpu

import (
	"fmt"

	"github.com/causeway-sim/causeway/components/stats"
)

// totals are in cycles, except for work.
type totals struct {
	compute, memory, launch         uint64
	macs, vector, bytes, operations uint64
	profiled                        uint64
}

// Stats implements system.Node.
func (c *record) Stats() *stats.Group { return c.group }

// count implements inorder.Model.
func (c *record) count(l *layer) { c.sum.add(l) }

func (t *totals) add(l *layer) {
	t.compute += l.compute
	t.memory += l.memory
	t.launch += l.launch
	t.macs += l.macs
	t.vector += l.vector
	t.bytes += l.bytes
	if l.cycles > 0 {
		t.operations++
	}
	if l.profiled {
		t.profiled++
	}
}

// newStats counts for a node; end is the cycle of its last event and idle those without
// work.
func (c *record) newStats(name string, end, idle *uint64) {
	g, t := stats.NewGroup(name), &c.sum
	c.group = g
	g.Count("total_cycles", stats.Cycle, "Cycles of the node's clock from the start of the run to the end of its last layer.", end)
	g.Count("idle_cycles", stats.Cycle, "Cycles before a workload arrived.", idle)
	g.Count("compute_cycles", stats.Cycle, "Cycles that the SMs alone would take for the kernels.", &t.compute)
	g.Count("stall_memory_cycles", stats.Cycle, "Cycles beyond those: kernels wait for bytes.", &t.memory)
	g.Count("stall_overhead_cycles", stats.Cycle, "Cycles to launch kernels.", &t.launch)
	g.Count("kernels", stats.One, "Kernels launched.", &t.operations)
	g.Count("profiled_kernels", stats.One, "Operators whose time is that of the profile.", &t.profiled)
	g.Count("macs", stats.One, "Multiply-accumulates done.", &t.macs)
	g.Count("vector_ops", stats.One, "Operations done that are not multiply-accumulates.", &t.vector)
	g.Count("memory_bytes", stats.Byte, "Bytes read and written, each element once per operator.", &t.bytes)
	g.Value("utilization", stats.Percent, "Share of the matrix units' fp16 peak over the total time.", func() (float64, bool) {
		return c.used(t.macs, *end)
	})
	g.Value("bandwidth", stats.GBps, "Bytes read and written over the total time.", func() (float64, bool) {
		return float64(t.bytes) / c.clock.Nanoseconds(max(*end, 1)), *end > 0
	})
	g.Value("peak_macs", stats.One, "Multiply-accumulates in fp16 per cycle at the peak.", func() (float64, bool) { return c.peak(), true })
	g.Value("peak_bandwidth", stats.GBps, "Bandwidth of the node's own memory.", func() (float64, bool) { return float64(c.spec.Memory) / 8e9, true })
	g.Value("peak_bytes", stats.Byte, "Bytes per cycle at that bandwidth.", func() (float64, bool) {
		return float64(c.spec.Memory) * c.clock.Nanoseconds(1) / 8e9, true
	})
	g.Check("causes add up to total_cycles", func() error {
		if n := *idle + t.compute + t.memory + t.launch; n != *end {
			return fmt.Errorf("%d of %d cycles", n, *end)
		}
		return nil
	})
}

// peak is the multiply-accumulates of all SMs per cycle, in fp16.
func (c *record) peak() float64 {
	rate, ok := c.spec.Tensor["fp16"]
	if !ok {
		rate = c.spec.Vector
	}
	return rate * float64(c.spec.SMs)
}

// used is the percentage of the peak that so many multiply-accumulates are in that
// many cycles.
func (c *record) used(macs, cycles uint64) (float64, bool) {
	if cycles == 0 {
		return 0, false
	}
	return 100 * float64(macs) / (float64(cycles) * c.peak()), true
}

// table is a row per operator done.
func (c *record) table(rows []layer) *stats.Table {
	t := &stats.Table{Columns: []stats.Column{
		{Name: "layer", Text: "Name of the operator."},
		{Name: "workload", Text: "Name of the workload."},
		{Name: "type", Text: "Kind of the operator."},
		{Name: "start", Unit: stats.Cycle, Text: "Cycle at which the operator began."},
		{Name: "cycles", Unit: stats.Cycle, Text: "Cycles it took."},
		{Name: "compute_cycles", Unit: stats.Cycle, Text: "Cycles that the SMs alone would take."},
		{Name: "stall_memory_cycles", Unit: stats.Cycle, Text: "Cycles beyond those, for bytes."},
		{Name: "stall_overhead_cycles", Unit: stats.Cycle, Text: "Cycles to launch it."},
		{Name: "bound", Text: "What takes most of its time: compute, memory or overhead."},
		{Name: "macs", Unit: stats.One, Text: "Multiply-accumulates."},
		{Name: "vector_ops", Unit: stats.One, Text: "Operations that are not multiply-accumulates."},
		{Name: "memory_bytes", Unit: stats.Byte, Text: "Bytes read and written, each element once."},
		{Name: "intensity", Unit: stats.One, Text: "Operations per byte."},
		{Name: "utilization", Unit: stats.Percent, Text: "Share of the matrix units' fp16 peak."},
		{Name: "tile", Text: "Rows, columns and parts of the sum of a thread block's tile of a product."},
		{Name: "rounds", Unit: stats.One, Text: "Tiles that the busiest SM works on, one after the other."},
	}}
	for i := range rows {
		l := &rows[i]
		var intensity, used, tile, rounds any
		if l.bytes > 0 {
			intensity = float64(2*l.macs+l.vector) / float64(l.bytes)
		}
		if v, ok := c.used(l.macs, l.cycles); ok {
			used = v
		}
		if l.tile.M > 0 {
			tile = fmt.Sprintf("%dx%dx%d", l.tile.M, l.tile.N, l.tile.Split)
		}
		if l.rounds > 0 {
			rounds = int64(l.rounds)
		}
		t.Append(l.name, l.workload, l.kind, l.start, l.cycles, l.compute, l.memory, l.launch, l.bound(), l.macs, l.vector, l.bytes, intensity, used, tile, rounds)
	}
	return t
}

// bound is the larger part of the time.
func (l *layer) bound() string {
	switch {
	case l.launch > max(l.compute, l.memory):
		return "overhead"
	case l.compute >= l.memory:
		return "compute"
	}
	return "memory"
}
