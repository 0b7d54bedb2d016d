package cxl_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/noc/topology"
)

// fabricOf is hosts and devices at terminals of a fabric; every device has 1 GiB.
func fabricOf(net string, hosts, devices []int) string {
	var b strings.Builder
	fmt.Fprintf(&b, `schema: causeway/1
nodes:
  - {name: Driver, kind: driver, count: %d, trace: TRACE, mode: "closed:1"}
  - {name: Root, kind: cxl_root, count: %d}
  - {name: Net, kind: cxl_fabric, %s}
  - {name: Far, kind: cxl_type3, count: %d, memory: {kind: memory, fidelity: ideal, clock: 1GHz, latency: 40ns, size: 1GiB}}
links:
`, len(hosts), len(hosts), net, len(devices))
	for i, t := range hosts {
		fmt.Fprintf(&b, "  - Driver[%d] -> Root[%d].host\n  - Root[%d].down[0] -> Net.terminal[%d]\n", i, i, i, t)
	}
	for i, t := range devices {
		fmt.Fprintf(&b, "  - Net.terminal[%d] -> Far[%d].up\n", t, i)
	}
	b.WriteString("memory:\n")
	for i := range devices {
		fmt.Fprintf(&b, "  - {tier: d%d, node: \"Far[%d]\", base: %dGiB, size: 1GiB}\n", i, i, i)
	}
	return b.String()
}

// One switch with port-based routing is the switch of a tree, to the picosecond and
// the flit.
func TestOneSwitchIsATree(t *testing.T) {
	pbr := fabricOf("topology: {name: crossbar, terminals: 4}", []int{0, 1}, []int{2, 3})
	tree := strings.NewReplacer("{name: Net, kind: cxl_fabric, topology: {name: crossbar, terminals: 4}}", "{name: Net, kind: cxl_switch, upstream: 2, downstream: 2}",
		"terminal[0]", "up[0]", "terminal[1]", "up[1]", "terminal[2]", "down[0]", "terminal[3]", "down[1]").Replace(pbr)
	trace := lines("R", 200, 700) + lines("W", 200, 300) + from(1<<30, "R", 200, 512) + from(1<<30, "W", 100, 64)
	for _, set := range [][]string{nil, {"Driver.mode=closed:32"}, {"Driver.mode=closed:64", "Root.link.ber=[1e-5, 1e-5]", "Net.link.ber=[1e-5, 1e-6]", "Net.link.lanes=4"}} {
		a, b := run(t, engine.New(), tree, trace, set...), run(t, engine.New(), pbr, trace, set...)
		for name := range b {
			if strings.HasPrefix(name, "Net hops") {
				require.Equal(t, 1., b[name])
				delete(b, name)
			}
		}
		require.Equal(t, a, b)
	}
}

// hops is the channels between two terminals, by a search of its own.
func hops(n topology.Topology, a, b int) int {
	from, _ := n.Home(a)
	to, _ := n.Home(b)
	far := map[int]int{from: 0}
	for changed := true; changed; {
		changed = false
		for r := range n.Routers() {
			d, ok := far[r]
			if !ok {
				continue
			}
			for p := range n.Ports(r) {
				if x, _, ok := n.Peer(r, p); ok {
					if old, seen := far[x]; !seen || d+1 < old {
						far[x] = d + 1
						changed = true
					}
				}
			}
		}
	}
	return far[to]
}

// Every pair has the latency of one switch, and for each switch more that switch, a
// channel and a flit, each way.
func TestLatencyPerPair(t *testing.T) {
	const step = 70 + 5 + 2 // ns: switch, channel, 256 B of 64 GT/s x16
	for _, c := range []struct {
		net  string
		name string
		spec any
	}{
		{"topology: {name: mesh, dims: [3, 3], concentration: 1}", "mesh", topology.GridSpec{Dims: []int{3, 3}, Concentration: 1}},
		{"topology: {name: mesh, dims: [3, 3], concentration: 1}, routing: dor", "mesh", topology.GridSpec{Dims: []int{3, 3}, Concentration: 1}},
		{"topology: {name: fat_tree, k: 2, n: 3}", "fat_tree", topology.FatTreeSpec{K: 2, N: 3}},
		{"topology: {name: fully_connected, routers: 5, concentration: 2}", "fully_connected", topology.FullSpec{Routers: 5, Concentration: 2}},
	} {
		for _, kind := range []string{"R", "W"} {
			n, err := topology.New(c.name, c.spec)
			require.NoError(t, err)
			one := run(t, engine.New(), fabricOf("topology: {name: crossbar, terminals: 2}", []int{0}, []int{1}), lines(kind, 10, 64))
			what := map[string]string{"R": "load", "W": "store"}[kind]
			for a := range n.Terminals() {
				for b := range n.Terminals() {
					if a == b || (a+b)%3 > 0 || testing.Short() && (a+b)%6 > 0 { // a third of them, or a sixth
						continue
					}
					m := run(t, engine.New(), fabricOf(c.net+", channel: {latency: 5ns}", []int{a}, []int{b}), lines(kind, 10, 64))
					h := float64(hops(n, a, b))
					require.Equal(t, h+1, m["Net hops_mean"])
					require.InDelta(t, 2*70*(h+1), m["Root[0] "+what+"_switch_mean"], 1e-9)
					require.InDelta(t, 2*5*h, m["Root[0] "+what+"_wire_mean"], 1e-9)
					require.InDelta(t, one["Root[0] "+what+"_serialization_mean"]+2*2*h, m["Root[0] "+what+"_serialization_mean"], 1e-9)
					// the memory's clock rounds by less than a nanosecond
					require.InDelta(t, one["Root[0] "+what+"_latency_mean"]+2*step*h, m["Root[0] "+what+"_latency_mean"], 1, "%s %d %d", c.net, a, b)
				}
			}
		}
	}
}

// A ring of shortest ways may block, and is refused with the ring; up_down may not, even
// with one credit of each class and every link full.
func TestRings(t *testing.T) {
	hosts, devices := []int{0, 2, 4, 6, 8, 10}, []int{1, 3, 5, 7, 9, 11}
	text := fabricOf("topology: {name: ring, size: 6, concentration: 2}", hosts, devices)
	_, err := build(t, engine.New(), text, "R,0,64\n")
	require.ErrorContains(t, err, "messages may wait for each other in a ring (try up_down): Net router")
	t.Log(err)

	text = fabricOf("topology: {name: ring, size: 6, concentration: 2}, routing: up_down", hosts, devices)
	trace := ""
	for d := range devices {
		trace += from(uint64(d)<<30, "R", 8, 1024) + from(uint64(d)<<30, "W", 8, 1024)
	}
	set := []string{"Driver.mode=closed:64"}
	for _, x := range []string{"Root.link", "Net.link", "Net.channel"} {
		for _, c := range []string{"req", "rwd", "ndr", "drs"} {
			set = append(set, x+".credits."+c+"=1")
		}
	}
	m := run(t, engine.New(), text, trace, set...)
	for i := range hosts {
		require.Equal(t, 48., m[fmt.Sprintf("Root[%d] reads", i)])
	}
	require.Equal(t, 6*8*16., m["Far[0] line_reads"])
	require.Equal(t, m, run(t, sim.NewSerialEngine(), text, trace, set...))
	require.Equal(t, m, run(t, sim.NewParallelEngine(), text, trace, set...))
}

// Requests of hosts on both sides, and answers to both, share a channel.
func TestChannelCarriesBoth(t *testing.T) {
	text := fabricOf("topology: {name: mesh, dims: [2], concentration: 2}, channel: {credits: {req: 1000, rwd: 1000, ndr: 1000, drs: 1000}}", []int{0, 2}, []int{3, 1})
	// Root[0] reads Far[0] at the other side, Root[1] Far[1]
	text = strings.Replace(text, `name: Driver, kind: driver, count: 2, trace: TRACE, mode: "closed:1"}`, `name: Driver, kind: driver, count: 2, trace: TRACE, mode: "closed:64"}`, 1)
	text = strings.NewReplacer("base: 0GiB", "base: 8GiB", "base: 1GiB", "base: 9GiB").Replace(text)
	text = strings.Replace(text, "  - {name: Driver, kind: driver, count: 2, trace: TRACE, mode: \"closed:64\"}\n",
		"  - {name: A, kind: driver, trace: TRACE, base: 8GiB, mode: \"closed:64\"}\n  - {name: B, kind: driver, trace: TRACE, base: 9GiB, mode: \"closed:64\"}\n", 1)
	text = strings.NewReplacer("Driver[0]", "A", "Driver[1]", "B").Replace(text)
	m := run(t, engine.New(), text, lines("R", 300, 4096))
	require.Equal(t, 2*2*300*64., m["Net channel_messages"])
	// a direction carries the answers of one host and the requests of the other
	require.InEpsilon(t, m["Root[0] bandwidth"], m["Root[1] bandwidth"], 0.02)
	require.Greater(t, m["Root[0] bandwidth"], 45.)
}

func TestFabricFaults(t *testing.T) {
	good := fabricOf("topology: {name: mesh, dims: [2, 2], concentration: 1}", []int{0}, []int{3})
	for _, c := range []struct{ old, new, want string }{
		{"dims: [2, 2], concentration: 1}", "dims: [2, 2], concentration: 1}, routing: valiant", "unknown routing algorithm"},
		{"dims: [2, 2], concentration: 1}", "dims: [65, 64], concentration: 1}", "nodes.Net.topology: 4160 terminals: a fabric has 4096 identifiers"},
		{"dims: [2, 2], concentration: 1}", "dims: [2, 2], concentration: 1}, channel: {flit: 68B}", "nodes.Net.channel"},
		{"dims: [2, 2], concentration: 1}", "dims: [2, 2], concentration: 1}, channel: {credits: {drs: 0}}", "no credits of S2MDRS"},
		{"dims: [2, 2], concentration: 1}", "dims: [2, 0]}", "nodes.Net.topology"},
		{"dims: [2, 2], concentration: 1}", "dims: [2, 2], concentration: 1}, latency: 3cycle", "there is no clock"},
		{"dims: [2, 2], concentration: 1}", "dims: [2, 2], concentration: 1}, failed: [{router: 0, to: 3}]", "nodes.Net.failed"},
		{"terminal[3]", "terminal[4]", "terminal"},
		{"topology: {name: mesh, dims: [2, 2], concentration: 1}", "topology: {name: dragonfly, p: 2, a: 2, h: 1}, routing: min", "needs 2 classes of virtual channels, a CXL link has one"},
	} {
		require.Contains(t, good, c.old)
		_, err := build(t, engine.New(), strings.Replace(good, c.old, c.new, 1), "R,0,64\n")
		require.ErrorContains(t, err, c.want)
		t.Log(err)
	}
	// a channel that is missing from the start makes the way longer
	m := run(t, engine.New(), strings.Replace(good, "terminal[3]", "terminal[1]", 1), "R,0,64\n")
	require.Equal(t, 2., m["Net hops_max"])
	m = run(t, engine.New(), strings.NewReplacer("terminal[3]", "terminal[1]", "dims: [2, 2], concentration: 1}", "dims: [2, 2], concentration: 1}, failed: [{router: 0, to: 1}]").Replace(good), "R,0,64\n")
	require.Equal(t, 4., m["Net hops_max"])
}

// A fabric of 256 hosts and 256 devices on a mesh of 16 x 16: 131,072 routes.
func BenchmarkBuild(b *testing.B) {
	var hosts, devices []int
	for i := range 256 {
		hosts, devices = append(hosts, 2*i), append(devices, 2*i+1)
	}
	text := fabricOf("topology: {name: mesh, dims: [16, 16], concentration: 2}, routing: dor", hosts, devices)
	text = strings.Replace(text, "trace: TRACE", "generate: {name: random, size: 256GiB, count: 1, cores: 256}", 1)
	b.ReportAllocs()
	for b.Loop() {
		_, err := build(b, engine.New(), text, "R,0,64\n")
		require.NoError(b, err)
	}
}
