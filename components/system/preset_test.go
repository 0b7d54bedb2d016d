package system_test

import (
	"fmt"
	"io/fs"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/configs/presets"
)

// Every built-in memory preset builds at every fidelity of stand-ins it has
// values for.
func TestMemoryPresets(t *testing.T) {
	n := 0
	for _, p := range configs.Presets() {
		if p.Kind != "memory" {
			continue
		}
		text, err := fs.ReadFile(presets.FS, p.Name+".yaml")
		require.NoError(t, err)
		v, err := configs.ParseValue(p.Name, text)
		require.NoError(t, err)
		for _, fidelity := range v.Get("fidelities").Keys() {
			if fidelity == "bank" {
				continue // see components/std
			}
			n++
			s := must(t, fmt.Sprintf(`
schema: causeway/1
nodes:
  - {name: Core, kind: core}
  - {name: Mem, kind: memory, preset: %s, fidelity: %s}
links: [Core -> Mem]
`, p.Name, fidelity))
			path := s.Node("Core").(core).maps["mem"].Ranges()[0].Paths[0]
			require.Positive(t, path.Latency)
			require.Positive(t, path.Bandwidth)
		}
	}
	require.GreaterOrEqual(t, n, 8)
}
