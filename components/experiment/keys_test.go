package experiment_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/experiment/result"
)

// Attention over a part of the keys does the work of that part and leaves its statistics, on
// every node that has attention as one operator: bytes by hand, 32 heads of 128 elements for 4
// requests over 1,024 tokens of 8 heads.
func TestPartOfAttentionOnEveryNode(t *testing.T) {
	const memory = "\n  - {name: Mem, kind: memory, fidelity: ideal, latency: 60ns, bandwidth: 1TB/s}\nlinks: [Chip -> Mem]\n"
	const nest = "kind: spatial, fidelity: tile, word: 16bit, vector: {lanes: 64}, compute: {name: MAC}, levels: [{name: DRAM}, {name: Buf, capacity: 4MiB, fanout: {x: 16, y: 16, unroll_x: [M], unroll_y: [N]}}, {name: Reg, capacity: 64word}]}"
	const kv, q, rows = 2 * 4 * 8 * 1024 * 128 * 2, 4 * 32 * 128 * 2, 4 * 32
	for _, node := range []string{
		"kind: roofline, compute: 100TFLOP/s, memory: 2TB/s}",
		"kind: gpu, preset: a100}",
		"kind: gpu, preset: a100, fidelity: tile}" + memory,
		"kind: lanes, lanes: 64, width: 64}",
		"kind: systolic, rows: 64, cols: 64, on_chip: none}" + memory,
		"kind: systolic, rows: 64, cols: 64, on_chip: none, fidelity: analytic}" + memory,
		"kind: systolic, preset: tpu_v6e, kernels: {heads: together}}" + memory,
		nest + memory,
	} {
		bytes := func(row string) float64 {
			r, err := scheduled(t, fmt.Sprintf("workload: {dtype: fp16, ops: [{%s}]}\nnodes:\n  - {name: Chip, %s", row, node), experiment.Options{})
			require.NoError(t, err, node)
			if m, ok := r.Metric("Chip", "macs"); ok {
				require.Contains(t, []float64{0, rows * 1024 * 2 * 128}, m.Value)
			}
			if m, ok := r.Metric("Chip", "memory_bytes"); ok {
				return m.Value
			}
			in, _ := r.Metric("Chip", "read_bytes")
			out, _ := r.Metric("Chip", "write_bytes")
			return in.Value + out.Value
		}
		for partial := range 3 {
			require.EqualValues(t, kv+2*q+4*rows*partial, bytes(fmt.Sprintf("op: decode, heads: 32, kv_heads: 8, head_dim: 128, batch: 4, context: 1024, partial: %d", partial)), node)
			if partial > 0 && !strings.Contains(node, "tile}") && !strings.Contains(node, "tpu") { // results stay in a cache, or all does
				require.EqualValues(t, 5*q+4*4*rows*partial, bytes(fmt.Sprintf("op: merge, rows: %d, cols: 128, parts: 4, statistics: %d", rows, partial)), node)
			}
		}
	}
}

func keyChips(tensor, kv int, more, bandwidth string) string {
	n := tensor * kv
	return fmt.Sprintf(`
workload: {model: llama3_8b, phase: decode, batch: 4, context: 4096, dtype: fp16, layers: 0..1, parallel: {tensor: %d, kv: %d%s}}
nodes:
  - {name: Schedule, kind: schedule, grain: operator}
  - {name: Chip, kind: roofline, count: %d, clock: 1GHz, compute: 100PFLOP/s, memory: 1TB/s}
  - {name: Nic, kind: nic, count: %d, eager: 1MiB}
  - {name: Net, kind: network, fidelity: packet, topology: {name: crossbar, terminals: %d}, clock: 1GHz, terminal: {bandwidth: %s, latency: 1ns}}
links:
  - Schedule -> Chip
  - Schedule -> Nic
  - Nic -> Net
`, tensor, kv, more, n, n, n, bandwidth)
}

// Chips that share keys take for attention the bytes of their part: the rest follows from the
// weights that each reads, and the network adds what its messages take.
func TestHelixByHand(t *testing.T) {
	value := func(r *result.Result, where, name string) float64 {
		m, ok := r.Metric(where, name)
		require.True(t, ok, name)
		return m.Value
	}
	for _, c := range []struct{ tensor, kv int }{{1, 2}, {1, 8}, {2, 4}, {4, 4}} {
		n := c.tensor * c.kv
		r, err := scheduled(t, keyChips(c.tensor, c.kv, "", "10TB/s"), experiment.Options{})
		require.NoError(t, err)
		const batch, hidden, heads, kvHeads, size, ff, keys = 4, 4096, 32, 8, 128, 14336, 4096
		// Elements that a chip reads and writes in a layer, at 500 a cycle.
		rows := func(n int) int { return batch * n }
		all := 2*(2*rows(hidden)+hidden) + 2*3*rows(hidden) // norms, sums of residuals
		all += hidden*(heads+2*kvHeads)*size/c.tensor + 3*rows(hidden) + rows((heads+2*kvHeads)*size/c.tensor)
		all += 2*rows((heads+kvHeads)*size/c.tensor) + 2*size/2 // rotation, by cosines and sines
		all += 2*rows(kvHeads*size/c.tensor)*keys/c.kv + 2*rows(heads*size/c.tensor) + 2*rows(heads/c.tensor)
		all += rows(heads*size/n)*(c.kv+1) + 2*rows(heads/n)*c.kv
		all += hidden*heads*size/n + rows(heads*size/n) + rows(hidden)
		all += 3*hidden*ff/n + 3*rows(hidden) + 3*rows(ff/n) + rows(ff/n)*(2+3)
		busy := value(r, "Chip[0]", "total_cycles") - value(r, "Chip[0]", "idle_cycles") - value(r, "Chip[0]", "stall_network_cycles")
		require.InEpsilon(t, 2*float64(all)/500, busy, 0.002, "%+v", c)
		require.EqualValues(t, 2*rows(heads/c.tensor)*(2*size+4), value(r, "Nic[0]", "all_to_all_bytes"))
		require.EqualValues(t, 2*2*2*rows(hidden), value(r, "Nic[0]", "all_reduce_bytes"))
		total, transfers := value(r, "Schedule", "total_time"), value(r, "Nic[0]", "transfers")
		require.EqualValues(t, 2*3, transfers)
		require.GreaterOrEqual(t, total, busy)
		require.LessOrEqual(t, total, busy+transfers*45*float64(n), "messages and the network are all that comes on top")
	}
}

// The exchange of one part of the requests goes on while the next attends: what is left is that
// of the last part.
func TestHopHidesExchanges(t *testing.T) {
	total := func(more string) float64 {
		r, err := scheduled(t, keyChips(1, 8, more, "1GB/s"), experiment.Options{Set: []string{"workload.batch=16", "workload.context=65536"}})
		require.NoError(t, err)
		m, ok := r.Metric("Nic[0]", "all_to_all_bytes")
		require.True(t, ok)
		require.EqualValues(t, 2*16*32*(2*128+4), m.Value)
		m, _ = r.Metric("Schedule", "total_time")
		return m.Value
	}
	// Each of two layers exchanges 16 x 32 x 260 bytes, of which a chip keeps an eighth.
	const exchange = 2 * 16 * 32 * 260 * 7 / 8
	whole := total("")
	for _, parts := range []float64{2, 4} {
		require.InEpsilon(t, exchange*(1-1/parts), whole-total(fmt.Sprintf(", hop: %g", parts)), 0.03)
	}
	for _, c := range []struct{ set, err string }{
		{"workload.parallel.kv=null", "workload.parallel.hop: has no effect: no keys and values are shared by tokens (kv)"},
		{"workload.parallel.overlap=on", "workload.parallel.hop: has no effect: with overlap attention goes in parts too"},
		{"workload.batch=3", "workload.parallel.hop: llama3_8b: no attention goes in 2 parts by requests (want a batch that divides by them)"},
	} {
		_, err := scheduled(t, keyChips(2, 2, ", hop: on", "1TB/s"), experiment.Options{Set: []string{c.set}})
		require.ErrorContains(t, err, c.err, c.set)
	}
}

// What does not go is said before the run, where it stands.
func TestHelixRefusedByKey(t *testing.T) {
	for _, c := range []struct{ set, err string }{
		{"workload.parallel.kv=3", "workload.parallel.kv: llama3_8b: L0.attention: 32 heads of queries do not divide by 6 chips, each of which merges some (want kv times tensor to be one of: 1, 2, 4, 8)"},
		{"workload.parallel.tensor=16", "workload.parallel.tensor: llama3_8b: L0.attention: 16 chips have heads of their own of 8 of keys and values (want one of: 1, 2, 4, 8; more chips share keys by kv)"},
		{"workload.context=1", "workload.parallel.kv: llama3_8b: L0.attention: 2 chips share 1 tokens (want at least one each)"},
		{"workload.attention=unfused", "workload.attention: leaves no statistics of its rows"},
		{"workload.parallel.expert=2", "workload.parallel.expert: is not built for chips that share keys and values (want one of kv and expert)"},
		{"workload.training={microbatches: 1}", "workload.parallel.kv: is for decode: training has no caches"},
		{"workload.parallel.kv=0", "workload.parallel.kv: 0 is too small (want at least 1)"},
	} {
		_, err := scheduled(t, keyChips(2, 2, "", "1TB/s"), experiment.Options{Set: []string{c.set, "Chip.count=96", "Nic.count=96", "Net.topology.terminals=96"}})
		require.ErrorContains(t, err, c.err, c.set)
	}
}

func ringChips(n int, balance, bandwidth string) string {
	return fmt.Sprintf(`
workload: {model: llama3_8b, sequence: 2048, dtype: fp16, layers: 0..0, parallel: {context: %d, ring: %s}}
nodes:
  - {name: Schedule, kind: schedule, grain: operator}
  - {name: Chip, kind: roofline, count: %d, clock: 1GHz, compute: 400TFLOP/s, memory: 1000TB/s}
  - {name: Nic, kind: nic, count: %d}
  - {name: Net, kind: network, fidelity: packet, packet: 65536, topology: {name: crossbar, terminals: %d}, clock: 1GHz, terminal: {bandwidth: %s, latency: 1ns}}
links:
  - Schedule -> Chip
  - Schedule -> Nic
  - Nic -> Net
`, n, balance, n, n, n, bandwidth)
}

// The attention of a ring takes its products where links are fast: those of the last chip where
// tokens lie in runs, equal ones where they lie in two, and blocks pass beside them. Where links
// are slow it takes the blocks.
func TestRingByHand(t *testing.T) {
	// time is from the first step of attention to its merge, on the chip on which that is longest.
	time := func(r *result.Result, n int) (longest float64) {
		for k := range n {
			from, to := -1.0, 0.0
			for _, row := range r.Layers.Rows {
				name, chip := fmt.Sprint(row[0]), fmt.Sprint(row[1])
				if !strings.HasPrefix(name, "L0.attention") || !strings.HasSuffix(chip, fmt.Sprintf(".%d", k)) || strings.Contains(name, "merge") || fmt.Sprint(row[2]) == "transfer" {
					continue
				}
				var start, cycles float64
				fmt.Sscan(fmt.Sprint(row[3]), &start)
				fmt.Sscan(fmt.Sprint(row[4]), &cycles)
				if from < 0 || start < from {
					from = start
				}
				to = max(to, start+cycles)
			}
			longest = max(longest, to-from)
		}
		return longest
	}
	const tokens, heads, size = 2048, 32, 128
	products := func(pairs float64) float64 { // at 400,000 a cycle, and eight vector operations of each pair
		return heads * pairs * (2*2*size + 8) / 400000
	}
	for _, n := range []int{2, 4} {
		own := float64(tokens / n)
		for balance, pairs := range map[string]float64{"contiguous": own*own*float64(n-1) + own*own/2, "zigzag": own * own * float64(n) / 2, "striped": own * own * float64(n) / 2} {
			r, err := scheduled(t, ringChips(n, balance, "10TB/s"), experiment.Options{})
			require.NoError(t, err)
			require.InEpsilon(t, products(pairs), time(r, n), 0.02, "%s of %d", balance, n)
		}
		slow, err := scheduled(t, ringChips(n, "zigzag", "1GB/s"), experiment.Options{})
		require.NoError(t, err)
		block := 2 * 8 * own * size * 2 // bytes, one a cycle
		require.InEpsilon(t, float64(n-1)*block+products(own*own/2), time(slow, n), 0.02)
	}
	for _, c := range []struct{ set, err string }{
		{"workload.parallel.context=null", "workload.parallel.ring: has no effect: no tokens are shared (context)"},
		{"workload.parallel.ring=zigzags", `workload.parallel.ring: "zigzags" is not known (want one of: contiguous, zigzag, striped; did you mean "zigzag"?)`},
		{"workload.attention=unfused", "workload.attention: leaves no statistics of its rows, by which the steps of a ring"},
		{"workload.training={microbatches: 1}", "workload.parallel.ring: is not built for training"},
		{"workload.sequence=2", "workload.parallel.ring: llama3_8b.0: L0.attention: a rank has 1 tokens (want an even number for zigzag"},
	} {
		_, err := scheduled(t, ringChips(2, "zigzag", "1TB/s"), experiment.Options{Set: []string{c.set}})
		require.ErrorContains(t, err, c.err, c.set)
	}
}
