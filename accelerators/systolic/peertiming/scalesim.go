package peertiming

import (
	"fmt"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/accelerators/dataflow"
	"github.com/causeway-sim/causeway/accelerators/peers/scalesim"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/clock/instant"
	"github.com/causeway-sim/causeway/components/energy"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// A ScaleSim is a core of timing scalesim: layer after layer takes as long as
// SCALE-Sim says. It asks no memory for anything.
type ScaleSim struct {
	*base
	dram   bool // with columns and cycles of its DRAM
	array  scalesim.Array
	rows   []toolRow
	end    uint64
	macs   uint64
	reads  [2]uint64 // ifmap, filter
	writes uint64
	total  uint64 // cycles with prefetch
	parts  dataflow.Parts
	whole  bool // every row is divided into parts
	rest   energy.Rest
}

// A toolRow is one layer done.
type toolRow struct {
	workload string
	layer    scalesim.Layer
	repeat   uint64 // equal products, one after the other: groups, heads
	got      scalesim.DRAM
}

// NewScaleSim makes a core that counts as SCALE-Sim does, with its DRAM columns if dram.
func NewScaleSim(name string, e sim.Engine, core Core, array scalesim.Array, dram bool) *ScaleSim {
	t := &ScaleSim{array: array, dram: dram}
	t.base = newBase(name, e, core, t, t)
	t.whole = true
	t.metrics()
	return t
}

// Prepare implements work.Executor: the matrix operators of the program, in order,
// as the tool would be given them, or rows of its own. Padding is part of the input; groups
// and batches are that many equal layers.
func (t *ScaleSim) Prepare(w work.Share) error {
	if !w.Ahead {
		return fmt.Errorf("%s: timing %s takes whole workloads, no single operators", t.Name(), t.core.Timing)
	}
	if w.Rows != nil {
		return t.given(w.Name, w.Rows)
	}
	var layers []scalesim.Layer
	var repeats []uint64
	for _, j := range w.Program.Jobs {
		if len(j.After) > 0 || j.Awaited {
			return fmt.Errorf("%s: timing %s is for one core", t.Name(), t.core.Timing)
		}
	}
	for i := range w.Graph.Ops {
		l, repeat, ok := toolLayer(&w.Graph.Ops[i])
		if ok {
			layers, repeats = append(layers, l), append(repeats, repeat)
		}
	}
	return t.append(w.Name, layers, repeats)
}

// TakesRows implements work.Peer.
func (t *ScaleSim) TakesRows() bool { return true }

// given adds rows of a topology file.
func (t *ScaleSim) given(workload string, rows []work.Row) error {
	layers, repeats := make([]scalesim.Layer, len(rows)), make([]uint64, len(rows))
	for i, r := range rows {
		layers[i] = scalesim.Layer{
			Name: r.Name, H: r.H, W: r.W, R: r.R, S: r.S, C: r.C, N: r.N,
			StrideH: r.StrideH, StrideW: r.StrideW, SparseN: r.SparseN, SparseM: r.SparseM,
		}
		repeats[i] = r.Repeats
	}
	return t.append(workload, layers, repeats)
}

// append adds layers, each of which is done as often as repeats says.
func (t *ScaleSim) append(workload string, layers []scalesim.Layer, repeats []uint64) error {
	for i, l := range layers {
		a := t.array
		a.Sparse = l.SparseN != l.SparseM
		r := toolRow{workload: workload, layer: l, repeat: repeats[i]}
		var err error
		if t.dram {
			r.got, err = a.DRAM(l)
		} else {
			r.got.Compute, err = a.Compute(l)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", t.Name(), err)
		}
		t.rows = append(t.rows, r)
		t.end += r.got.Cycles * r.repeat
		t.total += r.got.Total * r.repeat
		t.macs += l.MACs() * r.repeat
		part, n := &r.got.Parts, float64(r.repeat)
		t.whole = t.whole && r.got.Divided
		t.parts.Useful += n * part.Useful
		t.parts.Mapping += n * part.Mapping
		t.parts.Fill += n * part.Fill
		t.parts.Drain += n * part.Drain
		t.reads[0] += r.got.IfmapReads * r.repeat
		t.reads[1] += r.got.FilterReads * r.repeat
		t.writes += r.got.OfmapWrites * r.repeat
	}
	return nil
}

// toolLayer is op as a row of a topology file; ok is false for what the tool
// does not know.
func toolLayer(op *graph.Op) (l scalesim.Layer, repeat uint64, ok bool) {
	m, ok := op.Matrix()
	if !ok {
		return l, 0, false
	}
	if c := m.Conv; c != nil && !c.Transposed && c.DilationH == 1 && c.DilationW == 1 {
		l := scalesim.Layer{
			Name: op.Name, H: c.H, W: c.W, R: c.R, S: c.S, C: c.C / c.Groups, N: c.K / c.Groups,
			StrideH: c.StrideH, StrideW: c.StrideW,
		}
		// A topology file has its own input size back. Elsewhere padding is part
		// of the input, and rows and columns that no window reaches are not.
		if oh, _ := l.Ofmap(); c.PadTop > 0 || oh != c.OutH() {
			l.H = (c.OutH()-1)*c.StrideH + c.R
		}
		if _, ow := l.Ofmap(); c.PadLeft > 0 || ow != c.OutW() {
			l.W = (c.OutW()-1)*c.StrideW + c.S
		}
		return l, uint64(c.Groups) * uint64(c.N), true
	}
	return scalesim.GEMM(op.Name, int(m.M), int(m.N), int(m.K)), uint64(m.Batch), true
}

// Handle implements sim.Handler: time passes, nothing else. Layers are reported ahead.
func (t *ScaleSim) Handle(e sim.Event) error {
	if t.tasks.On() && t.ticker.Cycle(e.Time()) == 0 {
		at := uint64(0)
		for i := range t.rows {
			r := &t.rows[i]
			id := t.tasks.Begin(instant.Of(t.core.Clock, at), task.Layer, t.tasks.What(r.layer.Name), 0, 0)
			at += r.got.Cycles * r.repeat
			t.tasks.End(instant.Of(t.core.Clock, at), id)
		}
	}
	if cycle := t.ticker.Cycle(e.Time()); cycle < t.end {
		t.ticker.WakeAt(t.end)
	}
	return nil
}

// toolColumn is a column of the layer table of timing scalesim.
type toolColumn struct {
	stats.Column
	dram bool
	cell func(*toolRow) any
}

var toolColumns = func() []toolColumn {
	add := func(name string, u stats.Unit, text string, f func(*toolRow) any) toolColumn {
		return toolColumn{stats.Column{Name: name, Unit: u, Text: text}, false, f}
	}
	cols := []toolColumn{
		add("layer", "", "Name of the layer.", func(r *toolRow) any { return r.layer.Name }),
		add("cycles", stats.Cycle, "Total Cycles of the tool.", func(r *toolRow) any { return r.got.Cycles * r.repeat }),
		add("utilization", stats.Percent, "Overall Util of the tool.", func(r *toolRow) any { return r.got.Utilization }),
		add("mapping_efficiency", stats.Percent, "Mapping Efficiency of the tool.", func(r *toolRow) any { return r.got.MappingEfficiency }),
		add("compute_utilization", stats.Percent, "Compute Util of the tool.", func(r *toolRow) any { return r.got.ComputeUtilization }),
		add("ifmap_sram_reads", stats.One, "Words read from the ifmap buffer.", func(r *toolRow) any { return r.got.IfmapReads * r.repeat }),
		add("filter_sram_reads", stats.One, "Words read from the filter buffer.", func(r *toolRow) any { return r.got.FilterReads * r.repeat }),
		add("ofmap_sram_writes", stats.One, "Words written to the ofmap buffer, by the tool's count.", func(r *toolRow) any { return r.got.OfmapWrites * r.repeat }),
		add("ifmap_sram_bandwidth", stats.One, "Ifmap words per cycle.", func(r *toolRow) any { return r.got.IfmapBandwidth }),
		add("filter_sram_bandwidth", stats.One, "Filter words per cycle.", func(r *toolRow) any { return r.got.FilterBandwidth }),
		add("ofmap_sram_bandwidth", stats.One, "Ofmap words per cycle.", func(r *toolRow) any { return r.got.OfmapBandwidth }),
		add("macs", stats.One, "Multiply-accumulates.", func(r *toolRow) any { return r.layer.MACs() * r.repeat }),
		add("workload", "", "Name of the workload.", func(r *toolRow) any { return r.workload }),
		add("compute_cycles", stats.Cycle, "Cycles in which the array worked: all of them.", func(r *toolRow) any { return r.got.Cycles * r.repeat }),
	}
	for _, part := range dataflow.PartList {
		cols = append(cols, add(part.Name, stats.Cycle, part.Text, func(r *toolRow) any {
			if !r.got.Divided {
				return nil
			}
			return part.Of(&r.got.Parts) * float64(r.repeat)
		}))
	}
	dram := func(name string, u stats.Unit, text string, f func(*toolRow) any) {
		cols = append(cols, toolColumn{stats.Column{Name: name, Unit: u, Text: text}, true, f})
	}
	dram("cycles_with_prefetch", stats.Cycle, "Total Cycles (incl. prefetch) of the tool.", func(r *toolRow) any { return r.got.Total * r.repeat })
	dram("stall_cycles", stats.Cycle, "Stall Cycles of the tool; none in CALC mode.", func(r *toolRow) any { return r.got.Stalls * r.repeat })
	for _, x := range []struct {
		name, verb string
		of         func(*toolRow) *scalesim.Traffic
	}{
		{"ifmap", "reads", func(r *toolRow) *scalesim.Traffic { return &r.got.Ifmap }},
		{"filter", "reads", func(r *toolRow) *scalesim.Traffic { return &r.got.Filter }},
		{"ofmap", "writes", func(r *toolRow) *scalesim.Traffic { return &r.got.Ofmap }},
	} {
		p := x.name + "_dram_"
		dram(p+"start", stats.Cycle, "Cycle of the first "+x.name+" word at the DRAM; before 0 for a prefetch.", func(r *toolRow) any { return x.of(r).Start })
		dram(p+"stop", stats.Cycle, "Cycle of the last "+x.name+" word at the DRAM.", func(r *toolRow) any { return x.of(r).Stop })
		dram(p+x.verb, stats.One, "Words of the "+x.name+" that the DRAM "+x.verb+".", func(r *toolRow) any { return x.of(r).Words * r.repeat })
		dram(p+"bandwidth", stats.One, "DRAM words per cycle of the "+x.name+".", func(r *toolRow) any { return x.of(r).Bandwidth })
	}
	return cols
}()

// Layers implements work.Executor.
func (t *ScaleSim) Layers() *stats.Table {
	tb := &stats.Table{}
	var cols []toolColumn
	for _, c := range toolColumns {
		if !c.dram || t.dram {
			cols = append(cols, c)
			tb.Columns = append(tb.Columns, c.Column)
		}
	}
	for i := range t.rows {
		row := make([]any, len(cols))
		for j, c := range cols {
			row[j] = c.cell(&t.rows[i])
		}
		tb.Append(row...)
	}
	return tb
}
