package std_test

import (
	"io/fs"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/configs/presets"
)

// Every built-in preset decodes into the Spec of its kind, at every fidelity it
// has values for.
func TestPresets(t *testing.T) {
	for _, p := range configs.Presets() {
		if p.Kind == "" {
			continue
		}
		text, err := fs.ReadFile(presets.FS, p.Name+".yaml")
		require.NoError(t, err)
		v, err := configs.ParseValue(p.Name, text)
		require.NoError(t, err)
		if v.Get("for").Exists() {
			continue // for a mapping in a node
		}
		levels := v.Get("fidelities").Keys()
		if len(levels) == 0 {
			levels = []string{""}
		}
		for _, level := range levels {
			node := "{name: X, kind: " + p.Kind + ", preset: " + p.Name + "}"
			if level != "" {
				node = strings.TrimSuffix(node, "}") + ", fidelity: " + level + "}"
			}
			d, err := configs.Parse("preset.yaml", []byte("schema: causeway/1\nnodes:\n  - "+node+"\n"), configs.Options{})
			require.NoError(t, err)
			for _, f := range system.Fidelities(p.Kind) {
				if f.Fidelity == level || level == "" && f.Default {
					_, err = f.Decode(d.Root.Get("nodes").Items()[0])
					require.NoError(t, err, "%s %s", p.Name, level)
				}
			}
		}
	}
}
