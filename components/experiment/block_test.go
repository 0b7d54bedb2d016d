package experiment

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/memory/policy"
)

// A seenRun is all that a run leaves, and how many events it took.
type seenRun struct {
	result, metrics, series, observed string
	err                               string
	events                            uint64
}

// runSeen runs a configuration, and keeps its timeline where the options observe one.
func runSeen(t *testing.T, config string, o Options) (s seenRun) {
	t.Helper()
	x, err := Parse("c", []byte(config), o)
	require.NoError(t, err, config)
	r, p, err := x.Run(context.Background(), nil)
	if err != nil {
		s.err = err.Error()
	}
	require.NotNil(t, r)
	b, err := r.JSON()
	require.NoError(t, err)
	s.result, s.metrics, s.series, s.events = string(b), string(result.MetricsCSV(r.Metrics)), string(result.TableCSV(r.Series)), p.Events
	if o.Observe {
		b, err = r.Observed.JSON()
		require.NoError(t, err)
		s.observed = string(b)
	}
	return s
}

// requireSame is requireSameBytes with a timeline.
func requireSame(t *testing.T, config string, o Options) (calls, messages uint64) {
	t.Helper()
	o.Observe = true
	return requireSameBytes(t, config, o)
}

// requireSameBytes runs a configuration with calls and with messages, and returns how many
// events either took.
func requireSameBytes(t *testing.T, config string, o Options) (calls, messages uint64) {
	t.Helper()
	a := runSeen(t, config, o)
	o.Messages = true
	b := runSeen(t, config, o)
	requireLines(t, "metrics", b.metrics, a.metrics, config)
	requireLines(t, "error", b.err, a.err, config)
	requireLines(t, "series", b.series, a.series, config)
	requireLines(t, "result", b.result, a.result, config)
	requireLines(t, "observed", strings.ReplaceAll(b.observed, "],", "],\n"), strings.ReplaceAll(a.observed, "],", "],\n"), config)
	return a.events, b.events
}

// requireLines shows the first line that differs.
func requireLines(t *testing.T, what, want, got, config string) {
	t.Helper()
	x, y := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range min(len(x), len(y)) {
		require.Equal(t, x[i], y[i], "line %d of %s, under\n%s\n%s", i, what, x[0], config)
	}
	require.Len(t, y, len(x), "%s of\n%s", what, config)
}

// traces are small ones in several formats, in a folder.
func traces(t *testing.T) (names []string) {
	dir, r := t.TempDir(), rand.New(rand.NewPCG(7, 8))
	write := func(name string, body func(w *strings.Builder)) {
		var b strings.Builder
		body(&b)
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(b.String()), 0o600))
		names = append(names, filepath.Join(dir, name))
	}
	write("plain.trc", func(w *strings.Builder) {
		for i := range 700 {
			fmt.Fprintf(w, "%c %x\n", "RRW"[i%3], r.IntN(1<<14)*8)
		}
	})
	write("sized.csv", func(w *strings.Builder) {
		w.WriteString("cycle,op,addr,size,core,pc\n")
		at := 0
		for range 500 {
			at += r.IntN(30)
			size := []int{1, 8, 64, 64, 200, 4096, 9000}[r.IntN(7)]
			fmt.Fprintf(w, "%d,%c,%d,%d,%d,%d\n", at, "RW"[r.IntN(2)], r.IntN(1<<18), size, r.IntN(4), r.IntN(9))
		}
	})
	write("own.trc", func(w *strings.Builder) {
		w.WriteString("#causeway-trace/1\n#tick 1/1000000000s\n#tensor name=keys kind=kv_cache base=0x0 bytes=65536 tile=4096 accesses=16 sharers=4\n" +
			"#tensor name=out kind=output base=0x10000 bytes=65536 write_once=true\n#columns time op addr size tensor reuse core pc\n")
		for i := range 500 {
			tensor := r.IntN(3)
			fmt.Fprintf(w, "%d %c %d 64 %d %d 0 %d\n", i*7+r.IntN(3), "RW"[tensor/2], max(tensor-1, 0)*65536+r.IntN(1000)*64, tensor, r.IntN(4), r.IntN(5))
		}
	})
	write("large.csv", func(w *strings.Builder) {
		w.WriteString("op,addr,size\n")
		for range 40 {
			fmt.Fprintf(w, "%c,%d,%d\n", "RRW"[r.IntN(3)], r.IntN(1<<20), 1+r.IntN(1<<r.IntN(20)))
		}
	})
	write("broken.trc", func(w *strings.Builder) {
		w.WriteString("#causeway-trace/1\n#tick cycle\n#columns time op addr\n")
		for i := range 300 {
			fmt.Fprintf(w, "%d %c %d\n", i, "RW"[r.IntN(2)], r.IntN(4096)*64)
		}
		w.WriteString("300 R nonsense\n")
	})
	write("zipf.lines", func(w *strings.Builder) { // read in lots
		z := rand.NewZipf(r, 1.1, 4, 1<<12)
		for range 3000 {
			w.Write(binary.LittleEndian.AppendUint64(nil, z.Uint64()))
			w.Write(binary.LittleEndian.AppendUint32(nil, uint32(r.IntN(9))))
			w.Write(binary.LittleEndian.AppendUint32(nil, uint32(r.IntN(4))))
		}
	})
	return names
}

// A driver with whatever answers it comes to the same bytes in a block as by messages:
// with any policy, mode, size, clock, and kind of memory, by layers of caches, over time,
// with errors and limits, and under any order of events.
func TestBlocksAgreeWithMessages(t *testing.T) {
	files := traces(t)
	r := rand.New(rand.NewPCG(1, 2))
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	policies := policy.All.Names()
	n, faster := 90, 0
	switch {
	case os.Getenv("CAUSEWAY_LONG") != "":
		n = 500
	case testing.Short():
		n = 30
	}
	for i := range n {
		file := files[r.IntN(len(files))]
		mode := pick("closed:1", "closed:2", "closed:8", "closed:8", "closed:64", "closed:200", "open:1", "open:3", "open:32", "open:700", "timed")
		if mode == "timed" && !strings.HasSuffix(file, "sized.csv") && !strings.HasSuffix(file, "own.trc") && !strings.HasSuffix(file, "broken.trc") {
			mode = "closed:3"
		}
		driver := fmt.Sprintf("{name: Driver, kind: driver, trace: %q, mode: %q", file, mode)
		for _, key := range []string{"posted: true", "repeat: 2", "limit: 123", "until: 1500ns", "wrap: 64KiB"} {
			if r.IntN(5) == 0 {
				driver += ", " + key
			}
		}
		if r.IntN(12) == 0 {
			driver += ", clock: 700MHz"
		}
		clock := pick("1GHz", "1GHz", "940MHz", "3.7GHz")
		var nodes, links []string
		nodes = append(nodes, driver+"}")
		above := "Driver"
		for k := range r.IntN(3) {
			name, p := fmt.Sprintf("L%d", k+1), policies[(i+k)%len(policies)]
			if k > 0 && strings.HasPrefix(p, "opt") {
				p = "lru"
			}
			c := fmt.Sprintf("{name: %s, kind: cache, fidelity: %s, size: %s, ways: 8, clock: %s, policy: {name: %s}", name, pick("functional", "functional", "timed"), pick("4KiB", "32KiB", "128KiB"), clock, p)
			for _, key := range []string{"write: through", "sectors: 4", "burst: 64B", "slices: 2", "detail: [kind, tensor]", "reuse_distance: true"} {
				if r.IntN(4) == 0 {
					c += ", " + key
				}
			}
			if strings.Contains(c, "timed") && r.IntN(3) == 0 {
				c += ", allocate: fill"
			}
			if r.IntN(6) == 0 && !strings.HasPrefix(p, "opt") {
				c += ", prefetch: {name: next_line, degree: 2}"
			}
			if r.IntN(12) == 0 {
				c += ", flush: {op: clean}"
			}
			nodes = append(nodes, c+"}")
			links = append(links, fmt.Sprintf("{link: %s -> %s.top%s}", above, name, pick("", "", ", latency: 10ns")))
			above = name + ".bottom"
		}
		memory := pick("ideal, latency: 50ns", "ideal, latency: 0ns", "ideal, latency: 20ns, bandwidth: 12GB/s", "ideal, latency: 3us", "curve, curve: ddr4_3200_icelake", "bank")
		if !strings.HasPrefix(memory, "bank") {
			memory += ", clock: " + clock
		}
		two := above != "Driver" && strings.HasPrefix(memory, "ideal") && r.IntN(4) == 0
		tiers := ""
		if two {
			nodes = append(nodes, fmt.Sprintf("{name: Mem, kind: memory, fidelity: %s}", memory), fmt.Sprintf("{name: Far, kind: memory, fidelity: ideal, latency: 31ns, clock: %s}", clock))
			links = append(links, above+" -> Mem", "{link: "+above+" -> Far}")
			tiers = "memory:\n  - {tier: near, node: Mem, base: 0B, size: 64KiB}\n  - {tier: far, node: Far, base: 64KiB, size: 1GiB}\n"
		} else {
			if memory == "bank" {
				memory = "bank, preset: " + pick("ddr4_3200", "hbm2e")
			}
			nodes = append(nodes, fmt.Sprintf("{name: Mem, kind: memory, fidelity: %s}", memory))
			links = append(links, fmt.Sprintf("{link: %s -> Mem%s}", above, pick("", "", ", latency: 4ns")))
		}
		config := "schema: causeway/1\n"
		switch r.IntN(5) {
		case 0:
			config += fmt.Sprintf("simulation: {sample: %s}\n", pick("10ns", "100ns", "77ns"))
		case 1:
			config += "simulation: {max_time: 2us}\n"
		}
		config += "nodes:\n"
		for _, x := range nodes {
			config += "  - " + x + "\n"
		}
		config += "links:\n"
		for _, x := range links {
			config += "  - " + x + "\n"
		}
		blocks, messages := requireSame(t, config+tiers, Options{Engine: pick("", "", "shuffle:3", "shuffle:4")})
		if blocks < messages/2 {
			faster++
		}
	}
	require.Greater(t, faster, n/4, "few of %d ran in blocks", n)
}

// Lots of reads that hit, at once, are what messages come to: any window, latency and number
// of ways, while others look, and until the end that a limit, a time or an address without
// a home makes.
func TestLotsAgreeWithMessages(t *testing.T) {
	file := ""
	for _, f := range traces(t) {
		if strings.HasSuffix(f, ".lines") {
			file = f
		}
	}
	r := rand.New(rand.NewPCG(5, 6))
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	n := 60
	if testing.Short() {
		n = 25
	}
	for i := range n {
		config := "schema: causeway/1\n" + pick("", "", "simulation: {sample: 100ns}\n", "simulation: {sample: 3us}\n", "simulation: {max_time: 2us}\n") + fmt.Sprintf(`nodes:
  - {name: Driver, kind: driver, trace: %q, format: lines, mode: "%s"%s%s}
  - {name: L1, kind: cache, fidelity: functional, size: 16KiB, ways: %s, policy: {name: %s}%s}
  - {name: LLC, kind: cache, fidelity: functional, size: %s, ways: %s, policy: {name: %s}}
  - {name: Mem, kind: memory, fidelity: ideal, latency: %s%s}
links: [%s, %s, LLC.bottom -> Mem]
`, file, pick("closed:1", "closed:2", "closed:3", "closed:8", "closed:100", "open:1", "open:2"), pick("", "", "", ", repeat: 3", ", limit: 1234", ", until: 1500ns"), pick("", "", ", bytes: 8B", ", bytes: 128B", ", line: 32B"),
			pick("1", "4", "8", "11", "16", "32", "128"), pick("lru", "lru", "fifo", "srrip", "nru", "ship"), pick("", "", ", slices: 2"),
			pick("32KiB", "64KiB", "192KiB"), pick("4", "16", "64"), pick("lru", "sieve", "drrip", "s3fifo"),
			pick("0ns", "3ns", "50ns", "63ns", "64ns", "900ns"), pick("", "", ", size: 1MiB"),
			pick("Driver -> L1.top", "Driver -> L1.top", "{link: Driver -> L1.top, latency: 5ns}"), pick("L1.bottom -> LLC.top", "{link: L1.bottom -> LLC.top, latency: 7ns}"))
		if i%4 == 0 { // what most have, in the longest rounds
			ways := 9 + r.IntN(8)
			config = fmt.Sprintf(usual, file, pick("closed:1", "closed:8", "closed:100"), 64*64*ways, ways, pick("lru", "lru", "srrip", "fifo"), pick("3ns", "50ns"))
			requireSameBytes(t, config, Options{})
			continue
		}
		if strings.Contains(config, "ways: 11") {
			config = strings.ReplaceAll(config, "size: 16KiB, ways: 11", "size: 22KiB, ways: 11")
		}
		o := Options{Engine: pick("", "shuffle:3")}
		if r.IntN(2) == 0 {
			requireSame(t, config, o)
			continue
		}
		requireSameBytes(t, config, o) // no listener to intervals: rounds of misses too
	}
}

// usual is a closed loop on one cache of 64 sets.
const usual = `schema: causeway/1
nodes:
  - {name: Driver, kind: driver, trace: %q, format: lines, mode: "%s", repeat: 2}
  - {name: LLC, kind: cache, fidelity: functional, size: %dB, ways: %d, policy: {name: %s}}
  - {name: Mem, kind: memory, fidelity: ideal, latency: %s}
links: [Driver -> LLC.top, LLC.bottom -> Mem]
`

// Nodes send messages when messages are recorded or a listener receives all tasks.
func TestBlocksStepAside(t *testing.T) {
	const nodes = `nodes:
  - {name: Driver, kind: driver, generate: {name: random, size: 1MiB, count: 2000}, mode: "closed:4"}
  - {name: LLC, kind: cache, fidelity: functional, size: 64KiB, ways: 4}
  - {name: Mem, kind: memory, fidelity: ideal, latency: 50ns}
links: [Driver -> LLC.top, LLC.bottom -> Mem]
`
	const plain = "schema: causeway/1\n" + nodes
	blocks, messages := requireSame(t, plain, Options{})
	require.Less(t, blocks, messages/10)

	seen := &tally{}
	blocks, messages = requireSame(t, plain, Options{Tasks: []task.Listener{seen}})
	require.Equal(t, messages, blocks)
	require.Greater(t, seen.n, 2*2*3*2000) // both runs: begin and end of a request, an access, and a memory's for misses

	recorded := "schema: causeway/1\nsimulation: {record: {requests: [LLC.bottom]}}\n" + nodes
	blocks, messages = requireSame(t, recorded, Options{})
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
`, path), Options{})
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
`, Options{})
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
