package mapping

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/dataflow"
	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// What registers and buffers move, by hand: a product in one fold, activations of 8 bits, weights of 4 and sums of 32.
// With every multiply-accumulate both operands go on to the next element (os), or the activation and the sum (ws), or the
// weight and the sum (is), in whole bytes. The DMA writes each operand into its buffer once and the array reads it once;
// it writes sums, and the DMA reads results.
func TestBytesOfRegistersAndBuffersByHand(t *testing.T) {
	d := graph.Uniform(graph.Int8)
	d.Weight = graph.Int4
	for _, c := range []struct {
		m, n, k   int
		registers map[string]int64
	}{
		{10, 6, 8, map[string]int64{"os": 480 * (8 + 4) / 8, "ws": 480 * (8 + 32) / 8, "is": 480 * (4 + 32) / 8}},
		{1, 1, 3, map[string]int64{"os": 5, "ws": 15, "is": 14}}, // 36, 120 and 108 bits
	} {
		g, op := one(graph.MatMul{M: c.m, N: c.n, K: c.k, Batch: 1, SharedB: 1}, d, false)
		for flow, registers := range c.registers {
			core := machine.Core{Array: dataflow.Array{Rows: 16, Cols: 16}, Dataflow: flow, SRAM: machine.SRAM{Ifmap: 1 << 20, Filter: 1 << 20, Ofmap: 1 << 20}, Accumulator: graph.Int32, Lanes: 16}
			p, err := Map(op, g, core, "traffic")
			require.NoError(t, err)
			require.Equal(t, registers, p.RegisterBytes(), "%s %+v", flow, c)
			a, b, sums := int64(c.m*c.k), int64(c.k*c.n+1)/2, int64(c.m*c.n)
			require.Equal(t, [3]int64{2 * a, 2 * b, 4*sums + sums}, p.BufferBytes(), "%s %+v", flow, c)
		}
	}
}

// Tiles of a peer's rule cover the result once, in rows, and go to the cores in turn; those at the end of a row or a column
// are what is left.
func TestTilesOfAPeer(t *testing.T) {
	rule := func(m, n, k, bytes int64, c machine.Core) dma.Tile {
		require.Equal(t, [4]int64{10, 7, 5, 2}, [4]int64{m, n, k, bytes})
		return dma.Tile{M: 4, N: 3, K: 9}
	}
	g, _ := one(graph.MatMul{M: 10, N: 7, K: 5, Batch: 1, SharedB: 1}, graph.Uniform(graph.FP16), false)
	x := &Mapper{}
	out, ok := x.deal(&splitter{g: g}, 0, make([]machine.Core, 2), rule)
	require.True(t, ok)
	require.Len(t, out, 3*3)
	for i, q := range out {
		r, c := int64(i/3*4), int64(i%3*3)
		require.Equal(t, [2]int{i % 2, i / 2}, [2]int{q.core, q.part})
		require.Equal(t, [4]int64{r, min(r+4, 10), c, min(c+3, 7)}, [4]int64{q.sh.Row.From, q.sh.Row.To, q.sh.N.From, q.sh.N.To})
		require.Equal(t, dma.Tile{Batch: 1, M: 4, N: 3, K: 5}, q.tile, "no more than the product has")
	}
	g, _ = one(graph.MatMul{M: 10, N: 7, K: 5, Batch: 2, SharedB: 1}, graph.Uniform(graph.FP16), false)
	_, ok = x.deal(&splitter{g: g}, 0, make([]machine.Core, 2), rule)
	require.False(t, ok, "several products")
}

// The others of a join are its jobs on other cores.
func TestOthersOfAJoin(t *testing.T) {
	j := &Join{Members: []Token{{Op: 3, Core: 1}, {Op: 3, Core: 4}, {Op: 3, Core: 5}}}
	for core, want := range map[int]int{0: 3, 1: 2, 3: 3, 4: 2, 5: 2, 6: 3} {
		require.Equal(t, want, j.Others(core), core)
	}
	require.Equal(t, 3, j.Op())
}
