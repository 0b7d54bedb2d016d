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
		require.Equal(t, []string{"Chip"}, r.WithoutEnergy, "the chip stands for those of a description")
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

// Each group of chips that attends to requests of its own has the sequences and the tokens of the keys: four groups
// compute the prompts of four clients at once, with prefill_sequences: 1 and tokens for one prompt.
func TestGroupsHaveSequencesAndTokensOfTheirOwn(t *testing.T) {
	ttft := func(groups, keys string, set ...string) float64 {
		r, err := serve(t, deployedServer, experiment.Options{Set: append([]string{"Serve.instances={prefill: 1, decode: 1" + keys + "}",
			"workload.deployment={prefill: {data: " + groups + "}, decode: {tensor: 2}}"}, set...)})
		require.NoError(t, err)
		require.EqualValues(t, 12, value(t, r, "Serve", "requests"))
		return value(t, r, "Serve", "ttft_p99")
	}
	require.Equal(t, ttft("4", ""), ttft("4", ", prefill_sequences: 1", "Serve.tokens=300"))
	require.Greater(t, ttft("1", ", prefill_sequences: 1"), 1.2*ttft("1", ""))
	require.Greater(t, ttft("1", "", "Serve.tokens=300"), 1.2*ttft("1", ""))
}

// Memory that weights leave bounds the blocks of keys and values: 61.06 GB of Qwen3-30B-A3B in bf16 (30.53 G
// parameters) leave 0.94 GB of 62 GB, in which there are 599 blocks of 16 tokens of 98,304 B each. Requests
// wait for them.
func TestMemoryBoundsDeployments(t *testing.T) {
	const few = "workload.requests={concurrency: 40, rounds: 2, prompt: 300, output: 200}"
	free, err := serve(t, deployedServer, experiment.Options{Set: []string{few}})
	require.NoError(t, err)
	tight, err := serve(t, deployedServer, experiment.Options{Set: []string{few, "Chip.capacity=62GB", "Serve.kv_share=1"}})
	require.NoError(t, err)
	require.InDelta(t, 599, value(t, tight, "Serve", "kv_blocks"), 12)
	require.Greater(t, value(t, tight, "Serve", "ttft_mean"), 2*value(t, free, "Serve", "ttft_mean"))
	require.EqualValues(t, 80, value(t, tight, "Serve", "requests"))
	none, err := serve(t, deployedServer, experiment.Options{Set: []string{few, "Chip.capacity=60GB", "Serve.kv_share=1"}})
	require.NoError(t, err)
	require.Contains(t, none.Warnings[len(none.Warnings)-1], "memory limits nothing")
	_, err = serve(t, deployedServer, experiment.Options{Set: []string{"Serve.kv_share=1"}})
	require.ErrorContains(t, err, "needs the size of the memory of Chip (capacity)")
}

// A step that is not recorded takes at least the time of the host to launch the kernels of each layer: one with
// a prompt by SGLang's rules, one of more tokens than the largest graph by vLLM's.
func TestLaunchBoundsStepsWithoutAGraph(t *testing.T) {
	one := func(keys ...string) float64 {
		r, err := serve(t, deployedServer, experiment.Options{Set: append([]string{"workload.requests={count: 1, prompt: 300, output: 20}", "Serve.graphs=512", "Serve.launch=10ms"}, keys...)})
		require.NoError(t, err)
		require.Less(t, value(t, r, "Serve", "tpot_median"), 20e6)
		return value(t, r, "Serve", "ttft_median")
	}
	require.Less(t, one(), 48*10e6)
	require.InDelta(t, 48*10e6, one("Serve.rules=sglang"), 1)
	require.InDelta(t, 48*10e6, one("Serve.graphs=256"), 1)
}

// Each chip of an instance sends its part of a prompt's keys and values through an interface of its own.
func TestTransfersTakeAllInterfaces(t *testing.T) {
	move := func(tensor string) float64 {
		r, err := serve(t, deployedServer, experiment.Options{Set: []string{"Serve.instances={prefill: 1, decode: 1, bandwidth: 1GB/s}",
			"workload.deployment={prefill: {tensor: " + tensor + "}, decode: {tensor: 4}}"}})
		require.NoError(t, err)
		return value(t, r, "Serve", "kv_transfer_mean")
	}
	require.InDelta(t, 300*98304, move("1"), 10)
	require.InDelta(t, 300*98304/4, move("4"), 10)
}
