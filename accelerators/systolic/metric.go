package systolic

import (
	"fmt"

	"github.com/causeway-sim/causeway/accelerators/dataflow"
	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/stats"
)

// declare publishes the metrics. Both fidelities have the same ones.
func (k *core) declare() {
	g, t := k.group, &k.sum
	g.Count("total_cycles", stats.Cycle, "Cycles of the core's clock from the start of the run to the end of its last layer.", &k.free)
	g.Count("idle_cycles", stats.Cycle, "Cycles before a workload arrived.", &k.idle)
	work.DeclareAwaited(g, &k.awaited)
	for c := range causes {
		name := causeNames[c] + "_cycles"
		if c != compute {
			name = "stall_" + causeNames[c] + "_cycles"
		}
		g.Count(name, stats.Cycle, causeTexts[c], &t.book[c])
	}
	for _, part := range dataflow.PartList {
		g.Value(part.Name, stats.Cycle, part.Text, func() (float64, bool) { return part.Of(&t.parts), true })
	}
	g.Count("array_cycles", stats.Cycle, "Cycles of compute in which the array worked; the rest is the vector unit's.", &t.array)
	g.Count("macs", stats.One, "Multiply-accumulates done by the array.", &t.macs)
	g.Value("skipped_macs", stats.One, "Of the multiply-accumulates, those that the array skipped since the pattern of the weights makes them zero; absent where it skips none.", func() (float64, bool) {
		return float64(t.skipped), k.spec.Sparsity.On()
	})
	g.Count("vector_ops", stats.One, "Operations done by the vector unit.", &t.vector)
	g.Value("utilization", stats.Percent, "Share of the array's peak that was used over the total cycles.", func() (float64, bool) {
		return k.share(t.work, k.free)
	})
	g.Value("compute_utilization", stats.Percent, "Share of the array's peak that was used while it worked.", func() (float64, bool) {
		return k.share(t.work, t.array)
	})
	for b, name := range [buffers]string{"ifmap", "filter", "ofmap"} {
		g.Count(name+"_read_bytes", stats.Byte, "Bytes read from memory into the "+name+" buffer.", &t.read[b])
	}
	g.Count("ofmap_write_bytes", stats.Byte, "Bytes written from the ofmap buffer to memory.", &t.written[2])
	g.Value("read_bytes", stats.Byte, "Bytes read from memory.", func() (float64, bool) { return float64(t.read.sum()), true })
	g.Value("write_bytes", stats.Byte, "Bytes written to memory.", func() (float64, bool) { return float64(t.written.sum()), true })
	g.Value("score_bytes", stats.Byte, "Of the bytes read and written, those of scores of attention: 0 where it is one operator; absent where there is none.", func() (float64, bool) {
		return float64(t.scores), k.attends()
	})
	g.Value("bandwidth", stats.GBps, "Bytes read and written over the total time.", func() (float64, bool) {
		if k.free == 0 {
			return 0, false
		}
		return float64(t.read.sum()+t.written.sum()) / k.clock.Nanoseconds(k.free), true
	})
	k.arrayStats(g)
	k.peakStats(g)
	for _, e := range energyParts {
		g.Value(e.name, stats.PJ, e.text, func() (float64, bool) { return e.of(k.leaking(t.energy, k.free)), !k.unpriced() })
	}

	k.timeSeries(g)
	g.Sum(t)
	g.Check("causes add up to the cycles of a layer, bytes and compute cycles to those of its mapping", func() error {
		for i := range k.layers {
			if l := &k.layers[i]; i < k.at { // the last one may be under way
				if err := l.check(); err != nil {
					return err
				}
			}
		}
		return nil
	})
	g.Check("layers and idle cycles add up to total_cycles", func() error {
		if n := t.book.total() + k.idle + k.awaited; n != k.free {
			return fmt.Errorf("%d of %d cycles", n, k.free)
		}
		return nil
	})
}

// share is the percentage of the peak that n multiply-accumulates of rate 1 are in that
// many cycles.
func (k *core) share(n float64, cycles uint64) (float64, bool) {
	if cycles == 0 {
		return 0, false
	}
	return 100 * n / (float64(cycles) * float64(k.spec.Rows) * float64(k.spec.Cols)), true
}

// peakStats declares the roofs of the core, which follow from its configuration.
func (k *core) peakStats(g *stats.Group) {
	g.Value("peak_macs", stats.One, "Multiply-accumulates per cycle that the array does at most, of the fastest data type of its products.", func() (float64, bool) {
		return k.peak(), true
	})
	g.Value("skew_registers", stats.One, "Registers beside the array that delay operands and results so that the wavefront fits.", func() (float64, bool) {
		return float64(k.skew.Registers()), k.spec.Timing == Physical && k.planner == nil
	})
	g.Value("time_to_full", stats.Cycle, "Cycles from the entry of the first operand until every processing element works, in a fold that streams so long.", func() (float64, bool) {
		return float64(k.full), k.spec.Timing == Physical && k.planner == nil
	})
	bandwidth := func() (float64, bool) { // bytes per second
		if k.routes == nil {
			return 0, false
		}
		b := k.routes.Bandwidth()
		return float64(b) / 8, b > 0
	}
	g.Value("peak_bandwidth", stats.GBps, "Nominal bandwidth of the memories behind the links; absent where it is unlimited.", func() (float64, bool) {
		b, ok := bandwidth()
		return b / 1e9, ok
	})
	g.Value("peak_bytes", stats.Byte, "Bytes per cycle at the nominal bandwidth of the memories behind the links.", func() (float64, bool) {
		b, ok := bandwidth()
		return b * k.clock.Nanoseconds(1) / 1e9, ok
	})
}

// arrayStats declares what only an array has.
func (k *core) arrayStats(g *stats.Group) {
	t := &k.sum
	if k.planner != nil {
		k.plannedArea(g)
		return
	}
	g.Count("ifmap_sram_reads", stats.One, "Elements read from the ifmap buffer.", &t.ifmap)
	g.Count("filter_sram_reads", stats.One, "Elements read from the filter buffer.", &t.filter)
	g.Count("ofmap_sram_reads", stats.One, "Elements read from the ofmap buffer, to be added to.", &t.ofmapRd)
	g.Count("ofmap_sram_writes", stats.One, "Elements written to the ofmap buffer.", &t.ofmapWr)
	k.onChipStats(g)
	k.areaStats(g)
}

// onChipStats declares what is known of a core that keeps results.
func (k *core) onChipStats(g *stats.Group) {
	on := func() bool { o, _ := k.spec.OnChip.keeps(); return o != machine.KeepNone }
	g.Value("on_chip_bytes", stats.Byte, "Bytes that were not read or written because the results that they are stayed on the chip; key on_chip.", func() (float64, bool) {
		return float64(k.sum.kept), on()
	})
	g.Value("on_chip_peak", stats.Byte, "Most bytes of results that stay on the chip at a time.", func() (float64, bool) {
		peak := int64(0)
		for _, s := range k.known {
			if r := s.Program.Residents; r != nil {
				peak = max(peak, r.Peak)
			}
		}
		return float64(peak), on()
	})
	g.Value("spill_bytes", stats.Byte, "Bytes read and written of results that could have stayed on the chip, had there been room.", func() (float64, bool) {
		return float64(k.sum.spilled), on()
	})
}
