package cxl_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/engine"
)

// Two hosts share a device that keeps itself coherent.
const shared = `schema: causeway/1
nodes:
  - {name: Driver, kind: driver, count: 2, trace: TRACE, mode: "closed:1"}
  - {name: Root, kind: cxl_root, count: 2, protocol: 20ns, cache: {size: 64KiB, ways: 8}, link: {flit: 256B, rate: 64}}
  - {name: Far, kind: cxl_type3, heads: 2, hdm: db, filter: {entries: 4096, ways: 8}, memory: {kind: memory, fidelity: ideal, clock: 1GHz, latency: 40ns, size: 4GiB}}
links:
  - Driver[0] -> Root[0].host
  - Driver[1] -> Root[1].host
  - {link: "Root[0].down[0] -> Far.up[0]", latency: 3ns}
  - {link: "Root[1].down[0] -> Far.up[1]", latency: 3ns}
`

// alone is a host and an accelerator on a Type 2 device.
const alone = `schema: causeway/1
nodes:
  - {name: Driver, kind: driver, trace: TRACE, mode: "closed:1"}
  - {name: Acc, kind: driver, trace: TRACE, mode: "closed:1"}
  - {name: Root, kind: cxl_root, protocol: 20ns, cache: {size: 64KiB, ways: 8}, link: {flit: 256B, rate: 64}}
  - {name: Far, kind: cxl_type2, cache: {size: 16KiB, ways: 4}, memory: {kind: memory, fidelity: ideal, clock: 1GHz, latency: 40ns, size: 4GiB}}
links:
  - Driver -> Root.host
  - Acc -> Far.dev
  - {link: Root.down -> Far.up, latency: 3ns}
`

// parts adds up the parts of a mean latency.
func parts(m map[string]float64, prefix string) (sum float64) {
	for name, v := range m {
		if strings.HasPrefix(name, prefix) && name != prefix+"latency_mean" {
			sum += v
		}
	}
	return sum
}

// Lines that a host wrote are read by it again without a message, and by the other
// after a snoop; the parts of every latency add up.
func TestHostsShareCoherently(t *testing.T) {
	m := run(t, engine.New(), shared, lines("W", 64, 64)+lines("R", 64, 64)+lines("R", 64, 64))
	for _, r := range []string{"Root[0]", "Root[1]"} {
		require.Equal(t, 192., m[r+" coherent_hits"]+m[r+" coherent_misses"])
		require.GreaterOrEqual(t, m[r+" coherent_hits"], 64.) // the third time all are there
		require.Positive(t, m[r+" back_invalidates"])
		for _, k := range []string{" load_", " store_"} {
			require.InDelta(t, m[r+k+"latency_mean"], parts(m, r+k), 1e-9)
		}
	}
	require.Equal(t, m["Far snoops"], m["Root[0] back_invalidates"]+m["Root[1] back_invalidates"])
	require.Equal(t, m["Far coherent_writes"], m["Root[0] coherent_writebacks"]+m["Root[1] coherent_writebacks"])
	require.Zero(t, m["Far filter_evictions"])
	require.Equal(t, 64., m["Far filter_lines_most"])
}

// The targets of CXL 3.1, table 13-2, pin to pin: BISnp to BIRsp 90 ns, MemWr to Cmp
// 40 ns. A read through the coherence engine takes what one past it does.
func TestCoherentTargets(t *testing.T) {
	trace := lines("R", 64, 64)
	m := run(t, engine.New(), alone, trace, "Acc.mode=closed:1", "Far.latency=300ns") // the host is first
	require.Equal(t, 64., m["Root back_invalidates"])
	require.InDelta(t, 90, m["Root snoop_latency_mean"], 1e-3)
	require.NotContains(t, m, "Root snoop_slow_latency_mean")
	plain := run(t, engine.New(), strings.Replace(shared, "hdm: db, filter: {entries: 4096, ways: 8}, ", "", 1), trace,
		"Root.cache.size=0B", "Root[1].protocol=20ns")
	require.InDelta(t, plain["Far pin_read_latency_mean"], m["Far pin_read_latency_mean"], 1)

	m = run(t, engine.New(), alone, lines("W", 64, 64), "Far.latency=300ns")
	require.InDelta(t, 40, m["Far pin_write_latency_mean"], 1e-9)
	require.Equal(t, 64., m["Far coherent_writes"])
	// a modified line goes to the device, and Cmp back, before the answer
	require.InDelta(t, 90+40+40+10, m["Root snoop_slow_latency_mean"], 3)
	require.Equal(t, 64., m["Root snoop_invalidated"])
}

// A filter smaller than the caches takes lines from hosts, and never has more than
// its entries.
func TestFilterIsBounded(t *testing.T) {
	trace := lines("W", 256, 64) + lines("R", 256, 64)
	for _, c := range []struct{ entries, ways int }{{64, 4}, {64, 64}, {1, 1}, {256, 8}} {
		m := run(t, engine.New(), shared, trace, fmt.Sprintf("Far.filter={entries: %d, ways: %d}", c.entries, c.ways))
		require.LessOrEqual(t, m["Far filter_lines_most"], float64(c.entries))
		if c.entries < 256 {
			require.Equal(t, float64(c.entries), m["Far filter_lines_most"])
			require.Positive(t, m["Far filter_evictions"])
		} else {
			require.Zero(t, m["Far filter_evictions"])
		}
	}
}

// In device bias the accelerator needs no host: not a flit goes over the link, and
// hits take the way to its cache.
func TestAcceleratorStaysLocal(t *testing.T) {
	// the host reads one line, far away
	file := filepath.Join(t.TempDir(), "host.trc")
	require.NoError(t, os.WriteFile(file, []byte("op,addr,size\nR,1073741824,64\n"), 0o600))
	text := strings.Replace(alone, "TRACE", file, 1)
	for _, hdm := range []string{"d", "db"} {
		m := run(t, engine.New(), text, lines("W", 64, 64)+lines("R", 64, 64), "Far.hdm="+hdm)
		require.Equal(t, 128., m["Far local_accesses"], hdm)
		require.Equal(t, 64., m["Far device_cache_hits"])
		require.Zero(t, m["Far snoops"])
		require.Equal(t, 2., m["Root flits_up"]+m["Root flits_down"]) // of the host's line
		require.InDelta(t, 10, m["Far dev_latency_mean"], 1.5)
	}
	// more than the cache holds
	m := run(t, engine.New(), text, lines("W", 512, 64))
	require.Equal(t, 256., m["Far line_writes"])
}

// Bias goes over with the first access of the other side, and back.
func TestBiasFlips(t *testing.T) {
	m := run(t, engine.New(), alone, lines("W", 64, 64), "Far.hdm=d", "Far.latency=300ns")
	require.Equal(t, 64., m["Far bias_to_host"])
	require.Equal(t, 64., m["Far bias_to_device"])
	require.Equal(t, 64., m["Root bias_requests"])
	require.Zero(t, m["Root back_invalidates"])
	require.InDelta(t, 90+40+40+10, m["Root snoop_slow_latency_mean"], 3)
}

// Accesses in any order, through a switch and over links with errors: all are
// answered, nothing is left busy, and the bytes are equal whatever the engine.
func TestCoherentEngines(t *testing.T) {
	var b strings.Builder
	r := rand.New(rand.NewPCG(7, 7))
	accesses := 600
	if testing.Short() {
		accesses = 200
	}
	for range accesses {
		fmt.Fprintf(&b, "%s,%d,%d\n", []string{"R", "W"}[r.IntN(2)], r.IntN(40)*64+r.IntN(3)*20, 20+r.IntN(150))
	}
	set := []string{"Driver.mode=closed:8", "Root.link.ber=[1e-5, 1e-5]", "Root.cache={size: 1KiB, ways: 2}"}
	for _, c := range []struct {
		text string
		set  []string
	}{
		{shared, []string{"Far.filter={entries: 8, ways: 2}"}},
		{shared, []string{"Far.filter={entries: 8, ways: 2}", "Root.link.credits.ndr=1", "Driver.mode=closed:32"}}, // snoops overtake completions
		{alone, []string{"Acc.mode=closed:4", "Far.cache={size: 512B, ways: 2}", "Far.filter={entries: 8, ways: 2}"}},
		{alone, []string{"Acc.mode=closed:4", "Far.hdm=d", "Root.link.flit=68B", "Root.link.rate=32"}},
		{alone, []string{"Acc.mode=closed:4", "Root.cache.size=0B"}},
		{strings.Replace(strings.Replace(shared, "links:\n", "  - {name: Mid, kind: cxl_switch, upstream: 2, link: {flit: 256B, rate: 64}}\nlinks:\n  - {link: Mid.down -> Far.up, latency: 2ns}\n", 1),
			"heads: 2, ", "", 1), nil},
	} {
		text := c.text
		if strings.Contains(text, "Mid") {
			text = strings.Replace(strings.Replace(text, "Far.up[0]", "Mid.up[0]", 1), "Far.up[1]", "Mid.up[1]", 1)
		}
		set := append(append([]string{}, set...), c.set...)
		want := run(t, engine.New(), text, b.String(), set...)
		require.Positive(t, want["Far snoops"], c.set)
		for _, e := range []sim.Engine{sim.NewSerialEngine(), sim.NewParallelEngine(), engine.New(engine.Shuffle(3))} {
			require.Equal(t, want, run(t, e, text, b.String(), set...))
		}
		t.Logf("%v: %v snoops, %v conflicts, %v early, %v late", c.set, want["Far snoops"], want["Far conflicts"],
			want["Root conflicts_early"]+want["Root[0] conflicts_early"], want["Root conflicts_late"]+want["Root[0] conflicts_late"])
	}
}

func TestCoherentFaults(t *testing.T) {
	for _, c := range []struct{ text, old, new, want string }{
		{shared, "flit: 256B, rate: 64", "flit: 68B, rate: 32", "flits of 68 B, which carry no back-invalidation"},
		{shared, "hdm: db, ", "", "filter has no effect with hdm: h"},
		{shared, "hdm: db, filter: {entries: 4096, ways: 8}, ", "", "cache has no effect: no device of the fabric is coherent"},
		{shared, "hdm: db", "hdm: d", "hdm"},
		{shared, "heads: 2", "heads: 2, early: false", "early: false has no effect on a coherent device"},
		{shared, "entries: 4096, ways: 8", "entries: 100, ways: 8", "100 entries are no multiple of 8 ways"},
		{shared, "size: 64KiB, ways: 8", "size: 1000B, ways: 8", "nodes.Root.cache: size 1000B is no multiple of 8 ways of 64 B"},
		{shared, "ways: 8}, link", "ways: 8, snoop: 3cycle}, link", "latency 3cycle is in cycles"},
		{alone, "size: 16KiB, ways: 4", "size: 16KiB, ways: 5", "size 16KiB is no multiple of 5 ways of 64 B"},
		{alone, "kind: cxl_type2, ", "kind: cxl_type2, hdm: h, ", "cache has no effect with hdm: h"},
		{alone, "kind: cxl_type2, ", "kind: cxl_type2, hdm: d, filter: {ways: 4}, ", "filter has no effect with hdm: d"},
		{alone, "kind: cxl_type2, ", "kind: cxl_type2, latency: 2cycle, ", "latency 2cycle is in cycles"},
	} {
		text := strings.Replace(c.text, c.old, c.new, 1)
		require.NotEqual(t, c.text, text, c.old)
		_, err := build(t, engine.New(), text, "R,0,64\n")
		require.ErrorContains(t, err, c.want)
	}
	two := strings.Replace(alone, "name: Root, kind: cxl_root,", "name: Root, kind: cxl_root, ports: 1, count: 2,", 1)
	two = strings.Replace(two, "links:\n  - Driver -> Root.host\n", "  - {name: Mid, kind: cxl_switch, upstream: 2, link: {flit: 256B, rate: 64}}\nlinks:\n  - Driver -> Root[0].host\n  - Acc -> Root[1].host\n  - \"Root[0..1].down[0] -> Mid.up[0..1]\"\n", 1)
	two = strings.Replace(two, "  - Acc -> Far.dev\n", "", 1)
	two = strings.Replace(two, "Root.down -> Far.up", "Mid.down -> Far.up", 1)
	_, err := build(t, engine.New(), strings.Replace(two, "kind: cxl_type2,", "kind: cxl_type2, hdm: d,", 1), "R,0,64\n")
	require.ErrorContains(t, err, "2 hosts reach Far; bias (hdm: d) is between a device and one host")
}

func BenchmarkCoherent(b *testing.B) {
	b.ReportAllocs()
	run(b, engine.New(), shared, lines("R", max(b.N/128, 1), 4096), "Driver.mode=closed:8")
}

// Coherence over a fabric with port-based routing.
func TestCoherentFabric(t *testing.T) {
	text := strings.Replace(fabricOf("topology: {name: mesh, dims: [2, 2]}, routing: {name: dor}, link: {flit: pbr, rate: 64}", []int{0, 1}, []int{3}),
		"kind: cxl_type3,", "kind: cxl_type3, hdm: db, filter: {entries: 16, ways: 4},", 1)
	text = strings.Replace(text, "kind: cxl_root,", "kind: cxl_root, cache: {size: 4KiB, ways: 4}, link: {flit: pbr, rate: 64},", 1)
	m := run(t, engine.New(), text, lines("W", 64, 64)+lines("R", 64, 64), "Driver.mode=closed:4")
	require.Positive(t, m["Far[0] snoops"])
	require.Positive(t, m["Far[0] filter_evictions"])
	require.Equal(t, m["Far[0] coherent_writes"], m["Root[0] coherent_writebacks"]+m["Root[1] coherent_writebacks"])
}

// A snoop filter tells 64 hosts apart, and no more: two come by a switch, and each of the others has a head of its own.
func TestMostHostsOfACoherentDevice(t *testing.T) {
	for n, want := range map[int]string{64: "", 65: "nodes.Far.hdm: 65 hosts; a snoop filter tells 64 apart"} {
		text := strings.NewReplacer("count: 2", fmt.Sprintf("count: %d", n), "heads: 2", fmt.Sprintf("heads: %d", n-1)).Replace(shared[:strings.Index(shared, "links:")])
		text += fmt.Sprintf("  - {name: Mid, kind: cxl_switch, upstream: 2, link: {flit: 256B, rate: 64}}\nlinks:\n  - \"Mid.down -> Far.up[%d]\"\n", n-2)
		for i := range n {
			to := fmt.Sprintf("Far.up[%d]", i)
			if i >= n-2 {
				to = fmt.Sprintf("Mid.up[%d]", i-n+2)
			}
			text += fmt.Sprintf("  - Driver[%d] -> Root[%d].host\n  - \"Root[%d].down[0] -> %s\"\n", i, i, i, to)
		}
		_, err := build(t, engine.New(), text, "R,0,64\n")
		if want == "" {
			require.NoError(t, err)
		} else {
			require.ErrorContains(t, err, want)
		}
	}
}
