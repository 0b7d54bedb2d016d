package catalogue

import (
	"testing"

	"github.com/stretchr/testify/require"

	_ "github.com/causeway-sim/causeway/configs/yaml"
)

// Every preset of a chip is a row with a peak and a source, equal to its data sheet; cores of other
// accelerators are none. A row says what of units and memory the presets know.
func TestChips(t *testing.T) {
	table, err := Chips()
	require.NoError(t, err)
	chips := ByName(table)
	require.GreaterOrEqual(t, len(chips), 32)
	for name, c := range chips {
		require.NotEmpty(t, c["source"], name)
		require.False(t, c["fp16 TFLOP/s"] == "" && c["8 bit TOP/s"] == "", name)
		if c["kind"] == "gpu" {
			require.Positive(t, c["SMs"], name)
			require.Positive(t, c["GB/s"], name)
		}
	}
	require.Equal(t, "sm80", chips["a100"]["architecture"])
	require.InDelta(t, 312, chips["a100"]["fp16 TFLOP/s"], 0.5)
	require.InDelta(t, 624, chips["a100"]["8 bit TOP/s"], 1)
	require.InDelta(t, 2039, chips["a100"]["GB/s"], 1e-6)
	require.InDelta(t, 81920*1.048576e-3, chips["a100"]["GB"], 1e-9) // MiB that the card reports

	// Data sheets: TFLOP/s of bf16, TOP/s of 8 bits, GB/s; 0: the preset has no memory.
	for name, want := range map[string][3]float64{
		"tpu_v1_core": {0, 92, 0}, "tpu_v4": {275, 275, 0}, "tpu_v6e": {918, 1836, 0}, "tpu_v5e": {197, 393, 819}, "tpu_v5p": {459, 918, 2765}, "tpu_v7": {2307, 4614, 7380},
		"trainium2": {667, 1299, 2900}, "gaudi2": {432, 865, 2460}, "gaudi3": {1835, 1835, 3670},
	} {
		for i, key := range []string{"fp16 TFLOP/s", "8 bit TOP/s", "GB/s"} {
			if want[i] == 0 {
				require.Empty(t, chips[name][key], name)
				continue
			}
			require.InEpsilon(t, want[i], chips[name][key], 0.03, "%s %s", name, key)
		}
	}
	require.Equal(t, "8 of 256 x 256", chips["gaudi3"]["arrays"])
	for _, core := range []string{"eyeriss", "gemmini", "nvdla_small", "hbm3", "gaudi3_hbm"} {
		require.NotContains(t, chips, core)
	}
}

func TestASheetOfWrongUnitsIsAnError(t *testing.T) {
	_, err := readSheet("x", []byte("sms: 8\nclock: fast\n"))
	require.ErrorContains(t, err, "x.yaml:2:8")
}
