package systolic

import (
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/mapping"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/workloads/graph"
)

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
		s, e, err := fromConfig(t, fmt.Sprintf(kernelAndMemory, keys))
		require.NoError(t, err, keys)
		g := three(t)
		k := s.Node("Core").(*Kernel)
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
			for _, n := range r.parts {
				sum += n
			}
			require.Equal(t, at, r.start, "%s %s", keys, r.name)
			require.Equal(t, r.end-r.start, sum, "%s %s", keys, r.name)
			at = r.end
		}
		require.Equal(t, at, *k.End())
		require.Equal(t, uint64(20*24*16+20*8*24), k.sum.macs)
	}
}

// By hand: a queue of two tiles of 64 bytes at 8 bytes a cycle. Tile i has come at 12 +
// 8 (i+1); every tile is shifted in 8 cycles after the product before began or its own
// arrival; a product takes 20, and the drain 16.
func TestKernelQueue(t *testing.T) {
	s, e, err := fromConfig(t, fmt.Sprintf(kernelAndMemory, "weight_fifo: 2, accumulators: 64"))
	require.NoError(t, err)
	k := s.Node("Core").(*Kernel)
	g := three(t)
	require.NoError(t, work.IssueAll(k, work.Share{Graph: g, Program: mapping.Program{Jobs: []mapping.Job{{Op: 0}}}}))
	require.NoError(t, k.Start())
	require.NoError(t, e.Run())
	first := k.latency + 8 + 8
	require.Equal(t, first+6*20+16, *k.End())
	require.Equal(t, [kernelParts]uint64{kernelBusy: 120, kernelMemory: k.latency + 8, kernelShift: 8, kernelWait: 16}, k.sum.parts)
}

// The shares of the array's cycles leave out what the activation unit does.
func TestArraySharesAreOfProducts(t *testing.T) {
	s, e, err := fromConfig(t, fmt.Sprintf(kernelAndMemory, "weight_fifo: 2, accumulators: 64, vector: {lanes: 1}"))
	require.NoError(t, err)
	k := s.Node("Core").(*Kernel)
	require.NoError(t, work.IssueAll(k, work.Share{Graph: three(t), Program: mapping.Program{Jobs: []mapping.Job{{Op: 0}, {Op: 1}, {Op: 2}}}}))
	require.NoError(t, k.Start())
	require.NoError(t, e.Run())
	got := map[string]float64{}
	for _, m := range k.Stats().Metrics() {
		got[m.Name] = m.Value
	}
	require.InDelta(t, 100, got["array_active"]+got["weight_stall"]+got["weight_shift"], 1e-9)
	active, all := k.Rows()[0].queue[0]+k.Rows()[2].queue[0], uint64(0)
	for _, n := range k.sum.queue {
		all += n
	}
	require.Equal(t, 100*float64(active)/float64(all), got["array_active"])
	require.Equal(t, uint64(20*(6+3)), active)
	require.Greater(t, k.sum.parts[kernelBusy], active, "480 elements one by one besides")
}

// A key of one timing is an error with another, and so is what no machine can have.
func TestKernelKeys(t *testing.T) {
	for keys, want := range map[string]string{
		"sram: {ifmap: 1MiB}":                                     "nodes.Core.sram: has no effect with timing kernel (used by: physical, scalesim)",
		"overlap: {drain: true}":                                  "nodes.Core.overlap.drain: has no effect with timing kernel",
		"arrays: 3, cores: 2":                                     "nodes.Core.arrays: 3 arrays in 2 cores",
		"kernels: {sustained: 1.5}":                               "nodes.Core.kernels.sustained: is 1.5 (want over 0 to 1)",
		"kernels: {copies: hidden}":                               "hidden",
		"kernels: {operands: nowhere}":                            "nowhere",
		"kernels: {heads: all}":                                   "(want one of: apart, together)",
		"kernels: {launch: {gem: 1us}}":                           `nodes.Core.kernels.launch.gem: unknown key`,
		"kernels: {memory_efficiency: {gemm: 2}}":                 "nodes.Core.kernels.memory_efficiency.gemm: is 2 (want over 0 to 1)",
		"kernels: {rates: {add: 0}}":                              "nodes.Core.kernels.rates.add: is 0 (want over 0",
		"kernels: {tile: 1MiB}":                                   "nodes.Core.kernels.tile: tile and launch.tiled need each other",
		"launch: {gemm: 1us}":                                     "nodes.Core.launch: unknown key",
		"pe: {int9: 2}":                                           "nodes.Core.pe.int9: unknown key",
		"pe: {int8: 0}":                                           "(want multiply-accumulates per cycle",
		"pe: {int8: 2}, weight_fifo: 4, accumulators: 8":          "nodes.Core.pe: has no effect with weight_fifo",
		"weight_fifo: 4":                                          "nodes.Core.weight_fifo: needs accumulators, which are 0",
		"weight_fifo: 4, accumulators: 8, kernels: {ragged: 0.5}": "nodes.Core.kernels.ragged: has no effect with weight_fifo",
		"fidelity: tile":                                          "nodes.Core.fidelity: timing kernel reckons with nominal bandwidths",
		"timing: physical, vmem: 16MiB":                           "nodes.Core.vmem: has no effect with timing physical (used by: kernel)",
		"timing: physical, vector: {units: 3}":                    "nodes.Core.vector.units: has no effect with timing physical (used by: kernel)",
		"timing: physical, kernels: {block: 3}":                   "nodes.Core.kernels: has no effect with timing physical (used by: kernel)",
	} {
		text := fmt.Sprintf(kernelAndMemory, keys)
		if strings.HasPrefix(keys, "timing") {
			text = strings.Replace(text, "timing: kernel, ", "", 1)
		}
		_, _, err := fromConfig(t, text)
		require.ErrorContains(t, err, want, keys)
	}
}

// The values of a library of kernels that were fitted are those of the study's files of fitted
// values, and a chip's preset has none.
func TestPresetsHoldTheFittedValues(t *testing.T) {
	preset := func(name string) configs.Value {
		text, err := os.ReadFile("../../configs/presets/" + name + ".yaml")
		require.NoError(t, err)
		v, err := configs.ParseValue(name, text)
		require.NoError(t, err)
		return v
	}
	for machine, library := range map[string]string{
		"tpu_v3": "xla_tpu_v3", "tpu_v4": "xla_tpu_v4", "tpu_v6e": "xla_tpu_v6e", "tpu_v6e_pallas": "pallas_tpu_v6e",
	} {
		p := preset(library)
		require.Equal(t, "kernels", p.Get("for").Text(), library)
		f := "../../configs/studies/hardware/machines/" + machine + ".fitted.yaml"
		text, err := os.ReadFile(f)
		require.NoError(t, err)
		doc, err := configs.ParseValue(f, text)
		require.NoError(t, err)
		var compare func(fitted, in configs.Value, path string)
		compare = func(fitted, in configs.Value, path string) {
			if fitted.Kind() == configs.Map {
				for _, key := range fitted.Keys() {
					compare(fitted.Get(key), in.Get(key), path+"."+key)
				}
				return
			}
			require.Equal(t, fitted.Text(), in.Text(), path)
		}
		for _, n := range doc.Get("nodes").Items() {
			require.Equal(t, []string{"name", "kernels"}, n.Keys(), f)
			compare(n.Get("kernels"), p, library)
		}
	}
	for _, chip := range []string{"tpu_v1_core", "tpu_v3", "tpu_v4", "tpu_v6e"} {
		text, err := os.ReadFile("../../configs/presets/" + chip + ".yaml")
		require.NoError(t, err)
		require.NotContains(t, string(text), "fitted", chip)
	}
}

// What a job costs alone is what it takes when it is the first to run, and asking
// changes nothing.
func TestKernelPlans(t *testing.T) {
	for _, keys := range []string{"kernels: {launch: {gemm: 7ns}}", "weight_fifo: 2, accumulators: 64"} {
		s, e, err := fromConfig(t, fmt.Sprintf(kernelAndMemory, keys))
		require.NoError(t, err)
		k := s.Node("Core").(*Kernel)
		share := work.Share{ID: 4, Graph: three(t), Program: mapping.Program{Jobs: []mapping.Job{{Op: 0, Fused: []int{1}}, {Op: 2}}}}
		require.NoError(t, k.Prepare(share))
		cost := k.Plan(4, 0)
		require.Equal(t, cost, k.Plan(4, 0))
		require.NoError(t, work.IssueAll(k, share))
		require.NoError(t, k.Start())
		require.NoError(t, e.Run())
		require.Equal(t, cost.Time, units.Time(k.Rows()[1].end)*units.Nanosecond, keys)
		require.Equal(t, cost.Bytes, k.Rows()[0].Bytes()+k.Rows()[1].Bytes())
	}
}

// Every key of the core is either one that timing kernel reads, or refused with it.
func TestKernelKnowsEveryKey(t *testing.T) {
	read := append([]string{"rows", "cols", "clock", "timing", "overlap", "vector", "pe", "sparsity"}, kernelKeys...)
	var keys []string
	var walk func(x reflect.Type)
	walk = func(x reflect.Type) {
		for f := range x.Fields() {
			if f.Anonymous {
				walk(f.Type)
				continue
			}
			keys = append(keys, f.Tag.Get("yaml"))
		}
	}
	walk(reflect.TypeFor[Spec]())
	for _, k := range keys {
		require.NotEqual(t, slices.Contains(read, k), slices.Contains(otherKeys, k), k)
	}
	require.Len(t, keys, len(read)+len(otherKeys))
}
