package experiment_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/experiment/result"
)

func trainingChips(n int, training, parallel, bandwidth string) string {
	return fmt.Sprintf(`
workload: {model: gpt2, sequence: 64, dtype: fp16, layers: 0..3, training: {%s}, parallel: {%s}}
nodes:
  - {name: Schedule, kind: schedule, grain: operator}
  - {name: Chip, kind: roofline, count: %d, compute: 2TFLOP/s, memory: 1000TB/s}
  - {name: Nic, kind: nic, count: %d, eager: 1GiB}
  - {name: Net, kind: network, fidelity: packet, packet: 65536, topology: {name: crossbar, terminals: %d}, clock: 1GHz, terminal: {bandwidth: %s, latency: 1ns}}
links:
  - Schedule -> Chip
  - Schedule -> Nic
  - Nic -> Net
`, training, parallel, n, n, n, bandwidth)
}

func timeOf(t *testing.T, text string) (*result.Result, float64) {
	r, err := scheduled(t, text, experiment.Options{})
	require.NoError(t, err)
	m, ok := r.Metric("Schedule", "total_time")
	require.True(t, ok)
	return r, m.Value
}

// With links that take no time a pipeline of equal stages adds (stages - 1) / microbatches
// of the work of a stage, and over chunks that divided by their number.
func TestTrainingHasThePublishedBubble(t *testing.T) {
	one := func(micro int, more string) float64 {
		_, time := timeOf(t, trainingChips(2, fmt.Sprintf("microbatches: %d, optimizer: none", micro), "pipeline: 2"+more, "10000GB/s"))
		return time
	}
	for _, schedule := range []string{"", ", schedule: gpipe"} {
		four, eight := one(4, schedule), one(8, schedule)
		work := (eight - four) / 4 // of a microbatch on a stage
		require.InEpsilon(t, work*(4+1), four, 0.01)
		require.InEpsilon(t, work*(8+1), eight, 0.01)
		chunks := one(8, ", schedule: interleaved, chunks: 2")
		require.InEpsilon(t, work*(8+0.5), chunks, 0.01)
	}
}

// A step takes the time computed by hand: of a pass forward three times its products, and
// four with recomputation; the sums of a layer over links that bound; of replicas 2(n-1)/n
// of the bytes of the gradients, which buckets hide but for the last.
func TestTrainingByHand(t *testing.T) {
	const tokens, h, layers = 64, 768, 4
	forward := 2.0 * layers * (12*tokens*h*h + 2*tokens*tokens*h) / 2000 // ns
	alone := func(more string) string {
		return "workload: {model: gpt2, sequence: 64, dtype: fp16, layers: 0..3, training: {microbatches: 2, optimizer: none" + more + `}}
nodes:
  - {name: Schedule, kind: schedule, grain: operator}
  - {name: Chip, kind: roofline, compute: 2TFLOP/s, memory: 1000TB/s}
links: [Schedule -> Chip]
`
	}
	r, none := timeOf(t, alone(""))
	macs, _ := r.Metric("Chip", "macs")
	require.EqualValues(t, 2*3*forward*1000, macs.Value)
	_, full := timeOf(t, alone(", recompute: full"))
	require.InEpsilon(t, none+2*forward, full, 0.01)

	_, fast := timeOf(t, trainingChips(2, "microbatches: 2, optimizer: none", "tensor: 2", "10000GB/s"))
	_, slow := timeOf(t, trainingChips(2, "microbatches: 2, optimizer: none", "tensor: 2", "1GB/s"))
	bytes := 2.0 * 4 * layers * tokens * h * 2 // of two ranks half to and half fro
	// Back, a sum goes on beside the products that make the gradients of the weights before it.
	hidden := 2 * layers * 2.0 * 7 * tokens * h * h / 2 / 2000
	require.InEpsilon(t, fast+bytes-hidden, slow, 0.03)

	replica := func(training string) float64 {
		_, time := timeOf(t, trainingChips(2, "microbatches: 2, optimizer: none, "+training, "data: 2", "20GB/s"))
		return time
	}
	gradients := 4.0 * layers * (12*h*h + 13*h) / 20 // ns
	late := replica("overlap: false, bucket: 0B")
	require.InEpsilon(t, none+gradients, late, 0.01)
	require.InEpsilon(t, none+gradients, replica("overlap: false, bucket: 1MB"), 0.01)
	require.Less(t, replica("bucket: 1MB"), none+0.6*gradients)
	require.GreaterOrEqual(t, replica("bucket: 1MB"), max(none, gradients))
}

// Whatever engine carries it out, a step of all kinds of parallelism is the same to the byte.
func TestTrainingIsDeterministic(t *testing.T) {
	for _, more := range []string{"zero: 1", "zero: 3, sequence: true"} {
		text := trainingChips(8, "microbatches: 2, recompute: selective", "tensor: 2, pipeline: 2, data: 2, "+more, "50GB/s")
		r, _ := timeOf(t, text)
		for _, name := range []string{"parallel", "shuffle:1"} {
			again, err := scheduled(t, text, experiment.Options{Engine: name})
			require.NoError(t, err)
			require.Equal(t, string(result.MetricsCSV(r.Metrics)), string(result.MetricsCSV(again.Metrics)))
		}
	}
}

// What training cannot be is said with its place.
func TestTrainingRefuses(t *testing.T) {
	ok := "microbatches: 2"
	for text, want := range map[string]string{
		strings.Replace(tensorChips(2, ", context: 2", "1TB/s"), "dtype", "phase: decode, dtype", 1):                              "workload.parallel.context: is for prefill: phase is decode (want kv)",
		strings.Replace(tensorChips(2, ", context: 2", "1TB/s"), "sequence: 64", "requests: {count: 1, prompt: 8, output: 2}", 1): "workload.parallel.context: is not built for a server, whose batches are tokens of many requests (want tensor)",
		tensorChips(2, ", context: 3", "1TB/s"):                                                         "workload.parallel.context: 3 chips share the tokens of a request, and sequence is 64 (want a multiple)",
		strings.Replace(tensorChips(2, ", context: 2", "1TB/s"), "dtype", "attention: fused, dtype", 1): "workload.attention: chips that share tokens do not see the same",
		strings.Replace(tensorChips(2, ", context: 2", "1TB/s"), "dtype", "context: 128, dtype", 1):     "workload.parallel.context: chips share the tokens of a request that has no others before (want context: 64, or none)",
		strings.Replace(trainingChips(2, "", "expert: 2", "1TB/s"), "training: {}, ", "", 1):            "gpt2 has no mixture of experts to be shared by 2 ranks",
		tensorChips(2, ", capacity: 2", "1TB/s"):                                                        "workload.parallel.capacity: has no effect (used by: expert)",
		trainingChips(2, ok, "data: 2, pipeline: 1, schedule: gpipe", "1GB/s"):                          "workload.parallel.schedule: has no effect (used by: training in stages: training and pipeline)",
		trainingChips(2, ok, "pipeline: 2, schedule: 1b1f", "1GB/s"):                                    `workload.parallel.schedule: "1b1f" is not known (want one of: gpipe, 1f1b, interleaved, auto; did you mean "1f1b"?)`,
		trainingChips(2, ok, "pipeline: 2, chunks: 2", "1GB/s"):                                         "workload.parallel.chunks: has no effect (used by: schedule: interleaved)",
		trainingChips(2, ok, "tensor: 2, t3: 4", "1GB/s"):                                               "workload.parallel.t3: has no effect (used by: inference without expert or context)",
		trainingChips(2, ok, "tensor: 2, overlap: 4", "1GB/s"):                                          "workload.parallel.overlap: has no effect (used by: inference without expert or context)",
		trainingChips(4, ok, "context: 4, data: 2", "1GB/s"):                                            "workload.parallel.data: tokens are shared by 4 of 2 replicas (want data: 4 or a multiple)",
		trainingChips(8, ok, "expert: 8, data: 2", "1GB/s"):                                             "workload.parallel.data: experts are shared by 8 of 2 replicas (want data: 8 or a multiple)",
		trainingChips(2, ok, "tensor: 2, zero: 1", "1GB/s"):                                             "zero shares out among replicas, and there is one (data)",
		trainingChips(2, "microbatches: 0", "data: 2", "1GB/s"):                                         "workload.training.microbatches: 0 is too small (want at least 1)",
		trainingChips(2, "recompute: all", "data: 2", "1GB/s"):                                          `workload.training.recompute: "all" is not known (want one of: none, selective, full`,
		trainingChips(2, "optimizer: adan", "data: 2", "1GB/s"):                                         `workload.training.optimizer: "adan" is not known (want one of: adam, sgd, none; did you mean "adam"?)`,
		trainingChips(3, "microbatches: 4", "pipeline: 3, schedule: interleaved, chunks: 1", "1GB/s"):   "4 microbatches do not divide by 3 stages",
		trainingChips(4, "bucket: 1MiB", "tensor: 4", "1GB/s"):                                          "workload.training.bucket: has no effect: there is one replica",
		trainingChips(4, "overlap: false", "tensor: 4", "1GB/s"):                                        "workload.training.overlap: has no effect: there is one replica",
		trainingChips(2, "overlap: false", "data: 2, zero: 2", "1GB/s"):                                 "workload.training.overlap: is not built where zero is 2",
		trainingChips(2, ok, "pipeline: 2, schedule: interleaved", "1GB/s"):                             "workload.parallel.schedule: needs chunks",
		tensorChips(2, ", data: 2", "1TB/s"):                                                            "workload.parallel.data: has no effect (used by: training)",
	} {
		_, err := scheduled(t, text, experiment.Options{})
		require.ErrorContains(t, err, want)
	}
}

// What ranks do not share, and what lies between nodes of a rank, is said.
func TestTrainingWarns(t *testing.T) {
	warnings := func(text string) []string {
		r, _ := timeOf(t, text)
		return r.Warnings
	}
	const layers = "Layers 0 to 3 of 12 are carried out (workload.layers), and nothing before or after them."
	ok := "microbatches: 1"
	require.Equal(t, []string{layers}, warnings(trainingChips(2, ok, "tensor: 2, overlap: off, t3: off, sequence: true", "50GB/s")))
	selective := trainingChips(2, "microbatches: 1, recompute: selective", "tensor: 2", "50GB/s")
	const without = "workload.training.recompute: selective has no effect"
	require.NotContains(t, strings.Join(warnings(selective), "\n"), without)
	require.Contains(t, strings.Join(warnings(strings.Replace(selective, "layers: 0..3", "layers: 0..3, attention: fused", 1)), "\n"), without)
	require.Contains(t, strings.Join(warnings(trainingChips(2, ok, "data: 2, sequence: true", "50GB/s")), "\n"), "workload.parallel.sequence: has no effect (used by: tensor, of 2 or more)")
	require.Equal(t, []string{"8 ranks each do all of what does not divide by them: L0.QK^T, L0.AV, L1.QK^T and 5 more.", layers},
		warnings(trainingChips(8, ok, "tensor: 8", "50GB/s")))
	odd := strings.Replace(trainingChips(2, ok, "tensor: 2, sequence: true", "50GB/s"), "sequence: 64", "sequence: 63", 1)
	require.Equal(t, []string{"2 ranks each have all rows of what does not divide by them (parallel.sequence): L0.proj, L0.ff2, L1.proj and 5 more.", layers}, warnings(odd))
	wide := strings.Replace(trainingChips(2, ok, "tensor: 2", "50GB/s"), "roofline, count: 2", "roofline, count: 4", 1)
	require.Equal(t, []string{layers, "gpt2 is shared by 2 ranks of 2 nodes each (the first: Chip[0] to Chip[1]), and what the nodes of a rank pass to each other takes no time."}, warnings(wide))
}

// Chips that share experts give each other every place of them twice for each mixture, and do
// the work of as many replicas, in training three times.
func TestExpertsByHand(t *testing.T) {
	const text = `
workload: {model: moe_vit_t, dtype: int8, parallel: {expert: %d%s}}
nodes:
  - {name: Schedule, kind: schedule, grain: operator}
  - {name: Chip, kind: roofline, count: %d, compute: 20TFLOP/s, memory: 400GB/s}
  - {name: Nic, kind: nic, count: %d, eager: 1GiB}
  - {name: Net, kind: network, fidelity: packet, topology: {name: crossbar, terminals: %d}, clock: 1GHz, terminal: {bandwidth: 100GB/s, latency: 1ns}}
links: [Schedule -> Chip, Schedule -> Nic, Nic -> Net]
`
	const mixtures, experts, width = 6, 16, 192
	for more, places := range map[string]int{"": 17, ", capacity: 1": 17, ", capacity: 2": 33} { // 129 tokens, two picks each
		r, err := scheduled(t, fmt.Sprintf(text, 4, more, 4, 4, 4), experiment.Options{})
		require.NoError(t, err)
		for k := range 4 {
			m, ok := r.Metric(fmt.Sprintf("Nic[%d]", k), "all_to_all_bytes")
			require.True(t, ok)
			require.EqualValues(t, mixtures*2*experts*places*width, m.Value, more)
		}
		_, ok := r.Metric("Nic[0]", "all_reduce_bytes")
		require.False(t, ok)
	}
}

// Chips that share tokens take what one takes over their number, but for the head's messages;
// with links that bound, the keys and values of the others besides.
func TestContextByHand(t *testing.T) {
	const layers, hidden, tokens, n = 4, 768, 64, 4
	text := func(n int, bandwidth string) string {
		s := trainingChips(n, "", fmt.Sprintf("context: %d", n), bandwidth)
		return strings.Replace(s, "training: {}, ", "", 1)
	}
	r, fast := timeOf(t, text(n, "10000GB/s"))
	macs, _ := r.Metric("", "macs")
	require.EqualValues(t, layers*(12*tokens*hidden*hidden+2*tokens*tokens*hidden), macs.Value)
	require.InEpsilon(t, 2*macs.Value/n/2000, fast, 0.05)
	_, slow := timeOf(t, text(n, "1GB/s"))
	// A ring passes n - 1 parts of keys and of values, one beside the other: both before the scores.
	bytes := 2.0 * layers * (n - 1) * tokens / n * hidden * 2
	require.InEpsilon(t, fast+bytes, slow, 0.03)
}

// States of the optimiser lie where a rule puts them: 12 bytes for each weight are read there.
func TestOptimizerStatesInATier(t *testing.T) {
	const text = `
workload: {model: deit_t, layers: 0..0, dtype: fp16, training: {}}
nodes:
  - {name: Schedule, kind: schedule, grain: operator}
  - {name: Core, kind: systolic, rows: 64, cols: 64}
  - {name: LLC, kind: cache, size: 64KiB, slices: 1}
  - {name: Near, kind: memory, fidelity: ideal, latency: 60ns, bandwidth: 256GB/s, size: 4GiB}
  - {name: Far, kind: memory, fidelity: ideal, latency: 300ns, bandwidth: 16GB/s, size: 16GiB}
links: [Schedule -> Core, Core -> LLC.top, LLC.bottom -> Near, LLC.bottom -> Far]
memory:
  - {tier: near, node: Near, base: 0GiB, size: 4GiB}
  - {tier: far, node: Far, base: 1TiB, size: 16GiB}
placement: {default: near, rules: [{tensor: optimizer_state, tier: far}]}
`
	r, _ := timeOf(t, text)
	read, _ := r.Metric("Far", "read_bytes")
	const weights = 12*192*192 + 13*192
	require.GreaterOrEqual(t, read.Value, 12.0*weights)
	require.Less(t, read.Value, 12.02*weights, "some lines are gone again when they are written")
	written, _ := r.Metric("Far", "write_bytes")
	require.InDelta(t, 12*weights, written.Value, 64<<10, "what is left in the cache")
}

// Replicas that share experts and tokens both do of each what they do of it alone: products are
// cut by the tokens, gradients of experts are added up by those that have the same, exchanges
// have the tokens that a rank has.
func TestTrainingSharesExpertsAndTokens(t *testing.T) {
	const mixture = `{"model_type": "mixtral", "hidden_size": 64, "intermediate_size": 96, "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 4, "vocab_size": 128, "max_position_embeddings": 256, "num_local_experts": 4, "num_experts_per_tok": 2}`
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "config.json"), []byte(mixture), 0o644))
	run := func(expert, context int) *result.Result {
		r, err := scheduled(t, fmt.Sprintf("workload: {file: %s, dtype: bf16, sequence: 64, batch: 2, parallel: {data: 4, expert: %d, context: %d}, training: {microbatches: 1}}\n"+
			"nodes:\n  - {name: S, kind: schedule, grain: operator}\n  - {name: Chip, kind: roofline, count: 4}\n  - {name: Nic, kind: nic, count: 4}\n"+
			"  - {name: Net, kind: network, topology: {name: crossbar, terminals: 4}, clock: 1GHz}\nlinks: [S -> Chip, S -> Nic, Nic -> Net]\n", filepath.Join(dir, "config.json"), expert, context), experiment.Options{})
		require.NoError(t, err)
		return r
	}
	for _, n := range [][2]int{{2, 2}, {4, 2}, {2, 4}, {4, 4}} {
		both, experts, tokens := run(n[0], n[1]), run(n[0], 1), run(1, n[1])
		require.Equal(t, value(t, tokens, "", "macs"), value(t, both, "", "macs"), "%v", n)
		require.Equal(t, value(t, experts, "Nic[0]", "all_reduce_bytes"), value(t, both, "Nic[0]", "all_reduce_bytes"), "%v", n)
		require.Equal(t, value(t, experts, "Nic[0]", "all_to_all_bytes")/float64(n[1]), value(t, both, "Nic[0]", "all_to_all_bytes"), "%v", n)
		for _, name := range []string{"all_gather_bytes", "reduce_scatter_bytes"} {
			require.Equal(t, value(t, tokens, "Nic[0]", name), value(t, both, "Nic[0]", name), "%s of %v", name, n)
		}
	}
}

// What one key of the parallelism is to blame for is said there.
func TestTrainingErrorsPointAtTheirKeys(t *testing.T) {
	text := trainingChips(4, "microbatches: 2", "data: 4", "20GB/s")
	for from, want := range map[string]string{
		"parallel: {data: 4, expert: 2}":            "workload.parallel.expert: gpt2: has no mixture of experts to be shared by 2 ranks",
		"parallel: {data: 2, context: 4}":           "data: tokens are shared by 4 of 2 replicas",
		"parallel: {data: 1, zero: 1, pipeline: 4}": "workload.parallel.zero: zero shares out among replicas, and there is one (data)",
	} {
		_, err := scheduled(t, strings.Replace(text, "parallel: {data: 4}", from, 1), experiment.Options{})
		require.ErrorContains(t, err, want, from)
	}
}

// A memory that is too small on every chip is said once.
func TestCapacityIsSaidOnce(t *testing.T) {
	text := strings.Replace(trainingChips(4, "microbatches: 2", "data: 4", "20GB/s"), "kind: roofline, count: 4, compute: 2TFLOP/s, memory: 1000TB/s", "kind: gpu, count: 4, capacity: 100MB", 1)
	_, err := scheduled(t, text, experiment.Options{})
	require.ErrorContains(t, err, "(key capacity), and 3 more nodes like it")
	require.NotContains(t, err.Error(), "Chip[1]")
}

// A step that does not fit a GPU by its activations is refused before the run: once for all
// GPUs that keep as much. With recomputation the same step fits.
func TestActivationsMustFitAGPU(t *testing.T) {
	const tokens, h, layers, heads, words = 1024, 768, 2, 12, 50257
	gpu := func(recompute string, capacity int) error {
		text := strings.Replace(trainingChips(4, "microbatches: 4, recompute: "+recompute, "pipeline: 2, data: 2", "100GB/s"), "kind: roofline, count: 4, compute: 2TFLOP/s, memory: 1000TB/s", fmt.Sprintf("kind: gpu, preset: a100, count: 4, capacity: %dMB", capacity), 1)
		_, err := scheduled(t, strings.Replace(text, "sequence: 64", "sequence: 1024", 1), experiment.Options{})
		return err
	}
	// The first stage has two microbatches under way, each of 32 s b h + 2 a s^2 b in a layer.
	kept := 2 * layers * (32*tokens*h + 2*heads*tokens*tokens)
	require.Equal(t, "0.2013", fmt.Sprintf("%.4g", float64(kept)/1e9))
	err := gpu("none", 400)
	require.ErrorContains(t, err, "Chip[0]: weights, gradients, states of the optimiser and activations kept for backward passes up to gpt2.0 take ")
	require.ErrorContains(t, err, "(activations 0.2013 GB), the memory has 0.4 GB (key capacity), and 1 more nodes like it")
	require.NoError(t, gpu("full", 400))
}
