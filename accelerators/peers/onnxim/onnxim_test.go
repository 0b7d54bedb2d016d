package onnxim

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/dataflow"
	"github.com/causeway-sim/causeway/accelerators/mapping"
	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/workloads/graph"
)

func core() machine.Core {
	return machine.Core{Array: dataflow.Array{Rows: 128, Cols: 128, OverlapPreload: true, OverlapDrain: true}, Dataflow: "ws",
		SRAM: machine.SRAM{Ifmap: 16 << 20, Filter: 16 << 20, Ofmap: 4 << 20}, Accumulator: graph.FP16, Lanes: 4096}
}

// By hand: half of 4 MiB of accumulators holds 32 blocks of 128 x 128 results of 2 bytes
// twice over, so that a square tile has at most 5 x 5 blocks. 512 is one tile, 1,024 two
// of 512 each way, 1,300 (11 blocks) three of 4 blocks, the last one smaller.
func TestTilesByHand(t *testing.T) {
	for size, want := range map[int64]int64{1: 128, 128: 128, 512: 512, 640: 640, 641: 384, 1024: 512, 1300: 384} {
		require.Equal(t, want, Tiles(size, 128, 128, 2, core()).M, size)
		require.Equal(t, want, Tiles(128, size, 128, 2, core()).N, size)
	}
	require.Equal(t, int64(4096), Tiles(128, 128, 4096, 2, core()).K, "12 blocks and more of the reduction fit")
}

// Tiles go to the cores in turn, columns running faster; all of the product is done.
func TestTilesAreDealtInTurn(t *testing.T) {
	g := &graph.Graph{Name: "product"}
	a := g.Add(graph.Tensor{Name: "a", Shape: []int{1024, 512}, DType: graph.FP16, Role: graph.Input})
	b := g.Add(graph.Tensor{Name: "b", Shape: []int{512, 1300}, DType: graph.FP16, Role: graph.Weight})
	c := g.Add(graph.Tensor{Name: "c", Shape: []int{1024, 1300}, DType: graph.FP16, Role: graph.Output})
	g.Append(graph.Op{Name: "product", Kind: graph.MatMul{Batch: 1, M: 1024, N: 1300, K: 512}, In: []graph.TensorID{a, b}, Out: []graph.TensorID{c}})
	spec := mapping.DefaultSpec()
	spec.Rules = "onnxim"
	ps, err := mapping.Split(g, []machine.Core{core(), core(), core(), core()}, spec)
	require.NoError(t, err)
	macs, jobs := int64(0), 0
	for i, p := range ps {
		for k, j := range p.Jobs {
			require.Equal(t, int32(k), j.Part)
			require.Equal(t, int64(512), j.Plan.Tile.M)
			require.Equal(t, int64(512), j.Plan.Tile.K)
			macs += j.Plan.MACs
			jobs++
		}
		require.Len(t, p.Jobs, 2, "core %d of four, two rows of four tiles", i)
	}
	require.Equal(t, g.MACs(), macs)
	require.Equal(t, 8, jobs)
	spec.Rules = "gemmini"
	_, err = mapping.Split(g, []machine.Core{core()}, spec)
	require.EqualError(t, err, `mapping.rules: unknown "gemmini" (want one of: onnxim)`)
}
