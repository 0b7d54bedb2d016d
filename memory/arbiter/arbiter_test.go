package arbiter_test

import (
	"testing"

	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/arbiter"
	"github.com/causeway-sim/causeway/memory/ideal"
	"github.com/causeway-sim/causeway/memory/memtest"
)

// run sends two lists of requests to a memory of 1 byte per cycle and no latency.
func run(t require.TestingT, s arbiter.Spec, first, later []memtest.Request) (a, b *memtest.Requester, m map[string]float64) {
	e := engine.New()
	c := arbiter.New("Arbiter", e, s)
	far := ideal.DefaultSpec()
	far.Bandwidth = 8e9
	mem := ideal.New("Mem", e, far)
	w := engine.NewWire("Lower", e)
	w.Attach(c.GetPortByName("Bottom"), clock.GHz, engine.EndOptions{Buffer: 1024})
	w.Attach(mem.GetPortByName("Top"), clock.GHz, engine.EndOptions{Buffer: 1024})
	homes, err := memory.NewMap(memory.Range{Size: 1 << 30, Ports: []sim.Port{mem.GetPortByName("Top")}, Paths: make([]memory.Path, 1)})
	require.NoError(t, err)
	require.NoError(t, c.SetMap("bottom", homes))
	a = memtest.New("A", e, clock.GHz, c.GetPortByName("First"), first...)
	b = memtest.New("B", e, clock.GHz, c.GetPortByName("Later"), later...)
	memtest.Wire(e, c.GetPortByName("First"), clock.GHz, a)
	w2 := engine.NewWire("Other", e)
	w2.Attach(c.GetPortByName("Later"), clock.GHz, engine.EndOptions{Buffer: 1024})
	w2.Attach(b.Port, clock.GHz, engine.EndOptions{Buffer: 64})
	a.Start()
	b.Start()
	require.NoError(t, e.Run())
	require.Empty(t, c.Stats().Verify())
	require.Empty(t, c.Waiting())
	require.Equal(t, len(first), a.Done())
	require.Equal(t, len(later), b.Done())
	m = map[string]float64{}
	for _, x := range c.Stats().Metrics() {
		m[x.Name] = x.Value
	}
	return a, b, m
}

func spec(policy string) arbiter.Spec {
	s := arbiter.DefaultSpec()
	s.Policy, s.Queue = policy, 1 // one request at the memory
	return s
}

// burst is n requests of 100 bytes, one per cycle from one on.
func burst(n int, from uint64) (out []memtest.Request) {
	for i := range n {
		out = append(out, memtest.Request{Cycle: from + uint64(i), Bytes: 100, Write: i%2 == 1})
	}
	return out
}

// A request of port first that comes among ten of port later waits for all that came before it,
// for one, or for the one that is at the memory.
func TestWhoGoesNext(t *testing.T) {
	one := burst(2, 20)
	wait := map[string]float64{}
	for _, policy := range []string{arbiter.Arrival, arbiter.Turns, arbiter.First} {
		a, b, m := run(t, spec(policy), one, burst(10, 0))
		wait[policy] = m["first_wait_max"]
		end := max(a.Answer[1], b.Answer[9])
		require.InDelta(t, 1200, float64(end), 60, "the memory is never idle: %s", policy)
		require.EqualValues(t, 100, m["queue_peak"])
	}
	const each = 102 // cycles of 100 bytes, and of the links
	require.InDelta(t, 11*each-21, wait[arbiter.Arrival], 2)
	require.InDelta(t, 3*each-21, wait[arbiter.Turns], 2)
	require.InDelta(t, 2*each-21, wait[arbiter.First], 2)
}

// Port later goes on alone below the threshold only, and when it has waited long enough in any
// case.
func TestBelowAndStarve(t *testing.T) {
	s := spec(arbiter.First)
	s.Queue, s.Below = 1000, 150
	_, _, m := run(t, s, nil, burst(10, 0))
	require.EqualValues(t, 200, m["queue_peak"], "a second one goes on while one of 100 bytes is there")
	busy := burst(200, 0)
	_, b, _ := run(t, s, busy, burst(1, 10))
	require.Greater(t, b.Answer[0], uint64(19000), "after all of port first")
	s.Starve = 500 * units.Nanosecond
	_, b, m = run(t, s, busy, burst(1, 10))
	require.InDelta(t, 500, m["later_wait_max"], 110, "the queue is full for up to one request")
	require.Less(t, b.Answer[0], uint64(2000))
}

// Whatever comes, every byte goes on once, and no policy takes longer over all than one request
// more than the others.
func TestConserves(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := func(name string) (out []memtest.Request, bytes float64) {
			at := uint64(0)
			for range rapid.IntRange(0, 20).Draw(t, name) {
				at += rapid.Uint64Range(0, 50).Draw(t, "gap")
				r := memtest.Request{Cycle: at, Bytes: rapid.Uint64Range(1, 200).Draw(t, "bytes"), Write: rapid.Bool().Draw(t, "write")}
				out, bytes = append(out, r), bytes+float64(r.Bytes)
			}
			return out, bytes
		}
		a, na := list("first")
		b, nb := list("later")
		s := arbiter.DefaultSpec()
		s.Policy = rapid.SampledFrom([]string{arbiter.Arrival, arbiter.Turns, arbiter.First}).Draw(t, "policy")
		s.Queue = units.Bytes(rapid.IntRange(1, 400).Draw(t, "queue"))
		if s.Policy == arbiter.First {
			s.Below = units.Bytes(rapid.IntRange(1, int(s.Queue)).Draw(t, "below"))
			s.Starve = units.Time(rapid.IntRange(0, 300).Draw(t, "starve")) * units.Nanosecond
		}
		_, _, m := run(t, s, a, b)
		require.Equal(t, na, m["first_read_bytes"]+m["first_write_bytes"])
		require.Equal(t, nb, m["later_read_bytes"]+m["later_write_bytes"])
		require.Less(t, m["queue_peak"], float64(s.Queue)+200)
	})
}
