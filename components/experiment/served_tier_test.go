package experiment_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/experiment/result"
)

// inTiers has keys and values in two tiers by a policy.
const inTiers = `
schema: causeway/1
params: {policy: static, first: near, near: 4KiB, far: 0B}
workload:
  file: llama/config.json
  dtype: int8
  requests: {count: 4, prompt: 5..20, output: 10..40, arrivals: {name: poisson, mean: 1us}}
nodes:
  - name: Serve
    kind: serve
    tokens: 32
    sequences: 4
    block: 8
    kv_tiers: [{tier: near, memory: $near}, {tier: far, memory: $far}]
    kv_first: $first
    kv_policy: {name: $policy}
  - {name: Core, kind: systolic, rows: 16, cols: 16, on_chip: none}
  - {name: Bus, kind: network, topology: {name: crossbar}, clock: 1GHz}
  - {name: Near, kind: memory, fidelity: ideal, latency: 50ns, bandwidth: 64GB/s}
  - {name: Far, kind: memory, fidelity: ideal, latency: 500ns, bandwidth: 4GB/s}
links:
  - Serve -> Core
  - Core -> Bus
  - Bus -> Near
  - Bus -> Far
memory:
  - {tier: near, node: Near, base: 0GiB, size: 1GiB}
  - {tier: far, node: Far, base: 1GiB, size: 1GiB}
placement: {default: near}
`

// With one tier in use the bytes are those of a server whose keys and values are all there.
func TestTiersOfOne(t *testing.T) {
	for tier, other := range map[string]string{"near": "far", "far": "near"} {
		whole, err := serve(t, answers, experiment.Options{Set: []string{"Serve.kv_memory=0B", "tier=" + tier}})
		require.NoError(t, err)
		r, err := serve(t, inTiers, experiment.Options{Set: []string{"first=" + tier, "near=0B"}})
		require.NoError(t, err)
		require.Equal(t, result.Complete, r.Status, r.Reason)
		for _, node := range []string{"Near", "Far"} {
			for _, name := range []string{"read_bytes", "write_bytes"} {
				require.Equal(t, value(t, whole, node, name), value(t, r, node, name), "%s of %s, all in %s", name, node, tier)
			}
		}
		require.EqualValues(t, 100, value(t, r, "Serve", "kv_share_"+tier))
		require.Zero(t, value(t, r, "Serve", "kv_blocks_peak_"+other))
		require.Equal(t, value(t, whole, "Serve", "kv_blocks_peak"), value(t, r, "Serve", "kv_blocks_peak_"+tier))
	}
}

// Blocks that move are read from one tier and written to the other, on the way that all
// requests take, and later steps read them there.
func TestTiersMove(t *testing.T) {
	still, err := serve(t, inTiers, experiment.Options{Set: []string{"first=far", "near=0B"}})
	require.NoError(t, err)
	for _, policy := range []string{"colloid", "lru", "hemem", "tpp"} {
		set := []string{"first=far", "near=0B", "policy=" + policy}
		if policy != "colloid" { // they move to the default tier, which is too small for all
			set[0], set[1] = "first=near", "near=5KiB"
		}
		r, err := serve(t, inTiers, experiment.Options{Set: set})
		require.NoError(t, err)
		require.Equal(t, result.Complete, r.Status, r.Reason)
		require.EqualValues(t, 4, value(t, r, "Serve", "requests"))
		moved := value(t, r, "Serve", "migrated_bytes")
		require.Positive(t, moved, policy)
		if policy == "colloid" {
			require.Positive(t, value(t, r, "Serve", "blocks_demoted"), "the tier after the default one is faster")
			require.Less(t, value(t, r, "Serve", "kv_share_far"), 100.0)
			require.Equal(t, value(t, still, "Near", "read_bytes")+value(t, still, "Far", "read_bytes")+moved, value(t, r, "Near", "read_bytes")+value(t, r, "Far", "read_bytes"))
			require.Equal(t, value(t, still, "Near", "write_bytes")+value(t, still, "Far", "write_bytes")+moved, value(t, r, "Near", "write_bytes")+value(t, r, "Far", "write_bytes"))
		}
		again, err := serve(t, inTiers, experiment.Options{Set: set, Engine: "shuffle:5"})
		require.NoError(t, err)
		require.Equal(t, r.Metrics, again.Metrics)
	}
}

func TestTierErrors(t *testing.T) {
	for set, want := range map[string]string{
		"Serve.kv_tiers=[{tier: neat}, {tier: near}]": `no tier "neat" in the memory section`,
		"Serve.kv_tiers=[{tier: near}, {tier: near}]": "tier near is there twice",
		"Serve.kv_first=mid":                          `no tier "mid" in kv_tiers`,
		"Serve.kv_memory=1MiB":                        "has no effect with kv_tiers",
		"Serve.times=planned":                         "has no effect with times: planned",
		"Serve.kv_tiers=null":                         "has no effect without kv_tiers",
		"Serve.kv_tiers=[]":                           "nodes.Serve.kv_tiers: has no tiers",
		"far=100B":                                    "nodes.Serve.kv_tiers[1].memory: kv_tiers of Serve has 100B in far",
		"near=100B":                                   "a block of 8 tokens takes 512B",
		"near=100TiB":                                 "nodes.Serve.kv_tiers[0].memory: kv_tiers of Serve has 100TiB in near, which is",
		"near=2GiB":                                   "kv_tiers[0]: tensor L0.v_cache@near (512MiB) does not fit into tier near",
		"placement.rules=[{tensor: kv_cache, tier: far}]": "has no effect: kv_tiers of Serve says",
		"policy=coloid": `did you mean "colloid"`,
	} {
		_, err := serve(t, inTiers, experiment.Options{Set: []string{set}})
		require.ErrorContains(t, err, want, set)
	}
}

// Steps that differ by some entries are alike with tiers too: as many of them are taken for
// one before as without.
func TestSampledStepsInTiers(t *testing.T) {
	set := []string{"simulation.repeat=sampled", "workload.requests={count: 1, prompt: 900, output: 40}", "Serve.tokens=1024", "Core.dma.burst=4KiB"}
	steps := func(r *result.Result, err error) string {
		require.NoError(t, err)
		require.Equal(t, result.Complete, r.Status, r.Reason)
		for _, a := range r.Assumptions {
			if _, of, ok := strings.Cut(a, "of the steps, "); ok {
				of, _, _ = strings.Cut(of, " (") // how alike they are is not the same: tiers are planned for
				return of
			}
		}
		return ""
	}
	plain := steps(serve(t, answers, experiment.Options{Set: append([]string{"Serve.kv_memory=0B"}, set...)}))
	require.NotEmpty(t, plain)
	require.Equal(t, plain, steps(serve(t, inTiers, experiment.Options{Set: append([]string{"near=0B"}, set...)})))
	require.NotEmpty(t, steps(serve(t, inTiers, experiment.Options{Set: append([]string{"near=0B", "workload.layers=1"}, set...)})), "no layer before it")
}

// A server that issues no operators has none to take for those before.
func TestPlannedTimesAreNotSampled(t *testing.T) {
	_, err := serve(t, apart, experiment.Options{Set: []string{"simulation.repeat=sampled", "Serve.instances=null", "Chip.count=1", "Nic.count=1", "Net.topology.terminals=1"}})
	require.ErrorContains(t, err, "simulation.repeat: has no effect: Serve issues no operators (want times: issued)")
}

// Memory of more blocks than a server can keep track of is refused before they are made.
func TestTooManyBlocks(t *testing.T) {
	for set, want := range map[string]string{
		"blocks=67108864":                       "nodes.Serve.blocks: 67108864 is too large (want at most 16777216)",
		"Serve.blocks=0,Serve.kv_memory=100TiB": "(want at most 16777216)",
	} {
		_, err := serve(t, apart, experiment.Options{Set: strings.Split(set, ",")})
		require.ErrorContains(t, err, want, set)
	}
}
