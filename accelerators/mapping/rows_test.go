package mapping

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/dataflow"
	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// On an array of 128 x 128 a row more of a product with weights of 4,096 x 4,096 costs its share, at
// most of the next tile, and 0.6%; it saves at most 0.34% (512 to 513). Of all M from 1 to 1,024 the
// worst is 1.0058 after 383.
func TestARowMoreCostsItsShare(t *testing.T) {
	x := trial{d: graph.BF16, core: machine.Core{Array: dataflow.Array{Rows: 128, Cols: 128}, Dataflow: "ws",
		SRAM: machine.SRAM{Ifmap: 4 << 20, Filter: 4 << 20, Ofmap: 4 << 20}, Accumulator: graph.FP32, Lanes: 128,
		Memory: machine.Memory{Bandwidth: 400, Cycles: 1, Latency: 100, Burst: 4096, Outstanding: 64}}}
	tiles := func(m int) float64 { return float64((m + 127) / 128) }
	time := func(m int) float64 {
		return x.time(t, x.core, graph.MatMul{Batch: 1, M: m, N: 4096, K: 4096}, "time")
	}
	worst := 0.0
	for _, r := range [][2]int{{1, 4}, {125, 131}, {254, 259}, {353, 355}, {382, 386}, {511, 514}, {1022, 1024}} {
		before := time(r[0])
		for m := r[0] + 1; m <= r[1]; m++ {
			after := time(m)
			worst = max(worst, after/before/max(float64(m)/float64(m-1), tiles(m)/tiles(m-1)))
			require.LessOrEqual(t, worst, 1.006, "M %d", m)
			require.LessOrEqual(t, before, 1.004*after, "M %d", m)
			before = after
		}
	}
	t.Logf("worst %.4f", worst)
}
