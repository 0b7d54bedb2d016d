package mapping

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/dataflow"
	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/workloads/graph"
)

func rated(flow string, d graph.DType, m, n, k int, rates machine.Rates) (*Plan, error) {
	g, op := one(graph.MatMul{M: m, N: n, K: k, Batch: 1, SharedB: 1}, graph.Uniform(d), false)
	return Map(op, g, machine.Core{Array: dataflow.Array{Rows: 128, Cols: 128}, Dataflow: flow, Rates: rates.Table(),
		SRAM: machine.SRAM{Ifmap: 16 << 20, Filter: 16 << 20, Ofmap: 16 << 20}, Accumulator: graph.FP32, Lanes: 128}, "cycles")
}

// By hand: two elements of k share a word, so that 512 of them are two folds of 128 rows
// in place of four, or stream in half the time; at 1/3 they are twelve folds, or three
// times as long.
func TestRatesByHand(t *testing.T) {
	rates := machine.Rates{"int8": {Num: 2, Den: 1}, "bf16": {Num: 1, Den: 1}, "fp32": {Num: 1, Den: 3}}
	for _, c := range []struct {
		flow string
		d    graph.DType
		want int64
	}{
		{"ws", graph.BF16, 4 * 4 * (128 + 1000 + 254)},
		{"ws", graph.Int8, 2 * 4 * (128 + 1000 + 254)},
		{"ws", graph.FP32, 12 * 4 * (128 + 1000 + 254)},
		{"is", graph.Int8, 2 * 8 * (128 + 512 + 254)},
		{"os", graph.BF16, 8 * 4 * (512 + 254)},
		{"os", graph.Int8, 8 * 4 * (256 + 254)},
		{"os", graph.FP32, 8 * 4 * (3*512 + 254)},
	} {
		p, err := rated(c.flow, c.d, 1000, 512, 512, rates)
		require.NoError(t, err)
		require.Equal(t, c.want, p.Cycles, "%+v", c)
		require.InEpsilon(t, float64(1000*512*512)/rates[c.d.String()].Float(), p.Work(), 1e-12)
	}
	_, err := rated("ws", graph.FP16, 8, 8, 8, rates)
	require.EqualError(t, err, "op: the array has no rate for products of fp16 (key pe has: int8, bf16, fp32)")
}

// Products are made in the widest type of their operands: weights of 4 bits with
// activations of 16 go at the rate of these.
func TestTheWiderOperandSaysTheRate(t *testing.T) {
	g, op := one(graph.MatMul{M: 8, N: 8, K: 8, Batch: 1, SharedB: 1}, graph.DTypes{Weight: graph.Int4, Activation: graph.BF16}, false)
	d, ok := g.Multiplied(op)
	require.True(t, ok)
	require.Equal(t, graph.BF16, d)
	require.NoError(t, machine.Rates{"bf16": {Num: 1, Den: 1}}.Lacks(g))
	require.EqualError(t, machine.Rates{"int4": {Num: 1, Den: 1}}.Lacks(g), "op: the array has no rate for products of bf16, the first of 1 (key pe has: int4)")
}

// A word holds elements of one tile: tiles of one element in time take a cycle each, at
// any rate.
func TestWordsOfShortTiles(t *testing.T) {
	g, op := one(graph.MatMul{M: 1, N: 1, K: 2, Batch: 1, SharedB: 1}, graph.Uniform(graph.Int8), false)
	core := machine.Core{Array: dataflow.Array{Rows: 1, Cols: 1}, Dataflow: "os", Rates: machine.Rates{"int8": {Num: 2, Den: 1}}.Table(),
		SRAM: machine.SRAM{Ifmap: 1 << 10, Filter: 1 << 10, Ofmap: 1 << 10}, Accumulator: graph.Int32, Lanes: 1}
	p, err := NewMapper().Map(op, g, core, "cycles", Rule{Tile: dma.Tile{K: 1}, Order: "mnk"})
	require.NoError(t, err)
	checkWalk(t, g, p, core)
	require.EqualValues(t, 2, p.Cycles)
}
