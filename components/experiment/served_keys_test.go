package experiment_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/experiment/result"
)

// sharedKeys is a server whose chips share keys and values by tokens.
const sharedKeys = `
schema: causeway/1
params: {kv: 1, tensor: 1, chips: 1, times: issued, rate: 1000GB/s}
workload:
  file: llama/config.json
  dtype: int8
  parallel: {kv: $kv, tensor: $tensor}
  requests: {count: 9, prompt: 5..40, output: 1..30}
nodes:
  - {name: Serve, kind: serve, times: $times, block: 8, tokens: 32, prefix_cache: false, kv_memory: 2KiB}
  - {name: Chip, kind: roofline, count: $chips, compute: 1GFLOP/s, memory: 100MB/s}
  - {name: Nic, kind: nic, count: $chips, bandwidth: $rate}
  - {name: Net, kind: network, topology: {name: crossbar, terminals: $chips}, clock: 10GHz}
links: [Serve -> Chip, Serve -> Nic, Nic -> Net]
`

// keyChipsOf is what K x T chips need to say.
func keyChipsOf(kv, tensor, instances int, more ...string) experiment.Options {
	return experiment.Options{Set: append([]string{fmt.Sprintf("kv=%d", kv), fmt.Sprintf("tensor=%d", tensor), fmt.Sprintf("chips=%d", kv*tensor*instances)}, more...)}
}

// Chips that share keys by tokens answer the same requests in the same steps as one chip with as
// much room for blocks, of which they have K times as many. Products with weights are shared, but
// for queries, keys and values, which each of the K makes; each sends of every token the sums of
// its query heads and four bytes for each.
func TestServedKeysByHand(t *testing.T) {
	const hidden, heads, kvHeads, size, layers = 32, 4, 2, 8, 2
	tokens := func(r *result.Result) float64 { return value(t, r, "Serve", "tokens_computed") }
	whole, err := serve(t, sharedKeys, keyChipsOf(1, 1, 1, "Serve.kv_memory=8KiB"))
	require.NoError(t, err)
	require.Positive(t, value(t, whole, "Serve", "preemptions"), "blocks run out")
	for _, c := range []struct{ kv, tensor int }{{2, 1}, {4, 1}, {2, 2}} {
		room := fmt.Sprintf("Serve.kv_memory=%dB", 8<<10/c.kv/c.tensor)
		r, err := serve(t, sharedKeys, keyChipsOf(c.kv, c.tensor, 1, room))
		require.NoError(t, err)
		require.Equal(t, result.Complete, r.Status, r.Reason)
		for _, name := range []string{"requests", "steps", "tokens_answered", "tokens_computed", "preemptions", "kv_blocks", "kv_blocks_peak"} {
			require.Equal(t, value(t, whole, "Serve", name), value(t, r, "Serve", name), "%s of %+v", name, c)
		}
		for chip := range c.kv * c.tensor {
			nic := fmt.Sprintf("Nic[%d]", chip)
			require.Equal(t, tokens(r)*layers*float64(heads/c.tensor)*(size+4), value(t, r, nic, "all_to_all_bytes"))
			require.Equal(t, tokens(r)*(2*layers+1)*hidden, value(t, r, nic, "all_reduce_bytes"), "words, and two sums of each layer")
		}
		more := tokens(r) * layers * hidden * (heads + 2*kvHeads) * size * float64(c.kv-1)
		require.InEpsilon(t, value(t, whole, "", "macs")+more, value(t, r, "", "macs"), 2e-3, "%+v: but for chips that have none of the entries of a short request", c)
		require.GreaterOrEqual(t, value(t, r, "", "macs"), value(t, whole, "", "macs")+more)
	}
}

// Operators that are issued take what they are planned to take, on links that add nothing.
func TestServedKeysIssuedIsPlanned(t *testing.T) {
	for _, c := range []struct{ kv, tensor int }{{2, 1}, {2, 2}} {
		one, err := serve(t, sharedKeys, keyChipsOf(c.kv, c.tensor, 1))
		require.NoError(t, err)
		two, err := serve(t, sharedKeys, keyChipsOf(c.kv, c.tensor, 1, "times=planned"))
		require.NoError(t, err)
		for _, name := range []string{"ttft_mean", "tpot_mean", "total_time"} {
			require.InEpsilon(t, value(t, two, "Serve", name), value(t, one, "Serve", name), 0.02, "%s of %+v", name, c)
		}
	}
}

// Between instances each chip sends the entries of a prompt that it has, to the byte: 21 and 20 of
// 41 on two chips.
func TestServedKeysMoveExactBytes(t *testing.T) {
	const entry = 2 * 2 * 2 * 8
	set := []string{"tensor=2", "chips=4", "workload.parallel={kv: 2}", "workload.requests.prompt=41"}
	r, err := serve(t, withMemory, experiment.Options{Set: set})
	require.NoError(t, err)
	require.Equal(t, result.Complete, r.Status, r.Reason)
	require.EqualValues(t, 3*41*entry, value(t, r, "Serve", "kv_transfer_bytes"), "of all chips")
	for chip, want := range []float64{21, 20, 21, 20} {
		name := fmt.Sprintf("Chip[%d].Nic", chip)
		sent := value(t, r, name, "transfer_bytes") - value(t, r, name, "all_reduce_bytes") - value(t, r, name, "all_to_all_bytes") - value(t, r, name, "all_gather_bytes")
		require.Equal(t, 3*want*entry, sent, name)
	}
	again, err := serve(t, withMemory, experiment.Options{Set: set, Engine: "shuffle:5"})
	require.NoError(t, err)
	require.Equal(t, r.Metrics, again.Metrics)
	require.Equal(t, r.Requests, again.Requests)
}

// In two tiers each chip reads and writes its part of each block there: with one tier in use the
// bytes are those of a server without tiers, and blocks that move are copied by all.
func TestServedKeysInTiers(t *testing.T) {
	tiers := func(text string, more ...string) *result.Result {
		r, err := serve(t, text, experiment.Options{Set: append([]string{"tensor=2", "chips=2", "workload.parallel={kv: 2}", "Serve.instances=null", "memory=[{tier: near, node: Chip.Mem, base: 0GiB, size: 1GiB, private: true}, {tier: far, node: Chip.Mem, base: 64GiB, size: 1GiB, private: true}]"}, more...)})
		require.NoError(t, err)
		require.Equal(t, result.Complete, r.Status, r.Reason)
		return r
	}
	whole := tiers(withMemory, "workload.requests.output=4..30")
	one := tiers(withMemory, "workload.requests.output=4..30", "Serve.kv_tiers=[{tier: near}, {tier: far}]")
	for chip := range 2 {
		for _, name := range []string{"read_bytes", "write_bytes"} {
			at := fmt.Sprintf("Chip[%d].Mem", chip)
			require.Equal(t, value(t, whole, at, name), value(t, one, at, name), at)
		}
	}
	both := tiers(withMemory, "Serve.kv_tiers=[{tier: near, memory: 1KiB}, {tier: far}]", "Serve.kv_policy={name: lru}", "workload.requests.output=4..30")
	moved := value(t, both, "Serve", "migrated_bytes")
	require.Positive(t, moved)
	for chip := range 2 {
		at := fmt.Sprintf("Chip[%d].Mem", chip)
		require.Equal(t, value(t, whole, at, "write_bytes")+moved, value(t, both, at, "write_bytes"))
	}
}

// Short prompts on more chips than they have tokens, and an array of four rows: some blocks of
// queries see none of the entries that a chip has.
func TestServedKeysOfShortPrompts(t *testing.T) {
	for _, core := range []string{"Chip.nodes[0]={name: Core, kind: systolic, rows: 4, cols: 4}", "Chip.nodes[0]={name: Core, kind: systolic, fidelity: analytic, rows: 4, cols: 4}", "Chip.nodes[0]={name: Core, kind: gpu, preset: a100, fidelity: tile}"} {
		for _, prompt := range []int{1, 3, 5} {
			r, err := serve(t, withMemory, experiment.Options{Set: []string{"chips=4", "groups." + core, "workload.parallel={kv: 4}", "Serve.instances=null", "workload.requests.count=1", "workload.requests.output=3", fmt.Sprintf("workload.requests.prompt=%d", prompt)}})
			require.NoError(t, err, core)
			require.Equal(t, result.Complete, r.Status, r.Reason)
			require.EqualValues(t, 3, value(t, r, "Serve", "tokens_answered"))
		}
	}
}

// What cannot be is said where it stands.
func TestServedKeysRefused(t *testing.T) {
	for set, want := range map[string]string{
		"Serve.block=15":                       "nodes.Serve.block: blocks of 15 tokens are not shared evenly by 2 chips (workload.parallel.kv; want a multiple of 2)",
		"workload.attention=unfused":           "workload.attention: leaves no statistics of its rows",
		"kv=3":                                 "workload.parallel.kv: llama: L0.attention: 4 heads of queries do not divide by 3 chips",
		"workload.parallel.context=2":          "workload.parallel.context: is not built for a server",
		"workload.parallel={kv: 2, tensor: 4}": "workload.parallel.tensor: llama: L0.attention: 4 chips have heads of their own of 2 of keys and values",
	} {
		o := keyChipsOf(2, 1, 1, set)
		if want := map[string]string{"kv=3": "chips=3", "workload.parallel={kv: 2, tensor: 4}": "chips=8"}[set]; want != "" {
			o.Set = append(o.Set, want)
		}
		_, err := serve(t, sharedKeys, o)
		require.ErrorContains(t, err, want, set)
	}
}
