package peertiming

import "github.com/causeway-sim/causeway/components/stats"

// A sheetColumn is a column of the layer table of timing nvdla.
type sheetColumn struct {
	stats.Column
	cell func(*sheetRow) any
}

var sheetColumns = func() []sheetColumn {
	add := func(name string, u stats.Unit, text string, f func(*sheetRow) any) sheetColumn {
		return sheetColumn{stats.Column{Name: name, Unit: u, Text: text}, f}
	}
	return []sheetColumn{
		add("layer", "", "Name of the layer.", func(r *sheetRow) any { return r.name }),
		add("cycles", stats.Cycle, "Cycles of the slowest part, not rounded.", func(r *sheetRow) any { return r.cost.Cycles }),
		add("bound", "", "The slowest part: mac, dram, sram_read or sram_write.", func(r *sheetRow) any { return r.cost.Bound() }),
		add("mac_cycles", stats.Cycle, "Cycles of the multipliers.", func(r *sheetRow) any { return r.cost.MAC }),
		add("dram_cycles", stats.Cycle, "Cycles of the primary memory.", func(r *sheetRow) any { return r.cost.DRAM }),
		add("sram_read_cycles", stats.Cycle, "Cycles of reads of the second memory.", func(r *sheetRow) any { return r.cost.SRAMRead }),
		add("sram_write_cycles", stats.Cycle, "Cycles of writes of the second memory.", func(r *sheetRow) any { return r.cost.SRAMWrite }),
		add("winograd", stats.One, "1 if the layer is computed with 4 multiplications for 9.", func(r *sheetRow) any {
			if r.cost.Winograd {
				return 1
			}
			return 0
		}),
		add("repeat", stats.One, "Equal layers of the row: groups, images.", func(r *sheetRow) any { return max(1, r.layer.Repeat) }),
		add("batch", stats.One, "Images that share weights of convolutions.", func(r *sheetRow) any { return r.batch }),
		add("macs", stats.One, "Multiply-accumulates.", func(r *sheetRow) any { return r.macs }),
		add("workload", "", "Name of the workload.", func(r *sheetRow) any { return r.workload }),
	}
}()

func (t *NVDLA) metrics() {
	g := t.group
	cycles := func(name, text string, of *float64) {
		g.Value(name, stats.Cycle, text, func() (float64, bool) { return *of, true })
	}
	cycles("total_cycles", "Sum of the sheet's cycles over the layers, not rounded.", &t.total)
	cycles("compute_cycles", "Cycles in which the multipliers worked.", &t.busy)
	g.Value("stall_memory_cycles", stats.Cycle, "Cycles of layers beyond those of the multipliers: one of the memories is the slowest part.", func() (float64, bool) { return t.total - t.busy, true })
	g.Value("macs", stats.One, "Multiply-accumulates of the layers, before Winograd.", func() (float64, bool) { return float64(t.macs), true })
	g.Value("utilization", stats.Percent, "Network MAC utilization of the sheet: multiply-accumulates of direct convolution over the multipliers' total cycles; over 100 where Winograd saves some (hardware_utilization is not).", func() (float64, bool) {
		return 100 * float64(t.macs) / (t.total * float64(t.core.Rows) * float64(t.core.Cols)), t.total > 0
	})
	g.Value("hardware_utilization", stats.Percent, "HW MAC utilization of the sheet: cycles of the multipliers over the total.", func() (float64, bool) {
		return 100 * t.busy / t.total, t.total > 0
	})
}
