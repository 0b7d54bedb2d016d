package cxl_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/cause"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/task"
)

// ran carries a system out and returns it.
func ran(t testing.TB, e *engine.Engine, text, trace string, set ...string) *system.System {
	s, err := build(t, e, text, trace, set...)
	require.NoError(t, err)
	for _, n := range s.Nodes() {
		if x, ok := n.(system.Starter); ok {
			require.NoError(t, x.Start())
		}
	}
	require.NoError(t, e.Run())
	return s
}

func metricsOf(n system.Node) map[string]float64 {
	out := map[string]float64{}
	for _, m := range n.Stats().Metrics() {
		out[m.Name] = m.Value
	}
	return out
}

func timesOf(parts []*cause.Tree) (sum float64, by map[string]float64) {
	by = map[string]float64{}
	for _, p := range parts {
		sum += p.Time
		by[p.Name+p.Where] += p.Time
	}
	return sum, by
}

// pooled is one host above two devices that take turns.
const pooled = `schema: causeway/1
nodes:
  - {name: Driver, kind: driver, trace: TRACE, mode: "closed:1"}
  - {name: Root, kind: cxl_root, ports: 2}
  - {name: Far, kind: cxl_type3, count: 2, memory: {kind: memory, fidelity: ideal, clock: 1GHz, latency: 40ns, size: 1GiB}}
links:
  - Driver -> Root.host
  - Root.down -> Far.up
memory:
  - {tier: far, node: Far, interleave: 1KiB}
`

// With one request of one line at a time the causes of a root are the parts of the latency of its lines,
// times their number: they add up to the time in which one is under way. What is spent at devices is
// divided among them, and waits for links among links.
func TestCausesOfOneLineAtATime(t *testing.T) {
	for name, text := range map[string]string{"one device": simple, "two devices": pooled} {
		s := ran(t, engine.New(), text, lines("R", 40, 64)+lines("W", 24, 64))
		m := metricsOf(s.Node("Root"))
		tree := s.Node("Root").(system.Causal).Causes()
		sum, by := timesOf(tree.Parts)
		require.InEpsilon(t, 40*m["load_latency_mean"]+24*m["store_latency_mean"], sum, 1e-9, name)
		for part := range m {
			if of, ok := strings.CutPrefix(part, "load_"); ok && strings.HasSuffix(of, "_mean") && of != "latency_mean" {
				want := 40*m["load_"+of] + 24*m["store_"+of]
				require.InDelta(t, want, by[strings.TrimSuffix(of, "_mean")], 1e-6, "%s: %s", name, of)
			}
		}
		for _, part := range []string{"device", "dram_service"} {
			p := tree.Part(part)
			at, places := timesOf(p.Parts)
			if name == "one device" {
				require.Empty(t, places)
				continue
			}
			require.InEpsilon(t, p.Time, at, 1e-9, part)
			require.Len(t, places, 2)
		}
		below := tree.Part("dram_service").WaitsFor
		require.Equal(t, map[string]string{"one device": "Far.Memory", "two devices": ""}[name], below)
	}
	// many at a time wait for links, which are named, the one that is waited for longest first
	s := ran(t, engine.New(), pooled, lines("R", 40, 4096), "Driver.mode=closed:16", "Root.link.lanes=2")
	p := s.Node("Root").(system.Causal).Causes().Part("link_queue")
	sum, _ := timesOf(p.Parts)
	require.InEpsilon(t, p.Time, sum, 1e-6)
	require.True(t, slices.IsSortedFunc(p.Parts, func(a, b *cause.Tree) int { return int(b.Time - a.Time) }))
	for _, x := range p.Parts {
		require.Contains(t, x.Where, " to ")
	}
	idle := ran(t, engine.New(), simple, "", "Driver.repeat=1")
	require.Empty(t, idle.Node("Root").(system.Causal).Causes().Parts)
}

// The causes of an accelerator add up to the time with requests under way. Hits are on their way to the
// cache alone; misses wait for the memory of the device; lines that a host has wait for it, and those of the
// host's memory too.
func TestCausesOfAnAccelerator(t *testing.T) {
	for name, c := range map[string]struct {
		trace string
		set   []string
		most  string // of the causes
	}{
		"hits":         {strings.Repeat(lines("W", 8, 64), 40), []string{"Driver.repeat=1", "Driver.base=1GiB"}, "cache"},
		"misses":       {lines("R", 100, 64), []string{"Driver.base=1GiB"}, "memory"},
		"host's lines": {lines("W", 64, 64), []string{"Far.latency=300ns"}, "host"},
		"bias":         {lines("W", 64, 64), []string{"Far.latency=300ns", "Far.hdm=d"}, "host"},
		"in order":     {strings.Repeat("W,0,64\n", 50), []string{"Acc.mode=closed:8"}, ""},
	} {
		s := ran(t, engine.New(), alone, c.trace, c.set...)
		m := metricsOf(s.Node("Far"))
		n := float64(strings.Count(c.trace, "\n"))
		require.Equal(t, n, m["dev_reads"]+m["dev_writes"], name)
		require.Equal(t, 64*float64(strings.Count(c.trace, "W")), m["dev_write_bytes"])
		require.Equal(t, 64*float64(strings.Count(c.trace, "R")), m["dev_read_bytes"])
		tree := s.Node("Far").(system.Causal).Causes()
		sum, by := timesOf(tree.Parts)
		if c.most == "" {
			continue
		}
		require.InEpsilon(t, n*m["dev_latency_mean"], sum, 1e-9, name)
		for part, ns := range by {
			if part != "cache" {
				require.Equal(t, part == c.most, ns > 0, "%s: %s %g", name, part, ns)
			}
		}
		if c.most == "memory" {
			require.Equal(t, "Far.Memory", tree.Part("memory").WaitsFor)
			require.InDelta(t, n*(10+1), by["cache"], n+2, "10 ns to the cache")
		}
		require.Less(t, m["dev_bandwidth"], 64*n/sum)
		require.Greater(t, m["dev_bandwidth"], 0.8*64*n/sum, "hardly a pause between requests")
	}
	require.Nil(t, ran(t, engine.New(), simple, lines("R", 3, 64)).Node("Far").(system.Causal).Causes(), "a Type 3 device has no requests of its own")
}

// An accelerator that writes a part of a line reads the line first; one that writes all of it does not, at either
// end of a request.
func TestPartsOfLinesAreReadFirst(t *testing.T) {
	for trace, reads := range map[string]float64{
		"W,0,64\nW,128,128\n":           0,
		"W,0,20\n":                      1,
		"W,44,20\n":                     1,
		"W,0,65\nW,255,65\nW,1000,48\n": 4, // the last byte of a request, the first one, and two halves
	} {
		m := metricsOf(ran(t, engine.New(), alone, trace, "Driver.base=1GiB", "Driver.limit=1", "Root.cache.size=0B").Node("Far"))
		host := float64(strings.Count(strings.SplitN(trace, "\n", 2)[0], "W")) // the host's one request
		require.LessOrEqual(t, m["line_reads"]-reads, host, trace)
		require.GreaterOrEqual(t, m["line_reads"], reads, trace)
	}
}

// Repeat doubles what is counted, and leaves means and states as they are.
func TestRepeatDoublesCounts(t *testing.T) {
	net := fabricOf("topology: {name: mesh, dims: [2, 2], concentration: 1}", []int{0}, []int{3})
	for name, text := range map[string]string{"tree": simple, "pool": mld, "fabric": net, "coherent": shared} {
		e := engine.New()
		s, err := build(t, e, text, lines("R", 30, 200)+lines("W", 30, 64))
		require.NoError(t, err)
		before := map[string]stats.Tally{}
		for _, n := range s.Nodes() {
			before[n.Name()] = n.Stats().Tally()
			if x, ok := n.(system.Starter); ok {
				require.NoError(t, x.Start())
			}
		}
		require.NoError(t, e.Run())
		for _, n := range s.Nodes() {
			if strings.HasPrefix(n.Name(), "Driver") || n.Name() == "A" || n.Name() == "B" {
				continue
			}
			once := metricsOf(n)
			n.Stats().Repeat(before[n.Name()], n.Stats().Tally(), 1)
			require.Empty(t, n.Stats().Verify())
			for _, m := range n.Stats().Metrics() {
				if _, ok := once[m.Name]; !ok || strings.HasSuffix(m.Name, "_most") || strings.HasSuffix(m.Name, "hops_max") || m.Name == "bandwidth" || strings.HasPrefix(m.Name, "link_utilization") {
					continue
				}
				switch m.Unit {
				case stats.Request, stats.Byte, stats.Flit, stats.One, stats.PJ:
					if m.Name == "hops_mean" || strings.HasPrefix(m.Name, "replay_distance") || strings.HasPrefix(m.Name, "other_retry") || strings.HasSuffix(m.Name, "_lines") {
						continue
					}
					require.Equal(t, 2*once[m.Name], m.Value, "%s: %s %s", name, n.Name(), m.Name)
				}
			}
		}
	}
}

// What no coherent device can be is refused with its reason.
func TestWhatNoAcceleratorHas(t *testing.T) {
	for set, want := range map[string]string{
		"Far.hdm=h":                        "cache has no effect with hdm: h",
		"Far.host_cache={size: 4KiB}":      "host_cache has no effect with reach: device",
		"Far.reach=host":                   "reach: host has no effect: there is no memory but that of the fabric",
		"Root.cache={size: 100B, ways: 3}": "size 100B is no multiple of 3 ways of 64 B",
	} {
		_, err := build(t, engine.New(), alone, "R,0,64\n", set)
		require.ErrorContains(t, err, want, set)
	}
}

// taskLog keeps what nodes report.
type taskLog struct {
	begun  []task.Event
	ended  map[task.ID]sim.VTimeInSec
	causes map[task.ID][]task.Cause
}

func (l *taskLog) Task(_ *task.Stream, e task.Event) {
	switch e.Phase {
	case task.Begin:
		l.begun = append(l.begun, e)
	case task.End:
		l.ended[e.ID] = e.At
	}
}

func (l *taskLog) Cause(_ *task.Stream, c task.Cause) { l.causes[c.Task] = append(l.causes[c.Task], c) }

// Each request of a host is a task from its arrival to its answer, with its bytes. What its last line did
// fills that time without a gap but for the memory of the device, which reports a task that the request has
// caused. The parts are those that the metrics of the root have.
func TestRequestsAreTasks(t *testing.T) {
	for _, messages := range []bool{false, true} {
		var options []engine.Option
		if messages {
			options = append(options, engine.MessagesOnly())
		}
		e := engine.New(options...)
		s, err := build(t, e, simple, lines("R", 12, 64)+lines("W", 9, 64))
		require.NoError(t, err)
		var reporters []task.Reporter
		number := map[string]int{}
		for _, n := range s.Nodes() {
			if r, ok := n.(task.Reporter); ok {
				number[n.Name()] = len(reporters)
				reporters = append(reporters, r)
			}
		}
		log := &taskLog{ended: map[task.ID]sim.VTimeInSec{}, causes: map[task.ID][]task.Cause{}}
		stream := task.NewStream(e, reporters, log)
		for _, n := range s.Nodes() {
			if x, ok := n.(system.Starter); ok {
				require.NoError(t, x.Start())
			}
		}
		require.NoError(t, e.Run())
		stream.Close()
		m := metricsOf(s.Node("Root"))
		ps := func(at sim.VTimeInSec) int64 { return int64(math.Round(float64(at) * 1e12)) }
		kinds := map[task.Kind]int{}
		took := map[task.What]int64{}
		mine := map[task.ID]bool{}
		wire, inMemory := int64(0), int64(0)
		for _, x := range log.begun {
			kinds[x.Kind]++
			end, ok := log.ended[x.ID]
			require.True(t, ok)
			if x.Kind == task.Memory {
				require.True(t, mine[x.Parent], "a request of the host has caused it")
				continue
			}
			if x.Kind != task.CXL {
				continue
			}
			mine[x.ID] = true
			require.EqualValues(t, 64, x.Bytes)
			took[x.What] += ps(end) - ps(x.At)
			from, gaps := ps(x.At), 0
			for _, c := range log.causes[x.ID] {
				if ps(c.From) != from {
					gaps++
					inMemory += ps(c.From) - from
				}
				if strings.HasSuffix(stream.Text(x.ID, c.What), "on the wire") {
					wire += ps(c.To) - ps(c.From)
					require.Contains(t, stream.Text(x.ID, c.What), "Root.down[0]")
				}
				from = ps(c.To)
			}
			require.Equal(t, ps(end), from)
			require.Equal(t, x.What == task.Read, gaps == 1, "writes are answered before they are in the memory")
		}
		require.Equal(t, 21, kinds[task.CXL])
		require.InDelta(t, 12*m["load_latency_mean"], float64(took[task.Read])/1000, 1e-3)
		require.InDelta(t, 9*m["store_latency_mean"], float64(took[task.Write])/1000, 1e-3)
		require.InDelta(t, 12*m["load_wire_mean"]+9*m["store_wire_mean"], float64(wire)/1000, 1e-3)
		require.InDelta(t, 12*m["load_dram_service_mean"], float64(inMemory)/1000, 1e-3)
	}
}

// The first request begins the time of the bandwidth, and the last answer ends it.
func TestBandwidthIsThatOfTheRequests(t *testing.T) {
	for _, n := range []int{1, 7} {
		s := ran(t, engine.New(), simple, lines("R", n, 128))
		m := metricsOf(s.Node("Root"))
		require.InDelta(t, 128/(m["load_latency_mean"]+1.5), m["bandwidth"], 0.004, fmt.Sprint(n))
		require.InDelta(t, 100*float64(3*n)*68*8*130./128/512/float64(n)/(m["load_latency_mean"]+1.5), m["link_utilization_up"], 0.5)
	}
}
