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

// both is a host and the accelerator of a Type 2 device that works on the host's
// memory too.
const both = `schema: causeway/1
nodes:
  - {name: Driver, kind: driver, trace: TRACE, mode: "closed:1"}
  - {name: Acc, kind: driver, trace: ACC, mode: "closed:1"}
  - {name: Near, kind: memory, fidelity: ideal, clock: 1GHz, latency: 40ns, size: 4GiB}
  - {name: Root, kind: cxl_root, protocol: 20ns, link: {flit: 256B, rate: 64}}
  - {name: Far, kind: cxl_type2, reach: host, host_cache: {size: 16KiB, ways: 4}, memory: {kind: memory, fidelity: ideal, clock: 1GHz, latency: 40ns, size: 4GiB}}
links:
  - Driver -> Root.host
  - Acc -> Far.dev
  - Root.mem -> Near
  - {link: Root.down -> Far.up, latency: 3ns}
memory:
  - {tier: near, node: Near, base: 0GiB, size: 4GiB}
  - {tier: far, node: Far, base: 4GiB, size: 4GiB}
`

// with is a system whose accelerator has a trace of its own.
func with(t testing.TB, text, trace string) string {
	file := filepath.Join(t.TempDir(), "acc.trc")
	require.NoError(t, os.WriteFile(file, []byte("op,addr,size\n"+trace), 0o600))
	return strings.Replace(text, "ACC", file, 1)
}

// The targets of CXL 3.1, table 13-2, pin to pin: H2D snoop miss to RspI 90 to 150 ns,
// WritePull to data 65 ns.
func TestCacheTargets(t *testing.T) {
	m := run(t, engine.New(), with(t, both, lines("W", 8, 64)), "R,1048576,64\n", "Far.host_cache.size=0B")
	require.Equal(t, 8., m["Root device_pulls"])
	require.InDelta(t, 65, m["Far pull_latency_mean"], 1e-3)
	require.Zero(t, m["Far h2d_snoops"])
	// a write of the host invalidates lines that the accelerator has
	text := with(t, both, lines("R", 64, 64))
	m = run(t, engine.New(), text, from(1<<20, "R", 400, 64)+lines("W", 64, 64))
	require.Equal(t, 64., m["Far h2d_snoops"])
	require.Equal(t, 64., m["Root device_requests"])
	require.InDelta(t, 90, m["Far h2d_snoop_latency_mean"], 1e-3)
	// any mix; some snoops meet lines on their way out
	r := rand.New(rand.NewPCG(1, 1))
	var a, b strings.Builder
	for range 3000 {
		fmt.Fprintf(&a, "%s,%d,64\n", []string{"R", "W"}[r.IntN(2)], r.IntN(32)*64)
		fmt.Fprintf(&b, "%s,%d,64\n", []string{"R", "W"}[r.IntN(2)], r.IntN(32)*64)
	}
	m = run(t, engine.New(), with(t, both, a.String()), b.String(), "Acc.mode=closed:8", "Far.host_cache={size: 128B, ways: 2}")
	require.Positive(t, m["Far h2d_forwarded"])
	require.InDelta(t, 90, m["Far h2d_snoop_latency_mean"], 3)
	require.Positive(t, m["Far bogus_data"])
	require.Equal(t, m["Far bogus_data"], m["Root bogus_pulls"])
	for _, k := range []string{"load_", "store_"} {
		require.InDelta(t, m["Root "+k+"latency_mean"], parts(m, "Root "+k), 1e-9)
	}
	t.Logf("snoop %.1f ns, pull %.1f ns, %v snoops, %v bogus", m["Far h2d_snoop_latency_mean"], m["Far pull_latency_mean"], m["Far h2d_snoops"], m["Far bogus_data"])
}

// What the accelerator has of the host's memory it reads without a message.
func TestCachedHostMemory(t *testing.T) {
	m := run(t, engine.New(), with(t, both, lines("R", 64, 64)+lines("R", 64, 64)+lines("W", 64, 64)), "R,1048576,64\n")
	require.Equal(t, 128., m["Far host_cache_hits"]) // alone: the stores find it exclusive
	require.Equal(t, 64., m["Far host_cache_misses"])
	require.Equal(t, 65., m["Near reads"])
	require.Zero(t, m["Near writes"])
	// and its own memory beside
	m = run(t, engine.New(), with(t, both, lines("R", 4, 64)+from(4<<30, "R", 4, 64)), "R,1048576,64\n")
	require.Equal(t, 5., m["Near reads"])
	require.Equal(t, 4., m["Far line_reads"])
	require.Equal(t, 4., m["Far local_accesses"])
}

// Any mix, also through a switch and over links with errors: all is answered, and the
// bytes are equal whatever the engine.
func TestCachedHostMemoryEngines(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	mix := func() string {
		var b strings.Builder
		accesses := 400
		if testing.Short() {
			accesses = 150
		}
		for range accesses {
			fmt.Fprintf(&b, "%s,%d,%d\n", []string{"R", "W"}[r.IntN(2)], uint64(r.IntN(2))<<32+uint64(r.IntN(40)*64+r.IntN(3)*20), 20+r.IntN(150))
		}
		return b.String()
	}
	text := with(t, both, mix())
	trace := mix()
	switched := strings.Replace(text, "links:\n", "  - {name: Mid, kind: cxl_switch, link: {flit: 256B, rate: 64}}\nlinks:\n  - {link: Mid.down -> Far.up, latency: 2ns}\n", 1)
	switched = strings.Replace(switched, "Root.down -> Far.up", "Root.down -> Mid.up", 1)
	for _, text := range []string{text, switched} {
		for _, set := range [][]string{
			{"Far.host_cache={size: 512B, ways: 2}", "Root.cache={size: 1KiB, ways: 2}"},
			{"Far.host_cache.size=0B", "Root.link.ber=[1e-5, 1e-5]"},
			{"Far.hdm=d", "Far.host_cache={size: 128B, ways: 2}", "Root.link.ber=[1e-5, 1e-5]"},
			{"Far.hdm=h", "Far.cache.size=0B", "Root.link={flit: 68B, rate: 32}"},
		} {
			if set[0] == "Far.hdm=h" && strings.Contains(text, "Mid") {
				continue
			}
			set = append(set, "Driver.mode=closed:8", "Acc.mode=closed:8")
			want := run(t, engine.New(), text, trace, set...)
			require.Positive(t, want["Root device_requests"])
			for _, e := range []sim.Engine{sim.NewSerialEngine(), sim.NewParallelEngine(), engine.New(engine.Shuffle(3))} {
				require.Equal(t, want, run(t, e, text, trace, set...), set)
			}
			t.Logf("%v: %v snoops, %v pulls, %v bogus", set[0], want["Root device_snoops"], want["Root device_pulls"], want["Far bogus_data"])
		}
	}
}

func TestCachedHostMemoryFaults(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"reach: host, ", "", "host_cache has no effect with reach: device"},
		{"size: 16KiB, ways: 4", "size: 16KiB, ways: 5", "size 16KiB is no multiple of 5 ways of 64 B"},
		{"size: 16KiB, ways: 4", "size: 16KiB, ways: 4, pull: 2cycle", "latency 2cycle is in cycles"},
	} {
		text := strings.Replace(both, c.old, c.new, 1)
		require.NotEqual(t, both, text)
		_, err := build(t, engine.New(), with(t, text, "R,0,64\n"), "R,0,64\n")
		require.ErrorContains(t, err, c.want)
	}
	_, err := build(t, engine.New(), strings.Replace(alone, "kind: cxl_type2,", "kind: cxl_type2, reach: host,", 1), "R,0,64\n")
	require.ErrorContains(t, err, "nodes.Far.reach: reach: host has no effect: there is no memory but that of the fabric")
}
