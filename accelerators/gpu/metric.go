package gpu

import (
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/accelerators/gpu/power"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// totals are in cycles, except for work.
type totals struct {
	compute, memory, latency, launch, waited uint64
	macs, vector, bytes, operations          uint64
	profiled, inside, fused, joined          uint64
	skipped                                  uint64 // of macs
	ideal                                    float64
	near                                     uint64
	energy                                   power.Parts
	busy                                     uint64 // cycles of operators
}

// Stats implements system.Node.
func (c *record) Stats() *stats.Group { return c.group }

// count implements inorder.Model.
func (c *record) count(l *layer) {
	c.sum.add(l)
	if w, ok := c.watts(l); ok {
		c.peakWatts = max(c.peakWatts, w)
		if limit := float64(c.spec.PowerLimit); limit > 0 && w > limit && l.share != 1 && (c.spec.Load == burst || c.spec.Load == auto) {
			c.over++
		}
	}
}

func (t *totals) add(l *layer) {
	t.compute += l.compute
	t.memory += l.memory
	t.latency += l.latency
	t.launch += l.launch
	t.waited += l.waited
	t.macs += l.macs
	t.skipped += l.skipped
	t.ideal += l.ideal
	t.vector += l.vector
	t.bytes += l.bytes
	t.operations += uint64(l.launches)
	t.near += l.near
	t.busy += l.cycles
	for i, pj := range l.energy {
		t.energy[i] += pj
	}
	if l.profiled {
		t.profiled++
	}
	if l.inside {
		t.inside++
	}
	if l.fused {
		t.fused++
	}
	if l.joined {
		t.joined++
	}
}

// newStats counts for a node; end is the cycle of its last event, idle those without work and
// awaited those until what a kernel reads was carried there.
func (c *record) newStats(name string, end, idle, awaited *uint64) {
	g, t := stats.NewGroup(name), &c.sum
	c.group = g
	g.Sum(t)
	g.Count("total_cycles", stats.Cycle, "Cycles of the node's clock from the start of the run to the end of its last layer.", end)
	g.Count("idle_cycles", stats.Cycle, "Cycles before a workload arrived.", idle)
	work.DeclareAwaited(g, awaited)
	g.Count("compute_cycles", stats.Cycle, "Cycles that the SMs alone would take for the kernels.", &t.compute)
	g.Count("stall_memory_cycles", stats.Cycle, "Cycles beyond those: kernels wait for bytes.", &t.memory)
	g.Count("stall_latency_cycles", stats.Cycle, "Cycles of kernels that neither more SMs nor more bandwidth shorten: first operands, last results, joining parts of sums, the least time of a kernel.", &t.latency)
	g.Count("stall_overhead_cycles", stats.Cycle, "Cycles to launch kernels.", &t.launch)
	g.Value("stall_host_cycles", stats.Cycle, "Of those to launch kernels, cycles in which the GPU waited for the host; absent with launch: graph.", func() (float64, bool) {
		return float64(t.waited), c.host.Each > 0
	})
	g.Count("kernels", stats.One, "Kernels launched.", &t.operations)
	g.Count("profiled_kernels", stats.One, "Operators whose time is that of the profile.", &t.profiled)
	g.Count("macs", stats.One, "Multiply-accumulates done.", &t.macs)
	g.Value("skipped_macs", stats.One, "Of the multiply-accumulates, those that the matrix units skipped since the pattern of the weights makes them zero; absent where they skip none.", func() (float64, bool) {
		return float64(t.skipped), t.skipped > 0
	})
	g.Count("vector_ops", stats.One, "Operations done that are not multiply-accumulates.", &t.vector)
	g.Count("memory_bytes", stats.Byte, "Bytes read and written, each element once per operator.", &t.bytes)
	g.Value("utilization", stats.Percent, "Share of the matrix units' peak in the element types of the products over the total time.", func() (float64, bool) {
		return used(t.ideal, *end)
	})
	g.Value("bandwidth", stats.GBps, "Bytes read and written over the total time.", func() (float64, bool) {
		return float64(t.bytes) / c.clock.Nanoseconds(max(*end, 1)), *end > 0
	})
	g.Value("peak_macs", stats.One, "Multiply-accumulates in fp16 per cycle at the peak.", func() (float64, bool) { return c.peak(), true })
	g.Value("peak_bandwidth", stats.GBps, "Bandwidth of the node's own memory.", func() (float64, bool) { return float64(c.spec.Memory) / 8e9, true })
	g.Value("peak_bytes", stats.Byte, "Bytes per cycle at that bandwidth.", func() (float64, bool) {
		return float64(c.spec.Memory) * c.clock.Nanoseconds(1) / 8e9, true
	})
	c.declarePower(g, end)
	g.Check("causes add up to total_cycles", func() error {
		if n := *idle + *awaited + t.compute + t.memory + t.latency + t.launch; n != *end {
			return fmt.Errorf("%d of %d cycles", n, *end)
		}
		return nil
	})
}

// peak is the multiply-accumulates of all SMs per cycle, in fp16.
func (c *record) peak() float64 { return c.rate(graph.FP16) }

// rate is the multiply-accumulates of all SMs per cycle in an element type: of the matrix
// units, or of the vector units where they have none.
func (c *record) rate(d graph.DType) float64 {
	rate := c.spec.matrix(d)
	if rate == 0 {
		rate = c.spec.Vector
	}
	return rate * float64(c.spec.SMs)
}

// used is the percentage that so many cycles at the peak are of all.
func used(ideal float64, cycles uint64) (float64, bool) {
	if cycles == 0 {
		return 0, false
	}
	return 100 * ideal / float64(cycles), true
}

// table is a row per operator done.
func (c *record) table(rows []layer) *stats.Table {
	peaks := slices.ContainsFunc(rows, func(l layer) bool { return c.unlikePeak(&l) })
	t := &stats.Table{Columns: c.columns(peaks)}
	for i := range rows {
		t.Append(c.cells(&rows[i], peaks)...)
	}
	return t
}

// unlikePeak reports whether the products of an operator have another peak than the node's.
func (c *record) unlikePeak(l *layer) bool { return l.macs > 0 && l.peak != c.peak() }

// columns are those of the table of operators; peaks adds one.
func (c *record) columns(peaks bool) []stats.Column {
	all := append(work.Columns(), []stats.Column{
		{Name: "compute_cycles", Unit: stats.Cycle, Text: "Cycles that the SMs alone would take."},
		{Name: "stall_memory_cycles", Unit: stats.Cycle, Text: "Cycles beyond those, for bytes."},
		{Name: "stall_latency_cycles", Unit: stats.Cycle, Text: "Cycles that neither more SMs nor more bandwidth shorten."},
		{Name: "stall_overhead_cycles", Unit: stats.Cycle, Text: "Cycles to launch it."},
		{Name: "bound", Text: "What takes most of its time: compute, memory, latency or overhead."},
		{Name: "macs", Unit: stats.One, Text: "Multiply-accumulates."},
		{Name: "vector_ops", Unit: stats.One, Text: "Operations that are not multiply-accumulates."},
		{Name: "memory_bytes", Unit: stats.Byte, Text: "Bytes read and written, each element once."},
		{Name: "intensity", Unit: stats.One, Text: "Operations per byte."},
		{Name: "utilization", Unit: stats.Percent, Text: "Share of the matrix units' peak in the element type."},
		{Name: "tile", Text: "Rows, columns and parts of the sum of a thread block's tile of a product."},
		{Name: "rounds", Unit: stats.One, Text: "Tiles that the busiest SM works on, one after the other."},
		{Name: "kernel", Text: "Library of the kernel of a product or an attention (cutlass, trtllm) or of a transfer (nccl, deepep, trtllm), profile for a measured time, attention or experts where the operator is a part of the kernel of an attention or of a mixture of experts, fused where the kernel before applies it, or joined where one before does both."},
	}...)
	if peaks {
		all = append(all, peakColumn)
	}
	if c.priced() {
		all = append(all, energyColumns()...)
	}
	return all
}

// cells are the row of an operator.
func (c *record) cells(l *layer, peaks bool) []any {
	var intensity, share, tile, rounds, name any
	if l.bytes > 0 {
		intensity = float64(2*l.macs+l.vector) / float64(l.bytes)
	}
	if v, ok := used(l.ideal, l.cycles); ok {
		share = v
	}
	if l.tile.M > 0 {
		tile = fmt.Sprintf("%dx%dx%d", l.tile.M, l.tile.N, l.tile.Split)
	}
	if l.kernel != "" {
		name = l.kernel
	}
	if l.rounds > 0 {
		rounds = int64(l.rounds)
	}
	row := []any{l.name, l.workload, l.kind, l.start, l.cycles, l.compute, l.memory, l.latency, l.launch, l.bound(), l.macs, l.vector, l.bytes, intensity, share, tile, rounds, name}
	if peaks {
		row = append(row, l.peakCell())
	}
	if c.priced() {
		row = append(row, c.energyCells(l)...)
	}
	return row
}

// peakColumn is in the table where products have another peak than the node's, which is
// that of fp16.
var peakColumn = stats.Column{Name: "peak_macs", Unit: stats.One, Text: "Multiply-accumulates per cycle at the peak of the element type of its products, and of their pattern of sparsity."}

// peakCell is nil for an operator without products.
func (l *layer) peakCell() any {
	if l.macs == 0 {
		return nil
	}
	return l.peak
}

// bound is the larger part of the time.
func (l *layer) bound() string {
	switch {
	case l.launch > max(l.compute, l.memory, l.latency):
		return "overhead"
	case l.compute >= max(l.memory, l.latency):
		return "compute"
	case l.memory >= l.latency:
		return "memory"
	}
	return "latency"
}

// declarePower declares the energies and powers of a node whose last event is in cycle end.
func (c *record) declarePower(g *stats.Group, end *uint64) {
	c.end = end
	lasts := func() float64 { return max(c.clock.Nanoseconds(*end), c.until) }
	// Between operators, and until the run ends, the chip rests.
	rest := func() float64 {
		busy := c.clock.Nanoseconds(c.sum.busy) + float64(c.credit.Time)/float64(units.Nanosecond)
		return c.chip.Idle * max(0, lasts()-busy) * 1e3
	}
	all := func() float64 { return c.sum.energy.Total() + c.credit.Energy + rest() }
	has := func() bool { return c.priced() && lasts() > 0 }
	g.Value("energy", stats.PJ, "Energy, with the chip's own memory (not at fidelity tile), until the run ends.", func() (float64, bool) { return all(), has() })
	g.Value(work.PlannedEnergy, stats.PJ, "Energy of a server's planned steps, of all parts together.", func() (float64, bool) { return c.credit.Energy, c.credit.Energy > 0 })
	for i, name := range power.Names {
		g.Value("energy_"+name[0], stats.PJ, name[1], func() (float64, bool) {
			pj := c.sum.energy[i]
			if i == power.Static {
				pj += rest()
			}
			return pj, has() && (i == power.Static || c.credit.Energy == 0 || pj > 0)
		})
	}
	g.Value("power_mean", stats.Watt, "Energy over the time of the run.", func() (float64, bool) { return all() / (lasts() * 1e3), has() })
	g.Value("power_peak", stats.Watt, "Greatest power of an operator.", func() (float64, bool) { return c.peakWatts, c.priced() && c.peakWatts > 0 })
	g.Value("power_limit", stats.Watt, "Limit of the chip.", func() (float64, bool) { return float64(c.spec.PowerLimit), c.spec.PowerLimit > 0 && c.priced() })
	g.Count("l2_bytes", stats.Byte, "Bytes between L2 and SMs.", &c.sum.near)
	if c.priced() {
		c.overTime.declare(g)
	}
}

// energyColumns are of tables of nodes with an energy model.
func energyColumns() (out []stats.Column) {
	out = []stats.Column{{Name: "l2_bytes", Unit: stats.Byte, Text: "Bytes between L2 and SMs."},
		{Name: "power", Unit: stats.Watt, Text: "Energy over the time of the operator."},
		{Name: "clock", Unit: stats.Percent, Text: "Clock of the SMs over the full one, which a limit lowers."}}
	for _, name := range power.Names {
		out = append(out, stats.Column{Name: "energy_" + name[0], Unit: stats.PJ, Text: name[1]})
	}
	return out
}
