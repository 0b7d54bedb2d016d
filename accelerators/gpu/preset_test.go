package gpu

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/configs/presets"
)

// Rates of the presets' matrix units, in 10^12 operations per second without sparsity, are
// those of the data sheets; of H100 and H200 at 1,830 MHz and of the PCIe card at 1,620, for which
// theirs are.
func TestPresetsReachTheirDataSheets(t *testing.T) {
	for name, want := range map[string]map[string]float64{
		"a100":         {"fp16": 312, "bf16": 312, "int8": 624, "int4": 1248},
		"a40":          {"fp16": 149.7, "bf16": 149.7, "int8": 299.3, "int4": 598.7},
		"h100":         {"fp16": 989.4, "bf16": 989.4, "fp8": 1978.9, "int8": 1978.9},
		"h200":         {"fp16": 989.4, "bf16": 989.4, "fp8": 1978.9, "int8": 1978.9},
		"rtx_4090":     {"fp16": 165.2, "bf16": 165.2, "fp8": 330.3, "int8": 660.6, "int4": 1321.2},
		"rtx_pro_6000": {"fp16": 504, "bf16": 504, "fp8": 1008, "int8": 1008, "mxfp8": 1008, "mxfp6": 1008, "mxfp4": 2015, "nvfp4": 2015},
		"l40s":         {"fp16": 366.4, "bf16": 366.4, "fp8": 732.9, "int8": 732.9, "int4": 1466},
		"l4":           {"fp16": 121.2, "bf16": 121.2, "fp8": 242.3, "int8": 242.3, "int4": 484.6},
		"a10":          {"fp16": 125, "bf16": 125, "int8": 250, "int4": 500},
		"h20":          {"fp16": 148.3, "bf16": 148.3, "fp8": 296.5, "int8": 296.5},
		"b200":         {"fp16": 2250, "bf16": 2250, "fp8": 4500, "int8": 4500, "mxfp8": 4500, "mxfp6": 4500, "mxfp4": 9000, "nvfp4": 9000},
		"gb200":        {"fp16": 2500, "bf16": 2500, "fp8": 5000, "int8": 5000, "mxfp8": 5000, "mxfp6": 5000, "mxfp4": 10000, "nvfp4": 10000},
		"b300":         {"fp16": 2250, "bf16": 2250, "fp8": 4500, "int8": 140.6, "mxfp8": 4500, "mxfp6": 4500, "mxfp4": 13500, "nvfp4": 13500},
		"gb300":        {"fp16": 2500, "bf16": 2500, "fp8": 5000, "int8": 156.3, "mxfp8": 5000, "mxfp6": 5000, "mxfp4": 15000, "nvfp4": 15000},
		"mi300x":       {"fp16": 1307, "bf16": 1307, "fp8": 2615, "int8": 2615, "fp32": 163.4},
		"mi325x":       {"fp16": 1307, "bf16": 1307, "fp8": 2615, "int8": 2615, "fp32": 163.4},
		"mi355x":       {"fp16": 2517, "bf16": 2517, "fp8": 5033, "int8": 5033, "mxfp8": 5033, "mxfp6": 10066, "mxfp4": 10066, "fp32": 157.3},
		"a100_40gb":    {"fp16": 312, "bf16": 312, "int8": 624, "int4": 1248},
		"h100_pcie":    {"fp16": 756.4, "bf16": 756.4, "fp8": 1512.9, "int8": 1512.9},
		"rtx_5090":     {"fp16": 209.5, "bf16": 209.5, "fp8": 419, "int8": 838, "mxfp8": 419, "mxfp6": 419, "mxfp4": 1676, "nvfp4": 1676},
		"mi250x":       {"fp16": 383, "bf16": 383, "int8": 383, "fp32": 95.7},
		"arc_pro_b60":  {"fp16": 98.3, "bf16": 98.3, "int8": 196.6, "int4": 393.2},
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
		if name == "h100_pcie" {
			hz = 1620e6
		}
		require.Len(t, rates, len(want), name)
		for d, x := range want {
			require.InEpsilon(t, x, 2*sms*rates[d]*hz/1e12, 0.001, "%s: %s", name, d)
		}
	}
}
