package std

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
)

// Accelerators that presets describe are built with a memory below them, and have as many
// multipliers as their publications say.
func TestAcceleratorPresets(t *testing.T) {
	for preset, kind := range map[string]string{"nvdla_large": "systolic", "nvdla_small": "systolic", "eyeriss": "systolic", "gemmini": "systolic", "simba": "spatial"} {
		text := "schema: causeway/1\nnodes:\n  - {name: Core, kind: " + kind + ", fidelity: analytic, preset: " + preset + "}\n" +
			"  - {name: Mem, kind: memory, fidelity: ideal, latency: 50ns, bandwidth: 16GB/s}\nlinks: [Core -> Mem]\n"
		doc, err := configs.Parse("preset.yaml", []byte(text), configs.Options{})
		require.NoError(t, err, preset)
		s, err := system.Build(doc, &system.Env{Engine: engine.New()})
		require.NoError(t, err, preset)
		peak := 0.0
		for _, m := range s.Node("Core").Stats().Metrics() {
			if m.Name == "peak_macs" {
				peak = m.Value
			}
		}
		require.Equal(t, map[string]float64{"nvdla_large": 2048, "nvdla_small": 64, "eyeriss": 168, "gemmini": 256, "simba": 1024}[preset], peak, preset)
	}
}
