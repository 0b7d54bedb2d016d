package lanes

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/fpga"
	"github.com/causeway-sim/causeway/configs"
	_ "github.com/causeway-sim/causeway/configs/yaml"
)

// The default engine on a U280, and what does not fit or has no meaning.
func TestDevice(t *testing.T) {
	try := func(text string) (Spec, error) {
		doc, err := configs.Parse("core.yaml", []byte("{schema: causeway/1, presets: {a: {"+text+"}}}"), configs.Options{})
		require.NoError(t, err)
		s, v := DefaultSpec(), doc.Root.Get("presets").Get("a")
		if err := v.Decode(&s); err != nil {
			return s, err
		}
		return s, s.check(v)
	}
	s, err := try("device: u280")
	require.NoError(t, err)
	require.Equal(t, fpga.Use{DSP: 128, BRAM: 57, Channels: 1}, s.use)
	s, err = try("device: u280, operand: fp16")
	require.NoError(t, err)
	require.Equal(t, 256, s.use.DSP)
	for text, want := range map[string]string{
		"device: u250":                  `presets.a.device: "u250" is not known (want one of: none, u280; did you mean "u280"?)`,
		"device: u280, lanes: 4096":     "device: the engine takes 32768 DSP slices of the 9024 of u280",
		"device: u280, memory: 500GB/s": "takes 35 channels of memory of the 32",
		"operand: int8":                 "operand: has no effect without a device",
	} {
		_, err := try(text)
		require.ErrorContains(t, err, want)
	}
}
