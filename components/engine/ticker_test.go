package engine

import (
	"slices"
	"testing"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/clock/instant"
	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// sleeper logs its cycles and does what it is told at them.
type sleeper struct {
	tick *Ticker
	log  []uint64
	do   func(cycle uint64)
}

func (s *sleeper) Name() string { return "Sleeper" }

func (s *sleeper) Handle(e sim.Event) error {
	n := s.tick.Cycle(e.Time())
	s.log = append(s.log, n)
	if s.do != nil {
		s.do(n)
	}
	return nil
}

func newSleeper(e sim.Engine, c clock.Clock) *sleeper {
	s := &sleeper{}
	s.tick = NewTicker(e, c, s)
	return s
}

// Every cycle that was asked for comes once, whatever the order of asking. The
// dumb twin is a set.
func TestTickerIsASetOfCycles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := rapid.SampledFrom(partClocks).Draw(t, "clock")
		engines := []sim.Engine{New(), sim.NewSerialEngine(), New(Shuffle(3))}
		e := rapid.SampledFrom(engines).Draw(t, "engine")
		s := newSleeper(e, c)
		want := map[uint64]bool{}
		wake := func(n uint64) {
			want[n] = true
			s.tick.WakeAt(n)
		}
		s.do = func(n uint64) {
			require.Equal(t, instant.Of(c, n), e.CurrentTime())
			if len(want) > 200 {
				return
			}
			for range rapid.IntRange(0, 2).Draw(t, "wakes") {
				wake(n + rapid.Uint64Range(0, 9).Draw(t, "after"))
			}
			if rapid.Bool().Draw(t, "next") {
				want[n+1] = true
				s.tick.WakeAfter(e.CurrentTime())
			}
		}
		for range rapid.IntRange(1, 50).Draw(t, "first") {
			wake(rapid.Uint64Range(0, 100).Draw(t, "cycle"))
		}
		require.NoError(t, e.Run())
		var cycles []uint64
		for n := range want {
			cycles = append(cycles, n)
		}
		slices.Sort(cycles)
		require.Equal(t, cycles, s.log)
	})
}

// An earlier wake does not lose the later one, nor the other way round.
func TestEarlierWakeKeepsTheLaterOne(t *testing.T) {
	e := New()
	s := newSleeper(e, clock.Hz(940e6))
	for _, n := range []uint64{9, 3, 9, 6, 3} {
		s.tick.WakeAt(n)
	}
	require.NoError(t, e.Run())
	require.Equal(t, []uint64{3, 6, 9}, s.log)
}

// WakeAfter between cycles, at one, and just before one.
func TestWakeAfterIsStrict(t *testing.T) {
	c := clock.Period(416, 1e12)
	for _, x := range []struct {
		now  sim.VTimeInSec
		want uint64
	}{{0, 1}, {1e-10, 1}, {instant.Of(c, 7), 8}, {instant.Of(c, 7) - 1e-20, 7}, {instant.Of(clock.GHz, 52), 126}} { // 52 ns = 125 * 416 ps
		e := New()
		s := newSleeper(e, c)
		e.Schedule(&note{x.now, false, func() error { s.tick.WakeAfter(x.now); return nil }})
		require.NoError(t, e.Run())
		require.Equal(t, []uint64{x.want}, s.log, "%v", x.now)
	}
}

func TestWakeInThePastPanics(t *testing.T) {
	e := New()
	s := newSleeper(e, clock.GHz)
	s.tick.WakeAt(5)
	s.do = func(uint64) { s.tick.WakeAt(4) }
	require.PanicsWithValue(t, "engine: Sleeper wakes itself at cycle 4 (4e-09 s), now is 5e-09 s", func() { _ = e.Run() })
}

// Akita's monitor calls TickLater from its own goroutine.
func TestTickLaterFromOutside(t *testing.T) {
	e := New()
	s := newSleeper(e, clock.GHz)
	var again func() error
	again = func() error {
		if len(s.log) == 0 {
			e.Schedule(&note{e.CurrentTime() + 1e-9, false, again})
		}
		return nil
	}
	require.NoError(t, again())
	go s.tick.TickLater(0)
	require.NoError(t, e.Run())
	require.Len(t, s.log, 1)
}

func TestTickerDoesNotAllocate(t *testing.T) {
	e := New()
	s := newSleeper(e, clock.Hz(940e6))
	s.do = func(n uint64) {
		s.log = s.log[:0]
		s.tick.WakeAt(n + 1)
		s.tick.WakeAt(n + 40)
	}
	s.tick.WakeAt(0)
	until := sim.VTimeInSec(0)
	step := func() {
		until += 1e-6
		require.NoError(t, e.RunUntil(until))
	}
	step()
	require.Zero(t, testing.AllocsPerRun(20, step))
}
