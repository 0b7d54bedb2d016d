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

// apart is prefill and decode on chips of their own.
const apart = `
schema: causeway/1
params: {prefill: 1, decode: 1, blocks: 0}
workload:
  file: llama/config.json
  dtype: int8
  requests: {count: 1, prompt: 40, output: 6}
nodes:
  - {name: Serve, kind: serve, times: planned, block: 8, prefix_cache: false, blocks: $blocks, instances: {prefill: $prefill, decode: $decode}}
  - {name: Chip, kind: roofline, count: 2, compute: 1GFLOP/s, memory: 100MB/s}
  - {name: Nic, kind: nic, count: 2, bandwidth: 10MB/s, overhead: 2us}
  - {name: Net, kind: network, topology: {name: crossbar, terminals: 2}, clock: 1GHz}
links: [Serve -> Chip, Serve -> Nic, Nic -> Net]
`

// A request takes a prefill, a transfer of the exact bytes of its prompt, and the steps that
// it takes on one chip: by hand from a server of one chip.
func TestPrefillAndDecodeApart(t *testing.T) {
	run := func(text string, set ...string) *result.Result {
		r, err := serve(t, text, experiment.Options{Set: set})
		require.NoError(t, err)
		require.Equal(t, result.Complete, r.Status, r.Reason)
		return r
	}
	whole := run(apart, "Serve.instances=null", "Chip.count=1", "Nic.count=1", "Net.topology.terminals=1")
	r := run(apart)
	const entry = 2 * 2 * 2 * 8 // layers, keys and values, heads, bytes of a head
	require.EqualValues(t, 40*entry, value(t, r, "Serve", "kv_transfer_bytes"))
	sent := 2e3 + 40*entry/10e6*1e9 + 2e3 // overheads of both interfaces, ns; the network takes some cycles
	require.InDelta(t, sent, value(t, r, "Serve", "kv_transfer_mean"), 10)
	require.Equal(t, value(t, whole, "Serve", "ttft_mean"), value(t, r, "Serve", "ttft_mean"), "the first token comes from the prefill")
	require.InEpsilon(t, value(t, whole, "Serve", "tpot_mean")+sent/5, value(t, r, "Serve", "tpot_mean"), 1e-3)
	require.EqualValues(t, 6, value(t, r, "Serve", "tokens_answered"))
	require.EqualValues(t, 5, value(t, r, "Serve", "kv_blocks_peak_prefill"))
	require.EqualValues(t, 6, value(t, r, "Serve", "kv_blocks_peak_decode"))
	one := run(apart, "workload.requests.output=1")
	require.Zero(t, value(t, one, "Serve", "kv_transfers"), "the only token needs no decode")
}

// Without a network interface and without a bandwidth a transfer takes the overhead alone,
// which is said.
func TestFreeTransfersAreTold(t *testing.T) {
	alone := strings.NewReplacer("decode: $decode}", "decode: $decode, overhead: 1us, bandwidth: 10MB/s}", ", Serve -> Nic, Nic -> Net", "").Replace(apart)
	lines := strings.Split(alone, "\n")
	alone = strings.Join(slices.DeleteFunc(lines, func(l string) bool { return strings.Contains(l, "name: Nic") || strings.Contains(l, "name: Net") }), "\n")
	r, err := serve(t, alone, experiment.Options{})
	require.NoError(t, err)
	require.Empty(t, r.Warnings)
	r, err = serve(t, alone, experiment.Options{Set: []string{"Serve.instances.bandwidth=null"}})
	require.NoError(t, err)
	require.Equal(t, []string{"Serve: keys and values go from prefill to decode in 1us, however many there are (instances.bandwidth is 0, and no network interface is linked)."}, r.Warnings)
}

// Where the chips that decode are full, requests keep their blocks where their prompts were
// computed, and prompts wait for room there; all end, once.
func TestDecodeFull(t *testing.T) {
	many := []string{"workload.requests.count=12", "workload.requests.prompt=5..40", "workload.requests.output=1..30"}
	free, err := serve(t, apart, experiment.Options{Set: many})
	require.NoError(t, err)
	r, err := serve(t, apart, experiment.Options{Set: append(many, "blocks=11")})
	require.NoError(t, err)
	require.Equal(t, result.Complete, r.Status, r.Reason)
	require.EqualValues(t, 12, value(t, r, "Serve", "requests"))
	require.Equal(t, value(t, free, "Serve", "tokens_answered"), value(t, r, "Serve", "tokens_answered"))
	require.LessOrEqual(t, value(t, r, "Serve", "kv_blocks_peak_decode"), 11.0)
	require.Positive(t, value(t, r, "Serve", "kv_transfer_wait_mean"))
	began := func(r *result.Result) (last float64) {
		for _, row := range r.Requests.Rows {
			last = max(last, row[6].(float64)) // scheduled
		}
		return last
	}
	require.Zero(t, began(free))
	require.Greater(t, began(r), value(t, r, "Serve", "kv_transfer_mean"), "prompts wait for blocks that are held")
	end := value(t, r, "Serve", "total_time")
	for _, at := range []float64{0.2, 0.5, 0.8} { // a failure takes what is held and under way
		f, err := serve(t, apart, experiment.Options{Set: append(many, "blocks=11", fmt.Sprintf("Serve.failures=[{at: %.0fns, for: 1us}]", at*end))})
		require.NoError(t, err)
		require.Equal(t, result.Complete, f.Status, f.Reason)
		require.EqualValues(t, 12, value(t, f, "Serve", "requests"))
		require.Equal(t, value(t, free, "Serve", "tokens_answered"), value(t, f, "Serve", "tokens_answered"))
	}
	for seed := range 12 {
		set := append(slices.Clone(many), fmt.Sprintf("blocks=%d", 9+seed%4), fmt.Sprintf("simulation.seed=%d", seed), "Serve.preemption=recompute", "Serve.patience=30ms",
			fmt.Sprintf("Serve.ahead=%d", seed%2), fmt.Sprintf("Serve.failures=[{at: %dms, for: 1us}, {at: %dms, for: 2ms}]", 3+seed, 20+2*seed))
		x, err := serve(t, apart, experiment.Options{Set: set})
		require.NoError(t, err)
		require.Equal(t, result.Complete, x.Status, x.Reason)
		require.EqualValues(t, 12, value(t, x, "Serve", "requests")+value(t, x, "Serve", "killed"))
	}
	tiny, err := serve(t, apart, experiment.Options{Set: append(many, "blocks=6")})
	require.NoError(t, err)
	require.EqualValues(t, 12, value(t, tiny, "Serve", "requests")+value(t, tiny, "Serve", "refused"))
	require.Positive(t, value(t, tiny, "Serve", "refused"))
}

func TestInstanceErrors(t *testing.T) {
	for set, want := range map[string]string{
		"prefill=0":                       "prefill is 0 (want 1 to 1024)",
		"decode=2":                        "3 instances of 1 chips each are not shared evenly by the 2 nodes",
		"Serve.instances.bandwidth=1GB/s": "have no effect: transfers go through a network interface",
		"Serve.replicas=2":                "has no effect with instances",
	} {
		_, err := serve(t, apart, experiment.Options{Set: []string{set}})
		require.ErrorContains(t, err, want, set)
	}
}

// A decode server of one sequence that takes its own blocks goes on with the next one at once:
// nothing else would wake it.
func TestDecodeOfOneSequenceGoesOn(t *testing.T) {
	for seed := range 6 {
		set := []string{"Serve.sequences=1", "Serve.ahead=0", "Serve.tokens=16", "blocks=9", "workload.requests={count: 8, prompt: 1..40, output: 1..30}", fmt.Sprintf("simulation.seed=%d", seed)}
		r, err := serve(t, apart, experiment.Options{Set: set})
		require.NoError(t, err)
		require.Equal(t, result.Complete, r.Status, r.Reason)
		require.EqualValues(t, 8, value(t, r, "Serve", "requests"))
	}
}
