package systolic

import (
	"fmt"
	"strings"

	"github.com/causeway-sim/causeway/accelerators/dataflow"
	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/accelerators/systolic/kernel"
	"github.com/causeway-sim/causeway/components/stats"
)

// A column is one column of the layer table and how to fill it. A cell is nil
// where the figure is not defined for the layer.
type column struct {
	stats.Column
	cell func(k *core, l *layer) any
}

func text(name, doc string, f func(k *core, l *layer) any) column {
	return column{stats.Column{Name: name, Text: doc}, f}
}

func number(name string, u stats.Unit, doc string, f func(k *core, l *layer) any) column {
	return column{stats.Column{Name: name, Unit: u, Text: doc}, f}
}

// columns is the layer table of timing physical.
var columns = func() []column {
	cols := []column{
		text("layer", "Name of the operator.", func(_ *core, l *layer) any { return l.name() }),
		text("workload", "Name of the workload.", func(_ *core, l *layer) any { return l.job.share.Name }),
		text("type", "Kind of the operator.", func(_ *core, l *layer) any { return l.job.share.Graph.Ops[l.job.Op].Kind.Type() }),
		number("start", stats.Cycle, "Cycle at which the core turned to the layer.", func(_ *core, l *layer) any { return l.start }),
		number("cycles", stats.Cycle, "Cycles the core belonged to the layer.", func(_ *core, l *layer) any { return l.end - l.start }),
	}
	for c := range causes {
		name := causeNames[c] + "_cycles"
		if c != compute {
			name = "stall_" + causeNames[c] + "_cycles"
		}
		cols = append(cols, number(name, stats.Cycle, causeTexts[c], func(_ *core, l *layer) any { return l.book[c] }))
	}
	cols = append(cols,
		number("array_cycles", stats.Cycle, "Cycles of compute in which the array worked; the rest is the vector unit's.", func(_ *core, l *layer) any {
			return l.array()
		}))
	for _, part := range dataflow.PartList {
		cols = append(cols, number(part.Name, stats.Cycle, part.Text, func(_ *core, l *layer) any { p := l.parts(); return part.Of(&p) }))
	}
	cols = append(cols,
		number("macs", stats.One, "Multiply-accumulates done by the array.", func(_ *core, l *layer) any { return l.job.Plan.MACs }),
		number("vector_ops", stats.One, "Operations done by the vector unit.", func(_ *core, l *layer) any { return l.job.Plan.Vector }),
		number("utilization", stats.Percent, "Share of the array's peak over all cycles.", func(k *core, l *layer) any {
			return k.used(l, l.end-l.start)
		}),
		number("mapping_efficiency", stats.Percent, "Share of the array that the stationary tiles fill while operands stream.", func(k *core, l *layer) any {
			return k.used(l, uint64(l.job.Plan.Streams()))
		}),
		text("filled", "Rows and columns that the stationary tiles fill on average; all where none is empty.", func(_ *core, l *layer) any { return l.job.Plan.FilledText() }),
		number("compute_utilization", stats.Percent, "Share of the array's peak while it worked: mapping, fill and drain.", func(k *core, l *layer) any {
			return k.used(l, uint64(l.job.Plan.Cycles))
		}),
	)
	for _, a := range []struct {
		name, doc string
		n         func(*dma.Accesses) int64
	}{
		{"ifmap_sram_reads", "Elements read from the ifmap buffer.", func(a *dma.Accesses) int64 { return a.IfmapReads }},
		{"filter_sram_reads", "Elements read from the filter buffer.", func(a *dma.Accesses) int64 { return a.FilterReads }},
		{"ofmap_sram_reads", "Elements read from the ofmap buffer.", func(a *dma.Accesses) int64 { return a.OfmapReads }},
		{"ofmap_sram_writes", "Elements written to the ofmap buffer.", func(a *dma.Accesses) int64 { return a.OfmapWrites }},
	} {
		cols = append(cols,
			number(a.name, stats.One, a.doc, func(k *core, l *layer) any { return k.ofArray(a.n(&l.job.Plan.SRAM)) }),
			number(strings.TrimSuffix(strings.TrimSuffix(a.name, "_reads"), "_writes")+map[bool]string{true: "_read", false: "_write"}[strings.HasSuffix(a.name, "_reads")]+"_bandwidth",
				stats.One, a.doc[:len(a.doc)-1]+" per cycle.", func(k *core, l *layer) any {
					if k.planner != nil {
						return nil
					}
					return ratio(float64(a.n(&l.job.Plan.SRAM)), l.end-l.start)
				}),
		)
	}
	for b := range dma.Buffer(buffers) {
		cols = append(cols, number(b.String()+"_read_bytes", stats.Byte, "Bytes read from memory into the "+b.String()+" buffer.",
			func(_ *core, l *layer) any { return l.read[b] }))
	}
	cols = append(cols,
		number("ofmap_write_bytes", stats.Byte, "Bytes written to memory: results and spilled partial sums.", func(_ *core, l *layer) any { return l.written.sum() }),
		number("prefetched_bytes", stats.Byte, "Of the bytes read, weights that were asked for before the layer began (key on_chip).", func(_ *core, l *layer) any { return l.job.early }),
		number("memory_bandwidth", stats.GBps, "Bytes read and written, but for those prefetched, over the time of the layer.", func(k *core, l *layer) any {
			if l.end == l.start {
				return nil
			}
			return float64(l.read.sum()+l.written.sum()-l.job.early) / k.clock.Nanoseconds(l.end-l.start)
		}),
	)
	for _, e := range energyParts {
		cols = append(cols, number(e.name, stats.PJ, e.text, func(k *core, l *layer) any { return k.ofPriced(e.of(k.leaking(l.energy, l.end-l.start))) }))
	}
	return append(cols,
		text("tile", "Sizes of a memory tile.", func(_ *core, l *layer) any { return l.tile() }),
		text("order", "Loops over memory tiles from the outside in.", func(_ *core, l *layer) any { return l.job.Plan.Order }),
		text("fused", "Operators applied to the results on their way out.", func(_ *core, l *layer) any { return l.fused() }),
	)
}()

// Layers implements work.Executor.
func (k *core) Layers() *stats.Table {
	t := &stats.Table{}
	for _, c := range columns {
		t.Columns = append(t.Columns, c.Column)
	}
	rated := len(k.spec.PE) > 0
	if rated {
		t.Columns = append(t.Columns, kernel.PeakColumn)
	}
	for i := range k.layers[:k.at] {
		row := make([]any, len(columns), len(columns)+2) // the peak, and the node of a joined table
		for j, c := range columns {
			row[j] = c.cell(k, &k.layers[i])
		}
		if p := k.layers[i].job.Plan; rated {
			rate := 0.0
			if p.Matrix {
				rate = p.Rate().Float()
			}
			row = append(row, kernel.PeakCell(rate, float64(k.spec.Rows)*float64(k.spec.Cols)))
		}
		t.Append(row...)
	}
	return t
}

// used is the percentage of the array's peak that the layer's work is in that
// many cycles; nil for a layer without work for the array.
func (k *core) used(l *layer, cycles uint64) any {
	if l.job.Plan.MACs == 0 {
		return nil
	}
	if v, ok := k.share(l.job.Plan.Work(), cycles); ok {
		return v
	}
	return nil
}

func ratio(n float64, cycles uint64) any {
	if cycles == 0 {
		return nil
	}
	return n / float64(cycles)
}

func (l *layer) name() string { return l.job.share.Graph.Ops[l.job.Op].Name }

func (l *layer) tile() string {
	t := l.job.Plan.Tile
	if !l.job.Plan.Matrix {
		return ""
	}
	return fmt.Sprintf("%dx%dx%dx%d", t.Batch, t.M, t.N, t.K)
}

func (l *layer) fused() string {
	var names []string
	for _, op := range l.job.Fused {
		names = append(names, l.job.share.Graph.Ops[op].Name)
	}
	for _, op := range l.job.Sums {
		names = append(names, l.job.share.Graph.Ops[op].Name+".statistics")
	}
	return strings.Join(names, "+")
}
