package systolic

import (
	"testing"

	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/accelerators/mapping"
	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/ideal"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// A bench says what surrounds a core under test.
type bench struct {
	spec    Spec
	mem     ideal.Spec
	mems    int    // memories that take turns every interleave bytes; 0 is 1
	turn    uint64 // interleave
	there   uint64 // link latency towards the memory, in its cycles
	back    uint64 // and towards the core
	engine  func() sim.Engine
	planned func(e sim.Engine, fidelity string) worker // makes the core; nil: New or NewAnalytic do
}

func defaultBench() bench {
	s := DefaultSpec()
	s.Rows, s.Cols = 16, 16
	return bench{spec: s, mem: ideal.DefaultSpec(), there: 1, back: 1}
}

// worker is a core of either fidelity, seen from inside.
type worker interface {
	work.Executor
	inside() *core
	SetMap(string, *memory.Map) error
}

func (k *core) inside() *core { return k }

// build makes a core of the given fidelity and the memories below it.
func (b bench) build(t require.TestingT, fidelity string) (sim.Engine, worker) {
	var e sim.Engine = engine.New()
	if b.engine != nil {
		e = b.engine()
	}
	require.NoError(t, b.spec.Check())
	var w worker
	if b.planned != nil {
		w = b.planned(e, fidelity)
	} else if fidelity == "tile" {
		w = New("Core", e, b.spec)
	} else {
		w = NewAnalytic("Core", e, b.spec)
	}
	wire := engine.NewWire("Wire", e)
	wire.Attach(w.inside().mem, b.spec.Clock.Clock, engine.EndOptions{Latency: b.back, Buffer: 1 << 16})
	r := memory.Range{Base: 0, Size: 1 << 44, Interleave: b.turn}
	for i := range max(b.mems, 1) {
		m := ideal.New(sim.BuildNameWithIndex("", "Mem", i), e, b.mem)
		p := m.PortSpecs()[0].Ports[0]
		wire.Attach(p, b.mem.Clock.Clock, engine.EndOptions{Latency: b.there, Buffer: 1 << 16})
		r.Ports = append(r.Ports, p)
		lat, bw := m.Nominal()
		r.Paths = append(r.Paths, memory.Path{Clock: b.mem.Clock.Clock, Request: b.there, Response: b.back, Latency: lat, Bandwidth: bw})
	}
	m, err := memory.NewMap(r)
	require.NoError(t, err)
	require.NoError(t, w.SetMap("mem", m))
	return e, w
}

// list is a walker over steps in memory.
type list struct {
	steps []dma.Step
	i     int
}

func (l *list) Next(s *dma.Step) bool {
	if l.i == len(l.steps) {
		return false
	}
	*s = l.steps[l.i]
	l.i++
	return true
}

// give issues jobs made of explicit steps, all on one tensor at address base.
func give(k *core, base uint64, jobs ...[]dma.Step) {
	giveShare(k, base, work.Share{}, jobs...)
}

// giveShare does so for the jobs of a share that say only what they come after.
func giveShare(k *core, base uint64, w work.Share, jobs ...[]dma.Step) {
	g := &graph.Graph{Name: "test"}
	w.Graph, w.Program.Jobs = g, append(w.Program.Jobs, make([]mapping.Job, len(jobs)-len(w.Program.Jobs))...)
	s := &share{Share: w, base: addresses{0, 0, base}, roles: []graph.Role{graph.Weight},
		scores: []bool{false}, reuse: reuse{[]int64{0}, []int64{1}}}
	k.known[w.ID] = s
	for i, steps := range jobs {
		g.Ops = append(g.Ops, graph.Op{Name: "layer", Kind: graph.Move{}})
		p := &mapping.Plan{}
		for _, s := range steps {
			p.Cycles += s.Cycles
			for _, t := range append(append([]dma.Transfer(nil), s.Loads...), s.Stores...) {
				p.Traffic.Ifmap += t.Bytes()
			}
		}
		j := &s.Program.Jobs[i]
		j.Op, j.Plan = i, p
	}
	if err := k.ops.Ahead(&s.Share); err != nil {
		panic(err)
	}
	k.takeAhead()
	for i, steps := range jobs {
		k.jobs[i].steps = func() walker { return &list{steps: steps} }
	}
}

// A row is what both fidelities must agree on.
type row struct {
	start, end    uint64
	book          stalls
	read, written moved
}

func rows(k *core) (out []row) {
	for _, l := range k.layers {
		out = append(out, row{l.start, l.end, l.book, l.read, l.written})
	}
	return out
}

// run carries out the jobs and returns the rows.
func (b bench) run(t require.TestingT, fidelity string, jobs ...[]dma.Step) []row {
	e, w := b.build(t, fidelity)
	give(w.inside(), 1<<20, jobs...)
	require.NoError(t, w.Start())
	require.NoError(t, e.Run())
	require.Empty(t, w.Waiting())
	require.Empty(t, w.Stats().Verify())
	return rows(w.inside())
}

func load(b dma.Buffer, at, bytes int64) dma.Transfer {
	return dma.Transfer{Buffer: b, Offset: at, RowBytes: bytes, Rows: 1, Planes: 1}
}

var clocks = []clock.Clock{clock.GHz, clock.Hz(940e6), clock.Period(416, 1e12), clock.Hz(250e6), clock.Hz(3e9)}

func drawTransfer(t *rapid.T, store bool) dma.Transfer {
	b := dma.Ofmap
	if !store {
		b = dma.Buffer(rapid.IntRange(0, 2).Draw(t, "buffer"))
	}
	bytes := rapid.Int64Range(1, 20000).Draw(t, "bytes")
	return dma.Transfer{
		Buffer: b, Offset: rapid.Int64Range(0, 1<<20).Draw(t, "offset"), RowBytes: bytes,
		Rows:   rapid.Int64Range(1, 4).Draw(t, "rows"),
		Stride: bytes + rapid.SampledFrom([]int64{0, 1, 96, 4096}).Draw(t, "gap"),
		Planes: rapid.Int64Range(1, 2).Draw(t, "planes"), PlaneStride: 1 << 20,
	}
}

func drawJob(t *rapid.T) (steps []dma.Step) {
	for range rapid.IntRange(0, 8).Draw(t, "steps") {
		s := dma.Step{Cycles: rapid.OneOf(rapid.Just(int64(0)), rapid.Int64Range(0, 50), rapid.Int64Range(0, 3000)).Draw(t, "cycles")}
		for range rapid.IntRange(0, 3).Draw(t, "loads") {
			s.Loads = append(s.Loads, drawTransfer(t, false))
		}
		for range rapid.IntRange(0, 2).Draw(t, "stores") {
			s.Stores = append(s.Stores, drawTransfer(t, true))
		}
		steps = append(steps, s)
	}
	return steps
}

func drawBench(t *rapid.T) bench {
	b := defaultBench()
	b.spec.Clock = units.Frequency{Clock: rapid.SampledFrom(clocks).Draw(t, "core clock")}
	b.mem.Clock = units.Frequency{Clock: rapid.SampledFrom(clocks).Draw(t, "memory clock")}
	b.mem.Latency = units.InCycles(rapid.SampledFrom([]uint64{0, 1, 10, 100, 1000}).Draw(t, "latency"))
	b.mem.Bandwidth = units.Bandwidth(rapid.SampledFrom([]uint64{0, 1e9, 51.2e9 * 8, 100e9 * 8, 4096e9 * 8, 12345678901}).Draw(t, "bandwidth"))
	b.there, b.back = rapid.Uint64Range(1, 4).Draw(t, "there"), rapid.Uint64Range(1, 4).Draw(t, "back")
	b.spec.DMA.Outstanding = rapid.SampledFrom([]Depth{1, 2, 3, 16, 64}).Draw(t, "outstanding")
	b.spec.DMA.Burst = units.Bytes(rapid.SampledFrom([]uint64{64, 256, 4096, 1000}).Draw(t, "burst"))
	if b.mems = rapid.IntRange(1, 3).Draw(t, "memories"); b.mems > 1 {
		b.turn = rapid.SampledFrom([]uint64{256, 4096, 65536}).Draw(t, "interleave")
	}
	return b
}

// The event-driven core on an ideal memory and the recurrence agree in every
// cycle and every cause.
func TestTileEqualsAnalyticOnRandomSteps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := drawBench(t)
		jobs := [][]dma.Step{drawJob(t), drawJob(t)}
		require.Equal(t, b.run(t, "tile", jobs...), b.run(t, "analytic", jobs...))
	})
}
