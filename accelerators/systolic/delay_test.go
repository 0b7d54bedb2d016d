package systolic

import (
	"testing"

	"github.com/sarchlab/akita/v3/mem/mem"
	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/memory"
)

// late is a memory of latency 100 that keeps the answer to the request of one
// address back for some cycles. Others pass it.
type late struct {
	*sim.ComponentBase
	port   *engine.Port
	ticker *engine.Ticker
	addr   uint64
	by     uint64
	due    map[uint64][]sim.Msg
}

func newLate(e sim.Engine, addr, by uint64) *late {
	l := &late{ComponentBase: sim.NewComponentBase("Late"), addr: addr, by: by, due: map[uint64][]sim.Msg{}}
	l.port = engine.NewPort(l, "Late.Top", 1024)
	l.ticker = engine.NewTicker(e, clock.GHz, l)
	return l
}

func (l *late) NotifyRecv(now sim.VTimeInSec, _ sim.Port) { l.ticker.WakeAfter(now) }
func (l *late) NotifyPortFree(sim.VTimeInSec, sim.Port)   {}

func (l *late) Handle(e sim.Event) error {
	cycle := l.ticker.Cycle(e.Time())
	for m := l.port.Retrieve(e.Time()); m != nil; m = l.port.Retrieve(e.Time()) {
		at := cycle + 100
		if m.(mem.AccessReq).GetAddress() == l.addr {
			at += l.by
		}
		l.due[at] = append(l.due[at], m)
		l.ticker.WakeAt(at)
	}
	for _, m := range l.due[cycle] {
		var rsp sim.Msg
		switch r := m.(type) {
		case *mem.ReadReq:
			rsp = mem.DataReadyRspBuilder{}.WithSendTime(e.Time()).WithSrc(l.port).WithDst(r.Src).WithRspTo(r.ID).Build()
		case *mem.WriteReq:
			rsp = mem.WriteDoneRspBuilder{}.WithSendTime(e.Time()).WithSrc(l.port).WithDst(r.Src).WithRspTo(r.ID).Build()
		}
		if l.port.Send(rsp) != nil {
			panic("late: no room")
		}
	}
	return nil
}

// Delaying one answer by d moves the end of the run by what the schedule says:
// by d where the compute units wait for it, by what exceeds the slack where
// they are busy with the step before, and not at all within the slack.
func TestDelayedTileMovesTheEnd(t *testing.T) {
	const step = 1 << 14 // four bursts
	steps := []dma.Step{
		{Loads: []dma.Transfer{load(dma.Filter, 0, step)}, Cycles: 1000},
		{Loads: []dma.Transfer{load(dma.Filter, step, step)}, Cycles: 1000},
		{Loads: []dma.Transfer{load(dma.Ifmap, 2*step, step)}, Cycles: 50, Stores: []dma.Transfer{load(dma.Ofmap, 1<<20, 4096)}},
		{Loads: []dma.Transfer{load(dma.Ifmap, 3*step, step)}, Cycles: 50},
	}
	run := func(addr, by uint64) row {
		b := defaultBench()
		e := engine.New()
		w := New("Core", e, b.spec)
		l := newLate(e, addr, by)
		wire := engine.NewWire("Wire", e)
		wire.Attach(w.mem, clock.GHz, engine.EndOptions{Buffer: 64})
		wire.Attach(l.port, clock.GHz, engine.EndOptions{Buffer: 64})
		m, err := memory.NewMap(memory.Range{Size: 1 << 44, Ports: []sim.Port{l.port}, Paths: make([]memory.Path, 1)})
		require.NoError(t, err)
		require.NoError(t, w.SetMap("mem", m))
		give(w.core, 0, steps)
		require.NoError(t, w.Start())
		require.NoError(t, e.Run())
		require.Empty(t, w.Stats().Verify())
		return rows(w.core)[0]
	}
	base := run(0, 0)
	// L0 issued in cycles 0..3, answered 102 cycles later; L1 in 4..7. Compute 0
	// from 105, compute 1 from 1105 to 2105. L2 in 1105..1108. S1 is empty; L3 is
	// issued after compute 1, answered by 2105+3+102 = 2210; compute 2 from 2105
	// to 2155, compute 3 from 2210 to 2260. S2 leaves with compute 2 ended,
	// after L3, in cycle 2155, and is answered in 2257.
	require.Equal(t, uint64(2260), base.end)
	require.Equal(t, stalls{compute: 2100, waitFilter: 105, waitIfmap: 55}, base.book)

	for _, c := range []struct {
		what  string
		addr  uint64
		slack uint64 // how late the answer may come without harm
	}{
		{"first load, last burst", 3 * 4096, 0},
		{"first load, first burst", 0, 3},
		{"second load, hidden behind compute 0", step + 3*4096, 1105 - (7 + 102)},
		{"third load, hidden behind compute 1, then behind the slack of the last store", 2*step + 3*4096, 2105 - (1108 + 102) + (2260 - 2257)},
		{"fourth load, exposed", 3*step + 3*4096, 0},
		{"store, hidden behind compute 3", 1 << 20, 2260 - 2257},
	} {
		for _, by := range []uint64{0, 1, c.slack, c.slack + 1, c.slack + 77} {
			got := run(c.addr, by)
			want := base.end
			if by > c.slack {
				want += by - c.slack
			}
			require.Equal(t, want, got.end, "%s by %d", c.what, by)
		}
	}
}

// A step without loads waits until the results of the step before the last have
// been sent, not until they are answered: its half of the buffer is free then.
func TestHalfBufferMustBeEmpty(t *testing.T) {
	b := defaultBench()
	b.mem.Latency = units.InCycles(998) // 1000 with the links
	b.spec.DMA.Outstanding = 64
	steps := []dma.Step{
		{Loads: []dma.Transfer{load(dma.Ifmap, 0, 4096)}, Cycles: 10, Stores: []dma.Transfer{load(dma.Ofmap, 1<<20, 20*4096)}},
		{Cycles: 3},
		{Cycles: 2000},
	}
	// The load comes in cycle 1000, step 0 computes to 1010 and step 1 to 1013.
	// Stores leave in 1010..1029, so that step 2 runs from 1030 on; the last store
	// is answered in 2029.
	for _, f := range []string{"tile", "analytic"} {
		r := b.run(t, f, steps)[0]
		require.Equal(t, uint64(3030), r.end, f)
		require.Equal(t, stalls{compute: 2013, waitIfmap: 1000, storing: 17}, r.book, f)
	}
}
