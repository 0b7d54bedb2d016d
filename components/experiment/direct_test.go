package experiment

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/task"
)

// A timed cache that asks the DRAM below it directly leaves the same bytes as one that
// sends messages: under several requesters, with clocks of any ratio, any policy of rows and
// cache, posted writes or not, wires of any latency, small buffers, samples over time, limits
// and any order of events. CAUSEWAY_LONG tries many more.
func TestDirectAgreesWithMessages(t *testing.T) {
	n, direct := 60, 0
	switch {
	case os.Getenv("CAUSEWAY_LONG") != "":
		n = 2000
	case testing.Short():
		n = 20
	}
	for seed := range n {
		r := rand.New(rand.NewPCG(uint64(seed), 3))
		config := randomDirect(r)
		o := Options{Engine: [...]string{"", "", "shuffle:3", "shuffle:4"}[r.IntN(4)]}
		if seed%8 == 7 { // its tasks are drawn, the first of which are messages
			blocks, messages := requireSame(t, config, o)
			require.LessOrEqual(t, blocks, messages, config)
			continue
		}
		if calls, messages := requireSameBytes(t, config, o); calls < messages {
			direct++
		}
	}
	require.Greater(t, direct, n/3, "few of %d were asked directly", n)
}

// randomDirect is drivers over a timed cache over a DRAM.
func randomDirect(r *rand.Rand) string {
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	var nodes, links []string
	for k := range 1 + r.IntN(3) {
		object, count := pick("64B", "256B", "4KiB", "128B"), 20+r.IntN(150)
		trace := fmt.Sprintf("generate: {name: random, size: %s, object: %s, count: %d, reads: %s, seed: %d}", pick("64KiB", "1MiB"), object, count, pick("1", "0.7", "0.3"), k)
		if r.IntN(2) == 0 {
			trace = fmt.Sprintf("generate: {name: stream, size: %s, object: %s, count: %d, lag: 8, update: %s}, base: %dB", pick("64KiB", "1MiB"), object, count, pick("true", "false"), r.IntN(1<<20))
		}
		nodes = append(nodes, fmt.Sprintf("{name: D%d, kind: driver, %s, mode: %q%s}", k, trace, pick("closed:1", "closed:8", "closed:64", "open:4", "open:40"), pick("", ", posted: true", ", clock: 700MHz")))
		links = append(links, fmt.Sprintf("D%d -> LLC.top", k))
	}
	line := pick("64B", "128B", "256B")
	llc := fmt.Sprintf("{name: LLC, kind: cache, size: %s, ways: 4, line: %s, clock: %s, slices: %s, mshrs: %s, write_buffer: %s, queue: %s, policy: {name: %s}", pick("16KiB", "64KiB"), line, pick("1GHz", "1600MHz", "3.7GHz", "333MHz"), pick("1", "4", "8"), pick("1", "3", "64"), pick("1", "4", "32"), pick("1", "16"), pick("lru", "dco", "drrip"))
	for _, key := range []string{"write: through", "write: around", "sectors: 2", "burst: 1KiB", "allocate: fill", "posted: false", "prefetch: {name: next_line, degree: 2}", "banks: 2", "detail: [kind]"} {
		if r.IntN(5) == 0 && !strings.Contains(llc, strings.SplitN(key, ":", 2)[0]+":") {
			llc += ", " + key
		}
	}
	if r.IntN(8) == 0 {
		llc += ", flush: {op: clean" + pick("", ", at: 700ns") + "}"
	}
	mem := fmt.Sprintf("{name: Mem, kind: memory, fidelity: bank, grade: %s, channels: %s, map: %s, row_policy: %s, refresh: %s, posted: %s, read_queue: %s, latency: %s}",
		pick("hbm3", "hbm2e", "ddr4_3200", "ddr5_4800"), pick("1", "2", "8"), pick("Ro-Ba-BG-Ra-Co-Ch", "Ro-Ba^Ro-Co-BG-Ra-Ch", "MOP4"), pick("open", "closed", "closed_ap"), pick("all_bank", "none"), pick("true", "false"), pick("2", "32"), pick("0s", "7ns"))
	nodes = append(nodes, llc+"}", mem)
	links = append(links, "{link: LLC.bottom -> Mem"+pick("", "", ", latency: 4ns", ", latency: 1ns")+pick("", "", ", bandwidth: 20GB/s")+"}")
	config := "schema: causeway/1\n"
	switch r.IntN(5) {
	case 0:
		config += fmt.Sprintf("simulation: {sample: %s}\n", pick("10ns", "100ns", "77ns"))
	case 1:
		config += "simulation: {max_time: 1us}\n"
	}
	return config + "nodes:\n  - " + strings.Join(nodes, "\n  - ") + "\nlinks:\n  - " + strings.Join(links, "\n  - ") + "\n"
}

// Nodes send messages when messages are recorded or a listener receives all tasks.
func TestDirectStepsAside(t *testing.T) {
	const nodes = `nodes:
  - {name: A, kind: driver, generate: {name: random, size: 1MiB, count: 500}, mode: "closed:4"}
  - {name: B, kind: driver, generate: {name: random, size: 1MiB, count: 500}, mode: "closed:4"}
  - {name: LLC, kind: cache, size: 64KiB, ways: 4}
  - {name: Mem, kind: memory, preset: hbm3}
links: [A -> LLC.top, B -> LLC.top, LLC.bottom -> Mem]
`
	const plain = "schema: causeway/1\n" + nodes
	direct, messages := runSeen(t, plain, Options{}), runSeen(t, plain, Options{Messages: true})
	require.Equal(t, messages.metrics, direct.metrics)
	require.Less(t, direct.events, messages.events)
	first, second := &tally{}, &tally{}
	require.Equal(t, messages.events, runSeen(t, plain, Options{Tasks: []task.Listener{first}}).events)
	require.Equal(t, messages.events, runSeen(t, plain, Options{Tasks: []task.Listener{second}, Messages: true}).events)
	require.Equal(t, first.n, second.n)
	require.Equal(t, messages.events, runSeen(t, "schema: causeway/1\nsimulation: {record: {requests: [LLC.bottom]}}\n"+nodes, Options{}).events)
}
