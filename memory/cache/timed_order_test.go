package cache_test

import (
	"fmt"
	"testing"

	"github.com/sarchlab/akita/v3/mem/mem"
	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/cache"
	"github.com/causeway-sim/causeway/memory/memtest"
)

// A request is answered with its last line, even if that was a hit found before
// the data of a miss came: 4 B per cycle keep a bank for 16 cycles.
func TestTheLastLineCounts(t *testing.T) {
	s := cache.DefaultTimedSpec()
	s.Slices, s.Width, s.TagLatency = 2, 4, units.InCycles(0)
	e := engine.New()
	r := memtest.New("Core", e, clock.GHz, nil,
		memtest.Request{Bytes: 64, Addr: 64}, memtest.Request{Cycle: 100, Bytes: 64, Addr: 192}, // warm
		memtest.Request{Cycle: 1000, Bytes: 64, Addr: 64}, memtest.Request{Cycle: 1001, Bytes: 128, Addr: 128})
	drive(t, e, newTimed(t, e, s), 20, r)
	hit, miss := uint64(1017+20+15), uint64(1002+22+20)
	require.Equal(t, max(hit, miss)+1, r.Answer[3])
}

// Lines that the cache keeps out are fetched once while they are under way.
func TestBypassedLinesMerge(t *testing.T) {
	s := cache.DefaultTimedSpec()
	s.Regions = []cache.Region{{Bypass: true}}
	e := engine.New()
	r := memtest.New("Core", e, clock.GHz, nil, memtest.Request{Bytes: 64}, memtest.Request{Bytes: 64}, memtest.Request{Cycle: 500, Bytes: 64})
	above, below := drive(t, e, newTimed(t, e, s), 50, r)
	require.EqualValues(t, 2, below["reads"])
	require.EqualValues(t, 2, above["misses"])
	require.EqualValues(t, 1, above["merges"])
	require.EqualValues(t, 3, above["bypasses"])
	require.Equal(t, []uint64{74, 74, 574}, r.Answer)
}

// A log lists what a port receives.
type portLog struct{ got []string }

func (l *portLog) Func(ctx sim.HookCtx) {
	if ctx.Pos != sim.HookPosPortMsgRecvd {
		return
	}
	switch m := ctx.Item.(type) {
	case *mem.ReadReq:
		l.got = append(l.got, fmt.Sprintf("R %d", m.Address/64))
	case *mem.WriteReq:
		l.got = append(l.got, fmt.Sprintf("W %d", m.Address/64))
	}
}

// Reads go below before writes, but never before a write of what they read. The
// wire takes a write in 64 cycles, so that they queue up.
func TestReadsDoNotOvertakeTheirWrite(t *testing.T) {
	for _, c := range []struct {
		read uint64
		want []string
	}{
		{9, []string{"W 1", "W 2", "R 9", "W 3", "W 4"}}, // another line overtakes
		{3, []string{"W 1", "W 2", "W 3", "R 3", "W 4"}},
	} {
		s := cache.DefaultTimedSpec()
		s.Size, s.Ways, s.Burst = 64, 1, 64
		e := engine.New()
		llc := newTimed(t, e, s)
		m := newFlat(e, 5)
		top := m.GetPortByName("Top")
		log := &portLog{}
		top.AcceptHook(log)
		w := engine.NewWire("Lower", e)
		w.Attach(llc.GetPortByName("Bottom"), clock.GHz, engine.EndOptions{Buffer: 1, Bandwidth: 8e9})
		w.Attach(top, clock.GHz, engine.EndOptions{Buffer: 16})
		homes, err := memory.NewMap(memory.Range{Size: 1 << 30, Ports: []sim.Port{top}, Paths: make([]memory.Path, 1)})
		require.NoError(t, err)
		require.NoError(t, llc.SetMap("bottom", homes))
		r := memtest.New("Core", e, clock.GHz, llc.GetPortByName("Top"))
		for i := range uint64(4) {
			r.List = append(r.List, memtest.Request{Bytes: 64, Addr: 64 * (i + 1), Write: true})
		}
		r.List = append(r.List, memtest.Request{Bytes: 64, Addr: 64 * c.read})
		memtest.Wire(e, llc.GetPortByName("Top"), clock.GHz, r)
		r.Start()
		require.NoError(t, e.Run())
		require.Equal(t, c.want, log.got)
		require.Empty(t, llc.Stats().Verify())
	}
}
