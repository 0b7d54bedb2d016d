package experiment_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/experiment/result"
)

// onIdeal is apart on chips whose operators and transfers cost what they are planned to.
var onIdeal = strings.NewReplacer("times: planned", "times: $times", "schema: causeway/1\nparams: {", "schema: causeway/1\nparams: {times: issued, chips: 2, ",
	"count: 2", "count: $chips", "terminals: 2", "terminals: $chips", "10MB/s, overhead: 2us", "$rate, eager: 1GiB", "blocks: 0}", "blocks: 0, rate: 100GB/s}").Replace(apart)

// On chips and a network that add nothing, operators that are issued take what they are planned
// to take, keys and values between prefill and decode included.
func TestApartIssuedIsPlanned(t *testing.T) {
	many := []string{"workload.requests.count=9", "workload.requests.prompt=5..40", "workload.requests.output=1..30"}
	for _, set := range [][]string{
		nil,
		append([]string{"blocks=11"}, many...),
		append([]string{"prefill=2", "decode=1", "chips=3"}, many...),
		append([]string{"prefill=1", "decode=2", "chips=3"}, many...),
	} {
		one, err := serve(t, onIdeal, experiment.Options{Set: set})
		require.NoError(t, err)
		require.Equal(t, result.Complete, one.Status, one.Reason)
		two, err := serve(t, onIdeal, experiment.Options{Set: append([]string{"times=planned"}, set...)})
		require.NoError(t, err)
		require.Positive(t, value(t, one, "Serve", "operators"))
		for _, name := range []string{"ttft_mean", "tpot_mean", "request_latency_p99", "total_time"} {
			require.InEpsilon(t, value(t, two, "Serve", name), value(t, one, "Serve", name), 0.01, "%s of %s", name, set)
		}
		for _, name := range []string{"requests", "tokens_answered", "kv_transfers", "kv_transfer_bytes"} {
			require.Equal(t, value(t, two, "Serve", name), value(t, one, "Serve", name), "%s of %s", name, set)
		}
	}
}

// Messages pass both interfaces and the network at once, at the interfaces' rate: all have come
// the time of their bytes after the first has begun.
func TestApartIssuedByHand(t *testing.T) {
	r, err := serve(t, onIdeal, experiment.Options{Set: []string{"rate=10MB/s"}})
	require.NoError(t, err)
	const messages, bytes = 2 * 2, 40 * 2 * 2 * 2 * 8 // caches of layers; entries of layers, keys and values, heads, bytes of a head
	require.InEpsilon(t, bytes/10e6*1e9, value(t, r, "Serve", "kv_transfer_mean"), 1e-3)
	require.EqualValues(t, messages, value(t, r, "Nic[0]", "transfers"))
	require.EqualValues(t, bytes, value(t, r, "Nic[1]", "transfer_bytes"))
}

// withMemory is prefill and decode on cores with a memory each.
const withMemory = `
schema: causeway/1
params: {tensor: 1, chips: 2}
workload:
  file: llama/config.json
  dtype: int8
  parallel: {tensor: $tensor}
  requests: {count: 3, prompt: 40, output: 6}
groups:
  Chip:
    ports: {cores: Core.ops, transfers: Nic.ops, nic: Nic.net}
    nodes:
      - {name: Core, kind: systolic, rows: 16, cols: 16, on_chip: none}
      - {name: Bus, kind: network, topology: {name: crossbar}, clock: 1GHz}
      - {name: Mem, kind: memory, fidelity: ideal, latency: 50ns, bandwidth: 64GB/s}
      - {name: Nic, kind: nic, bandwidth: 1GB/s}
    links: [Core -> Bus, Nic.mem -> Bus, Bus -> Mem]
nodes:
  - {name: Serve, kind: serve, block: 8, prefix_cache: false, instances: {prefill: 1, decode: 1}}
  - {name: Chip, group: Chip, count: $chips}
  - {name: Net, kind: network, topology: {name: crossbar, terminals: $chips}, clock: 1GHz}
links: [Serve -> Chip.cores, Serve -> Chip.transfers, Chip.nic -> Net]
memory: [{tier: near, node: Chip.Mem, base: 0GiB, size: 1GiB, private: true}]
placement: {default: near}
`

// What goes from prefill to decode is read from the memory of the one chip and written to that of
// the other, to the byte; each of two tensor ranks has half of it.
func TestApartMovesExactBytes(t *testing.T) {
	const entry = 2 * 2 * 2 * 8 // layers, keys and values, heads, bytes of a head
	for tensor := 1; tensor <= 2; tensor++ {
		set := []string{fmt.Sprintf("tensor=%d", tensor), fmt.Sprintf("chips=%d", 2*tensor)}
		r, err := serve(t, withMemory, experiment.Options{Set: set})
		require.NoError(t, err)
		require.Equal(t, result.Complete, r.Status, r.Reason)
		require.EqualValues(t, 3, value(t, r, "Serve", "requests"))
		each := float64(3 * 40 * entry / tensor)
		require.Equal(t, float64(tensor)*each, value(t, r, "Serve", "kv_transfer_bytes"), "of all chips")
		for chip := range 2 * tensor {
			in := fmt.Sprintf("Chip[%d].", chip)
			name := in + "Nic"
			sum := 0.0
			if tensor > 1 {
				sum = value(t, r, name, "all_reduce_bytes") + value(t, r, name, "all_gather_bytes")
			}
			require.Equal(t, each, value(t, r, name, "transfer_bytes")-sum, "sent or received by chip %d of %d ranks", chip, tensor)
			require.Equal(t, value(t, r, in+"Core", "read_bytes")+value(t, r, name, "memory_read_bytes"), value(t, r, in+"Mem", "read_bytes"))
			if tensor == 1 {
				require.Equal(t, []float64{each, 0}[chip], value(t, r, name, "memory_read_bytes"))
				require.Equal(t, []float64{0, each}[chip], value(t, r, name, "memory_write_bytes"))
			}
		}
		again, err := serve(t, withMemory, experiment.Options{Set: set, Engine: "shuffle:5"})
		require.NoError(t, err)
		require.Equal(t, r.Metrics, again.Metrics)
		require.Equal(t, r.Requests, again.Requests)
	}
}

// Failures, clients that leave and memory that is short lose no request between prefill and
// decode, and answer none twice; operators that go on for nothing are waited for.
func TestApartIssuedConserves(t *testing.T) {
	many := []string{"workload.requests.count=12", "workload.requests.prompt=5..40", "workload.requests.output=1..30"}
	lost := 0.0
	for seed := range 10 {
		set := append(slices.Clone(many), fmt.Sprintf("blocks=%d", 9+seed%4), fmt.Sprintf("simulation.seed=%d", seed), "Serve.patience=30ms", "prefill=1", fmt.Sprintf("decode=%d", 1+seed%2), fmt.Sprintf("chips=%d", 2+seed%2),
			fmt.Sprintf("Serve.ahead=%d", seed%2), fmt.Sprintf("Serve.failures=[{at: %dms, for: 1us}, {at: %dms, for: 2ms}]", 3+seed, 20+2*seed), "rate=1MB/s")
		x, err := serve(t, onIdeal, experiment.Options{Set: set})
		require.NoError(t, err)
		require.Equal(t, result.Complete, x.Status, x.Reason)
		require.EqualValues(t, 12, value(t, x, "Serve", "requests")+value(t, x, "Serve", "killed"))
		lost += value(t, x, "Serve", "tokens_recomputed")
	}
	require.Positive(t, lost)
}

func TestApartIssuedErrors(t *testing.T) {
	for set, want := range map[string]string{
		"Nic.count=1": "2 instances of 1 chips each need 2 nodes of kind nic, and Serve is linked to 1",
		"Serve.kv_tiers=[{tier: near}, {tier: decode}]": "tier decode has the name of what instances do",
		"simulation.repeat=sampled":                     "has no effect: instances of Serve go on at the same time",
	} {
		_, err := serve(t, onIdeal, experiment.Options{Set: []string{set}})
		require.ErrorContains(t, err, want, set)
	}
}

// A port of a group may have any name, that of a key which names a file too.
func TestPortsAreNoFiles(t *testing.T) {
	text := strings.NewReplacer("{cores: Core.ops,", "{ops: Core.ops,", "Chip.cores", "Chip.ops", "nic: Nic.net", "trace_file: Nic.net", "Chip.nic", "Chip.trace_file").Replace(withMemory)
	r, err := serve(t, text, experiment.Options{})
	require.NoError(t, err)
	require.Equal(t, result.Complete, r.Status, r.Reason)
}

// A failure in the middle of a transfer costs the time up to then, the time until the server is
// back and nothing else: the prompt is computed again where it was, and sent again as a whole.
// With times: issued the interfaces go on with what they have begun before they send it again.
func TestFailureCutsTransfer(t *testing.T) {
	for _, times := range []string{"planned", "issued"} {
		set := []string{"rate=10MB/s", "times=" + times}
		run := func(more ...string) *result.Result {
			r, err := serve(t, onIdeal, experiment.Options{Set: append(slices.Clone(set), more...)})
			require.NoError(t, err)
			require.Equal(t, result.Complete, r.Status, r.Reason)
			return r
		}
		whole := run()
		prefill, sent, end := value(t, whole, "Serve", "ttft_mean"), value(t, whole, "Serve", "kv_transfer_mean"), value(t, whole, "Serve", "total_time")
		cut := prefill + sent/2
		r := run(fmt.Sprintf("Serve.failures=[{at: %.0fns, for: 10us}]", cut))
		want := end + cut + 10e3
		if times == "issued" && cut+10e3+prefill < prefill+sent {
			want = end + sent
		}
		require.InEpsilon(t, want, value(t, r, "Serve", "total_time"), 0.01, times)
		for name, want := range map[string]float64{"kv_transfers": 1, "kv_transfer_bytes": value(t, whole, "Serve", "kv_transfer_bytes"), "preemptions": 1, "tokens_recomputed": 40, "tokens_answered": 6, "tokens_computed": value(t, whole, "Serve", "tokens_computed") + 40} {
			require.Equal(t, want, value(t, r, "Serve", name), "%s, times: %s", name, times)
		}
		require.InEpsilon(t, sent, value(t, r, "Serve", "kv_transfer_mean"), 1e-3)
		require.Equal(t, value(t, whole, "Serve", "ttft_mean"), value(t, r, "Serve", "ttft_mean"), "the first token stays")
		late := run(fmt.Sprintf("Serve.failures=[{at: %.0fns, for: 10us}]", (prefill+sent+end)/2))
		require.Greater(t, value(t, late, "Serve", "tokens_recomputed"), 39.0, "what came from elsewhere had been computed too")
		require.Greater(t, value(t, late, "Serve", "total_time"), end)
	}
}
