package systolic

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Keys of row stationary are of effect with its timing alone, and have to make sense.
func TestRowKeys(t *testing.T) {
	for with, want := range map[string]string{
		"eyeriss: {psum_spad: 3}":                                         "nodes.Core.eyeriss: has no effect with timing physical (used by: eyeriss)",
		"timing: eyeriss\n    eyeriss: {mac: 1pJ, zeros: {a: 2}}":         "nodes.Core.eyeriss.zeros.a: is 2 (want 0 to 1)",
		"timing: eyeriss\n    eyeriss: {idle: 1W}":                        "idle and zeros have no effect without mac",
		"timing: eyeriss\n    nvdla: {fc_batch: 1}":                       "nodes.Core.nvdla: has no effect with timing eyeriss (used by: nvdla)",
		"timing: kernel\n    fidelity: analytic\n    eyeriss: {mac: 1pJ}": "",
		"gemmini: {in_flight: 3}":                                         "nodes.Core.gemmini: has no effect with timing physical (used by: gemmini)",
		"timing: gemmini\n    gemmini: {mapping: L1}":                     "nodes.Core.gemmini.mapping: mapping \"L1\" has one level",
	} {
		text := strings.Replace(coreAndMemory, "    fidelity: tile\n", "", 1)
		_, _, err := fromConfig(t, strings.Replace(text, "rows: 32", with+"\n    rows: 32", 1))
		if want == "" {
			want = "nodes.Core.eyeriss: has no effect with timing kernel (used by: eyeriss)"
		}
		require.ErrorContains(t, err, want, with)
	}
}
