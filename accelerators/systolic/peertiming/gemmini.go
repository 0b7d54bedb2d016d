package peertiming

import (
	"fmt"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/accelerators/gemmini"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// A Gemmini is a core of timing gemmini: its instruction stream is carried out by
// accelerators/gemmini, operator after operator, with its caches.
type Gemmini struct {
	timed
	spec   GemminiSpec
	rows   []streamRow
	sum    gemmini.Result
	macs   int64
	start  int64 // cycles before the first tiles
	others int   // operators that the processor carries out
}

// A streamRow is one operator done.
type streamRow struct {
	workload, name string
	macs, start    int64
	repeat         int
	tile           string
	result         gemmini.Result
}

// NewGemmini makes a core of timing gemmini. The Spec has been checked.
func NewGemmini(name string, e sim.Engine, core Core, s GemminiSpec) *Gemmini {
	t := &Gemmini{spec: s}
	t.base = newBase(name, e, core, t, t)
	t.metrics()
	return t
}

// Prepare implements work.Executor: convolutions and products of the program, in order.
func (t *Gemmini) Prepare(w work.Share) error {
	if err := t.alone(&w); err != nil {
		return err
	}
	m := t.spec.machine(t.core)
	stream := gemmini.NewStream(&m)
	for i := range w.Graph.Ops {
		op := &w.Graph.Ops[i]
		l, repeat, ok, err := streamLayer(op)
		if err != nil {
			return fmt.Errorf("%s: %w", t.Name(), err)
		}
		if !ok {
			t.others++
			continue
		}
		tiling, start := l.Own(&m)
		given := t.spec.Mapping != ownMapping
		if given {
			if tiling, err = gemmini.ParseMapping(t.spec.Mapping); err != nil {
				return fmt.Errorf("%s: gemmini.mapping: %w", t.Name(), err)
			}
			start = m.Software.Start
			t.check(&m, l, &tiling)
		}
		if t.spec.Caches == cachesBenchmark {
			stream.Hold(l, given)
		}
		row := streamRow{workload: w.Name, name: op.Name, macs: op.MACs(), repeat: repeat, tile: tiling.String()}
		for range repeat {
			row.result.Add(stream.Run(l, tiling, start))
		}
		stream.Turn()
		row.start = int64(start * repeat)
		t.start += row.start
		t.rows = append(t.rows, row)
		t.sum.Add(row.result)
		t.add(op.Name, float64(row.result.Cycles))
		t.macs += row.macs
	}
	return nil
}

// check warns of a mapping that takes more rows than it was said to.
func (t *Gemmini) check(m *gemmini.Machine, l gemmini.Layer, x *gemmini.Tiling) {
	scratchpad, accumulator := l.Rows(m, x)
	r := &t.spec.Rows
	if r.Scratchpad > 0 && scratchpad > r.Scratchpad || r.Accumulator > 0 && accumulator > r.Accumulator {
		t.Warn([]string{fmt.Sprintf("%s: the mapping's tiles take %d rows of the scratchpad and %d of the accumulators (gemmini.rows has %d and %d)", t.Name(), scratchpad, accumulator, r.Scratchpad, r.Accumulator)})
	}
}

// streamLayer is an operator as the library takes it, and how often it does so: a batch of
// products and the groups of a convolution are separate calls. A convolution of 1 x 1 over a
// single row is a product.
func streamLayer(op *graph.Op) (l gemmini.Layer, repeat int, ok bool, err error) {
	x, ok := op.Matrix()
	if !ok {
		return l, 0, false, nil
	}
	c := x.Conv
	if c == nil {
		return gemmini.Product(gemmini.Matmul{M: int(x.M), N: int(x.N), K: int(x.K)}), int(max(1, x.Batch)), true, nil
	}
	if c.Transposed || c.DilationH > 1 || c.DilationW > 1 || c.StrideH != c.StrideW {
		return l, 0, false, fmt.Errorf("%s: timing gemmini is for convolutions of one stride, neither transposed nor dilated", op.Name)
	}
	if c.R == 1 && c.S == 1 && c.OutH() == 1 && c.StrideH == 1 && c.PadTop+c.PadLeft == 0 {
		return gemmini.Product(gemmini.Matmul{M: c.N * c.OutW(), N: c.K / c.Groups, K: c.C / c.Groups}), c.Groups, true, nil
	}
	return gemmini.Convolution(gemmini.Conv{Batch: c.N, InRows: c.H, InCols: c.W, Channels: c.C / c.Groups, OutRows: c.OutH(), OutCols: c.OutW(), Filters: c.K / c.Groups,
		KernelRows: c.R, KernelCols: c.S, Stride: c.StrideH, PadUp: c.PadTop, PadLeft: c.PadLeft}), c.Groups, true, nil
}

// Layers implements work.Executor.
func (t *Gemmini) Layers() *stats.Table {
	tb := &stats.Table{}
	for _, c := range streamColumns {
		tb.Columns = append(tb.Columns, c.Column)
	}
	for i := range t.rows {
		row := make([]any, len(streamColumns))
		for j, c := range streamColumns {
			row[j] = c.cell(&t.rows[i])
		}
		tb.Append(row...)
	}
	return tb
}

// Assumptions implements system.Assumer.
func (t *Gemmini) Assumptions() []string {
	out := []string{"Convolutions and products are the instruction stream of Gemmini's library, one call after another; caches and DRAM are those of the key gemmini.memory (go doc ./accelerators/gemmini)."}
	if t.others > 0 {
		out = append(out, fmt.Sprintf("%d operators are no convolutions or products: they take no time.", t.others))
	}
	return out
}
