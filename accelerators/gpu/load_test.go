package gpu_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/configs"
)

// A limit of the chip's description is data. One given in its place needs a clock that keeps it, from a file as
// from --set: any but that of load: burst, for a chip whose energies are known.
func TestLimitNeedsAClock(t *testing.T) {
	const own = "power: {process: 4n}\nsms: 100\npower_limit: 700W\n"
	for _, x := range []struct {
		name, text string
		set        []string
		fails      string
	}{
		{"description", own, nil, ""},
		{"description, burst said", own + "load: burst\n", nil, ""},
		{"preset", "preset: b200\n", nil, ""},
		{"more at rest than the limit", "preset: b200\npower: {idle: 2kW}\n", nil, "x.yaml:7:19: nodes.Chip.power.idle: power.idle is 2kW (want less than power_limit, 1kW)"},
		{"less than at rest and awake", "preset: b200\npower_limit: 349W\nload: steady\n", nil, "x.yaml:7:18: nodes.Chip.power_limit: power_limit is 349W (want 350W or more: the chip is held at 0.98 of it, and takes 205W at rest and 138W more as soon as a kernel runs)"},
		{"the least", "preset: b200\npower_limit: 350W\nload: steady\n", nil, ""},
		{"the least of products", "preset: b200\nsustained_limit: 250W\n", nil, "x.yaml:7:22: nodes.Chip.sustained_limit: sustained_limit is 250W (want 350W or more"},
		{"limit of products without energies", "sustained_limit: 250W\n", nil, "has no effect with power.process: none"},
		{"preset and limit", "preset: b200\npower_limit: 800W\n", nil, ""},
		{"preset and limit, burst", "preset: b200\npower_limit: 800W\nload: burst\n", nil, "x.yaml:7:18: nodes.Chip.power_limit: sets no clock with load: burst"},
		{"preset without a limit of products", "preset: h20\npower_limit: 400W\n", nil, ""},
		{"preset without a limit", "preset: h20\npower_limit: 0W\n", nil, ""},
		{"preset, process and limit", "preset: h20\npower: {process: 4n}\npower_limit: 400W\n", nil, ""},
		{"preset with other SMs, process and limit", "preset: h20\nsms: 70\npower: {process: 4n}\npower_limit: 400W\n", nil, ""},
		{"preset with other SMs", "preset: b200\nsms: 100\n", nil, ""},
		{"preset, SMs set", "preset: b200\n", []string{"Chip.sms=100"}, ""},
		{"preset, set", "preset: b200\n", []string{"Chip.power_limit=800W"}, ""},
		{"description, set", own, []string{"Chip.power_limit=800W"}, ""},
		{"description without energies, set", "sms: 100\n", []string{"Chip.power_limit=800W"}, "--set:1: nodes.Chip.power_limit: sets no clock without power.process"},
		{"preset, limit, continuous", "preset: b200\npower_limit: 800W\nload: continuous\n", nil, ""},
		{"preset, limit, steady", "preset: b200\npower_limit: 800W\nload: steady\n", nil, ""},
		{"preset, all set", "preset: b200\n", []string{"Chip.power_limit=800W", "Chip.load=continuous"}, ""},
	} {
		text := "schema: causeway/1\nworkload: {model: alexnet, dtype: bf16}\nnodes:\n  - name: Chip\n    kind: gpu\n    " + strings.ReplaceAll(strings.TrimSpace(x.text), "\n", "\n    ") + "\n"
		_, err := experiment.Parse("x.yaml", []byte(text), experiment.Options{Set: x.set})
		if x.fails != "" {
			require.ErrorContains(t, err, x.fails, x.name)
			continue
		}
		require.NoError(t, err, x.name)
		// What the run has written runs again.
		d, err := configs.Parse("x.yaml", []byte(text), configs.Options{Set: x.set})
		require.NoError(t, err, x.name)
		_, err = experiment.Parse("resolved.yaml", d.Resolved(), experiment.Options{})
		require.NoError(t, err, x.name)
	}
}
