package mapping

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/accelerators/dataflow"
	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// Products with all operands in block formats move every block exactly once or as often
// as their mapping says, whole, partial ones at the ends of rows included.
func TestWalksOfBlocks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := graph.Uniform(rapid.SampledFrom([]graph.DType{graph.MXFP8, graph.MXFP6, graph.MXFP4, graph.NVFP4, graph.Q4, graph.Q8}).Draw(t, "dtype"))
		core := drawCore(t, 4000)
		g, op := one(drawGEMM(t, 200), d, rapid.Bool().Draw(t, "bias"))
		p, err := Map(op, g, core, rapid.SampledFrom(Objectives()).Draw(t, "objective"))
		if tooSmall(t, err) {
			return
		}
		checkWalk(t, g, p, core)
	})
}

// By hand: 100 x 100 weights of mxfp4 are 100 columns of four blocks of 17 bytes, the last
// one with four elements; 7 rows of 100 bf16 in and out.
func TestBytesOfBlocksByHand(t *testing.T) {
	d := graph.Uniform(graph.BF16)
	d.Weight = graph.MXFP4
	g, op := one(graph.MatMul{M: 7, N: 100, K: 100, Batch: 1, SharedB: 1}, d, true)
	require.EqualValues(t, 100*4*17, g.Tensors[1].Bytes())
	require.Equal(t, graph.BF16, g.Tensors[2].DType, "the bias is no matrix")
	p, err := Map(op, g, machine.Core{Array: dataflow.Array{Rows: 16, Cols: 16}, Dataflow: "ws", SRAM: machine.SRAM{Ifmap: 1 << 20, Filter: 1 << 20, Ofmap: 1 << 20}, Accumulator: graph.FP32, Lanes: 16}, "traffic")
	require.NoError(t, err)
	require.Equal(t, dma.Traffic{Ifmap: 1400, Filter: 6800, Psum: 200, Output: 1400}, p.Traffic)
}

// Parts of a tile begin with a block, also where folds are as long as whole kernels: 5
// channels of 2 x 4 with 20 elements of k to a fold.
func TestPartsBeginWithABlock(t *testing.T) {
	d := graph.Uniform(graph.Int8)
	d.Weight = graph.MXFP8
	k := graph.Conv{N: 1, C: 5, H: 2, W: 4, K: 1, R: 2, S: 4, StrideH: 1, StrideW: 1, DilationH: 1, DilationW: 1, Groups: 1}
	g, op := one(k, d, false)
	for _, flow := range []string{"ws", "os", "is"} {
		core := machine.Core{Array: dataflow.Array{Rows: 5, Cols: 5}, Dataflow: flow, SRAM: machine.SRAM{Ifmap: 600, Filter: 600, Ofmap: 600}, Accumulator: graph.Int32, Lanes: 1,
			Rates: machine.Rates{"int8": {Num: 4, Den: 1}, "mxfp8": {Num: 4, Den: 1}}.Table()}
		for _, objective := range Objectives() {
			p, err := Map(op, g, core, objective)
			require.NoError(t, err)
			checkWalk(t, g, p, core)
		}
	}
}
