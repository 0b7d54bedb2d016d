package peertiming

import (
	"github.com/causeway-sim/causeway/accelerators/dataflow"
	"github.com/causeway-sim/causeway/accelerators/peers/scalesim"
	"github.com/causeway-sim/causeway/components/energy"
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
	t.rest.Watts = t.core.Idle
	t.rest.Declare(g, "Energy of the core by SCALE-Sim's counts, of words of a byte: operations, registers, buffers, and at rest, without memory.", func() float64 { b := t.spent(); return b.Total() })
	g.Value("energy_mac", stats.PJ, "Energy of multiply-accumulates.", func() (float64, bool) { return t.spent().MAC, true })
	g.Value("energy_register", stats.PJ, "Energy of moving operands and partial sums on in the array.", func() (float64, bool) { return t.spent().Register, true })
	g.Value("energy_sram", stats.PJ, "Energy of the three buffers.", func() (float64, bool) { b := t.spent(); return b.SRAM[0] + b.SRAM[1] + b.SRAM[2], true })
	g.Value("total_cycles_with_prefetch", stats.Cycle, "Sum of SCALE-Sim's Total Cycles (incl. prefetch) over the layers.", func() (float64, bool) {
		return float64(t.total), t.dram
	})
}

// spent is the energy of what the tool counts. With output stationary two operands move on by a register,
// else one and a partial sum of 32 bits.
func (t *ScaleSim) spent() energy.Breakdown {
	passing := int64(1 + 4)
	if t.array.Dataflow == scalesim.OS {
		passing = 2
	}
	return t.core.Energy.Energy(energy.Counts{MACs: int64(t.macs), Registers: passing * int64(t.macs),
		SRAM: [3]int64{int64(t.reads[0]), int64(t.reads[1]), int64(t.writes)}})
}

// LastActivity implements system.Rester.
func (t *ScaleSim) LastActivity() float64 { return t.core.Clock.Nanoseconds(t.end) }

// RestUntil implements system.Rester.
func (t *ScaleSim) RestUntil(ns float64) { t.rest.Until(ns) }
