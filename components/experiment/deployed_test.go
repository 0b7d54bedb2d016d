package experiment_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/experiment/result"
)

const deployedServer = `schema: causeway/1
params: {data: 1}
workload:
  name: load
  model: Qwen/Qwen3-30B-A3B
  dtype: bf16
  requests: {concurrency: 4, rounds: 3, prompt: 300, output: 20}
  deployment: {tensor: 1, data: $data, prefill: {tensor: 1}, decode: {tensor: 2}}
nodes:
  - {name: Serve, kind: serve, times: planned}
  - {name: Chip, kind: gpu, preset: h100, capacity: 0B}
links:
  - Serve -> Chip
`

// Four clients in a loop: no more requests than clients run at once, each begins when one has ended,
// and all are answered; with prefill and decode apart too.
func TestClientsInALoop(t *testing.T) {
	for _, set := range [][]string{nil, {"data=2"}, {"Serve.instances={prefill: 1, decode: 1}"}} {
		r, err := serve(t, deployedServer, experiment.Options{Set: set})
		require.NoError(t, err)
		require.Equal(t, result.Complete, r.Status, r.Reason)
		require.EqualValues(t, 12, value(t, r, "Serve", "requests"))
		require.EqualValues(t, 240, value(t, r, "Serve", "tokens_answered"))
		require.Positive(t, value(t, r, "Serve", "ttft_median"))
		require.Equal(t, value(t, r, "Serve", "tpot_p50"), value(t, r, "Serve", "tpot_median"))
	}
}

// The front end adds its time to the first token of each request and to no later one.
func TestFrontEndDelaysFirstTokens(t *testing.T) {
	at, err := serve(t, deployedServer, experiment.Options{Set: []string{"workload.requests.concurrency=1"}})
	require.NoError(t, err)
	late, err := serve(t, deployedServer, experiment.Options{Set: []string{"workload.requests.concurrency=1", "Serve.front=10ms"}})
	require.NoError(t, err)
	require.InDelta(t, value(t, at, "Serve", "ttft_median")+10e6, value(t, late, "Serve", "ttft_median"), 2)
	require.InDelta(t, value(t, at, "Serve", "tpot_median"), value(t, late, "Serve", "tpot_median"), 2)
}

// One sequence at a time computes its prompt, where prefill_sequences says so: four clients wait for
// each other. With decode_sequences: 1 they have their tokens one after the other.
func TestSequencesOfInstances(t *testing.T) {
	run := func(keys string) (ttft, latency float64) {
		r, err := serve(t, deployedServer, experiment.Options{Set: []string{"Serve.instances={prefill: 1, decode: 1" + keys + "}"}})
		require.NoError(t, err)
		require.EqualValues(t, 12, value(t, r, "Serve", "requests"))
		return value(t, r, "Serve", "ttft_p99"), value(t, r, "Serve", "request_latency_mean")
	}
	ttft, latency := run("")
	alone, _ := run(", prefill_sequences: 1")
	_, serial := run(", decode_sequences: 1")
	require.Greater(t, alone, 1.2*ttft)
	require.Greater(t, serial, 1.5*latency)
}
