package cache_test

import (
	"testing"

	"github.com/sarchlab/akita/v3/mem/mem"
	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/cache"
)

// flushing makes caches of both fidelities; the first is the timed one.
func flushing(t *testing.T, f cache.Flush) []func(e *engine.Engine) node {
	s := cache.DefaultTimedSpec()
	s.Flush = f
	return both(t, s)
}

// Two dirty lines and a clean one; what the end of the run makes of them.
func TestFlushAtTheEnd(t *testing.T) {
	for op, want := range map[string]struct {
		again               bool    // there is something to do
		written, dirty, hit float64 // bytes, bytes, hits of three reads afterwards
	}{
		"none":       {false, 0, 128, 3},
		"clean":      {true, 128, 0, 3},
		"flush":      {true, 128, 0, 0},
		"invalidate": {true, 0, 0, 0},
	} {
		for fidelity, build := range flushing(t, cache.Flush{Op: op}) {
			e := engine.New()
			llc, m := build(e), newFlat(e, 50)
			onMemory(t, e, llc, m)
			s := newSender(e)
			top := llc.GetPortByName("Top")
			w := engine.NewWire("Link", e)
			w.Attach(top, clock.GHz, engine.EndOptions{Buffer: 16})
			w.Attach(s.port, clock.GHz, engine.EndOptions{Buffer: 16})
			s.send(t, "a", top, &mem.WriteReq{Address: 0, Data: memory.Zeros(128)})
			s.send(t, "b", top, &mem.ReadReq{Address: 128, AccessByteSize: 64})
			require.NoError(t, e.Run())
			require.Zero(t, metrics(m.Stats())["write_bytes"], fidelity)
			require.Equal(t, want.again, llc.Finish(e.CurrentTime()), "%d %s", fidelity, op)
			require.False(t, llc.Finish(e.CurrentTime()), "it is asked once")
			if want.again {
				require.NotEmpty(t, llc.Waiting())
			}
			require.NoError(t, e.Run())
			require.Empty(t, llc.Waiting())
			require.False(t, llc.Finish(e.CurrentTime()), "nothing is left")
			require.Empty(t, llc.Stats().Verify())
			require.Equal(t, want.written, metrics(m.Stats())["write_bytes"], "%d %s", fidelity, op)
			got := metrics(llc.Stats())
			require.Equal(t, want.dirty, got["dirty_bytes"], "%d %s", fidelity, op)
			require.Zero(t, got["controls"], "nobody asked for it")
			if op == "none" {
				require.NotContains(t, got, "flushed_bytes")
			} else {
				require.Equal(t, want.written, got["flushed_bytes"], "%d %s", fidelity, op)
			}
			if want.written > 0 {
				require.Greater(t, got["flush_time"], 50.0, "memory has it")
			}
			s.send(t, "c", top, &mem.ReadReq{Address: 0, AccessByteSize: 192})
			require.NoError(t, e.Run())
			require.Equal(t, want.hit, metrics(llc.Stats())["hits"], "%d %s", fidelity, op)
		}
	}
}

// At a time: lines that are under way come first, and requests after it wait.
// A write at once, a read that is under way when the flush is due, and one after it.
func TestFlushAtATime(t *testing.T) {
	for fidelity, build := range flushing(t, cache.Flush{Op: "flush", At: units.InTime(30 * units.Nanosecond)}) {
		e := engine.New()
		llc, m := build(e), newFlat(e, 100)
		onMemory(t, e, llc, m)
		require.NotEmpty(t, llc.Waiting(), "it is still to come")
		s := newSender(e)
		top := llc.GetPortByName("Top")
		w := engine.NewWire("Link", e)
		w.Attach(top, clock.GHz, engine.EndOptions{Buffer: 16})
		w.Attach(s.port, clock.GHz, engine.EndOptions{Buffer: 16})
		s.send(t, "a", top, &mem.WriteReq{Address: 0, Data: memory.Zeros(64)})
		s.send(t, "b", top, &mem.ReadReq{Address: 64, AccessByteSize: 64})
		require.NoError(t, e.RunUntil(40e-9))
		s.send(t, "c", top, &mem.ReadReq{Address: 0, AccessByteSize: 64})
		require.NoError(t, e.Run())
		require.Empty(t, llc.Stats().Verify())
		require.Empty(t, llc.Waiting())
		require.False(t, llc.Finish(e.CurrentTime()))
		got := metrics(llc.Stats())
		require.EqualValues(t, 0, got["hits"], "%d: the line has gone", fidelity)
		require.EqualValues(t, 64, got["flushed_bytes"])
		require.EqualValues(t, 64, metrics(m.Stats())["write_bytes"])
		if fidelity == 0 { // at 26 ns the read goes below, 102 ns later it is there
			require.Greater(t, s.came["c"], s.came["b"]+100, "behind the flush, which is behind the other read")
		}
	}
}

func TestFlushWithoutAnOperation(t *testing.T) {
	s := cache.DefaultSpec()
	s.Flush.At = units.InCycles(5)
	_, err := cache.NewFunctional("LLC", engine.New(), s)
	require.ErrorContains(t, err, "at has no effect without op")
}
