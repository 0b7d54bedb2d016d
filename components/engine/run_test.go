package engine

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"testing"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// note is an event that does something.
type note struct {
	t         sim.VTimeInSec
	secondary bool
	do        func() error
}

func (n *note) Time() sim.VTimeInSec   { return n.t }
func (n *note) IsSecondary() bool      { return n.secondary }
func (n *note) Handler() sim.Handler   { return n }
func (n *note) Handle(sim.Event) error { return n.do() }
func (n *note) Name() string           { return "Note" }

// record schedules an event that appends id to log.
func record(e *Engine, log *[]int, t sim.VTimeInSec, secondary bool, id int) {
	e.Schedule(&note{t, secondary, func() error { *log = append(*log, id); return nil }})
}

// Among equal times: primary before secondary, each in the order scheduled.
// The dumb twin is a stable sort.
func TestOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := New()
		var got, want []int
		type key struct {
			t         float64
			secondary bool
		}
		var keys []key
		for i := range rapid.IntRange(0, 400).Draw(t, "events") {
			// Many distinct times, so that the bucket cache has collisions.
			k := key{float64(rapid.IntRange(0, 300).Draw(t, "t")) * 1.1e-9, rapid.Bool().Draw(t, "secondary")}
			keys = append(keys, k)
			want = append(want, i)
			record(e, &got, sim.VTimeInSec(k.t), k.secondary, i)
		}
		slices.SortStableFunc(want, func(a, b int) int {
			switch x, y := keys[a], keys[b]; {
			case x.t != y.t && x.t < y.t, x.t == y.t && !x.secondary && y.secondary:
				return -1
			case x == y:
				return 0
			default:
				return 1
			}
		})
		require.NoError(t, e.Run())
		require.Equal(t, len(want), len(got))
		for i := range want {
			require.Equal(t, want[i], got[i])
		}
		require.Equal(t, uint64(len(want)), e.Events())
	})
}

// Two instants in one cache slot: the older gets a second bucket, which is
// joined after the first.
func TestCollidingTimesKeepTheirOrder(t *testing.T) {
	a := sim.VTimeInSec(1e-9)
	b := a
	for slot(b) != slot(a) || b == a {
		b += 1e-9
	}
	e := New()
	var got []int
	record(e, &got, a, false, 1)
	record(e, &got, b, false, 5)
	record(e, &got, a, false, 2)
	record(e, &got, b, false, 6)
	record(e, &got, a, true, 4)
	record(e, &got, a, false, 3)
	require.NoError(t, e.Run())
	require.Equal(t, []int{1, 2, 3, 4, 5, 6}, got)
}

// A primary event scheduled by a secondary one for the same time runs before
// the next secondary one.
func TestPrimaryBeforeNextSecondary(t *testing.T) {
	e := New()
	var got []int
	e.Schedule(&note{1, true, func() error {
		got = append(got, 1)
		record(e, &got, 1, true, 4)
		record(e, &got, 1, false, 2)
		return nil
	}})
	record(e, &got, 1, true, 3)
	require.NoError(t, e.Run())
	require.Equal(t, []int{1, 2, 3, 4}, got)
}

// Shuffle keeps times and kinds apart, mixes what is equal, and repeats.
func TestShuffle(t *testing.T) {
	run := func(seed uint64) []int {
		e := New(Shuffle(seed))
		var got []int
		for i := range 40 {
			record(e, &got, sim.VTimeInSec(i/20), i%20 >= 10, i)
		}
		require.NoError(t, e.Run())
		return got
	}
	a := run(1)
	for i, id := range a {
		require.Equal(t, i/10, id/10)
	}
	require.False(t, slices.IsSorted(a[:10]))
	require.False(t, slices.IsSorted(a[10:20]))
	require.Equal(t, a, run(1))
	require.NotEqual(t, a, run(2))
}

func TestPastIsAPanic(t *testing.T) {
	e := New()
	for _, at := range []sim.VTimeInSec{0.5, sim.VTimeInSec(math.NaN())} {
		e.Schedule(&note{e.CurrentTime() + 1, false, func() error {
			require.PanicsWithValue(t, fmt.Sprintf("engine: Note schedules an event for %.12g s, now is %.12g s", at, e.CurrentTime()),
				func() { record(e, nil, at, false, 0) })
			return nil
		}})
		require.NoError(t, e.Run())
	}
}

// An error stops the run at once; the rest stays and can be run.
func TestErrorStops(t *testing.T) {
	e := New()
	broken := errors.New("broken")
	var got []int
	record(e, &got, 1, false, 1)
	e.Schedule(&note{1, false, func() error { return broken }})
	record(e, &got, 1, false, 2)
	record(e, &got, 2, false, 3)
	err := e.Run()
	require.ErrorIs(t, err, broken)
	require.EqualError(t, err, "Note at 1 s: broken")
	var h *HandlerError
	require.ErrorAs(t, err, &h)
	require.Equal(t, sim.VTimeInSec(1), h.Time)
	require.Equal(t, []int{1}, got)
	require.NoError(t, e.Run())
	require.Equal(t, []int{1, 2, 3}, got)
}

func TestRunUntil(t *testing.T) {
	e := New()
	var got []int
	for i := range 6 {
		record(e, &got, sim.VTimeInSec(i/2), false, i)
	}
	require.NoError(t, e.RunUntil(1))
	require.Equal(t, []int{0, 1, 2, 3}, got)
	require.Equal(t, sim.VTimeInSec(1), e.CurrentTime())
	require.NoError(t, e.RunUntil(1.5))
	require.Len(t, got, 4)
	record(e, &got, 1, false, 7) // still possible
	require.NoError(t, e.RunUntil(2))
	require.Equal(t, []int{0, 1, 2, 3, 7, 4, 5}, got)
}

// An instant that an error interrupted is finished by RunUntil of its time, and
// RunUntil of an earlier one is refused.
func TestRunUntilAfterError(t *testing.T) {
	e := New()
	var got []int
	e.Schedule(&note{2, false, func() error { return errors.New("once") }})
	record(e, &got, 2, false, 1)
	require.Error(t, e.Run())
	require.ErrorContains(t, e.RunUntil(1), "now is 2 s")
	require.NoError(t, e.RunUntil(2))
	require.Equal(t, []int{1}, got)
}

func TestContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	e := New()
	n := 0
	var again func() error
	again = func() error {
		n++
		if n == 1000 {
			cancel()
		}
		e.Schedule(&note{e.CurrentTime() + 1, false, again})
		return nil
	}
	e.Schedule(&note{0, false, again}) // event i is at time i
	err := e.RunContext(ctx)
	require.ErrorIs(t, err, context.Canceled)
	require.ErrorContains(t, err, "engine: stopped at ")
	require.GreaterOrEqual(t, n, 1000)
	was := n
	require.ErrorIs(t, e.RunContext(ctx), context.Canceled)
	require.Equal(t, was, n, "a dead context runs nothing")
	require.NoError(t, e.RunUntil(2*sim.VTimeInSec(was)))
	require.Equal(t, 2*was+1, n, "and spoils nothing")
}

// Pause stands still between two events; scheduling is then safe without
// External, which only the race detector can tell.
func TestPause(t *testing.T) {
	e := New()
	stop := false
	n := 0
	var again func() error
	again = func() error {
		n++
		if !stop {
			e.Schedule(&note{e.CurrentTime() + 1, false, again})
		}
		return nil
	}
	require.NoError(t, again())
	e.Pause() // before the run: it waits at its beginning
	done := make(chan error)
	go func() { done <- e.Run() }()
	for range 20 {
		e.Pause()
		was, at := n, e.CurrentTime()
		require.Equal(t, was, n)
		require.Equal(t, at, e.CurrentTime())
		e.Schedule(&note{at, false, func() error { n++; return nil }})
		e.Continue()
	}
	e.Pause()
	stop = true
	e.Continue()
	require.NoError(t, <-done)
	e.Pause() // no run is going on: returns at once
	e.Continue()
}

func TestPausedRunCanBeCancelled(t *testing.T) {
	e := New()
	var got []int
	record(e, &got, 1, false, 1)
	e.Pause()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { done <- e.RunContext(ctx) }()
	cancel()
	require.ErrorIs(t, <-done, context.Canceled)
	require.Empty(t, got)
}

// Post and, with External, Schedule may come from any goroutine; CurrentTime
// always. Run with -race.
func TestOtherGoroutines(t *testing.T) {
	e := New(External())
	var stop, ran int // written by the engine's goroutine only
	var again func() error
	again = func() error {
		if stop < 4 {
			e.Schedule(&note{0, false, again}) // time stands still until all are done
		}
		return nil
	}
	require.NoError(t, again())
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for i := range 200 {
				e.Post(func() { ran++ })
				e.Schedule(&note{sim.VTimeInSec(i % 3), i%2 == 0, func() error { ran++; return nil }})
				e.CurrentTime()
			}
			e.Post(func() { stop++ })
		})
	}
	require.NoError(t, e.Run())
	wg.Wait()
	require.NoError(t, e.Run()) // what was posted after the end
	require.Equal(t, 2*4*200, ran)
}

// What panics, in a handler or posted, comes out of Run as it is, and the
// engine can be run again.
func TestPanicComesOut(t *testing.T) {
	e := New()
	var got []int
	e.Post(func() { panic("posted") })
	e.Schedule(&note{1, false, func() error { panic("handled") }})
	record(e, &got, 1, false, 1)
	require.PanicsWithValue(t, "posted", func() { _ = e.Run() })
	require.PanicsWithValue(t, "handled", func() { _ = e.Run() })
	require.NoError(t, e.Run())
	require.Equal(t, []int{1}, got)
}

// recorder is a hook that counts positions.
type recorder map[string]int

func (r recorder) Func(c sim.HookCtx) { r[c.Pos.Name]++ }

func TestHooks(t *testing.T) {
	e := New()
	r := recorder{}
	e.AcceptHook(&r)
	a, b := pingPair(e, 5, 0)
	w := a.port.conn.(*Wire)
	for _, h := range []sim.Hookable{a.port, b.port, w} {
		h.AcceptHook(&r)
	}
	require.NoError(t, e.Run())
	n := int(e.Events())
	require.Equal(t, recorder{"BeforeEvent": n, "AfterEvent": n, "Conn Start Send": 9, "Conn Deliver": 9,
		"Port Msg Send": 9, "Port Msg Recv": 9, "Port Msg Retrieve": 9}, r)
}

type ender struct{ at sim.VTimeInSec }

func (x *ender) Handle(now sim.VTimeInSec) { x.at = now }

func TestFinished(t *testing.T) {
	e := New()
	x := &ender{at: -1}
	e.RegisterSimulationEndHandler(x)
	var got []int
	record(e, &got, 3, false, 1)
	require.NoError(t, e.Run())
	require.Equal(t, sim.VTimeInSec(-1), x.at)
	e.Finished()
	require.Equal(t, sim.VTimeInSec(3), x.at)
}

// One clock per engine is shared, so tickers of one clock see one cursor.
func TestCursorsAreShared(t *testing.T) {
	e := New()
	require.Same(t, cursorOf(e, clock.GHz), cursorOf(e, clock.Period(1000, 1e12)))
	require.NotSame(t, cursorOf(e, clock.GHz), cursorOf(e, clock.Hz(2e9)))
	s := sim.NewSerialEngine()
	require.NotSame(t, cursorOf(s, clock.GHz), cursorOf(s, clock.GHz))
}
