package cxl

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/memory/cxl/pool"
	"github.com/causeway-sim/causeway/memory/cxl/transit"
)

// assembled is a system as it is before a run.
func assembled(t *testing.T, text string) *system.System {
	d, err := configs.Parse("t.yaml", []byte("schema: causeway/1\n"+text), configs.Options{})
	require.NoError(t, err)
	s, err := system.Build(d, &system.Env{Engine: engine.New(), Seed: 1})
	require.NoError(t, err, text)
	return s
}

func read(n system.Node) map[string]float64 {
	out := map[string]float64{}
	for _, m := range n.Stats().Metrics() {
		out[m.Name] = m.Value
	}
	return out
}

// Means are sums over their numbers, be it one, and absent without any. Times are counted in picoseconds and
// reported in nanoseconds, each part of a line's latency under its own name.
func TestMeansOfAHost(t *testing.T) {
	r := together(t).Node("Root").(*Root)
	for name := range read(r) {
		require.NotContains(t, name, "_mean", "of nothing")
		require.NotEqual(t, "bandwidth", name)
	}
	for n := range uint64(3) {
		n++
		c := &r.count
		c.requests, c.latency = [2]uint64{n, 2 * n}, [2]uint64{5000 * n, 7000 * 2 * n}
		c.lines = [2]uint64{3 * n, n}
		for p := range transit.Parts {
			c.parts[0][p], c.parts[1][p] = int64(3*n)*1000*int64(p+1), int64(n)*2000*int64(p+1)
		}
		for i := range pool.Loads {
			c.loads[i] = n * uint64(i+1)
		}
		c.ReadBytes, c.WriteBytes, c.first, c.last = 64*n, 32*n, 1000, 1000+int64(n)*2000
		h := c.links[0]
		h.Count[0].Replays, h.Count[0].ReplayWait, h.Count[0].Extra = n, float64(n)*2.5, 4
		h.Count[1].Flits, h.Count[1].Control, h.Count[1].Replayed, h.Count[1].Wrong, h.Count[1].Busy = 10, 20, 30, 40, n*500
		got := read(r)
		require.InDelta(t, 5, got["load_latency_mean"], 1e-9)
		require.InDelta(t, 7, got["store_latency_mean"], 1e-9)
		for p := range transit.Parts {
			require.InDelta(t, float64(p+1), got["load_"+transit.PartNames[p][0]+"_mean"], 1e-9)
			require.InDelta(t, 2*float64(p+1), got["store_"+transit.PartNames[p][0]+"_mean"], 1e-9)
		}
		for i := range pool.Loads {
			require.EqualValues(t, n*uint64(i+1), got["devload_"+i.String()])
		}
		require.InDelta(t, 96./2, got["bandwidth"], 1e-9, "bytes per ns")
		require.InDelta(t, 2.5, got["replay_distance_down"], 1e-9)
		require.NotContains(t, got, "replay_distance_up")
		require.Equal(t, []float64{10, 20, 30, 40}, []float64{got["flits_up"], got["control_flits_up"], got["replayed_flits_up"], got["wrong_flits_up"]})
		require.EqualValues(t, 4, got["other_retry_down"])
		require.InDelta(t, 25, got["link_utilization_up"], 1e-9)
	}
	r.count.last = r.count.first
	require.NotContains(t, read(r), "bandwidth", "without time")
	require.NotContains(t, read(r), "link_utilization_up")
}

// The time of requests is from the arrival of the first to the last answer, in whatever order they are answered.
func TestTimeOfRequests(t *testing.T) {
	var c rootCount
	for range 3 {
		c.open++
		c.busy.Begin(20)
	}
	c.answer(&request{at: 50}, 100)
	require.Equal(t, []int64{50, 100}, []int64{c.first, c.last})
	c.answer(&request{at: 20, write: true}, 200)
	c.answer(&request{at: 30}, 230)
	require.Equal(t, []int64{20, 230}, []int64{c.first, c.last})
	require.Equal(t, [2]uint64{2, 1}, c.requests)
	require.Equal(t, [2]uint64{50 + 200, 180}, c.latency)
	require.EqualValues(t, []uint64{3, 0, 210}, []uint64{c.answered, c.open, c.busy.Sum})
}

const type2 = `nodes:
  - {name: Driver, kind: driver, generate: {name: stream, count: 1}}
  - {name: Acc, kind: driver, generate: {name: stream, count: 1}}
  - {name: Root, kind: cxl_root, protocol: 20ns, bridge: 7ns, host_latency: 11ns, link: {flit: 256B, rate: 64}}
  - {name: Far, kind: cxl_type2, protocol: 15ns, memory: {kind: memory, fidelity: ideal, clock: 1GHz, latency: 40ns, size: 4GiB}}
links:
  - Driver -> Root.host
  - Acc -> Far.dev
  - {link: Root.down -> Far.up, latency: 3ns}
`

// The same of a device, its pins and its accelerator.
func TestMeansOfADevice(t *testing.T) {
	d := assembled(t, type2).Node("Far").(*Type3)
	for name := range read(d) {
		require.NotContains(t, name, "latency_mean", "of nothing")
		require.NotEqual(t, "dev_bandwidth", name)
	}
	for n := range uint64(3) {
		n++
		d.count.pins, d.count.pinned = [2]uint64{3000 * n, 4000 * 2 * n}, [2]uint64{n, 2 * n}
		a := &d.dev.count
		a.Reads, a.Writes, a.answered = n, 0, n
		a.latency, a.ReadBytes, a.WriteBytes, a.first, a.last = 6000*n, 100*n, 20*n, 5, 5+int64(n)*4000
		got := read(d)
		require.InDelta(t, 3, got["pin_read_latency_mean"], 1e-9)
		require.InDelta(t, 4, got["pin_write_latency_mean"], 1e-9)
		require.InDelta(t, 6, got["dev_latency_mean"], 1e-9)
		require.InDelta(t, 120./4, got["dev_bandwidth"], 1e-9)
		require.Empty(t, d.Stats().Verify())
		a.answered++
		require.Len(t, d.Stats().Verify(), 1)
		require.ErrorContains(t, d.Stats().Verify()[0], fmt.Sprintf("every request at port dev is answered once: %d requests, %d answers", n, n+1))
	}
	var x logical
	x.id = 3
	x.newStats(d.stats)
	require.NotContains(t, read(d), "ld3_load_latency_mean")
	x.count.lines, x.count.done, x.count.latency = [2]uint64{5, 6}, [2]uint64{1, 2}, [2]uint64{2000, 8000}
	got := read(d)
	require.Equal(t, []float64{5, 6, 2, 4}, []float64{got["ld3_line_reads"], got["ld3_line_writes"], got["ld3_load_latency_mean"], got["ld3_store_latency_mean"]})
}

// A host and a device say what a request takes in them, of picoseconds: host, bridge and protocol both ways; the
// device its protocol both ways and its memory.
func TestNominalTimes(t *testing.T) {
	s := assembled(t, type2)
	latency, bandwidth := s.Node("Root").(*Root).Nominal()
	require.Zero(t, bandwidth, "its links are what limits it")
	require.EqualValues(t, 1000*(11+2*7+2*20), latency)
	latency, _ = s.Node("Far").(*Type3).Nominal()
	require.EqualValues(t, 1000*(2*15+40), latency)
}

// What is counted of losses is a metric where links may be lost, and of lines without an answer where a host does not
// wait forever.
func TestMetricsOfLosses(t *testing.T) {
	text := func(keys string) string {
		return "nodes:\n  - {name: Driver, kind: driver, generate: {name: stream, count: 1}}\n  - {name: Root, kind: cxl_root" + keys + "}\n  - {name: Far, kind: cxl_type3, memory: {kind: memory, fidelity: ideal, clock: 1GHz, latency: 40ns, size: 4GiB}}\nlinks: [Driver -> Root.host, Root.down -> Far.up]\n"
	}
	for keys, want := range map[string][2]bool{
		"":                                    {false, false},
		", lost: [{down: 0, at: 1s}]":         {true, false},
		", timeout: 1us":                      {true, true},
		", timeout: 1ns, on_timeout: error":   {true, true},
		", timeout: 1us, lost: [{at: 300ns}]": {true, true},
	} {
		var lost, given bool
		for _, m := range assembled(t, text(keys)).Node("Root").Stats().Declared() {
			lost, given = lost || m.Name == "lines_lost", given || m.Name == "reads_timed_out"
		}
		require.Equal(t, want, [2]bool{lost, given}, keys)
	}
}

// A fabric has each channel of its topology once, whichever end has the lower port.
func TestChannelsOfAFabric(t *testing.T) {
	for topology, want := range map[string]int{
		"{name: mesh, dims: [2, 2], concentration: 1}":          4,
		"{name: mesh, dims: [3, 3], concentration: 1}":          12,
		"{name: fully_connected, routers: 5, concentration: 1}": 10,
		"{name: fully_connected, routers: 2, concentration: 2}": 1,
		"{name: crossbar, terminals: 4}":                        0,
		"{name: fat_tree, k: 2, n: 3}":                          16,
	} {
		s := assembled(t, "nodes:\n  - {name: Driver, kind: driver, generate: {name: stream, count: 1}}\n  - {name: Root, kind: cxl_root}\n  - {name: Net, kind: cxl_fabric, topology: "+topology+"}\n  - {name: Far, kind: cxl_type3, memory: {kind: memory, fidelity: ideal, clock: 1GHz, latency: 40ns, size: 4GiB}}\nlinks:\n  - Driver -> Root.host\n  - \"Root.down -> Net.terminal[0]\"\n  - \"Net.terminal[3] -> Far.up\"\n")
		p := s.Node("Net").(*PBR)
		require.Len(t, p.channels, want, topology)
		require.Len(t, p.hops, want)
		seen := map[[2]int]bool{}
		for _, c := range p.channels {
			require.LessOrEqual(t, c.router, c.to)
			require.False(t, seen[[2]int{c.router, c.port}])
			seen[[2]int{c.router, c.port}] = true
		}
		exits, latency := p.Through("terminal[1]")
		require.NotContains(t, exits, "terminal[1]")
		require.Contains(t, exits, "terminal[0]")
		require.EqualValues(t, p.Latency, latency)
		require.Equal(t, want > 0, len(read(p)) > 0 && hasMetric(p, "channel_flits"))
	}
}

func hasMetric(n system.Node, name string) bool {
	_, ok := read(n)[name]
	return ok
}
