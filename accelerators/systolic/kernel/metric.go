package kernel

import (
	"fmt"

	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/stats"
)

// causes are the parts of a kernel's cycles, by their metrics.
var causes = [partCount]struct{ metric, text string }{
	busy:      {"compute_cycles", "Cycles in which rows went through the array, or the vector unit worked."},
	onMemory:  {"stall_memory_cycles", "Cycles in which only the memory worked: copies, weights that had not come."},
	shifting:  {"stall_shift_cycles", "Cycles in which the array was only being filled with weights."},
	waiting:   {"stall_operand_cycles", "Cycles in which the array waited for results of the operator before, or drained."},
	launching: {"stall_overhead_cycles", "Cycles to launch operators."},
}

func (k *record) metrics(end, idle, awaited *uint64) *stats.Group {
	g, t := stats.NewGroup(k.name), &k.sum
	g.Sum(&t.skipped, &t.work, &t.queue, &t.energy)
	k.energyMetrics(g, end)
	g.Count("total_cycles", stats.Cycle, "Cycles of the core's clock from the start of the run to the end of its last operator.", end)
	g.Count("idle_cycles", stats.Cycle, "Cycles before a workload arrived.", idle)
	work.DeclareAwaited(g, awaited)
	for i, c := range causes {
		g.Count(c.metric, stats.Cycle, c.text, &t.parts[i])
	}
	for _, x := range []struct {
		name, text string
		part       int
	}{
		{"array_active", "Share of the array's cycles (active, stall, shift) in which rows went through it.", 0},
		{"weight_stall", "Share of them in which a tile of weights had not come.", 1},
		{"weight_shift", "Share of them in which weights were only being shifted in.", 2},
	} {
		g.Value(x.name, stats.Percent, x.text, func() (float64, bool) {
			all := t.queue[0] + t.queue[1] + t.queue[2]
			if k.fifo == nil || all == 0 {
				return 0, false
			}
			return 100 * float64(t.queue[x.part]) / float64(all), true
		})
	}
	g.Count("macs", stats.One, "Multiply-accumulates done by the array.", &t.macs)
	g.Value("skipped_macs", stats.One, "Of the multiply-accumulates, those that the array skipped since the pattern of the weights makes them zero; absent where it skips none.", func() (float64, bool) {
		return float64(t.skipped), k.spec.Sparsity.On()
	})
	g.Count("vector_ops", stats.One, "Operations done by the vector unit.", &t.vector)
	g.Count("memory_bytes", stats.Byte, "Bytes read from and written to memory.", &k.moved)
	g.Value("utilization", stats.Percent, "Share of the arrays' peak that was used over the total cycles.", func() (float64, bool) {
		return k.used(t.work, *end)
	})
	g.Value("tera_ops", stats.One, "Operations of the arrays, two per multiply-accumulate, in 10^12 per second of the total time.", func() (float64, bool) {
		return 2 * float64(t.macs) / k.spec.Clock.Nanoseconds(max(*end, 1)) / 1e3, *end > 0
	})
	g.Value("bandwidth", stats.GBps, "Bytes read and written over the total time.", func() (float64, bool) {
		return float64(k.moved) / k.spec.Clock.Nanoseconds(max(*end, 1)), *end > 0
	})
	g.Value("peak_macs", stats.One, "Multiply-accumulates per cycle that the arrays do at most, of the fastest data type of their products.", func() (float64, bool) { return k.peak(), true })
	g.Value("peak_bandwidth", stats.GBps, "Nominal bandwidth of the memory behind the link; absent where it is unlimited.", func() (float64, bool) {
		return k.machine.Memory / 1e9, k.machine.Memory < 1e300
	})
	g.Value("peak_bytes", stats.Byte, "Bytes per cycle at that bandwidth.", func() (float64, bool) {
		return k.machine.Memory / k.machine.Clock, k.machine.Memory < 1e300
	})
	g.Check("causes add up to total_cycles", func() error {
		n := *idle + *awaited
		for _, p := range t.parts {
			n += p
		}
		if n != *end {
			return fmt.Errorf("%d of %d cycles", n, *end)
		}
		return nil
	})
	return g
}

// peak is multiply-accumulates per cycle.
func (k *record) peak() float64 {
	rate := k.fastest
	if rate == 0 {
		rate = 1
	}
	return rate * k.elements()
}

// elements is the number of processing elements.
func (k *record) elements() float64 {
	return float64(k.spec.Rows) * float64(k.spec.Cols) * float64(k.spec.Arrays)
}

// used is the percentage of the peak that so many multiply-accumulates of rate 1 are.
func (k *record) used(work float64, cycles uint64) (float64, bool) {
	if cycles == 0 {
		return 0, false
	}
	return 100 * work / (float64(cycles) * k.elements()), true
}

// Layers implements work.Executor.
func (k *Core) Layers() *stats.Table { return k.table(k.Rows()) }

// table is the operators carried out.
func (k *record) table(rows []row) *stats.Table {
	t := &stats.Table{Columns: work.Columns()}
	for _, c := range causes {
		t.Columns = append(t.Columns, stats.Column{Name: c.metric, Unit: stats.Cycle, Text: c.text})
	}
	t.Columns = append(t.Columns,
		stats.Column{Name: "macs", Unit: stats.One, Text: "Multiply-accumulates."},
		stats.Column{Name: "vector_ops", Unit: stats.One, Text: "Operations of the vector unit."},
		stats.Column{Name: "memory_bytes", Unit: stats.Byte, Text: "Bytes read from and written to memory while it was carried out."},
		stats.Column{Name: "prefetched_bytes", Unit: stats.Byte, Text: "Bytes read from memory for it before it began: weights of a queue in front of the array."},
		stats.Column{Name: "utilization", Unit: stats.Percent, Text: "Share of the arrays' peak."})
	if len(k.spec.PE) > 0 {
		t.Columns = append(t.Columns, PeakColumn)
	}
	for i := range rows {
		r := &rows[i]
		row := []any{r.name, r.workload, r.kind, r.start, r.Cycles()}
		for _, n := range r.parts {
			row = append(row, n)
		}
		var used any
		if u, ok := k.used(r.work, r.Cycles()); ok {
			used = u
		}
		row = append(row, r.macs, r.vector, r.Bytes()-r.early, r.early, used)
		if len(k.spec.PE) > 0 {
			row = append(row, PeakCell(r.rate, k.elements()))
		}
		t.Append(row...)
	}
	return t
}

// PeakColumn is in the layer table where the key pe gives rates.
var PeakColumn = stats.Column{Name: "peak_macs", Unit: stats.One, Text: "Multiply-accumulates per cycle that the array does at most, of the data type of the products."}

// PeakCell is the cell of an operator whose products have a rate on so many elements;
// nil where it has no products.
func PeakCell(rate, elements float64) any {
	if rate == 0 {
		return nil
	}
	return rate * elements
}
