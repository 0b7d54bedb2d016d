package engine

import (
	"testing"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/clock/instant"
	"github.com/stretchr/testify/require"
)

type waits []Wait

func (w waits) Waiting() []Wait { return w }

func TestRunEndsWhileSomebodyWaits(t *testing.T) {
	e := New()
	e.Watch(waits{{"Core", "Bus", "2 reads"}})
	e.Watch(waits{})
	e.Watch(waits{{"Bus", "Mem", "a free slot"}, {"Mem", "Bus", "room for a response"}})
	err := e.Run()
	var s *Stuck
	require.ErrorAs(t, err, &s)
	require.Len(t, s.Waits, 3)
	require.EqualError(t, err, `stuck at 0 s: nothing is scheduled any more
  Bus waits for Mem: a free slot
  Core waits for Bus: 2 reads
  Mem waits for Bus: room for a response
  in a circle: Bus -> Mem -> Bus`)
}

func TestNoCircle(t *testing.T) {
	s := Stuck{Waits: Waits(waits{{"A", "B", ""}, {"B", "C", ""}, {"A", "C", ""}})}
	require.Nil(t, s.Circle())
}

// RunUntil says so too, but only when nothing is left to run.
func TestRunUntilIsStuckOnlyAtTheEnd(t *testing.T) {
	e := New()
	e.Watch(waits{{"A", "B", "x"}})
	var got []int
	record(e, &got, 5, false, 1)
	require.NoError(t, e.RunUntil(4))
	var s *Stuck
	require.ErrorAs(t, e.RunUntil(6), &s)
}

// A wire whose receiver sleeps on a full port names it.
func TestWireTellsWhoIsFull(t *testing.T) {
	e := New()
	a, b := pingPair(e, 100, 0)
	a.toSend = 20
	b.port.comp = nil // no component takes messages out
	err := e.Run()
	require.EqualError(t, err, "stuck at 4e-09 s: nothing is scheduled any more\n"+
		"  A waits for B.Port: 4 messages from A.Port find no room in B.Port")
}

// Neither events without progress nor time without it go on for ever.
func TestWatchdog(t *testing.T) {
	spin := func(e *Engine, step float64) {
		var again func() error
		again = func() error {
			e.Schedule(&note{e.CurrentTime() + 0, false, again})
			return nil
		}
		if step > 0 {
			again = func() error {
				e.Schedule(&note{e.CurrentTime() + 1, false, again})
				return nil
			}
		}
		require.NoError(t, again())
	}
	e := New(Watchdog(1000, 0))
	e.Watch(waits{{"A", "B", "ever"}})
	spin(e, 0) // not even time goes on
	require.EqualError(t, e.Run(), "stuck at 0 s: no progress since 0 s, 1000 events\n  A waits for B: ever")
	require.Equal(t, uint64(1000), e.Events())
	require.Error(t, e.Run(), "counts anew")
	require.Equal(t, uint64(2000), e.Events())

	e = New(Watchdog(0, 10))
	spin(e, 1)
	require.NoError(t, e.RunUntil(5))
	require.NoError(t, e.RunUntil(9)) // steps do not start it anew
	require.EqualError(t, e.Run(), "stuck at 10 s: no progress since 0 s; no watched component waits")
}

// Messages are progress.
func TestWatchdogLetsMessagesPass(t *testing.T) {
	e := New(Watchdog(8, instant.Of(clock.GHz, 3)))
	a, b := pingPair(e, 1000, 0)
	require.NoError(t, e.Run())
	require.Equal(t, 1999, a.got+b.got)
}
