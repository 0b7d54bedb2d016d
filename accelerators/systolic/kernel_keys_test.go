package systolic

import (
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/configs"
)

const kernelAndMemory = `
schema: causeway/1
nodes:
  - {name: Core, kind: systolic, timing: kernel, rows: 8, cols: 8, clock: 1GHz, %s}
  - {name: Mem, kind: memory, fidelity: ideal, latency: 10ns, bandwidth: 8GB/s, clock: 1GHz}
links: [Core -> Mem]
`

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
		"fidelity: tile, weight_fifo: 4, accumulators: 8":         "nodes.Core.weight_fifo: the queue of weights fetches tiles at the nominal bandwidth (want fidelity: analytic)",
		"fidelity: tile, stream_share: 2":                         "nodes.Core.stream_share: is 2 (want over 0 to 1)",
		"stream_share: 0.9":                                       "nodes.Core.stream_share: has no effect at fidelity analytic (used by: tile)",
		"fidelity: analytic, dma: {burst: 8KiB}":                  "nodes.Core.dma: has no effect with timing kernel",
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

// Every key of the core is either one that timing kernel reads, or refused with it.
func TestKernelKnowsEveryKey(t *testing.T) {
	read := append([]string{"rows", "cols", "clock", "timing", "overlap", "vector", "pe", "sparsity", "energy"}, kernelKeys...)
	var keys []string
	var walk func(x reflect.Type)
	walk = func(x reflect.Type) {
		for f := range x.Fields() {
			if f.Tag.Get("yaml") == ",inline" {
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
