package experiment_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/experiment/result"
)

// answers is a small model that answers requests on one core.
const answers = `
schema: causeway/1
params: {tier: near, count: 4}
workload:
  file: llama/config.json
  dtype: int8
  requests: {count: $count, prompt: 5..20, output: 10..40, arrivals: {name: poisson, mean: 1us}}
nodes:
  - {name: Serve, kind: serve, tokens: 32, sequences: 4, block: 8, kv_memory: 5KiB}
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
placement:
  default: near
  rules: [{tensor: kv_cache, tier: $tier}]
`

const tinyLlama = `{"model_type": "llama", "hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2, "vocab_size": 100, "max_position_embeddings": 1024}`

func serve(t *testing.T, text string, o experiment.Options) (*result.Result, error) {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "llama"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "llama", "config.json"), []byte(tinyLlama), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "serve.yaml"), []byte(text), 0o644))
	x, err := experiment.Load(filepath.Join(dir, "serve.yaml"), o)
	if err != nil {
		return nil, err
	}
	r, _, err := x.Run(context.Background(), nil)
	return r, err
}

// value is a metric of the whole run.
func value(t *testing.T, r *result.Result, where, name string) float64 {
	t.Helper()
	for _, m := range r.Metrics {
		if m.Phase == "all" && m.Where == where && m.Name == name {
			return m.Value
		}
	}
	t.Fatalf("there is no metric %s of %s", name, where)
	return 0
}

// Requests are answered, each once, whatever plays equal-time events in which order.
func TestServe(t *testing.T) {
	one, err := serve(t, answers, experiment.Options{})
	require.NoError(t, err)
	require.Equal(t, result.Complete, one.Status, one.Reason)
	require.EqualValues(t, 4, value(t, one, "Serve", "requests"))
	require.Positive(t, value(t, one, "Serve", "preemptions"), "the memory is meant to be too small")
	require.LessOrEqual(t, value(t, one, "Serve", "kv_blocks_peak"), 10.0)
	require.Len(t, one.Requests.Rows, 4)
	for _, engine := range []string{"shuffle:1", "shuffle:7", "parallel"} {
		two, err := serve(t, answers, experiment.Options{Engine: engine})
		require.NoError(t, err)
		require.Equal(t, one.Metrics, two.Metrics, engine)
		require.Equal(t, one.Requests, two.Requests, engine)
	}
}

// Keys and values in a far memory cost time; with all of them near nothing is read there.
func TestServeFromFarMemory(t *testing.T) {
	near, err := serve(t, answers, experiment.Options{})
	require.NoError(t, err)
	far, err := serve(t, answers, experiment.Options{Set: []string{"tier=far"}})
	require.NoError(t, err)
	require.Zero(t, value(t, near, "Far", "read_bytes"))
	require.Positive(t, value(t, far, "Far", "read_bytes"))
	require.Greater(t, value(t, far, "Serve", "tpot_mean"), value(t, near, "Serve", "tpot_mean"))
}

// Requests that are alike make the batches that the workload has without requests: a
// prompt alone takes as long, but for the messages between nodes.
func TestServedPromptIsAPrefill(t *testing.T) {
	const system = `
nodes:
  %s
  - {name: Chip, kind: roofline, compute: 1TFLOP/s, memory: 100GB/s}
`
	alone, err := serve(t, "schema: causeway/1\nworkload: {file: llama/config.json, dtype: int8, sequence: 40}\n"+fmt.Sprintf(system, ""), experiment.Options{})
	require.NoError(t, err)
	served, err := serve(t, "schema: causeway/1\nworkload: {file: llama/config.json, dtype: int8, requests: {prompt: 40, output: 1}}\n"+
		fmt.Sprintf(system, "- {name: Serve, kind: serve}")+"links: [Serve -> Chip]\n", experiment.Options{})
	require.NoError(t, err)
	head := 40*32*100 - 32*100 // logits of one token, not of all
	require.EqualValues(t, value(t, alone, "Chip", "macs")-float64(head), value(t, served, "Chip", "macs"))
}

func TestServeErrors(t *testing.T) {
	for name, c := range map[string]struct{ from, to, want string }{
		"no server":     {"  - {name: Serve, kind: serve, tokens: 32, sequences: 4, block: 8, kv_memory: 5KiB}\n", "  - {name: Serve, kind: schedule}\n", "requests: has no effect: there is no node of kind serve"},
		"no requests":   {"  requests: {count: $count, prompt: 5..20, output: 10..40, arrivals: {name: poisson, mean: 1us}}\n", "", "has no requests for Serve"},
		"batch":         {"dtype: int8", "dtype: int8\n  batch: 2", "batch: has no effect: requests says what runs"},
		"no output":     {"output: 10..40, ", "", "output is missing"},
		"bad range":     {"10..40", "7..2", `"7..2" (want a number of tokens, or a range`},
		"tiny memory":   {"5KiB", "100B", "a block of 8 tokens takes 512B"},
		"swap":          {"kv_memory: 5KiB", "kv_memory: 5KiB, preemption: swap", "host is missing"},
		"both":          {"kv_memory: 5KiB", "kv_memory: 5KiB, blocks: 4", "has no effect with kv_memory"},
		"upscale":       {"count: $count", "count: $count, upscale: {factor: 2}", "upscale: has no effect: there is no file"},
		"unlinked core": {"dtype: int8", "dtype: int8\n  cores: Near", "Near"},
	} {
		require.Contains(t, answers, c.from, name)
		_, err := serve(t, strings.Replace(answers, c.from, c.to, 1), experiment.Options{})
		require.ErrorContains(t, err, c.want, name)
	}
}

// A core that cannot skip weights refuses a served model that leaves some out, before it serves.
func TestServeRefusesSparseWeights(t *testing.T) {
	from, _, _ := strings.Cut(answers, "nodes:")
	text := strings.Replace(from, "dtype: int8\n", "dtype: int8\n  sparsity: 2:4\n", 1) + `nodes:
  - {name: Serve, kind: serve}
  - {name: Chip, kind: roofline, compute: 1TFLOP/s, memory: 100GB/s}
links: [Serve -> Chip]
`
	r, err := serve(t, text, experiment.Options{})
	require.ErrorContains(t, err, "workload.sparsity: Chip cannot skip weights of 2:4")
	require.Nil(t, r)
}

// Cores share the operators of batches by any split, as many products in all.
func TestServeSplits(t *testing.T) {
	text := strings.NewReplacer("$count", "3", "kind: systolic,", "kind: systolic, count: 2,", ", kv_memory: 5KiB", "", "placement:", "mapping: {split: $split}\nplacement:").Replace(answers)
	sums := map[float64][]string{}
	for _, split := range []string{"auto", "batch", "head", "column", "row"} {
		r, err := serve(t, strings.ReplaceAll(text, "$split", split), experiment.Options{})
		require.NoError(t, err, split)
		require.Equal(t, result.Complete, r.Status, split+": "+r.Reason)
		require.Len(t, r.Requests.Rows, 3)
		first, _ := r.Metric("Core[0]", "macs")
		second, _ := r.Metric("Core[1]", "macs")
		require.Positive(t, first.Value, split)
		require.Positive(t, second.Value, split)
		sum := first.Value + second.Value
		sums[sum] = append(sums[sum], split)
	}
	require.Len(t, sums, 1, sums)
}

// On a node whose operators depend on nothing else, a planned step takes as long as one
// whose operators are issued, but for the messages.
func TestPlannedIsIssued(t *testing.T) {
	const text = `
schema: causeway/1
workload:
  file: llama/config.json
  dtype: int8
  requests: {count: 5, prompt: 5..60, output: 2..7, arrivals: {name: poisson, mean: 1ms}}
nodes:
  - {name: Serve, kind: serve, tokens: 32, sequences: 4, block: 8, graphs: 4}
  - {name: Chip, kind: %s}
links: [Serve -> Chip]
`
	for chip, bound := range map[string]float64{
		"roofline, compute: 1GFLOP/s, memory: 100MB/s":                                     0.01,
		"gpu, clock: 10MHz, memory: 500MB/s, caches: cold, launch: {other: 0s}, least: 0s": 0.01,
		"gpu, preset: mi210": 0.01, "gpu, preset: h100": 0.01, "gpu, preset: a100": 0.01, "gpu, preset: h100, kernels: {join: false}": 0.02, "gpu, preset: h100, kernels: {library: cutlass}": 0.01,
	} {
		one, err := serve(t, fmt.Sprintf(text, chip), experiment.Options{})
		require.NoError(t, err)
		two, err := serve(t, fmt.Sprintf(text, chip), experiment.Options{Set: []string{"Serve.times=planned"}})
		require.NoError(t, err)
		require.Positive(t, value(t, one, "Serve", "operators"))
		require.Zero(t, value(t, two, "Serve", "operators"))
		for _, name := range []string{"ttft_mean", "tpot_mean", "total_time"} {
			require.InEpsilon(t, value(t, one, "Serve", name), value(t, two, "Serve", name), bound, "%s of %s", name, chip)
		}
	}
}

// What has no price for a batch says so before the run: cores whose operators are mapped, a
// list of layers by name, attention in parts.
func TestNoPrices(t *testing.T) {
	_, err := serve(t, answers, experiment.Options{Set: []string{"Serve.times=planned"}})
	require.ErrorContains(t, err, "Core takes times: issued")
	dir := t.TempDir()
	costs := filepath.Join(dir, "costs.csv")
	require.NoError(t, os.WriteFile(costs, []byte("machine,workload,layer,cycles,energy_nj\nm,config,embed,7,\n"), 0o644))
	const text = "schema: causeway/1\nworkload: {file: llama/config.json, dtype: int8, attention: %s, requests: {prompt: 4, output: 2}}\nnodes:\n" +
		"  - {name: Serve, kind: serve, times: %s}\n  - {name: Chip, kind: %s}\nlinks: [Serve -> Chip]\n"
	_, err = serve(t, fmt.Sprintf(text, "fused", "issued", "profile, machine: m, file: "+costs), experiment.Options{})
	require.ErrorContains(t, err, "has no row of machine m for layer L0.attn_norm of config")
	_, err = serve(t, fmt.Sprintf(text, "unfused", "planned", "roofline"), experiment.Options{})
	require.ErrorContains(t, err, "attention: has no price by batch")
}

// A part of the layers takes a part of the time.
func TestPlannedLayers(t *testing.T) {
	const text = "schema: causeway/1\nworkload: {file: llama/config.json, dtype: int8, layers: 0..%d, requests: {prompt: 40, output: 2}}\nnodes:\n" +
		"  - {name: Serve, kind: serve, times: planned}\n  - {name: Chip, kind: roofline, compute: 1GFLOP/s, memory: 100MB/s}\nlinks: [Serve -> Chip]\n"
	one, err := serve(t, fmt.Sprintf(text, 0), experiment.Options{})
	require.NoError(t, err)
	two, err := serve(t, fmt.Sprintf(text, 1), experiment.Options{})
	require.NoError(t, err)
	require.InEpsilon(t, 2*value(t, one, "Serve", "total_time"), value(t, two, "Serve", "total_time"), 1e-3)
}

// Replicas share the requests, and step together.
func TestReplicas(t *testing.T) {
	const text = `
schema: causeway/1
workload:
  file: llama/config.json
  dtype: int8
  requests: {count: 8, prompt: 40, output: 5}
nodes:
  - {name: Serve, kind: serve, tokens: 64, sequences: 2, times: planned, ahead: 0}
  - {name: Chip, kind: roofline, compute: 1TFLOP/s, memory: 100GB/s}
links: [Serve -> Chip]
`
	one, err := serve(t, text, experiment.Options{})
	require.NoError(t, err)
	two, err := serve(t, text, experiment.Options{Set: []string{"Serve.replicas=2"}})
	require.NoError(t, err)
	require.InEpsilon(t, value(t, one, "Serve", "total_time"), 2*value(t, two, "Serve", "total_time"), 0.01)
	require.EqualValues(t, 8, value(t, two, "Serve", "requests"))
}

// None is lost or answered twice where the server loses its memory in the middle, and where
// clients go away; who went away says so.
func TestFailuresAndPatience(t *testing.T) {
	whole, err := serve(t, answers, experiment.Options{})
	require.NoError(t, err)
	end := value(t, whole, "Serve", "total_time")
	{
		o := experiment.Options{Set: []string{fmt.Sprintf("Serve.failures=[{at: %.0fns, for: 10us}, {at: %.0fns, for: 1us}]", end/3, end/2)}}
		r, err := serve(t, answers, o)
		require.NoError(t, err)
		require.Equal(t, result.Complete, r.Status, r.Reason)
		require.EqualValues(t, 4, value(t, r, "Serve", "requests"))
		require.Greater(t, value(t, r, "Serve", "total_time"), end+10e3)
		require.Positive(t, value(t, r, "Serve", "tokens_recomputed"))
		again, err := serve(t, answers, experiment.Options{Set: o.Set, Engine: "shuffle:3"})
		require.NoError(t, err)
		require.Equal(t, r.Requests, again.Requests)
	}
	r, err := serve(t, answers, experiment.Options{Set: []string{"Serve.sequences=1", fmt.Sprintf("Serve.patience=%.0fns", end/4)}})
	require.NoError(t, err)
	require.Equal(t, result.Complete, r.Status, r.Reason)
	require.Positive(t, value(t, r, "Serve", "killed"))
	require.EqualValues(t, 4, value(t, r, "Serve", "killed")+value(t, r, "Serve", "requests"))
	_, err = serve(t, answers, experiment.Options{Set: []string{"Serve.failures=[{at: 5us, for: 5us}, {at: 7us}]"}})
	require.ErrorContains(t, err, "before the server is back from the failure at 5us")
	_, err = serve(t, answers, experiment.Options{Set: []string{"Serve.failures=[{}]"}})
	require.ErrorContains(t, err, "nodes.Serve.failures[0]: is at 0s for 0s, when there is nothing to lose")
}

// Requests that are refused and failures that come after the last token are reported.
func TestServeSaysWhatCameToNothing(t *testing.T) {
	r, err := serve(t, answers, experiment.Options{Set: []string{"Serve.kv_memory=null", "Serve.blocks=3"}})
	require.NoError(t, err)
	refused := value(t, r, "Serve", "refused")
	require.Positive(t, refused)
	text := strings.Join(r.Warnings, "\n")
	require.Contains(t, text, fmt.Sprintf("Serve refused %.0f of 4 requests, which need more than the 3 blocks of 8 tokens that there are", refused))
	r, err = serve(t, answers, experiment.Options{Set: []string{"Serve.chunked_prefill=false", "Serve.tokens=8"}})
	require.NoError(t, err)
	require.Contains(t, strings.Join(r.Warnings, "\n"), "have prompts of more than the 8 tokens of a step (chunked_prefill: false)")
	r, err = serve(t, answers, experiment.Options{Set: []string{"Serve.failures=[{at: 1s, for: 1us}]"}})
	require.NoError(t, err)
	require.Contains(t, strings.Join(r.Warnings, "\n"), "1 of 1 failures of Serve have no effect: the next is at 1s, and the last token came at")
	r, err = serve(t, answers, experiment.Options{})
	require.NoError(t, err)
	require.NotContains(t, strings.Join(r.Warnings, "\n"), "Serve")
}

// onChips is a small model on two chips with a network between them.
const onChips = `
schema: causeway/1
workload:
  file: llama/config.json
  dtype: int8
  parallel: {tensor: 2}
  requests: {count: 2, prompt: 16, output: 3}
nodes:
  - {name: Serve, kind: serve, prefix_cache: false}
  - {name: Chip, kind: roofline, count: 2, compute: 100GFLOP/s, memory: 1GB/s}
  - {name: Nic, kind: nic, count: 2, bandwidth: 100MB/s, overhead: 100ns}
  - {name: Net, kind: network, topology: {name: crossbar, terminals: 2}, clock: 1GHz}
links: [Serve -> Chip, Serve -> Nic, Nic -> Net]
`

// Collectives beside computation make the first token come sooner, by parts of the step and
// by stages of products alike; a step of two tokens goes in parts and one of an odd number
// does not; all ranks send the same bytes as before, and multiply as much.
func TestOverlapOfSteps(t *testing.T) {
	run := func(set ...string) *result.Result {
		r, err := serve(t, onChips, experiment.Options{Set: set})
		require.NoError(t, err)
		require.Equal(t, result.Complete, r.Status, r.Reason)
		return r
	}
	plain := run()
	for _, key := range []string{"overlap", "t3"} {
		for _, how := range []string{"on", "true", "2", "4"} {
			r := run("workload.parallel." + key + "=" + how)
			require.Less(t, value(t, r, "Serve", "ttft_mean"), value(t, plain, "Serve", "ttft_mean"), "%s: %s", key, how)
			require.Equal(t, value(t, plain, "Program", "message_bytes"), value(t, r, "Program", "message_bytes"))
			require.Equal(t, value(t, plain, "", "macs"), value(t, r, "", "macs"))
		}
		off := run("workload.parallel." + key + "=off")
		require.Equal(t, plain.Metrics, off.Metrics, key)
		odd := run("workload.parallel."+key+"=on", "workload.requests.count=1", "workload.requests.prompt=15")
		require.EqualValues(t, 1, value(t, odd, "Serve", "requests"))
		_, err := serve(t, onChips, experiment.Options{Set: []string{"workload.parallel." + key + "=1"}})
		require.ErrorContains(t, err, `is no number of parts: "1"`)
		_, err = serve(t, onChips, experiment.Options{Set: []string{"workload.parallel." + key + "=on", "workload.parallel.tensor=1"}})
		require.ErrorContains(t, err, key+": has no effect: no operators are shared")
	}
}

// Layers alone are cut by tokens as the whole model is.
func TestSequenceOfSomeLayers(t *testing.T) {
	r, err := serve(t, onChips, experiment.Options{Set: []string{"workload.parallel.sequence=true", "workload.layers=0..0"}})
	require.NoError(t, err)
	require.Equal(t, result.Complete, r.Status, r.Reason)
	_, err = serve(t, onChips, experiment.Options{Set: []string{"mapping.ranks=random"}})
	require.ErrorContains(t, err, "mapping.ranks: has no effect: ranks of a model are its chips in order (want links: [{link: Chip.nic -> Net, placement: spread}])")
}

// priced is one request by hand: batches have prices.
const priced = "schema: causeway/1\nworkload: {file: llama/config.json, dtype: int8, requests: {count: 1, prompt: 40, output: 3}}\nnodes:\n" +
	"  - {name: Serve, kind: serve, times: planned}\n  - {name: Chip, kind: roofline, compute: 1GFLOP/s, memory: 100MB/s, power: 100W}\nlinks: [Serve -> Chip]\n"

// Where batches have prices the time of the whole is that of the server, and executors that
// get no operators do not claim 0 cycles, 0 multiply-accumulates and 0 pJ.
func TestPlannedWhole(t *testing.T) {
	r, err := serve(t, priced, experiment.Options{})
	require.NoError(t, err)
	require.Positive(t, value(t, r, "", "total_time"))
	require.Equal(t, value(t, r, "Serve", "total_time"), value(t, r, "", "total_time"))
	for _, m := range r.Metrics {
		require.NotEqual(t, "Chip", m.Where, m.Name)
		require.NotContains(t, []string{"energy", "macs", "total_cycles"}, m.Name)
	}
	require.Equal(t, []string{"Chip"}, r.WithoutEnergy)
}

// A GPU is charged for planned steps; one that stands for the chips of two replicas has the energy of one, and says so.
func TestPlannedStepsAreCharged(t *testing.T) {
	text := strings.Replace(priced, "kind: roofline, compute: 1GFLOP/s, memory: 100MB/s, power: 100W", "kind: gpu, preset: h100", 1)
	r, err := serve(t, text, experiment.Options{})
	require.NoError(t, err)
	planned := value(t, r, "Chip", "energy_planned")
	rest := 104e3 * value(t, r, "Serve", "total_time") // W times ns, in pJ
	require.Greater(t, planned, rest, "more than at rest")
	require.GreaterOrEqual(t, value(t, r, "Chip", "energy"), planned)
	require.Empty(t, r.WithoutEnergy)
	require.NotContains(t, strings.Join(r.Warnings, " "), "replica")

	r, err = serve(t, text, experiment.Options{Set: []string{"Serve.replicas=2"}})
	require.NoError(t, err)
	require.Positive(t, value(t, r, "Chip", "energy_planned"))
	require.Contains(t, r.Warnings, "Chip stands for the chips of all 2 replicas of Serve, and energy is that of one replica.")
}

// A client whose first token comes later than it waits has gone, though the step that makes
// the token is under way; the one whose token comes just then is answered.
func TestPatienceWithinAStep(t *testing.T) {
	for _, times := range []string{"planned", "issued"} {
		set := []string{"Serve.times=" + times}
		r, err := serve(t, priced, experiment.Options{Set: set})
		require.NoError(t, err)
		first := value(t, r, "Serve", "ttft_mean")
		for late, killed := range map[float64]float64{0: 0, 1: 1, first / 2: 1} {
			r, err := serve(t, priced, experiment.Options{Set: append(set, fmt.Sprintf("Serve.patience=%.0fns", first-late))})
			require.NoError(t, err)
			require.Equal(t, killed, value(t, r, "Serve", "killed"), "%s, %g ns late", times, late)
			require.Equal(t, 1-killed, value(t, r, "Serve", "requests"))
		}
	}
}

// There are no more different prefixes than requests that begin with them, and not none.
func TestNumberOfPrefixes(t *testing.T) {
	for n, want := range map[string]string{"0": "workload.requests.prefixes: 0 is too small (want at least 1)", "5": "workload.requests.prefixes: is 5 (want 1 to 4: no more than there are requests)", "1": "", "4": ""} {
		_, err := serve(t, inTiers, experiment.Options{Set: []string{"workload.requests.prefix=8", "workload.requests.prefixes=" + n}})
		if want == "" {
			require.NoError(t, err)
			continue
		}
		require.ErrorContains(t, err, want)
	}
}

// Ranks of a server that have several nodes each, which no memory connects, are reported.
func TestServedRanksOfSeveralNodes(t *testing.T) {
	r, err := serve(t, strings.Replace(onChips, "kind: roofline, count: 2", "kind: roofline, count: 4", 1), experiment.Options{})
	require.NoError(t, err)
	require.Contains(t, strings.Join(r.Warnings, "\n"), "is shared by 2 ranks of 2 nodes each (the first: Chip[0] to Chip[1])")
}

// A server that issues nothing names the chips that it makes no use of; one stands for all
// replicas, or each has its own.
func TestPlannedIdleChips(t *testing.T) {
	const text = `
schema: causeway/1
workload: {file: llama/config.json, dtype: int8, requests: {count: 4, prompt: 40, output: 5}}
nodes:
  - {name: Serve, kind: serve, times: planned}
  - {name: Chip, kind: roofline, count: 3, compute: 1TFLOP/s, memory: 100GB/s}
links: [Serve -> Chip]
`
	_, err := serve(t, text, experiment.Options{})
	require.ErrorContains(t, err, "workload: Serve reckons with 1 of the 3 nodes that it is linked to, and Chip[1] has no effect")
	_, err = serve(t, text, experiment.Options{Set: []string{"Serve.replicas=2"}})
	require.ErrorContains(t, err, "reckons with 1 of the 3 nodes")
	for _, set := range [][]string{{"Serve.replicas=3"}, {"Serve.instances={prefill: 2, decode: 1, bandwidth: 1GB/s}"}, {"mapping.cores=Chip[0]"}, {"Chip.count=1", "Serve.replicas=2"}} {
		r, err := serve(t, text, experiment.Options{Set: set})
		require.NoError(t, err, set)
		require.EqualValues(t, 4, value(t, r, "Serve", "requests"))
	}
}
