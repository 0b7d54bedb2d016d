package experiment_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/experiment/result"
)

// apartInTiers is withMemory with a second memory at each chip.
var apartInTiers = strings.NewReplacer(
	"chips: 2}", `chips: 2, first: near, near: 0B, far: 0B, policy: static}`,
	"Bus -> Mem]", "Bus -> Mem, Bus -> Far]",
	"      - {name: Nic,", "      - {name: Far, kind: memory, fidelity: ideal, latency: 50ns, bandwidth: 64GB/s}\n      - {name: Nic,",
	"prefix_cache: false,", "prefix_cache: false, kv_tiers: [{tier: near, memory: $near}, {tier: far, memory: $far}], kv_first: $first, kv_policy: {name: $policy},",
	"private: true}]", "private: true}, {tier: far, node: Chip.Far, base: 16GiB, size: 1GiB, private: true}]",
).Replace(withMemory)

// Where all blocks fit the first tier, prefill and decode read and write what they do without
// tiers, to the byte, transfers included. A second tier changes where, not how many.
func TestApartInTiers(t *testing.T) {
	run := func(text string, set ...string) *result.Result {
		r, err := serve(t, text, experiment.Options{Set: set})
		require.NoError(t, err)
		require.Equal(t, result.Complete, r.Status, r.Reason)
		return r
	}
	const entry = 2 * 2 * 2 * 8 // layers, keys and values, heads, bytes of a head
	for tensor := 1; tensor <= 2; tensor++ {
		ranks := []string{fmt.Sprintf("tensor=%d", tensor), fmt.Sprintf("chips=%d", 2*tensor)}
		whole := run(withMemory, ranks...)
		one := run(apartInTiers, ranks...)
		both := run(apartInTiers, append(ranks, fmt.Sprintf("near=%dB", 7*8*entry/tensor))...)
		for _, name := range []string{"requests", "kv_transfers", "kv_transfer_bytes", "kv_blocks_peak_prefill", "kv_blocks_peak_decode"} {
			require.Equal(t, value(t, whole, "Serve", name), value(t, one, "Serve", name), name)
		}
		require.EqualValues(t, 100, value(t, one, "Serve", "kv_share_near"))
		for chip := range 2 * tensor {
			in := fmt.Sprintf("Chip[%d].", chip)
			for _, name := range []string{"read_bytes", "write_bytes"} {
				n := value(t, whole, in+"Mem", name)
				require.Equal(t, n, value(t, one, in+"Mem", name), "%s of chip %d", name, chip)
				require.Zero(t, value(t, one, in+"Far", name))
				far := value(t, both, in+"Far", name)
				require.Positive(t, far, "%s of chip %d", name, chip)
				require.Equal(t, n, far+value(t, both, in+"Mem", name), "%s of chip %d", name, chip)
			}
			for _, name := range []string{"memory_read_bytes", "memory_write_bytes"} {
				require.Equal(t, value(t, whole, in+"Nic", name), value(t, both, in+"Nic", name))
			}
		}
	}
}

// To have prefill and decode on two chips costs the same with tiers as without, to the
// nanosecond. (Cores cut bursts at the ends of pieces, on one chip too: the rest differs by that.)
func TestApartInTiersCost(t *testing.T) {
	single := strings.NewReplacer("instances: {prefill: 1, decode: 1}", "times: issued", ", Serve -> Chip.transfers", "")
	run := func(text, chips string) *result.Result {
		r, err := serve(t, text, experiment.Options{Set: []string{"workload.requests.count=1", "chips=" + chips}})
		require.NoError(t, err)
		require.Equal(t, result.Complete, r.Status, r.Reason)
		return r
	}
	var cost, sent []float64
	for _, text := range []string{withMemory, apartInTiers} {
		one, two := run(single.Replace(text), "1"), run(text, "2")
		require.Equal(t, value(t, one, "Serve", "ttft_mean"), value(t, two, "Serve", "ttft_mean"))
		cost = append(cost, value(t, two, "Serve", "total_time")-value(t, one, "Serve", "total_time"))
		sent = append(sent, value(t, two, "Serve", "kv_transfer_mean"))
	}
	require.Equal(t, cost[0], cost[1])
	require.Equal(t, sent[0], sent[1])
	require.GreaterOrEqual(t, cost[0], sent[0])
}

// What the transfer of one prompt reads and writes in a tier are the blocks that lie there: 2 of
// 5 blocks in the first one on both chips, by hand, where the interfaces alone are counted.
func TestApartTransferByTier(t *testing.T) {
	const block = 8 * 2 * 2 * 2 * 8
	r, err := serve(t, apartInTiers, experiment.Options{Set: []string{"workload.requests.count=1", fmt.Sprintf("near=%dB", 2*block)}})
	require.NoError(t, err)
	require.Equal(t, result.Complete, r.Status, r.Reason)
	require.EqualValues(t, 4, value(t, r, "Serve", "kv_blocks_peak_near"), "2 on each instance")
	// decode reads all entries of the first tier with each of 5 steps, and writes none there
	weights, err := serve(t, apartInTiers, experiment.Options{Set: []string{"workload.requests.count=1", "first=far"}})
	require.NoError(t, err)
	require.EqualValues(t, 5*2*block, value(t, r, "Chip[1].Mem", "read_bytes")-value(t, weights, "Chip[1].Mem", "read_bytes"))
	require.EqualValues(t, 2*block, value(t, r, "Chip[1].Mem", "write_bytes")-value(t, weights, "Chip[1].Mem", "write_bytes"))
}

// Two prompts of two blocks lie in the first tier of a chip each that prefills. The chip that
// decodes both has room for one there: the other one is read from a first tier and written to a
// second one, and so are the two entries that the steps of decode write.
func TestApartTiersOfEach(t *testing.T) {
	const block = 8 * 2 * 2 * 2 * 8
	r, err := serve(t, apartInTiers, experiment.Options{Set: []string{"chips=3", "Serve.instances.prefill=2", "workload.requests={count: 2, prompt: 16, output: 2}", fmt.Sprintf("near=%dB", 2*block)}})
	require.NoError(t, err)
	require.Equal(t, result.Complete, r.Status, r.Reason)
	for chip := range 2 {
		require.Zero(t, value(t, r, fmt.Sprintf("Chip[%d].Far", chip), "read_bytes"))
		require.Zero(t, value(t, r, fmt.Sprintf("Chip[%d].Far", chip), "write_bytes"))
		require.EqualValues(t, 2*block, value(t, r, fmt.Sprintf("Chip[%d].Nic", chip), "memory_read_bytes"))
	}
	require.EqualValues(t, 2*block+2*block/8, value(t, r, "Chip[2].Far", "write_bytes"))
}

// The policy of an instance goes by the reads of its own tiers: colloid moves what decode reads
// from a slow tier, and later steps read it from the fast one.
func TestApartTiersMove(t *testing.T) {
	slow := strings.Replace(apartInTiers, "{name: Far, kind: memory, fidelity: ideal, latency: 50ns, bandwidth: 64GB/s}", "{name: Far, kind: memory, fidelity: ideal, latency: 500ns, bandwidth: 4GB/s}", 1)
	run := func(policy string) *result.Result {
		r, err := serve(t, slow, experiment.Options{Set: []string{"workload.requests={count: 1, prompt: 40, output: 40}", "first=far", "policy=" + policy}})
		require.NoError(t, err)
		require.Equal(t, result.Complete, r.Status, r.Reason)
		return r
	}
	still, moves := run("static"), run("colloid")
	moved := value(t, moves, "Serve", "migrated_bytes")
	require.Positive(t, moved)
	near, far := value(t, moves, "Chip[1].Mem", "read_bytes")-value(t, still, "Chip[1].Mem", "read_bytes"), value(t, still, "Chip[1].Far", "read_bytes")-value(t, moves, "Chip[1].Far", "read_bytes")
	require.Positive(t, near)
	require.Equal(t, moved, near-far, "what is copied is read once more")
}

// Policies that move blocks, failures, and memory that is short lose no request between prefill
// and decode, and give the same result on another engine.
func TestApartInTiersConserves(t *testing.T) {
	moved, lost := 0.0, 0.0
	for seed := range 8 {
		set := []string{
			"workload.requests.count=8", "workload.requests.prompt=5..40", "workload.requests.output=1..20", "near=3KiB", "far=3KiB", fmt.Sprintf("simulation.seed=%d", seed),
			fmt.Sprintf("policy=%s", []string{"lru", "hemem", "tpp", "colloid"}[seed%4]), fmt.Sprintf("Serve.ahead=%d", seed%2),
			fmt.Sprintf("Serve.failures=[{at: %dus, for: 1us}, {at: %dus, for: 20us}]", 30+seed, 90+7*seed),
		}
		r, err := serve(t, apartInTiers, experiment.Options{Set: set})
		require.NoError(t, err)
		require.Equal(t, result.Complete, r.Status, r.Reason)
		require.EqualValues(t, 8, value(t, r, "Serve", "requests"))
		moved += value(t, r, "Serve", "migrated_bytes")
		lost += value(t, r, "Serve", "tokens_recomputed")
		if seed < 2 {
			again, err := serve(t, apartInTiers, experiment.Options{Set: set, Engine: "shuffle:5"})
			require.NoError(t, err)
			require.Equal(t, r.Metrics, again.Metrics)
			require.Equal(t, r.Requests, again.Requests)
		}
	}
	require.Positive(t, moved)
	require.Positive(t, lost)
}

// A tier that an interface does not reach is an error before the run, not an address
// without a home in the middle of it.
func TestTiersOutOfReach(t *testing.T) {
	_, err := serve(t, strings.Replace(apartInTiers, "Nic.mem -> Bus", "Nic.mem -> Mem", 1), experiment.Options{})
	require.ErrorContains(t, err, "nodes.Serve.kv_tiers[1].tier: Chip[0].Nic does not reach tier far")
}
