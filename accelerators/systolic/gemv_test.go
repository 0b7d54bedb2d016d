package systolic

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// Products of 1 to 8 rows are bound by the memory, whatever the array does between
// tiles otherwise, and by loading 128 rows of weights where there is no path for them.
func TestGemvIsBoundByMemory(t *testing.T) {
	const n, gbps = 4096, 819
	bound := float64(n*n) / gbps
	for _, flow := range []Flow{"ws", "os", "is"} {
		for _, overlap := range []bool{false, true} {
			for _, rows := range []int{1, 3, 8} {
				b := defaultBench()
				b.spec.Rows, b.spec.Cols, b.spec.Dataflow, b.spec.Overlap = 128, 128, flow, Overlap{Preload: overlap, Drain: overlap}
				b.spec.DMA.Outstanding = 0
				b.mem.Latency, b.mem.Bandwidth = units.InCycles(100), gbps*8e9
				g := product(rows, n, n, graph.Int8)
				fast, p := matrixRun(t, b, g, "time")
				require.InEpsilon(t, bound, float64(fast), 0.1, "%s %v %d", flow, overlap, rows)
				require.Equal(t, int64(rows*n*n), p.MACs)
				b.spec.Gemv = 1
				slow, _ := matrixRun(t, b, g, "time")
				require.Greater(t, float64(slow), 0.99*n*n/128)
				byTraffic, _ := matrixRun(t, b, g, "traffic")
				b.spec.Gemv = 0
				again, _ := matrixRun(t, b, g, "traffic")
				require.Equal(t, byTraffic, again, "the objective traffic knows no path of its own")
			}
		}
	}
}

// What enters per cycle follows the memory below, the columns and the type.
func TestGemvFollowsTheMemory(t *testing.T) {
	b := defaultBench()
	b.spec.Rows, b.spec.Cols = 128, 128
	b.mem.Bandwidth = 819 * 8e9
	for _, c := range []struct {
		gemv Gemv
		d    graph.DType
		want int
	}{{0, graph.Int8, 13}, {0, graph.BF16, 7}, {1, graph.Int8, 0}, {4, graph.Int8, 4}, {500, graph.Int8, 128}} {
		b.spec.Gemv = c.gemv
		_, w := b.build(t, "analytic")
		require.Equal(t, c.want, w.inside().gemv(graph.Uniform(c.d)), "%+v", c)
	}
}
