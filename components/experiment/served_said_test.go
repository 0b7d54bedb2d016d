package experiment

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What a server cannot do with the workload or the mapping is said before the run, with its
// place, and so is what a file says in vain.
func TestServedIsSaid(t *testing.T) {
	file := filepath.Join(t.TempDir(), "r.csv")
	require.NoError(t, os.WriteFile(file, []byte("arrival_s,input_toks,output_toks\n0,4,1\n9,4,1\n"), 0o600))
	const text = `schema: causeway/1
workload: {model: llama3_8b, layers: 0..0, dtype: int8, requests: {count: 1, prompt: 8, output: 2}}
nodes:
  - {name: Serve, kind: serve}
  - {name: Core, kind: systolic, fidelity: analytic, rows: 32, cols: 32}
  - {name: Mem, kind: memory, fidelity: ideal, latency: 100ns, bandwidth: 100GB/s}
links: [Serve -> Core.ops, Core.mem -> Mem]
`
	for want, set := range map[string]string{
		"workload.training: does not go with requests: a server answers them and trains nothing": "workload.training={}",
		"mapping.layers[0]": "mapping={layers: [{match: L0.q, tile: {m: 1048576, n: 1048576, k: 1048576}}]}",
	} {
		_, err := Parse("t", []byte(text), Options{Set: []string{set}})
		require.ErrorContains(t, err, want)
	}
	x, err := Parse("t", []byte(text), Options{Set: []string{"workload.requests={file: '" + file + "', arrivals: {name: periodic, period: 1ms}}"}})
	require.NoError(t, err)
	require.Contains(t, strings.Join(x.Warnings(), "\n"), "workload.requests.arrivals stands in place of the times of the file, in which requests arrive over 9s.")
	x, err = Parse("t", []byte(text), Options{Set: []string{"workload.requests={file: '" + file + "'}"}})
	require.NoError(t, err)
	require.NotContains(t, strings.Join(x.Warnings(), "\n"), "in place of the times")
}
