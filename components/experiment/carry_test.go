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
	"github.com/causeway-sim/causeway/memory/policy"
)

// Systems that are drawn leave the same bytes whether their nodes hand requests over by calls or by messages, under any order
// of events, and with a timeline of all that is observed: every way of calls, of which each is taken by some of its
// systems. CAUSEWAY_LONG draws many more.
func TestCallsAgreeWithMessages(t *testing.T) {
	files := traces(t)
	zipf := files[len(files)-1]
	for _, way := range []struct {
		name               string
		short, usual, long int
		draw               func(r *rand.Rand, i int) string
		observed           int // one of so many systems has a timeline
		taken              int // so many events fewer are a sign of the way, at least once in four systems; 0: not looked at
	}{
		{"a driver, caches and memories in one loop", 30, 90, 500, func(r *rand.Rand, i int) string { return randomBlock(r, files, i) }, 1, 2},
		{"lots of hits", 25, 60, 300, func(r *rand.Rand, i int) string { return randomLots(r, zipf, i) }, 2, 2},
		{"a timed cache over a DRAM", 20, 60, 2000, func(r *rand.Rand, _ int) string { return randomDirect(r) }, 8, 1},
		{"layers that repeat behind a timed cache", 1, 2, 200, func(r *rand.Rand, _ int) string { return randomRepeats(t, r) }, 8, 1},
		{"packets of a flit network", 6, 20, 300, func(r *rand.Rand, _ int) string { return randomFlits(r) }, 4, 1},
		{"memories and guests of a CXL fabric", 10, 40, 500, func(r *rand.Rand, _ int) string { return randomFabric(r, files) }, 4, 1},
	} {
		t.Run(way.name, func(t *testing.T) {
			n, taken := way.usual, 0
			switch {
			case os.Getenv("CAUSEWAY_LONG") != "":
				n = way.long
			case testing.Short():
				n = way.short
			}
			for i := range n {
				r := rand.New(rand.NewPCG(uint64(i), 3))
				config, o := way.draw(r, i), Options{Engine: picker(r)("", "", "shuffle:3", "shuffle:4")}
				o.Observe = i%way.observed == way.observed-1
				calls, messages := requireSame(t, config, o)
				require.LessOrEqual(t, calls, messages, config)
				if calls*uint64(way.taken) < messages {
					taken++
				}
			}
			require.GreaterOrEqual(t, 4*taken, n, "few of %d took the way", n)
		})
	}
}

// picker draws one of some texts.
func picker(r *rand.Rand) func(list ...string) string {
	return func(list ...string) string { return list[r.IntN(len(list))] }
}

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

// requireSame runs a configuration with calls and with messages, and returns how many events either
// took. Timelines are compared where the options observe one.
func requireSame(t *testing.T, config string, o Options) (calls, messages uint64) {
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

// randomBlock is a driver with any policy, mode, size, clock, and kind of memory, by layers of caches, over time,
// with errors and limits.
func randomBlock(r *rand.Rand, files []string, i int) string {
	pick := picker(r)
	policies := policy.All.Names()
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
	return config + tiers
}

// randomLots is reads that hit, at once: any window, latency and number of ways, while others look, and until the end that
// a limit, a time or an address without a home makes.
func randomLots(r *rand.Rand, file string, i int) string {
	pick := picker(r)
	if i%4 == 0 { // what most have, in the longest rounds
		ways := 9 + r.IntN(8)
		return fmt.Sprintf(usual, file, pick("closed:1", "closed:8", "closed:100"), 64*64*ways, ways, pick("lru", "lru", "srrip", "fifo"), pick("3ns", "50ns"))
	}
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
	return strings.ReplaceAll(config, "size: 16KiB, ways: 11", "size: 22KiB, ways: 11")
}

// usual is a closed loop on one cache of 64 sets.
const usual = `schema: causeway/1
nodes:
  - {name: Driver, kind: driver, trace: %q, format: lines, mode: "%s", repeat: 2}
  - {name: LLC, kind: cache, fidelity: functional, size: %dB, ways: %d, policy: {name: %s}}
  - {name: Mem, kind: memory, fidelity: ideal, latency: %s}
links: [Driver -> LLC.top, LLC.bottom -> Mem]
`

// randomDirect is drivers over a timed cache over a DRAM.
func randomDirect(r *rand.Rand) string {
	pick := picker(r)
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
	switch r.IntN(3) {
	case 0:
		mem = fmt.Sprintf("{name: Mem, kind: memory, fidelity: curve, clock: %s, bandwidth: %s, window: %s}", pick("1GHz", "1600MHz", "800MHz"), pick("0B/s", "20GB/s"), pick("1us", "100ns"))
	case 1:
		mem = fmt.Sprintf("{name: Mem, kind: memory, fidelity: ideal, clock: %s, bandwidth: %s, latency: %s}", pick("1GHz", "1600MHz", "800MHz"), pick("0B/s", "20GB/s"), pick("0ns", "3ns", "90ns"))
	}
	nodes = append(nodes, llc+"}", mem)
	wire := pick("", "", ", latency: 4ns", ", latency: 1ns") + pick("", "", ", bandwidth: 20GB/s") + "}"
	links = append(links, "{link: LLC.bottom -> Mem"+wire)
	config := "schema: causeway/1\n"
	if r.IntN(3) == 0 { // a second memory, which gets messages
		nodes = append(nodes, "{name: Root, kind: cxl_root, preset: cxl3_x16}", "{name: Pool, kind: cxl_type3, memory: {preset: ddr5_6400, channels: 2}}",
			"{name: Far, kind: driver, generate: {name: random, size: 256KiB, object: 256B, count: 60, reads: 0.6, seed: 9}, base: 1GiB, mode: \"closed:8\"}")
		links = append(links, "{link: LLC.bottom -> Root.host"+wire, "Root.down -> Pool", "Far -> LLC.top")
		config += "memory:\n  - {tier: near, node: Mem, base: 0GiB, size: 8MiB}\n  - {tier: far, node: Pool, base: 1GiB, size: 1GiB}\n"
	}
	switch r.IntN(5) {
	case 0:
		config += fmt.Sprintf("simulation: {sample: %s}\n", pick("10ns", "100ns", "77ns"))
	case 1:
		config += "simulation: {max_time: 1us}\n"
	}
	return config + "nodes:\n  - " + strings.Join(nodes, "\n  - ") + "\nlinks:\n  - " + strings.Join(links, "\n  - ") + "\n"
}

// randomRepeats is a model whose layers repeat, on cores before a timed cache and a memory that counts in time.
func randomRepeats(t *testing.T, r *rand.Rand) string {
	pick := picker(r)
	model := filepath.Join(t.TempDir(), "config.json")
	require.NoError(t, os.WriteFile(model, []byte(`{"model_type": "llama", "hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 8, "num_attention_heads": 2, "num_key_value_heads": 2, "vocab_size": 100}`), 0o600))
	return fmt.Sprintf(`schema: causeway/1
workload: {file: %s, dtype: int8, requests: {count: 1, prompt: %s, output: 3}}
mapping: {split: auto}
simulation: {repeat: sampled}
nodes:
  - {name: Serve, kind: serve, tokens: 64}
  - {name: Core, kind: systolic, count: %s, rows: 8, cols: 8, sram: {ifmap: 8KiB, filter: 8KiB, ofmap: 8KiB}, dma: {burst: %s}}
  - {name: LLC, kind: cache, size: %s, ways: 4, line: 64B, clock: %s, policy: {name: %s}, write: %s}
  - {name: Mem, kind: memory, %s}
links: [Serve -> Core.ops, Core.mem -> LLC.top, LLC.bottom -> Mem]
`, model, pick("8", "30"), pick("1", "2"), pick("256B", "1KiB"), pick("8KiB", "64KiB"), pick("1GHz", "1600MHz"), pick("lru", "dco"), pick("back", "through"),
		pick("fidelity: curve, bandwidth: 20GB/s", "fidelity: ideal, latency: 40ns, bandwidth: 10GB/s", "fidelity: ideal, clock: 800MHz"))
}

// randomFlits is traffic on a flit network, some of which cannot take packets by value.
func randomFlits(r *rand.Rand) string {
	pick := picker(r)
	text := "schema: causeway/1\n" + pick("", "", "simulation: {sample: 77ns}\n") + fmt.Sprintf("nodes:\n  - {name: Net, kind: network, fidelity: flit, topology: %s, clock: %s, router: {depth: %s%s}}\n",
		pick("{name: mesh, dims: [3, 3]}", "{name: ring, size: 5, concentration: 2}", "{name: dragonfly, p: 1, a: 2, h: 1}", "{name: crossbar, terminals: 5}"), pick("1GHz", "940MHz"), pick("4", "8", "32"), pick("", ", allocator: age"))
	packet, load := pick("1", "2", "4"), pick("0.05", "0.3", "0.8")
	process := pick("", "", ", process: {queue: none, length: "+packet+"}")
	if load == "0.05" {
		process = pick("", ", process: {name: on_off}")
	}
	return text + fmt.Sprintf("  - {name: Traffic, kind: traffic, load: %s, packet: %s%s%s, rules: {sample: 60, warmup: 1, samples: 2}}\nlinks:\n  - %s\n", load, packet, process, pick("", "", "", ", reply: 2"), pick("Traffic -> Net", "Traffic -> Net", "Traffic -> Net", "{link: Traffic -> Net, latency: 20ns}"))
}

// randomFabric is drivers, which may act in the loop of the fabric, over CXL roots and devices, whose memories may.
func randomFabric(r *rand.Rand, files []string) string {
	pick := picker(r)
	var nodes, links []string
	wire := pick("", "", ", latency: 3ns")
	for k := range 1 + r.IntN(2) {
		trace := fmt.Sprintf("generate: {name: random, size: %s, count: %d, reads: %s, seed: %d}", pick("64KiB", "1MiB"), 10+r.IntN(80), pick("1", "0.5"), k)
		if r.IntN(3) == 0 {
			trace = fmt.Sprintf("trace: %q", files[0])
		}
		nodes = append(nodes, fmt.Sprintf("{name: D%d, kind: driver, %s, mode: %q%s}", k, trace, pick("closed:1", "closed:7", "closed:64", "open:20"), pick("", "", ", posted: true", ", clock: 700MHz")))
		links = append(links, fmt.Sprintf("{link: D%d -> Root.host%s}", k, wire))
	}
	nodes = append(nodes, fmt.Sprintf("{name: Root, kind: cxl_root, outstanding: %s, protocol: %s, throttle: %s}", pick("1", "7", "512"), pick("0ns", "12ns"), pick("true", "false")))
	devices := 1 + r.IntN(2)
	memory := pick("fidelity: ideal, clock: 1GHz, latency: 40ns, size: 1GiB", "fidelity: ideal, clock: 940MHz, latency: 3ns, bandwidth: 5GB/s, size: 1GiB", "grade: ddr5_4800")
	nodes = append(nodes, fmt.Sprintf("{name: Far, kind: cxl_type3, count: %d, protocol: %s, entries: %s, memory: {kind: memory, %s}}", devices, pick("0ns", "15ns"), pick("1", "4", "64"), memory))
	if devices == 1 {
		links = append(links, pick("Root.down -> Far.up", "{link: Root.down -> Far.up, latency: 3ns}"))
	} else {
		nodes = append(nodes, fmt.Sprintf("{name: Switch, kind: cxl_switch, downstream: %d, latency: %s}", devices, pick("0ns", "70ns")))
		links = append(links, "Root.down -> Switch.up")
	}
	for i := 0; i < devices && devices > 1; i++ {
		links = append(links, fmt.Sprintf("Switch.down[%d] -> Far[%d].up", i, i))
	}
	tier := fmt.Sprintf("memory:\n  - {tier: all, node: Far, base: 0GiB, size: %dGiB%s}\n", devices, map[bool]string{true: ", interleave: 256B"}[devices > 1])
	return "schema: causeway/1\n" + pick("", "", "simulation: {sample: 100ns}\n", "simulation: {max_time: 2us}\n") + "nodes:\n  - " + strings.Join(nodes, "\n  - ") + "\nlinks:\n  - " + strings.Join(links, "\n  - ") + "\n" + tier
}
