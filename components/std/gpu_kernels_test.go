package std_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/configs/presets"
)

// Every preset of a GPU carries out a layer by default, in types that a library has kernels for and
// in others. Rotary embeddings and writes into the cache are parts of the measured attention where
// it is taken, and kernels of their own elsewhere: never both, never neither.
func TestKernelsOfEveryGPU(t *testing.T) {
	files, err := presets.FS.ReadDir(".")
	require.NoError(t, err)
	gpus, measured := 0, 0
	for _, f := range files {
		text, err := presets.FS.ReadFile(f.Name())
		require.NoError(t, err)
		if !strings.HasPrefix(string(text), "kind: gpu\n") {
			continue
		}
		gpus++
		name := strings.TrimSuffix(f.Name(), ".yaml")
		for _, dtype := range []string{"bf16", "fp8", "int8", "fp32"} {
			for _, phase := range []string{"prefill, sequence: 512", "decode, context: 2048"} {
				at := name + " " + dtype + " " + phase
				config := fmt.Sprintf("schema: causeway/1\nworkload: {model: llama3_8b, layers: 0..0, batch: 4, phase: %s, dtype: %s}\nnodes: [{name: Chip, kind: gpu, preset: %s}]\n", phase, dtype, name)
				x, err := experiment.Parse("c.yaml", []byte(config), experiment.Options{})
				require.NoError(t, err, at)
				r, _, err := x.Run(context.Background(), nil)
				require.NoError(t, err, at)
				rows := r.Layers.Rows
				column := func(c string) int {
					i := slices.IndexFunc(r.Layers.Columns, func(x stats.Column) bool { return x.Name == c })
					require.GreaterOrEqual(t, i, 0, at)
					return i
				}
				layer, cycles, kernel := column("layer"), column("cycles"), column("kernel")
				library := map[string]any{}
				took := map[string]any{}
				for _, row := range rows {
					took[row[layer].(string)], library[row[layer].(string)] = row[cycles], row[kernel]
				}
				for _, part := range []string{"q.rope", "k.rope", "k_cache.append", "v_cache.append"} {
					if library["L0.attention"] == "trtllm" {
						require.EqualValues(t, 0, took["L0."+part], "%s %s", at, part)
						require.Equal(t, "attention", library["L0."+part], at)
					} else if part == "v_cache.append" { // keys and values are written by one kernel
						require.EqualValues(t, 0, took["L0."+part], at)
						require.Equal(t, "joined", library["L0."+part], at)
					} else {
						require.NotEqualValues(t, 0, took["L0."+part], "%s %s", at, part)
					}
				}
				if library["L0.attention"] == "trtllm" {
					measured++
				} else {
					require.Equal(t, "cutlass", library["L0.attention"], at)
				}
			}
		}
	}
	require.GreaterOrEqual(t, gpus, 18)
	require.GreaterOrEqual(t, measured, 20)
}
