package experiment

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/task"
)

// Nodes send messages when messages are recorded or a listener receives all tasks.
func TestBlocksStepAside(t *testing.T) {
	const nodes = `nodes:
  - {name: Driver, kind: driver, generate: {name: random, size: 1MiB, count: 2000}, mode: "closed:4"}
  - {name: LLC, kind: cache, fidelity: functional, size: 64KiB, ways: 4}
  - {name: Mem, kind: memory, fidelity: ideal, latency: 50ns}
links: [Driver -> LLC.top, LLC.bottom -> Mem]
`
	const plain = "schema: causeway/1\n" + nodes
	blocks, messages := requireSame(t, plain, Options{Observe: true})
	require.Less(t, blocks, messages/10)

	seen := &tally{}
	blocks, messages = requireSame(t, plain, Options{Observe: true, Tasks: []task.Listener{seen}})
	require.Equal(t, messages, blocks)
	require.Greater(t, seen.n, 2*2*3*2000) // both runs: begin and end of a request, an access, and a memory's for misses

	recorded := "schema: causeway/1\nsimulation: {record: {requests: [LLC.bottom]}}\n" + nodes
	blocks, messages = requireSame(t, recorded, Options{Observe: true})
	require.Equal(t, messages, blocks)
}

// A fault of the trace ends a run in the middle of what was handed over before.
func TestBlocksEndWithFaults(t *testing.T) {
	path := filepath.Join(t.TempDir(), "broken.trc")
	text := "#causeway-trace/1\n#tick cycle\n#columns time op addr\n"
	for i := range 70 {
		text += fmt.Sprintf("%d %c %d\n", i, "RW"[i/60], i%8*64)
	}
	require.NoError(t, os.WriteFile(path, []byte(text+"70 R x\n"), 0o600))
	_, messages := requireSame(t, fmt.Sprintf(`schema: causeway/1
nodes:
  - {name: Driver, kind: driver, trace: %q, mode: "closed:8"}
  - {name: LLC, kind: cache, fidelity: functional, size: 64KiB, ways: 4, write: through}
  - {name: Mem, kind: memory, fidelity: ideal, latency: 50ns}
links: [Driver -> LLC.top, LLC.bottom -> Mem]
`, path), Options{Observe: true})
	require.Positive(t, messages)
}

type tally struct{ n int }

func (l *tally) Task(*task.Stream, task.Event) { l.n++ }

// With allocate: fill a line that comes from below is an access of that moment.
func TestBlocksAccessWhenTheLineComes(t *testing.T) {
	requireSame(t, `schema: causeway/1
nodes:
  - {name: Driver, kind: driver, generate: {name: random, size: 64KiB, count: 500}, mode: "closed:8"}
  - {name: LLC, kind: cache, fidelity: timed, size: 16KiB, ways: 4, allocate: fill, mshrs: 2}
  - {name: Mem, kind: memory, fidelity: ideal, latency: 50ns}
links: [Driver -> LLC.top, LLC.bottom -> Mem]
`, Options{Observe: true})
}

// A sample reads what is waited for in the instant in which a flush begins.
func TestFlushBeginsWithASample(t *testing.T) {
	s := runSeen(t, `schema: causeway/1
nodes:
  - {name: Driver, kind: driver, generate: {name: random, size: 64KiB, count: 200, reads: 0.5}, mode: "closed:1", until: 2us}
  - {name: LLC, kind: cache, fidelity: timed, size: 32KiB, ways: 16, write: through, flush: {op: flush, at: 3us}}
  - {name: Mem, kind: memory, fidelity: ideal, latency: 3ns}
links: [Driver -> LLC.top, LLC.bottom -> Mem]
simulation: {sample: 1us}
`, Options{})
	require.Empty(t, s.err)
	require.Contains(t, s.metrics, "all,LLC,flushed_bytes,0")
}

// until: may come before limit: has been played.
func TestUntilBeforeLimit(t *testing.T) {
	s := runSeen(t, `schema: causeway/1
nodes:
  - {name: Driver, kind: driver, generate: {name: random, size: 64KiB, count: 200}, mode: "closed:1", limit: 100, until: 500ns}
  - {name: Mem, kind: memory, fidelity: ideal, latency: 50ns}
links: [Driver -> Mem]
`, Options{})
	require.Empty(t, s.err)
	require.Contains(t, s.metrics, "all,Driver,reads,1")
}

// So do a timed cache and the DRAM below it.
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
