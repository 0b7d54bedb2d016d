package kernel

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// Timing kernel takes the inverse as passes; types without a rate are refused as the
// workload is loaded.
func TestRatesOfKernels(t *testing.T) {
	s := Config{Rows: 128, Cols: 128, Clock: clock.GHz, Lanes: 128, Spec: DefaultSpec()}
	s.PE = machine.Rates{"int8": {Num: 2, Den: 1}, "fp32": {Num: 1, Den: 3}}
	m := s.machine(1e12)
	require.Equal(t, 0.5, m.Passes[graph.Int8])
	require.Equal(t, 3.0, m.Passes[graph.FP32])
	k := New("Core", engine.New(), s)
	require.EqualError(t, k.lacks(product(graph.BF16)), "Core: gemm: the array has no rate for products of bf16, the first of 1 (key pe has: int8, fp32)")
	require.NoError(t, k.lacks(product(graph.FP32)))
}

func product(d graph.DType) *graph.Graph {
	b := graph.NewBuilder("product")
	b.Output(b.MatMul("gemm", b.Input("a", 8, 8), b.Weight("w", 8, 8), graph.MatMul{Batch: 1, M: 8, N: 8, K: 8}, 8, 8))
	g, err := b.Graph()
	if err != nil {
		panic(err)
	}
	g.SetDTypes(graph.Uniform(d))
	return g
}
