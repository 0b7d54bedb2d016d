package experiment_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/experiment/result"
)

func tensorChips(n int, more, bandwidth string) string {
	return fmt.Sprintf(`
workload: {model: gpt2, sequence: 64, dtype: int8, parallel: {tensor: %d%s}}
nodes:
  - {name: Schedule, kind: schedule, grain: operator}
  - {name: Chip, kind: roofline, count: %d, compute: 2TFLOP/s, memory: 100TB/s}
  - {name: Nic, kind: nic, count: %d, eager: 1MiB}
  - {name: Net, kind: network, fidelity: packet, topology: {name: crossbar, terminals: %d}, clock: 1GHz, terminal: {bandwidth: %s, latency: 1ns}}
links:
  - Schedule -> Chip
  - Schedule -> Nic
  - Nic -> Net
`, n, more, n, n, n, bandwidth)
}

// n chips whose links and memories are infinitely fast take the time computed by hand:
// the products of one chip over n, and the rest in full; with sequence that over n too.
// Links that bound take their bytes: a ring passes 2(n-1)/n of each sum.
func TestTensorByHand(t *testing.T) {
	metric := func(r *result.Result, where, name string) float64 {
		m, ok := r.Metric(where, name)
		require.True(t, ok, name)
		return m.Value
	}
	one, err := scheduled(t, `
workload: {model: gpt2, sequence: 64, dtype: int8}
nodes:
  - {name: Chip, kind: roofline, compute: 2TFLOP/s, memory: 100TB/s}
`, experiment.Options{})
	require.NoError(t, err)
	const layers, hidden, tokens, words, vectors = 12, 768, 64, 50257, 12
	alone := metric(one, "Chip", "total_cycles")
	const head = 2 * tokens * hidden * words / 2000.0 // cycles; 50,257 words divide by no 2 or 4
	for _, n := range []float64{2, 4} {
		r, err := scheduled(t, tensorChips(int(n), "", "1TB/s"), experiment.Options{})
		require.NoError(t, err)
		busy := metric(r, "Chip[0]", "total_cycles") - metric(r, "Chip[0]", "idle_cycles") - metric(r, "Chip[0]", "stall_network_cycles")
		// Products and attention; what else each chip does in full is vector operations.
		products := 2 * (float64(layers)*(12*tokens*hidden*hidden) + float64(tokens*words*hidden)) / 2000
		require.InDelta(t, alone-(products-head)*(1-1/n), busy, 0.03*busy)
		transfers := metric(r, "Nic[0]", "transfers")
		require.EqualValues(t, 2*layers, transfers, "the vocabulary does not divide")
		total := metric(r, "Schedule", "total_time")
		require.GreaterOrEqual(t, total, busy)
		require.LessOrEqual(t, total, busy+transfers*40*n, "messages and the network are all that comes on top")

		s, err := scheduled(t, tensorChips(int(n), ", sequence: true", "1TB/s"), experiment.Options{})
		require.NoError(t, err)
		require.Less(t, metric(s, "Chip[0]", "total_cycles")-metric(s, "Chip[0]", "idle_cycles")-metric(s, "Chip[0]", "stall_network_cycles"), busy)

		slow, err := scheduled(t, tensorChips(int(n), "", "100MB/s"), experiment.Options{})
		require.NoError(t, err)
		bytes := 2 * layers * tokens * hidden * 2 * (n - 1) / n // over each link
		require.InEpsilon(t, busy+bytes*10, metric(slow, "Schedule", "total_time"), 0.02)
	}
}

// Cores that share each operator of a schedule take what they take without one, but for
// the messages; chips of such cores in stages and tensor ranks do all of the work.
func TestTeamsShareOperators(t *testing.T) {
	const nodes = `
  - {name: Core, kind: systolic, count: 4, rows: 32, cols: 32, on_chip: none}
  - {name: Mem, kind: memory, fidelity: ideal, latency: 60ns, bandwidth: 512GB/s}
`
	const load = "workload: {model: bert_base, layers: 0..3, sequence: 64, dtype: int8"
	free, err := scheduled(t, load+"}\nmapping: {split: auto, multicast: none}\nnodes:"+nodes+"links: [Core -> Mem]\n", experiment.Options{})
	require.NoError(t, err)
	team, err := scheduled(t, load+"}\nmapping: {split: auto}\nnodes:\n  - {name: Schedule, kind: schedule, grain: operator}"+nodes+"links: [Core -> Mem, Schedule -> Core]\n", experiment.Options{})
	require.NoError(t, err)
	single, err := scheduled(t, load+"}\nnodes:\n  - {name: Schedule, kind: schedule, grain: operator}"+nodes+"links: [Core -> Mem, Schedule -> Core]\n", experiment.Options{})
	require.NoError(t, err)
	a, _ := free.Metric("", "total_cycles")
	b, _ := team.Metric("", "total_cycles")
	c, _ := single.Metric("", "total_cycles")
	require.InEpsilon(t, a.Value, b.Value, 0.02)
	require.Greater(t, c.Value, 1.2*b.Value, "one core for each operator")
	for i := range 4 {
		m, _ := team.Metric(fmt.Sprintf("Core[%d]", i), "macs")
		all, _ := team.Metric("", "macs")
		require.InEpsilon(t, all.Value/4, m.Value, 0.01)
	}

	text := load + ", parallel: {tensor: 2, pipeline: 2}, frames: 3}\nmapping: {split: auto}\nnodes:\n  - {name: Schedule, kind: schedule, grain: operator}" + `
  - {name: Core, kind: systolic, count: 8, rows: 16, cols: 16}
  - {name: Mem, kind: memory, fidelity: ideal, latency: 60ns, bandwidth: 512GB/s}
  - {name: Nic, kind: nic, count: 4, bandwidth: 5GB/s, overhead: 100ns}
  - {name: Net, kind: network, topology: {name: crossbar, terminals: 4}, clock: 1GHz}
links: [Core -> Mem, Schedule -> Core, Schedule -> Nic, Nic -> Net]
`
	r, err := scheduled(t, text, experiment.Options{})
	require.NoError(t, err)
	macs, _ := r.Metric("", "macs")
	whole, _ := free.Metric("", "macs")
	require.Equal(t, 3*whole.Value, macs.Value)
	for _, name := range []string{"parallel", "shuffle:1"} {
		again, err := scheduled(t, text, experiment.Options{Engine: name})
		require.NoError(t, err)
		require.Equal(t, string(result.MetricsCSV(r.Metrics)), string(result.MetricsCSV(again.Metrics)))
	}
}

// What cannot be shared is said with its place.
func TestParallelRefuses(t *testing.T) {
	for text, want := range map[string]string{
		tensorChips(5, "", "1TB/s"):                                                                        "workload.parallel.tensor: gpt2: no product divides by 5 ranks",
		tensorChips(1, ", sequence: true", "1TB/s"):                                                        "workload.parallel.sequence: has no effect: no operators are shared (tensor)",
		strings.Replace(tensorChips(2, "", "1TB/s"), "tensor: 2", "tensor: 4", 1):                          "workload.parallel.tensor: is 4 chips, and the schedule is linked to 2 nodes of kind nic",
		strings.Replace(tensorChips(2, "", "1TB/s"), "model: gpt2, sequence: 64", "model: resnet18", 1):    "a convolution is not cut among ranks",
		"mapping: {split: layer}" + tensorChips(2, "", "1TB/s"):                                            "mapping.split: has no meaning",
		"mapping: {split: auto}" + strings.Replace(tensorChips(2, "", "1TB/s"), "count: 2", "count: 4", 1): "mapping.split: has no effect",
	} {
		_, err := scheduled(t, text, experiment.Options{})
		require.ErrorContains(t, err, want)
	}
}

// Chips with a memory each: tensors of a rank lie in the memory that its chip reaches, and
// all chips reach the pool.
func TestChipsHavePrivateMemory(t *testing.T) {
	const text = `
workload: {model: bert_base, sequence: 32, layers: 3, dtype: int8, parallel: {tensor: 2}}
mapping: {split: auto}
groups:
  Chip:
    ports: {work: Core.ops, pool: LLC.bottom}
    nodes:
      - {name: Core, kind: systolic, count: 2, rows: 32, cols: 32}
      - {name: Mem, kind: memory, fidelity: ideal, latency: 60ns, bandwidth: 64GB/s, size: 1GiB}
      - {name: LLC, kind: cache, size: 2MiB, slices: 1}
    links: [Core -> LLC.top, LLC.bottom -> Mem]
nodes:
  - {name: Schedule, kind: schedule, grain: operator}
  - {name: Chip, group: Chip, count: 2}
  - {name: Pool, kind: memory, fidelity: ideal, latency: 300ns, bandwidth: 16GB/s, size: 1GiB}
  - {name: Nic, kind: nic, count: 2}
  - {name: Net, kind: network, topology: {name: crossbar, terminals: 2}, clock: 1GHz}
links: [Schedule -> Chip.work, Chip.pool -> Pool, Schedule -> Nic, Nic -> Net]
memory:
  - {tier: own, node: Chip.Mem, base: 0GiB, size: 1GiB, private: true}
  - {tier: pool, node: Pool, base: 4GiB, size: 1GiB}
placement:
  default: own
  rules: [{tensor: L3.ff1.weight, tier: pool}]
`
	r, err := scheduled(t, text, experiment.Options{})
	require.NoError(t, err)
	value := func(where, name string) float64 {
		m, ok := r.Metric(where, name)
		require.True(t, ok, "%s of %s", name, where)
		return m.Value
	}
	require.Equal(t, 768.0*3072, value("Pool", "read_bytes"), "all of one weight, each rank its half")
	below := 0.0
	for i := range 2 {
		require.Equal(t, value("Chip[0].Mem", "read_bytes"), value(fmt.Sprintf("Chip[%d].Mem", i), "read_bytes"))
		below += value(fmt.Sprintf("Chip[%d].LLC", i), "below_read_bytes")
	}
	require.Equal(t, below, value("Chip[0].Mem", "read_bytes")*2+value("Pool", "read_bytes"))
	for change, want := range map[string]string{
		"private: true":                   "tier own is spread over 2 memories, and Chip[0].Core[0].mem does not reach Chip[1].Mem",
		"interleave: 4KiB, private: true": "memory.own.interleave: has no effect: the memories are private",
		"private: true, size: 8GiB":       "holds 1GiB, the ranges give it 8GiB",
	} {
		from, to := "private: true", change
		if change == from {
			to = "private: false"
		}
		if strings.HasSuffix(change, "8GiB") {
			from, to = "size: 1GiB, private: true", "size: 8GiB, private: true"
		}
		_, err := scheduled(t, strings.Replace(text, from, to, 1), experiment.Options{})
		require.ErrorContains(t, err, want)
	}
}

// An interface that is linked to memory reads and writes what it transfers: in a ring of n
// a rank reads 3(n-1)/n of the bytes of each sum and writes 2(n-1)/n. A fast memory costs
// its requests' latency alone, a slow one what its bytes take.
func TestInterfacesReadAndWriteMemory(t *testing.T) {
	const n, layers, sum = 4, 12, 64 * 768
	chips := func(memory string) *result.Result {
		text := tensorChips(n, "", "1TB/s")
		if memory != "" {
			text = strings.Replace(text, "  - {name: Net,", "  - {name: Mem, count: 4, kind: memory, fidelity: ideal, size: 4GiB, "+memory+"}\n  - {name: Net,", 1) +
				"  - Nic.mem -> Mem\nmemory: [{tier: own, node: Mem, private: true}]\n"
		}
		r, err := scheduled(t, text, experiment.Options{})
		require.NoError(t, err)
		return r
	}
	value := func(r *result.Result, where, name string) float64 {
		m, ok := r.Metric(where, name)
		require.True(t, ok, "%s of %s", name, where)
		return m.Value
	}
	none, fast, slow := chips(""), chips("latency: 1ns, bandwidth: 10TB/s"), chips("latency: 1ns, bandwidth: 100MB/s")
	for i := range n {
		nic, mem := fmt.Sprintf("Nic[%d]", i), fmt.Sprintf("Mem[%d]", i)
		require.Equal(t, 3.0*(n-1)/n*sum*2*layers, value(fast, nic, "memory_read_bytes"))
		require.Equal(t, 2.0*(n-1)/n*sum*2*layers, value(fast, nic, "memory_write_bytes"))
		require.Equal(t, value(fast, nic, "memory_read_bytes"), value(fast, mem, "read_bytes"))
		require.Equal(t, value(fast, nic, "memory_write_bytes"), value(fast, mem, "write_bytes"))
		_, has := none.Metric(nic, "memory_read_bytes")
		require.False(t, has)
	}
	a, b, c := value(none, "", "total_time"), value(fast, "", "total_time"), value(slow, "", "total_time")
	require.Greater(t, b, a)
	const steps, bursts = 2 * (n - 1), 3 // of a ring, and of 4 KiB in a piece of 12 KiB
	require.Less(t, b-a, 2.0*layers*steps*(2*(bursts+6)+4))
	require.InEpsilon(t, 5.0*(n-1)/n*sum*2*layers*10, c-a, 0.03, "one byte in 10 ns, nothing beside it")
	for change, want := range map[string]string{
		"eager: 1MiB, burst: 1KiB":  "Nic.burst: has no effect: port mem of Nic[0] is not linked",
		"eager: 1MiB, sums: memory": "Nic.sums: has no effect: port mem of Nic[0] is not linked",
	} {
		_, err := scheduled(t, strings.Replace(tensorChips(2, "", "1TB/s"), "eager: 1MiB", change, 1), experiment.Options{})
		require.ErrorContains(t, err, want)
	}
}

// A list that adds up over ranks goes with as many chips, and the stages of t3 with what
// is added up.
func TestListsThatAddUp(t *testing.T) {
	list := func(op, parallel string) string {
		return "schema: causeway/1\nworkload: {ops: [" + op + "]" + parallel + "}\nnodes:\n  - {name: Schedule, kind: schedule, grain: operator}\n" +
			"  - {name: Gpu, kind: gpu, count: 2}\n  - {name: Nic, kind: nic, count: 2}\n  - {name: Net, kind: network, topology: {name: crossbar, terminals: 2}}\n" +
			"links: [Schedule -> Gpu, Schedule -> Nic, Nic -> Net]\n"
	}
	sum := "{op: gemm_sum, m: 64, n: 64, k: 64, ranks: 2, dtype: fp16}"
	_, err := experiment.Parse("f.yaml", []byte(list(sum, ", parallel: {tensor: 2, t3: 4}")), experiment.Options{})
	require.NoError(t, err)
	for parallel, want := range map[string]string{
		"":                        "gemm_sum_1 adds up over the ranks that it names (want workload.parallel.tensor as many, and more than 1; it is 1)",
		", parallel: {tensor: 3}": "it is 3)",
	} {
		_, err := experiment.Parse("f.yaml", []byte(list(sum, parallel)), experiment.Options{})
		require.ErrorContains(t, err, want)
	}
	_, err = experiment.Parse("f.yaml", []byte(list("{op: gemm, m: 64, n: 64, k: 64, dtype: fp16}", ", parallel: {tensor: 2}")), experiment.Options{})
	require.ErrorContains(t, err, "workload.parallel.tensor: has no effect on a list of operators that adds up nothing over ranks")
}
