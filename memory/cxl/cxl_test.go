package cxl_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
	_ "github.com/causeway-sim/causeway/configs/yaml"
	_ "github.com/causeway-sim/causeway/memory/cxl"
	_ "github.com/causeway-sim/causeway/memory/dram"
	_ "github.com/causeway-sim/causeway/memory/ideal"
	_ "github.com/causeway-sim/causeway/workloads/player"
)

// build makes a system; TRACE in the text is a file with the lines of trace.
func build(t testing.TB, e sim.Engine, text, trace string, set ...string) (*system.System, error) {
	file := filepath.Join(t.TempDir(), "t.trc")
	require.NoError(t, os.WriteFile(file, []byte("op,addr,size\n"+trace), 0o600))
	doc, err := configs.Parse("t.yaml", []byte(strings.ReplaceAll(text, "TRACE", file)), configs.Options{Set: set})
	if err != nil {
		return nil, err
	}
	return system.Build(doc, &system.Env{Engine: e, Seed: 1})
}

// run carries a system out and returns all metrics, "Root reads" for example, and causes.
func run(t testing.TB, e sim.Engine, text, trace string, set ...string) map[string]float64 {
	s, err := build(t, e, text, trace, set...)
	require.NoError(t, err)
	for _, n := range s.Nodes() {
		if x, ok := n.(system.Starter); ok {
			require.NoError(t, x.Start())
		}
	}
	require.NoError(t, e.Run())
	out := map[string]float64{}
	for _, n := range s.Nodes() {
		require.Empty(t, n.Stats().Verify())
		for _, m := range n.Stats().Metrics() {
			out[m.Where+" "+m.Name] = m.Value
		}
		if c, ok := n.(system.Causal); ok {
			if tree := c.Causes(); tree != nil {
				for _, p := range tree.Parts {
					out[n.Name()+" spends its time "+p.Words] = p.Time
					for i, x := range p.Parts { // links and devices, the longest first
						out[fmt.Sprint(n.Name(), " spends its time ", p.Words, " at ", i)] = x.Time
					}
				}
			}
		}
	}
	return out
}

const simple = `schema: causeway/1
nodes:
  - {name: Driver, kind: driver, trace: TRACE, mode: "closed:1"}
  - {name: Root, kind: cxl_root, bridge: 50ns, protocol: 12ns, host_latency: 80ns}
  - {name: Far, kind: cxl_type3, protocol: 15ns, memory: {kind: memory, fidelity: ideal, clock: 1GHz, latency: 40ns, size: 4GiB}}
links:
  - Driver -> Root.host
  - {link: Root.down -> Far.up, latency: 3ns}
`

// lines of a trace: n requests one after the other, from base on.
func lines(kind string, n, bytes int) string { return from(0, kind, n, bytes) }

func from(base uint64, kind string, n, bytes int) string {
	var b strings.Builder
	for i := range uint64(n) {
		fmt.Fprintf(&b, "%s,%d,%d\n", kind, base+i*uint64(bytes), bytes)
	}
	return b.String()
}

// An unloaded read is the sum of its stages: one flit there, two back.
func TestUnloaded(t *testing.T) {
	const flit = 68 * 8 * 130. / 128 / 512
	m := run(t, engine.New(), simple, lines("R", 10, 64))
	require.InDelta(t, 80, m["Root load_host_mean"], 1e-9)
	require.InDelta(t, 62, m["Root load_port_mean"], 1e-9)
	require.InDelta(t, 62, m["Root load_return_mean"], 1e-9)
	require.InDelta(t, 30, m["Root load_device_mean"], 1e-9)
	require.InDelta(t, 6, m["Root load_wire_mean"], 1e-9)
	require.InDelta(t, 3*flit, m["Root load_serialization_mean"], 0.003)
	// the memory sees a request in its next cycle, and takes 40
	require.InDelta(t, 40.5, m["Root load_dram_queue_mean"]+m["Root load_dram_service_mean"], 0.6)
	sum := 0.
	for name, v := range m {
		if strings.HasPrefix(name, "Root load_") && name != "Root load_latency_mean" {
			sum += v
		}
	}
	require.InDelta(t, m["Root load_latency_mean"], sum, 1e-9)
	require.InDelta(t, m["Far pin_read_latency_mean"], 30+m["Root load_dram_queue_mean"]+m["Root load_dram_service_mean"], 1e-9)
	w := run(t, engine.New(), simple, lines("W", 10, 64))
	require.InDelta(t, 30, w["Far pin_write_latency_mean"], 1e-9)
	require.InDelta(t, 80+62+62+30+6+3*flit, w["Root store_latency_mean"], 0.003)
	// one that waits for the memory
	w = run(t, engine.New(), simple, lines("W", 10, 64), "Far.early=false")
	require.InDelta(t, 70.5, w["Far pin_write_latency_mean"], 0.6)
}

// A switch adds its latency and one more link each way.
func TestSwitchAddsAHop(t *testing.T) {
	text := strings.Replace(simple, "links:", "  - {name: Mid, kind: cxl_switch, latency: 70ns}\nlinks:", 1)
	text = strings.Replace(text, "{link: Root.down -> Far.up, latency: 3ns}", "{link: Root.down -> Mid.up, latency: 3ns}\n  - {link: Mid.down -> Far.up, latency: 3ns}", 1)
	a := run(t, engine.New(), simple, lines("R", 10, 64))
	b := run(t, engine.New(), text, lines("R", 10, 64))
	const flit = 68 * 8 * 130. / 128 / 512
	require.InDelta(t, 140, b["Root load_switch_mean"], 1e-9)
	require.InDelta(t, 2*a["Root load_wire_mean"], b["Root load_wire_mean"], 1e-9)
	require.InDelta(t, 140+6+3*flit, b["Root load_latency_mean"]-a["Root load_latency_mean"], 1.1)
	require.Equal(t, 10., b["Mid messages_down"])
	require.Equal(t, 10., b["Mid messages_up"])
}

// Saturated links carry what the packer packs, through all layers.
func TestSaturated(t *testing.T) {
	raw := 68 / (68 * 8 * 130. / 128 / 512)
	for _, c := range []struct {
		kind string
		want float64
	}{{"R", raw * 128 / 153}, {"W", raw * 64 / 85}} {
		m := run(t, engine.New(), simple, lines(c.kind, 300, 4096), "Driver.mode=closed:64", "Root.outstanding=4096",
			"Root.link.credits.req=2000", "Root.link.credits.rwd=2000", "Root.link.credits.drs=2000", "Root.link.credits.ndr=2000")
		require.InEpsilon(t, c.want, m["Root bandwidth"], 0.015, c.kind)
	}
}

// Two hosts share a device below a switch: both get all answers, each about half.
func TestPooledDevice(t *testing.T) {
	text := `schema: causeway/1
nodes:
  - {name: Driver, kind: driver, count: 2, trace: TRACE, mode: "closed:32"}
  - {name: Root, kind: cxl_root, count: 2}
  - {name: Mid, kind: cxl_switch, upstream: 2, downstream: 2}
  - {name: Far, kind: cxl_type3, count: 2, memory: {kind: memory, fidelity: ideal, clock: 1GHz, latency: 40ns, size: 4GiB}}
links:
  - Driver[0] -> Root[0].host
  - Driver[1] -> Root[1].host
  - Root[0..1].down[0] -> Mid.up[0..1]
  - Mid.down -> Far.up
memory:
  - {tier: far, node: Far, interleave: 1KiB}
`
	m := run(t, engine.New(), text, lines("R", 100, 4096))
	require.Equal(t, 100., m["Root[0] reads"])
	require.Equal(t, 100., m["Root[1] reads"])
	require.Equal(t, 6400., m["Far[0] line_reads"])
	require.Equal(t, 6400., m["Far[1] line_reads"])
	require.InEpsilon(t, m["Root[0] bandwidth"], m["Root[1] bandwidth"], 0.05)
}

// Local memory beside: its addresses take the port mem.
func TestLocalMemoryBeside(t *testing.T) {
	text := strings.Replace(simple, "links:", `  - {name: Near, kind: memory, fidelity: ideal, clock: 1GHz, latency: 30ns, size: 4GiB}
links:
  - Root.mem -> Near`, 1) + `memory:
  - {tier: near, node: Near, base: 0GiB, size: 4GiB}
  - {tier: far, node: Far, base: 4GiB}
`
	text = strings.Replace(text, "bridge: 50ns", "local_latency: 5ns, bridge: 50ns", 1)
	m := run(t, engine.New(), text, lines("R", 10, 64)+from(5<<30, "R", 10, 64))
	require.Equal(t, 10., m["Near reads"])
	require.Equal(t, 10., m["Far line_reads"])
}

// Errors on the links cost time and nothing else; the bytes are equal whatever the
// engine and however ties are broken.
func TestErrorsAndEngines(t *testing.T) {
	trace := lines("R", 40, 1000) + lines("W", 40, 300) + lines("R", 40, 64)
	set := []string{"Driver.mode=closed:8", "Root.link.ber=[1e-5, 3e-5]", "Root.link.credits.drs=20"}
	clean := run(t, engine.New(), simple, trace, set[0], set[2])
	want := run(t, engine.New(), simple, trace, set...)
	require.Positive(t, want["Root replayed_flits_up"])
	require.Equal(t, clean["Far line_reads"], want["Far line_reads"])
	require.Equal(t, clean["Root read_bytes"], want["Root read_bytes"])
	require.Greater(t, want["Root load_latency_mean"], clean["Root load_latency_mean"])
	require.Positive(t, want["Root load_retry_mean"])
	require.Equal(t, want, run(t, sim.NewSerialEngine(), simple, trace, set...))
	require.Equal(t, want, run(t, sim.NewParallelEngine(), simple, trace, set...))
	require.Equal(t, want, run(t, engine.New(engine.Shuffle(5)), simple, trace, set...))
}

func TestFaults(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"host_latency: 80ns", "link: {rate: 64}", "nodes.Root.link.rate: 64 GT/s has flits of 256 B only"},
		{"host_latency: 80ns", "link: {credits: {drs: 0, rwd: 1}}", "nodes.Root.link.credits.drs: no credits of S2MDRS: nothing of it could be sent"},
		{"host_latency: 80ns", "link: {ber: [0, 0.5]}", "nodes.Root.link.ber: bit error rate 0.5: 100% of the flits would be wrong (want at most 90%)"},
		{"host_latency: 80ns", "link: {ber: [0.01, 0]}", "nodes.Root.link.ber: bit error rate 0.01: 99.5% of the flits would be wrong (want at most 90%)"},
		{"host_latency: 80ns", "link: {rate: 64, flit: 256B, sync_header_bypass: true}", "nodes.Root.link.sync_header_bypass: "},
		{"host_latency: 80ns", "link: {credits: {req: 99999999999}}", "nodes.Root.link.credits.req: "},
		{"host_latency: 80ns", "link: {flit: 100B}", "flit"},
		{"host_latency: 80ns", "host_latency: 80cycle", "latency 80cycle is in cycles, but there is no clock"},
		{"host_latency: 80ns", "host_latency: 0.5ps", "latency 0.5ps is no whole number of picoseconds"},
		{"latency: 40ns", "latency: 40ns, colour: red", "colour"},
		{"latency: 40ns", "latency: 40ns, count: 2", "nodes.Far.memory.count: has no effect on a node inside another"},
		{"latency: 40ns", "latency: 40ns, name: Inner", "nodes.Far.memory.name: has no effect on a node inside another"},
		{"latency: 3ns", "bandwidth: 3GB/s", "the bandwidth of a CXL link is its rate and lanes"},
		{"size: 4GiB", "size: 100MiB", "size 0x6400000 is no multiple of 256 MiB"},
		{"kind: memory, ", "kind: driver, ", "fidelity"},
	} {
		_, err := build(t, engine.New(), strings.Replace(simple, c.old, c.new, 1), "R,0,64\n")
		require.ErrorContains(t, err, c.want)
	}
	gap := strings.Replace(simple, "name: Far,", "name: Far, count: 2,", 1)
	gap = strings.Replace(gap, "Root.down -> Far.up", "Root.down -> Far.up", 1)
	gap = strings.Replace(gap, "kind: cxl_root,", "kind: cxl_root, ports: 2,", 1)
	for memory, want := range map[string]string{
		"memory:\n  - {tier: a, node: \"Far[0]\", base: 0GiB, size: 1GiB}\n  - {tier: b, node: \"Far[1]\", base: 2GiB, size: 1GiB}\n":    "gap of 0x40000000 B between 0x40000000 and 0x80000000",
		"memory:\n  - {tier: a, node: Far, interleave: 64KiB}\n":                                                                         "memory.a: address decoder: granularity of 65536 B (want a power of two from 256 B to 16 KiB)",
		"memory:\n  - {tier: a, node: \"Far[0]\", base: 64MiB, size: 1GiB}\n  - {tier: b, node: \"Far[1]\", base: 2GiB, size: 100MiB}\n": "memory.b: address decoder: size 0x6400000 is no multiple of 256 MiB",
	} {
		_, err := build(t, engine.New(), gap+memory, "R,0,64\n")
		require.ErrorContains(t, err, want)
	}
}

func BenchmarkReads(b *testing.B) { benchmark(b, "R") }

func BenchmarkWrites(b *testing.B) { benchmark(b, "W") }

// Lines with flits, credits and bank-accurate DRAM, through driver and wires.
func benchmark(b *testing.B, kind string) {
	text := strings.Replace(simple, "kind: memory, fidelity: ideal, clock: 1GHz, latency: 40ns, size: 4GiB", "preset: ddr5_4800, channels: 2", 1)
	text = strings.Replace(text, "preset: ddr5_4800", "kind: memory, grade: ddr5_4800", 1)
	b.ReportAllocs()
	run(b, engine.New(), text, lines(kind, max(b.N/64, 1), 4096), "Driver.mode=closed:8")
}

// Every mode of flits carries what its packer packs.
func TestModes(t *testing.T) {
	for _, c := range []struct {
		flit string
		rate int
		want [2]float64 // lines of data per byte of link, closed forms of package flit
	}{
		{"256B", 64, [2]float64{64 * 44. / 13 / 256, 0.75}},
		{"latency", 64, [2]float64{64 * 13. / 4 / 256, 64 * 2.8 / 256}},
		{"pbr", 64, [2]float64{64 * 10. / 3 / 256, 64 * 2.8 / 256}},
		{"256B", 32, [2]float64{64 * 44. / 13 / 256 * 128 / 130, 0.75 * 128 / 130}},
	} {
		for k, kind := range []string{"R", "W"} {
			m := run(t, engine.New(), simple, lines(kind, 300, 4096), "Driver.mode=closed:64", "Root.outstanding=4096",
				"Root.link.flit="+c.flit, fmt.Sprintf("Root.link.rate=%d", c.rate), "Far.entries=4096",
				"Root.link.credits.req=2000", "Root.link.credits.rwd=2000", "Root.link.credits.drs=2000", "Root.link.credits.ndr=2000")
			require.InEpsilon(t, float64(2*c.rate)*c.want[k], m["Root bandwidth"], 0.03, "%s %s", c.flit, kind)
		}
	}
}

// A device with two heads serves two hosts without a switch.
func TestTwoHeads(t *testing.T) {
	text := `schema: causeway/1
nodes:
  - {name: Driver, kind: driver, count: 2, trace: TRACE, mode: "closed:8"}
  - {name: Root, kind: cxl_root, count: 2}
  - {name: Far, kind: cxl_type3, heads: 2, memory: {kind: memory, fidelity: ideal, clock: 1GHz, latency: 40ns, size: 4GiB}}
links:
  - Driver -> Root.host
  - Root[0..1].down[0] -> Far.up[0..1]
`
	text = strings.Replace(text, "  - Driver -> Root.host\n", "  - Driver[0] -> Root[0].host\n  - Driver[1] -> Root[1].host\n", 1)
	m := run(t, engine.New(), text, lines("R", 50, 640))
	require.Equal(t, 1000., m["Far line_reads"])
	require.Equal(t, m["Root[0] load_latency_mean"], m["Root[1] load_latency_mean"])
}

// Credits bind through all layers: throughput is credits * 64 B per round trip of a
// credit of the class that binds.
func TestCreditsBindTheNode(t *testing.T) {
	for _, c := range []struct {
		kind, class string
		credits     int
	}{{"R", "req", 4}, {"R", "req", 10}, {"R", "drs", 4}, {"W", "rwd", 4}, {"W", "rwd", 16}} {
		// long enough that the 0.25 us of the first and last line count for little
		n, within := 600, 0.01
		if testing.Short() {
			n, within = 150, 0.04
		}
		m := run(t, engine.New(), simple, lines(c.kind, n, 4096), "Driver.mode=closed:64", "Root.outstanding=4096",
			fmt.Sprintf("Root.link.credits.%s=%d", c.class, c.credits))
		require.InEpsilon(t, float64(c.credits)*64/m["Root credit_round_trip_"+c.class+"_mean"], m["Root bandwidth"], within, "%s %d", c.class, c.credits)
	}
}

// Lines wait in the device while it has no entry free. By hand: two reads at once of a device with one entry. The second comes
// as the first has gone to the memory, and waits until that has answered after 40 ns, within a clock of the memory on either
// side; the first waits for nothing. With two entries neither waits.
func TestLinesWaitForAPlaceInTheDevice(t *testing.T) {
	const flit = 68 * 8 * 130. / 128 / 512
	for entries, want := range map[string]float64{"1": (40 - flit) / 2, "2": 0} {
		m := run(t, engine.New(), simple, lines("R", 2, 64), "Driver.mode=closed:2", "Far.entries="+entries)
		require.InDelta(t, want, m["Root load_device_queue_mean"], min(want, 1.5), "%s entries", entries)
		require.InDelta(t, 40.5, m["Root load_dram_queue_mean"]+m["Root load_dram_service_mean"], 1.1, "%s entries", entries)
	}
}
