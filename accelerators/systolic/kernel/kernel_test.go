package kernel_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/mapping"
	_ "github.com/causeway-sim/causeway/accelerators/systolic"
	"github.com/causeway-sim/causeway/accelerators/systolic/kernel"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	_ "github.com/causeway-sim/causeway/configs/yaml"
	_ "github.com/causeway-sim/causeway/memory/ideal"
	"github.com/causeway-sim/causeway/workloads/graph"
)

func fromConfig(t *testing.T, text string) (*system.System, *engine.Engine) {
	t.Helper()
	doc, err := configs.Parse("test.yaml", []byte(text), configs.Options{})
	require.NoError(t, err)
	e := engine.New()
	s, err := system.Build(doc, &system.Env{Engine: e})
	require.NoError(t, err)
	return s, e
}

const kernelAndMemory = `
schema: causeway/1
nodes:
  - {name: Core, kind: systolic, timing: kernel, rows: 8, cols: 8, clock: 1GHz, %s}
  - {name: Mem, kind: memory, fidelity: ideal, latency: 10ns, bandwidth: 8GB/s, clock: 1GHz}
links: [Core -> Mem]
`

// three is a product, a function of its result and another product.
func three(t *testing.T) *graph.Graph {
	b := graph.NewBuilder("three")
	x := b.MatMul("first", b.Input("x", 20, 16), b.Weight("w", 16, 24), graph.MatMul{Batch: 1, M: 20, N: 24, K: 16}, 20, 24)
	x = b.Elementwise("act", "relu", x)
	b.Output(b.MatMul("second", x, b.Weight("v", 24, 8), graph.MatMul{Batch: 1, M: 20, N: 8, K: 24}, 20, 8))
	g, err := b.Graph()
	require.NoError(t, err)
	g.SetDTypes(graph.Uniform(graph.Int8))
	return g
}

// Operators run one after the other from the arrival of their workload on, the parts of
// their cycles add up, and the table says the same as the metrics.
func TestKernelCore(t *testing.T) {
	for _, keys := range []string{"kernels: {launch: {gemm: 7ns}}", "kernels: {launch: {all: 3ns}, copies: added}, arrays: 2, cores: 2", "weight_fifo: 2, accumulators: 64, kernels: {launch: {gemm: 5ns}}"} {
		s, e := fromConfig(t, fmt.Sprintf(kernelAndMemory, keys))
		g := three(t)
		k := s.Node("Core").(*kernel.Core)
		p := mapping.Program{Jobs: []mapping.Job{{Op: 0, Fused: []int{1}}, {Op: 2}}}
		require.NoError(t, work.IssueAll(k, work.Share{Graph: g, Program: p, Arrival: 100 * units.Nanosecond}))
		require.NoError(t, k.Start())
		require.NoError(t, e.Run())
		require.Empty(t, k.Stats().Verify(), keys)
		require.Equal(t, uint64(100), *k.Idle())
		require.Len(t, k.Rows(), 3)
		at := uint64(100)
		for _, r := range k.Rows() {
			var sum uint64
			for _, n := range r.Parts() {
				sum += n
			}
			require.Equal(t, at, r.Start(), "%s %s", keys, r.Name())
			require.Equal(t, r.Cycles(), sum, "%s %s", keys, r.Name())
			at = r.End()
		}
		require.Equal(t, at, *k.End())
		require.Equal(t, uint64(20*24*16+20*8*24), k.MACs())
	}
}

// By hand: a queue of two tiles of 64 bytes at 8 bytes a cycle. Tile i has come at 12 +
// 8 (i+1); every tile is shifted in 8 cycles after the product before began or its own
// arrival; a product takes 20, and the drain 16.
func TestKernelQueue(t *testing.T) {
	s, e := fromConfig(t, fmt.Sprintf(kernelAndMemory, "weight_fifo: 2, accumulators: 64"))
	k := s.Node("Core").(*kernel.Core)
	g := three(t)
	require.NoError(t, work.IssueAll(k, work.Share{Graph: g, Program: mapping.Program{Jobs: []mapping.Job{{Op: 0}}}}))
	require.NoError(t, k.Start())
	require.NoError(t, e.Run())
	first := k.Latency() + 8 + 8
	require.Equal(t, first+6*20+16, *k.End())
	require.Equal(t, []uint64{120, k.Latency() + 8, 8, 16, 0}, k.Parts())
}

// The shares of the array's cycles leave out what the activation unit does.
func TestArraySharesAreOfProducts(t *testing.T) {
	s, e := fromConfig(t, fmt.Sprintf(kernelAndMemory, "weight_fifo: 2, accumulators: 64, vector: {lanes: 1}"))
	k := s.Node("Core").(*kernel.Core)
	require.NoError(t, work.IssueAll(k, work.Share{Graph: three(t), Program: mapping.Program{Jobs: []mapping.Job{{Op: 0}, {Op: 1}, {Op: 2}}}}))
	require.NoError(t, k.Start())
	require.NoError(t, e.Run())
	got := map[string]float64{}
	for _, m := range k.Stats().Metrics() {
		got[m.Name] = m.Value
	}
	require.InDelta(t, 100, got["array_active"]+got["weight_stall"]+got["weight_shift"], 1e-9)
	active, all := k.Rows()[0].Queue()[0]+k.Rows()[2].Queue()[0], uint64(0)
	for _, n := range k.Queue() {
		all += n
	}
	require.Equal(t, 100*float64(active)/float64(all), got["array_active"])
	require.Equal(t, uint64(20*(6+3)), active)
	require.Greater(t, k.Parts()[0], active, "480 elements one by one besides")
}

// What a job costs alone is what it takes when it is the first to run, and asking
// changes nothing.
func TestKernelPlans(t *testing.T) {
	for _, keys := range []string{"kernels: {launch: {gemm: 7ns}}", "weight_fifo: 2, accumulators: 64"} {
		s, e := fromConfig(t, fmt.Sprintf(kernelAndMemory, keys))
		k := s.Node("Core").(*kernel.Core)
		share := work.Share{ID: 4, Graph: three(t), Program: mapping.Program{Jobs: []mapping.Job{{Op: 0, Fused: []int{1}}, {Op: 2}}}}
		require.NoError(t, k.Prepare(share))
		cost := k.Plan(4, 0)
		require.Equal(t, cost, k.Plan(4, 0))
		require.NoError(t, work.IssueAll(k, share))
		require.NoError(t, k.Start())
		require.NoError(t, e.Run())
		require.Equal(t, cost.Time, units.Time(k.Rows()[1].End())*units.Nanosecond, keys)
		require.Equal(t, cost.Bytes, k.Rows()[0].Bytes()+k.Rows()[1].Bytes())
	}
}
