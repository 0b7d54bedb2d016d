package mapping

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/accelerators/dataflow"
	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// The parts of any plan are the cycles of the array, none is below 0, and useful ones
// are the multiply-accumulates over the processing elements.
func TestPartsAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k, core, d := drawKind(t), drawCore(t, 600), drawTypes(t)
		g, op := one(k, d, rapid.Bool().Draw(t, "bias"))
		p, err := Map(op, g, core, rapid.SampledFrom(Objectives()).Draw(t, "objective"))
		if tooSmall(t, err) {
			return
		}
		x := p.Parts()
		require.InDelta(t, p.Work()/float64(core.Array.PEs()), x.Useful, 1e-9)
		require.InDelta(t, float64(p.Cycles), x.Total(), 1e-6)
		for _, v := range []float64{x.Useful, x.Mapping, x.Fill, x.Drain} {
			require.GreaterOrEqual(t, v, -1e-9, "%+v", x)
		}
		rows, cols := p.Filled()
		require.Positive(t, rows)
		require.LessOrEqual(t, rows, float64(core.Array.Rows))
		require.LessOrEqual(t, cols, float64(core.Array.Cols))
		// Where products do not lie side by side, what is filled works.
		if p.tiles.Sol.Cost.Pack == 1 && p.Rate() == (machine.Rate{Num: 1, Den: 1}) { // else words may be partly filled
			require.InEpsilon(t, x.Useful, float64(p.Streams())*rows*cols/float64(core.Array.PEs()), 1e-9)
		}
		if p.Rate() != (machine.Rate{Num: 1, Den: 1}) {
			return
		}
		require.Equal(t, x.Mapping < 1e-9, p.FilledText() == "all", "%s: %+v", p.FilledText(), x)
	})
}

// A product that fills the array exactly has no mapping loss; one that has 8 of 128
// rows is 6.25% of it.
func TestPartsByHand(t *testing.T) {
	for _, c := range []struct {
		flow             string
		m, n, k          int
		preload, drain   bool
		useful, mapping  float64
		fill, drainParts float64
		filled           string
	}{
		// 4 x 4 folds of 1,000 cycles, each 128 of load and 254 of skew
		{"ws", 1000, 512, 512, false, false, 16000, 0, 16 * (128 + 127), 16 * 127, "all"},
		{"ws", 1000, 512, 512, true, true, 16000, 0, 128 + 127, 127, "all"},
		{"os", 512, 512, 1000, false, false, 16000, 0, 16 * 127, 16 * 127, "all"},
		// 8 of 128 rows: 1,000 cycles of one fold
		{"os", 8, 128, 1000, false, false, 62.5, 937.5, 127, 127, "8 of 128 rows"},
		{"ws", 1000, 64, 8, false, false, 31.25, 968.75, 128 + 127, 127, "8 of 128 rows and 64 of 128 columns"},
		// one vector times a matrix: each fold streams one operand and waits 127 for the next weights
		{"ws", 1, 512, 512, true, true, 16, 0, 128 + 127 + 15*127, 127, "all"},
	} {
		g, op := one(graph.MatMul{M: c.m, N: c.n, K: c.k, Batch: 1, SharedB: 1}, graph.Uniform(graph.Int8), false)
		core := machine.Core{Array: dataflow.Array{Rows: 128, Cols: 128, OverlapPreload: c.preload, OverlapDrain: c.drain},
			Dataflow: c.flow, SRAM: machine.SRAM{Ifmap: 4 << 20, Filter: 4 << 20, Ofmap: 8 << 20}, Accumulator: graph.Int32, Lanes: 128}
		p, err := Map(op, g, core, "traffic")
		require.NoError(t, err)
		x := p.Parts()
		require.Equal(t, dataflow.Parts{Useful: c.useful, Mapping: c.mapping, Fill: c.fill, Drain: c.drainParts}, x, "%+v", c)
		require.Equal(t, c.filled, p.FilledText())
	}
}

// Small products of a batch lie side by side as a block diagonal, of which the last that fits
// still ends within both the rows and the columns; or along one side, one after the other in
// time, where more of them fit.
func TestProductsSideBySide(t *testing.T) {
	for _, c := range []struct {
		rows, cols, m, n int
		pack             int64
		serial           bool
	}{
		{16, 8, 4, 4, 2, false}, // the columns are full
		{8, 16, 4, 4, 2, false}, // the rows are
		{16, 16, 4, 4, 4, false},
		{16, 16, 5, 3, 3, false},  // 15 rows
		{16, 16, 9, 1, 8, false},  // two rows of each at a time
		{16, 16, 40, 1, 16, true}, // along the columns, three times
		{16, 16, 1, 40, 16, true}, // along the rows
		{16, 16, 40, 40, 1, false},
	} {
		g, op := one(graph.MatMul{Batch: 8, SharedB: 1, M: c.m, N: c.n, K: 50}, graph.Uniform(graph.Int8), false)
		core := machine.Core{Array: dataflow.Array{Rows: c.rows, Cols: c.cols}, Dataflow: "os", SRAM: machine.SRAM{Ifmap: 1 << 20, Filter: 1 << 20, Ofmap: 1 << 20}, Accumulator: graph.Int32, Lanes: 1}
		p, err := Map(op, g, core, "cycles")
		require.NoError(t, err)
		require.Equal(t, c.pack, p.tiles.Sol.Cost.Pack, "%+v", c)
		require.Equal(t, (8+c.pack-1)/c.pack, p.tiles.Sol.Cost.Groups, "%+v", c)
		require.Equal(t, c.serial, p.tiles.Sol.Cost.Serial, "%+v", c)
	}
}
