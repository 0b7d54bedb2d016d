package peertiming

import (
	"github.com/causeway-sim/causeway/accelerators/dataflow"
	"github.com/causeway-sim/causeway/components/stats"
)

func (t *ScaleSim) metrics() {
	g := t.group
	g.Count("total_cycles", stats.Cycle, "Sum of SCALE-Sim's Total Cycles over the layers.", &t.end)
	g.Count("compute_cycles", stats.Cycle, "Cycles in which the array worked: all of them.", &t.end)
	for _, part := range dataflow.PartList {
		g.Value(part.Name, stats.Cycle, part.Text, func() (float64, bool) { return part.Of(&t.parts), t.whole })
	}
	g.Count("macs", stats.One, "Multiply-accumulates of the layers.", &t.macs)
	g.Value("utilization", stats.Percent, "Share of the array's peak over the total cycles.", func() (float64, bool) { return t.share(float64(t.macs), t.end) })
	g.Count("ifmap_sram_reads", stats.One, "Words read from the ifmap buffer.", &t.reads[0])
	g.Count("filter_sram_reads", stats.One, "Words read from the filter buffer.", &t.reads[1])
	g.Count("ofmap_sram_writes", stats.One, "Words written to the ofmap buffer, by the tool's count.", &t.writes)
	g.Value("total_cycles_with_prefetch", stats.Cycle, "Sum of SCALE-Sim's Total Cycles (incl. prefetch) over the layers.", func() (float64, bool) {
		return float64(t.total), t.dram
	})
}
