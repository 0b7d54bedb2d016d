package cache_test

import (
	"testing"

	"github.com/sarchlab/akita/v3/mem/mem"
	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/memory/cache"
	"github.com/causeway-sim/causeway/memory/memtest"
)

// inFlight follows the writes and the reads of a port that are not answered.
type inFlight struct {
	lines             map[string]int // of writes, by message
	writes, mostLines int
	reads, mostReads  int
}

func (f *inFlight) Func(ctx sim.HookCtx) {
	switch m := ctx.Item.(type) {
	case *mem.WriteReq:
		if n := len(m.Data); ctx.Pos == sim.HookPosPortMsgRecvd {
			f.lines[m.ID] = (n + 63) / 64
			f.writes += f.lines[m.ID]
			f.mostLines = max(f.mostLines, f.writes)
		}
	case *mem.ReadReq:
		if ctx.Pos == sim.HookPosPortMsgRecvd {
			f.reads++
			f.mostReads = max(f.mostReads, f.reads)
		}
	case *mem.WriteDoneRsp:
		if ctx.Pos == sim.HookPosPortMsgSend {
			f.writes -= f.lines[m.RespondTo]
		}
	case *mem.DataReadyRsp:
		if ctx.Pos == sim.HookPosPortMsgSend {
			f.reads--
		}
	}
}

// The memory never has more lines to write than the write buffer has entries, nor more reads than
// there are MSHRs; a stream of evictions fills both to the last entry.
func TestBuffersBoundWhatIsBelow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := cache.DefaultTimedSpec()
		s.Ways, s.Burst = 1, 64
		s.Slices = 1 << rapid.IntRange(0, 2).Draw(t, "slices")
		s.Size = units.Bytes(64 * 4 * s.Slices)
		s.WriteBuffer, s.MSHRs = rapid.IntRange(1, 9).Draw(t, "buffer"), rapid.IntRange(1, 9).Draw(t, "mshrs")
		s.Burst = units.Bytes(64 << rapid.IntRange(0, 2).Draw(t, "burst"))
		s.Write = rapid.SampledFrom([]string{"back", "through", "around"}).Draw(t, "writes")
		whole := rapid.Bool().Draw(t, "whole lines") // a write of a whole line fetches nothing
		e := engine.New()
		c, m := newTimed(t, e, s), newFlat(e, 200)
		seen := &inFlight{lines: map[string]int{}}
		m.GetPortByName("Top").AcceptHook(seen)
		onMemory(t, e, c, m)
		r := memtest.New("Core", e, clock.GHz, c.GetPortByName("Top"))
		for i := range uint64(200) {
			q := memtest.Request{Bytes: 64, Addr: i * 64, Write: i%2 == 0 || whole}
			if q.Write && !whole {
				q.Bytes = 32
			}
			r.List = append(r.List, q)
		}
		memtest.Wire(e, r.Dst, clock.GHz, r)
		r.Start()
		require.NoError(t, e.Run())
		require.Empty(t, c.Stats().Verify())
		require.LessOrEqual(t, seen.mostLines, s.WriteBuffer)
		require.LessOrEqual(t, seen.mostReads, s.MSHRs*s.Slices)
		if whole && s.Burst == 64 {
			require.Equal(t, s.WriteBuffer, seen.mostLines)
		}
		require.Zero(t, seen.writes)
	})
}
