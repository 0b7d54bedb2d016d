package peertiming

import (
	"github.com/causeway-sim/causeway/accelerators/peers/eyeriss"
	"github.com/causeway-sim/causeway/components/stats"
)

// milliwatt is energy over time; stats has no unit for it.
const milliwatt stats.Unit = "mW"

// A rowsColumn is a column of the layer table of timing eyeriss.
type rowsColumn struct {
	stats.Column
	cell func(*Eyeriss, *rowsRow) any
}

var rowsColumns = func() (cols []rowsColumn) {
	add := func(name string, u stats.Unit, text string, f func(*Eyeriss, *rowsRow) any) {
		cols = append(cols, rowsColumn{stats.Column{Name: name, Unit: u, Text: text}, f})
	}
	count := func(name, text string, f func(*rowsRow) int64) {
		add(name, stats.One, text, func(_ *Eyeriss, r *rowsRow) any { return uint64(f(r)) })
	}
	add("layer", "", "Name of the layer.", func(_ *Eyeriss, r *rowsRow) any { return r.name })
	add("cycles", stats.Cycle, "Cycles of its passes.", func(_ *Eyeriss, r *rowsRow) any { return uint64(r.cost.Cycles) })
	add("processing_time", stats.NS, "Time of its passes.", func(_ *Eyeriss, r *rowsRow) any { return r.ns })
	add("active_pes", stats.One, "Elements that work in a full pass.", func(_ *Eyeriss, r *rowsRow) any { return uint64(r.cost.Active) })
	add("energy", stats.PJ, "Energy on the chip; empty without a model.", func(t *Eyeriss, r *rowsRow) any { return t.modelled(r.energy) })
	add("power", milliwatt, "Energy over time; empty without a model.", func(t *Eyeriss, r *rowsRow) any { return t.modelled(r.energy / r.ns) })
	count("macs", "Multiply-accumulates.", func(r *rowsRow) int64 { return r.cost.MACs })
	count("passes", "Processing passes.", func(r *rowsRow) int64 { return r.cost.Passes })
	count("buffer_words", "Words in and out of the global buffer on the side of the array.", func(r *rowsRow) int64 { return r.cost.BufferWords })
	count("dram_words", "Words from and to DRAM, not compressed.", func(r *rowsRow) int64 { return r.cost.DRAMWords })
	for _, x := range []struct {
		name, text string
		of         func(*eyeriss.Mapping) int
	}{
		{"filters", "Filters whose partial sums lie in the buffer (m).", func(m *eyeriss.Mapping) int { return m.M }},
		{"images", "Images of a pass (n).", func(m *eyeriss.Mapping) int { return m.N }},
		{"set_rows", "Rows of output of a set (e).", func(m *eyeriss.Mapping) int { return m.E }},
		{"element_filters", "Filters of an element (p).", func(m *eyeriss.Mapping) int { return m.P }},
		{"element_channels", "Channels of an element (q).", func(m *eyeriss.Mapping) int { return m.Q }},
		{"channel_sets", "Sets for other channels (r).", func(m *eyeriss.Mapping) int { return m.R }},
		{"filter_sets", "Sets for other filters (t).", func(m *eyeriss.Mapping) int { return m.T }},
	} {
		count(x.name, x.text, func(r *rowsRow) int64 { return int64(x.of(&r.cost.Mapping)) })
	}
	add("workload", "", "Name of the workload.", func(_ *Eyeriss, r *rowsRow) any { return r.workload })
	return cols
}()

// modelled is a value of the energy model, nil without one.
func (t *Eyeriss) modelled(x float64) any {
	if t.spec.MAC == 0 {
		return nil
	}
	return x
}

func (t *Eyeriss) metrics() {
	g := t.group
	g.Value("total_cycles", stats.Cycle, "Cycles of the passes of all layers.", func() (float64, bool) { return t.total, true })
	g.Value("compute_cycles", stats.Cycle, "The same: the array works all the time.", func() (float64, bool) { return t.total, true })
	g.Value("macs", stats.One, "Multiply-accumulates of the layers.", func() (float64, bool) { return float64(t.macs), true })
	g.Value("active_pes", stats.One, "Elements that work in a full pass, mean over time.", func() (float64, bool) { return t.active / t.total, t.total > 0 })
	g.Value("utilization", stats.Percent, "Share of the array's peak over the total cycles.", func() (float64, bool) { return t.share(float64(t.macs), t.lastCycle()) })
	g.Value("energy", stats.PJ, "Energy on the chip, with its idle power.", func() (float64, bool) { return t.energy, t.spec.MAC > 0 })
	g.Value("processing_time", stats.NS, "Time of the passes of all layers.", func() (float64, bool) { return t.core.Clock.Nanoseconds(t.lastCycle()), true })
	g.Value("power", milliwatt, "Energy over processing time.", func() (float64, bool) {
		return t.energy / t.core.Clock.Nanoseconds(t.lastCycle()), t.spec.MAC > 0 && t.total > 0
	})
}
