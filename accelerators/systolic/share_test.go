package systolic

import (
	"testing"

	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/mapping"
	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/zoo"
)

// Workloads go by arrival; the cycles before are idle.
func TestWorkloadsGoByArrival(t *testing.T) {
	g, err := zoo.Build("alexnet", zoo.Params{})
	require.NoError(t, err)
	for _, f := range []string{"tile", "analytic"} {
		b := defaultBench()
		b.spec = DefaultSpec()
		e, k := b.build(t, f)
		late := shareOf(t, g, b.spec)
		early := late
		late.Name, late.ID, late.Arrival = "late", 1, 2*units.Millisecond
		early.Name, early.Arrival = "early", 300*units.Nanosecond
		require.NoError(t, work.IssueAll(k, late))
		require.NoError(t, work.IssueAll(k, early))
		require.NoError(t, k.Start())
		require.NoError(t, e.Run())
		require.Empty(t, k.Stats().Verify())
		tb := k.Layers()
		n := len(tb.Rows) / 2
		w, s := tb.Index("workload"), tb.Index("start")
		require.Equal(t, []any{"early", uint64(300)}, []any{tb.Rows[0][w], tb.Rows[0][s]})
		require.Equal(t, []any{"late", uint64(2000000)}, []any{tb.Rows[n][w], tb.Rows[n][s]})
		r := rows(k.inside())
		require.Equal(t, r[n].start-r[n-1].end+300, k.inside().idle)
		require.Equal(t, r[n-1].end-r[0].start, last(r)-r[n].start, "the same work takes the same time")
	}
}

func TestPrepareRefuses(t *testing.T) {
	g, err := zoo.Build("alexnet", zoo.Params{})
	require.NoError(t, err)
	_, k := defaultBench().build(t, "tile")
	w := shareOf(t, g, defaultBench().spec)

	far := w
	far.Base = func(graph.TensorID) uint64 { return 1<<44 - 4096 }
	require.ErrorContains(t, work.IssueAll(k, far), "reaches address 0x100000000000, which has no home")
	shared := w
	shared.Program.Jobs = append([]mapping.Job(nil), w.Program.Jobs...)
	shared.Program.Jobs[3].Awaited = true
	require.ErrorContains(t, work.IssueAll(k, shared), "is shared with other cores, and no core reports to the others what is done")
	bare := w
	bare.Program.Jobs = []mapping.Job{{Op: 0}}
	require.EqualError(t, work.IssueAll(k, bare), "Core: layer conv1 has no mapping")
	scratch := w
	scratch.Program.Scratch = 1
	scratch.Base = func(id graph.TensorID) uint64 {
		if id == dma.Scratch {
			return 1 << 44
		}
		return w.Base(id)
	}
	require.ErrorContains(t, work.IssueAll(k, scratch), "scratch memory reaches address 0x100000000000, which has no home")
	without := w
	without.Program.Scratch = 0
	without.Base = func(id graph.TensorID) uint64 {
		require.NotEqual(t, dma.Scratch, id, "there is none")
		return w.Base(id)
	}
	_, other := defaultBench().build(t, "tile")
	require.NoError(t, work.IssueAll(other, without))
	lost := New("Core", engine.New(), defaultBench().spec)
	require.EqualError(t, work.IssueAll(lost, w), "Core has no memory")
}

// mute takes requests; it refuses or forgets them.
type mute struct {
	*sim.ComponentBase
	port *engine.Port
	tick *engine.Ticker
	rsp  bool
}

func (m *mute) NotifyRecv(now sim.VTimeInSec, _ sim.Port) { m.tick.WakeAfter(now) }
func (m *mute) NotifyPortFree(sim.VTimeInSec, sim.Port)   {}
func (m *mute) Handle(e sim.Event) error {
	for r := m.port.Retrieve(e.Time()); r != nil; r = m.port.Retrieve(e.Time()) {
		if m.rsp {
			x := &memory.ErrorRsp{RespondTo: r.Meta().ID, Code: memory.Poison}
			x.Src, x.Dst, x.SendTime = m.port, r.Meta().Src, e.Time()
			m.port.Send(x)
		}
	}
	return nil
}

func TestFailuresEndTheRun(t *testing.T) {
	for refuse, want := range map[bool]string{
		true:  "Core: request Core.Mem.0 failed: poison",
		false: "Core waits for Core.Mem: layer layer, step 0, 1 requests without an answer",
	} {
		e := engine.New()
		m := &mute{ComponentBase: sim.NewComponentBase("Mute"), rsp: refuse}
		m.port, m.tick = engine.NewPort(m, "Mute.Top", 8), engine.NewTicker(e, clock.GHz, m)
		k := New("Core", e, defaultBench().spec)
		wire := engine.NewWire("Wire", e)
		wire.Attach(k.mem, clock.GHz, engine.EndOptions{})
		wire.Attach(m.port, clock.GHz, engine.EndOptions{})
		home, err := memory.NewMap(memory.Range{Size: 1 << 44, Ports: []sim.Port{m.port}, Paths: make([]memory.Path, 1)})
		require.NoError(t, err)
		require.NoError(t, k.SetMap("mem", home))
		give(k.core, 0, []dma.Step{{Loads: []dma.Transfer{load(dma.Ifmap, 0, 64)}, Cycles: 1}})
		e.Watch(k)
		require.NoError(t, k.Start())
		require.ErrorContains(t, e.Run(), want)
	}
}
