package gpu

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/configs/presets"
)

// Rates of the presets' matrix units, in 10^12 operations per second without sparsity, are
// those of the data sheets; of H100 and H200 at 1,830 MHz, for which theirs are.
func TestPresetsReachTheirDataSheets(t *testing.T) {
	for name, want := range map[string]map[string]float64{
		"a100":         {"fp16": 312, "bf16": 312, "int8": 624, "int4": 1248},
		"a40":          {"fp16": 149.7, "bf16": 149.7, "int8": 299.3, "int4": 598.7},
		"h100":         {"fp16": 989.4, "bf16": 989.4, "fp8": 1978.9, "int8": 1978.9},
		"h200":         {"fp16": 989.4, "bf16": 989.4, "fp8": 1978.9, "int8": 1978.9},
		"rtx_4090":     {"fp16": 165.2, "bf16": 165.2, "fp8": 330.3, "int8": 660.6, "int4": 1321.2},
		"rtx_pro_6000": {"fp16": 504, "bf16": 504, "fp8": 1008, "int8": 1008, "mxfp8": 1008, "mxfp6": 1008, "mxfp4": 2015, "nvfp4": 2015},
		"mi210":        {"fp16": 181, "bf16": 181, "int8": 181, "fp32": 45.3},
	} {
		text, err := presets.FS.ReadFile(name + ".yaml")
		require.NoError(t, err)
		v, err := configs.ParseValue(name, text)
		require.NoError(t, err)
		var sms float64
		var c units.Frequency
		rates := map[string]float64{}
		require.NoError(t, v.Get("sms").Decode(&sms))
		require.NoError(t, v.Get("clock").Decode(&c))
		require.NoError(t, v.Get("tensor").Decode(&rates))
		hz := 1e9 / c.Nanoseconds(1)
		if name == "h100" || name == "h200" {
			hz = 1830e6
		}
		require.Len(t, rates, len(want), name)
		for d, x := range want {
			require.InEpsilon(t, x, 2*sms*rates[d]*hz/1e12, 0.001, "%s: %s", name, d)
		}
	}
}
