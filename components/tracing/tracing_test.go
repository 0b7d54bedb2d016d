package tracing_test

import (
	"testing"

	"github.com/sarchlab/akita/v3/sim"
	akita "github.com/sarchlab/akita/v3/tracing"
	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/mapping"
	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/accelerators/systolic"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/components/tracing"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/cache"
	"github.com/causeway-sim/causeway/memory/dram"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// kind is a filter of tasks.
func kind(k task.Kind) akita.TaskFilter {
	return func(t akita.Task) bool { return t.Kind == k.String() }
}

func metric(t *testing.T, n system.Node, name string) float64 {
	t.Helper()
	for _, m := range n.Stats().Metrics() {
		if m.Name == name && m.Phase == "all" {
			return m.Value
		}
	}
	t.Fatalf("%s has no metric %s", n.Name(), name)
	return 0
}

// A plain Akita program: Akita's engine, connections and tracers around our core,
// cache and DRAM. What the tracers see is what the metrics say.
func TestAkitasTracersSeeWhatTheMetricsSay(t *testing.T) {
	engine := sim.NewSerialEngine()
	core := systolic.MakeBuilder().WithEngine(engine).WithFreq(1 * sim.GHz).With(func(s *systolic.Spec) { s.Rows, s.Cols = 16, 16 }).Build("Core")
	spec := cache.DefaultTimedSpec()
	spec.Latency, spec.TagLatency = units.InCycles(20), units.InCycles(5)
	llc, err := cache.NewTimed("LLC", engine, spec)
	require.NoError(t, err)
	ddr := dram.DefaultSpec()
	ddr.Grade = "ddr4_3200"
	mem, err := dram.NewComp("Mem", engine, ddr)
	require.NoError(t, err)

	plug := func(name string, ports ...sim.Port) {
		c := sim.NewDirectConnection(name, engine, 1*sim.GHz)
		for _, p := range ports {
			c.PlugIn(p, 64)
		}
	}
	plug("Upper", core.GetPortByName("Mem"), llc.GetPortByName("Top"))
	plug("Lower", llc.GetPortByName("Bottom"), mem.GetPortByName("Top"))
	home := func(p sim.Port) *memory.Map {
		m, err := memory.NewMap(memory.Range{Size: mem.Home(), Ports: []sim.Port{p}, Paths: make([]memory.Path, 1)})
		require.NoError(t, err)
		return m
	}
	require.NoError(t, core.SetMap("mem", home(llc.GetPortByName("Top"))))
	require.NoError(t, llc.SetMap("bottom", home(mem.GetPortByName("Top"))))

	b := graph.NewBuilder("two")
	x := b.Tensor("x", graph.Input, 32, 96)
	b.Linear("second", b.Linear("first", x, 80), 48)
	net, err := b.Graph()
	require.NoError(t, err)
	programs, err := mapping.Split(net, []machine.Core{core.Core(graph.Uniform(graph.Int8))}, mapping.DefaultSpec())
	require.NoError(t, err)
	require.NoError(t, work.IssueAll(core, work.Share{Name: net.Name, Graph: net, Program: programs[0], Base: func(id graph.TensorID) uint64 {
		return uint64(id-dma.Scratch) << 20
	}}))
	require.NoError(t, core.Start())

	replay := &tracing.Replay{}
	layers, compute := akita.NewBusyTimeTracer(replay, kind(task.Layer)), akita.NewTotalTimeTracer(replay, kind(task.Compute))
	bursts, access := akita.NewAverageTimeTracer(replay, kind(task.Burst)), akita.NewAverageTimeTracer(replay, kind(task.Access))
	requests := akita.NewAverageTimeTracer(replay, kind(task.Memory))
	misses := akita.NewStepCountTracer(kind(task.Access))
	akita.CollectTrace(core, layers)
	akita.CollectTrace(core, compute)
	akita.CollectTrace(core, bursts)
	akita.CollectTrace(llc, access)
	akita.CollectTrace(llc, misses)
	akita.CollectTrace(mem, requests)
	stream := task.NewStream(engine, []task.Reporter{core, llc, mem}, replay)
	require.NoError(t, engine.Run())
	stream.Close()

	const ns = 1e-9
	near := func(want float64, got sim.VTimeInSec) {
		t.Helper()
		require.InEpsilon(t, want, float64(got)/ns, 1e-9)
	}
	near(metric(t, core, "total_cycles")-metric(t, core, "stall_dependency_cycles"), layers.BusyTime())
	near(metric(t, core, "compute_cycles"), compute.TotalTime())
	near(metric(t, llc, "latency_mean"), access.AverageTime())
	near(metric(t, mem, "latency_mean"), requests.AverageTime())
	require.Equal(t, metric(t, llc, "reads")+metric(t, llc, "writes"), float64(access.TotalCount()))
	require.Equal(t, metric(t, mem, "reads")+metric(t, mem, "writes"), float64(requests.TotalCount()))
	require.Equal(t, access.TotalCount(), bursts.TotalCount(), "a request of the cache is a burst of the core")
	require.Equal(t, metric(t, llc, "misses"), float64(misses.GetStepCount("miss")))
	require.Equal(t, metric(t, llc, "hits"), float64(misses.GetStepCount("hit")))
	t.Logf("layers busy %.0f ns, computing %.0f ns; %d accesses of %.2f ns (latency_mean %.2f), %d DRAM requests of %.2f ns (latency_mean %.2f)",
		layers.BusyTime()/ns, compute.TotalTime()/ns, access.TotalCount(), access.AverageTime()/ns, metric(t, llc, "latency_mean"),
		requests.TotalCount(), requests.AverageTime()/ns, metric(t, mem, "latency_mean"))
}
