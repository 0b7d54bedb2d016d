package experiment

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment/result"
)

const servedSmall = `schema: causeway/1
workload: {file: MODEL, dtype: int8, requests: {count: 3, prompt: 16, output: 20}}
nodes:
  - {name: Serve, kind: serve, tokens: 512}
  - {name: Core, kind: systolic, rows: 32, cols: 32, sram: {ifmap: 64KiB, filter: 64KiB, ofmap: 64KiB}}
  - {name: Mem, kind: memory, fidelity: ideal, latency: 100ns, bandwidth: 100GB/s}
links: [Serve -> Core.ops, Core.mem -> Mem]
`

// The small case is what the same settings by hand come to, sampled and in full: on cores the
// fewest layers that leave one to skip, of a server fewer requests and shorter answers too.
func TestSampledErrorOfASmallCase(t *testing.T) {
	model := filepath.Join(t.TempDir(), "config.json")
	require.NoError(t, os.WriteFile(model, []byte(`{"model_type": "llama", "hidden_size": 256, "intermediate_size": 512, "num_hidden_layers": 12, "num_attention_heads": 4, "num_key_value_heads": 2, "vocab_size": 500}`), 0o600))
	served := strings.Replace(servedSmall, "MODEL", model, 1)
	for _, c := range []struct {
		text, says string
		set, small []string
	}{
		{repeats, "layers 0..5, 6 of 10", nil, []string{"workload.layers=0..5"}},
		{repeats, "layers 3..8, 6 of 7", []string{"workload.layers=3..9", "simulation.record={requests: [Core.mem]}"}, []string{"workload.layers=3..8", "simulation.record=null"}},
		{repeats, "all 3 layers", []string{"workload.layers=2..4"}, nil},
		{chipsRepeat, "layers 0..5, 6 of 10", nil, []string{"workload.layers=0..5"}},
		{served, "layers 0..5, 6 of 12; 2 of the requests; answers of 5 tokens", nil, []string{"workload.layers=0..5", "workload.requests={count: 2, prompt: 16, output: 5}"}},
	} {
		run := func(set ...string) *result.Result {
			x, err := Parse("small", []byte(c.text), Options{Set: append(append([]string(nil), c.set...), set...)})
			require.NoError(t, err)
			r, _, err := x.Run(context.Background(), nil)
			require.NoError(t, err)
			return r
		}
		x, err := Parse("small", []byte(c.text), Options{Set: append(append([]string(nil), c.set...), "simulation.repeat=sampled")})
		require.NoError(t, err)
		e, err := x.SampledError(context.Background(), nil)
		require.NoError(t, err)
		require.Equal(t, c.says, e.Case)
		require.Equal(t, c.small != nil, e.Taken > 0, c.says)
		full := run(c.small...)
		require.Equal(t, full.Metrics, e.Full.Metrics, c.says)
		some := run(append(c.small, "simulation.repeat=sampled")...)
		require.Equal(t, some.Metrics, e.Sampled.Metrics, c.says)
	}
	x, err := Parse("small", []byte(repeats), Options{})
	require.NoError(t, err)
	_, err = x.SampledError(context.Background(), nil)
	require.ErrorContains(t, err, "simulation.repeat is exact")
}
