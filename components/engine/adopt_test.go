package engine

import (
	"context"
	"errors"
	"testing"

	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"
)

// runner is what Engine and Adopted have in common.
type runner interface {
	sim.Engine
	RunUntil(sim.VTimeInSec) error
	RunContext(context.Context) error
	Watch(Waiter)
}

// All of these behave the same.
func runners() map[string]runner {
	return map[string]runner{"own": New(), "serial": Adopt(sim.NewSerialEngine()), "parallel": Adopt(sim.NewParallelEngine())}
}

func TestAdoptedRunsInSteps(t *testing.T) {
	for name, e := range runners() {
		var got []float64
		var again func() error
		again = func() error {
			got = append(got, float64(e.CurrentTime()))
			if len(got) < 10 {
				e.Schedule(&note{e.CurrentTime() + 1, false, again})
			}
			return nil
		}
		e.Schedule(&note{0, false, again})
		require.NoError(t, e.RunUntil(3), name)
		require.Equal(t, []float64{0, 1, 2, 3}, got, name)
		require.Equal(t, sim.VTimeInSec(3), e.CurrentTime(), name)
		require.NoError(t, e.RunUntil(3.5), name)
		e.Schedule(&note{3.25, false, func() error { got = append(got, -1); return nil }})
		require.NoError(t, e.RunUntil(5), name)
		require.Equal(t, []float64{0, 1, 2, 3, -1, 4, 5}, got, name)
		require.NoError(t, e.Run(), name)
		require.Equal(t, []float64{0, 1, 2, 3, -1, 4, 5, 6, 7, 8}, got, name)
	}
}

// The limit of one run says nothing about what is scheduled after it.
func TestAdoptedForgetsItsLimit(t *testing.T) {
	for name, e := range runners() {
		ran := 0
		e.Schedule(&note{1, false, func() error { ran++; return nil }})
		require.NoError(t, e.RunUntil(10), name)
		e.Schedule(&note{8, false, func() error { ran++; return nil }})
		require.NoError(t, e.RunUntil(5), name)
		require.Equal(t, 1, ran, name)
		require.NoError(t, e.RunUntil(8), name)
		require.Equal(t, 2, ran, name)
	}
}

func TestAdoptedStopsAtAnError(t *testing.T) {
	for name, e := range runners() {
		broken := errors.New("broken")
		after := 0
		e.Schedule(&note{2, false, func() error { return broken }})
		e.Schedule(&note{3, false, func() error { after++; return broken }})
		err := e.Run()
		require.EqualError(t, err, "Note at 2 s: broken", name)
		require.ErrorIs(t, err, broken, name)
		require.Zero(t, after, name)
	}
}

func TestAdoptedStopsWithItsContext(t *testing.T) {
	for name, e := range runners() {
		ctx, cancel := context.WithCancel(context.Background())
		var again func() error
		again = func() error { // for ever
			if e.CurrentTime() == 5 {
				cancel()
			}
			e.Schedule(&note{e.CurrentTime() + 1, false, again})
			return nil
		}
		e.Schedule(&note{0, false, again})
		require.ErrorIs(t, e.RunContext(ctx), context.Canceled, name)
		require.ErrorIs(t, e.RunContext(ctx), context.Canceled, name)
	}
}

func TestAdoptedIsStuck(t *testing.T) {
	for name, e := range runners() {
		e.Watch(waits{{"A", "B", "x"}})
		e.Schedule(&note{2, false, func() error { return nil }})
		require.NoError(t, e.RunUntil(1), name)
		require.EqualError(t, e.Run(), "stuck at 2 s: nothing is scheduled any more\n  A waits for B: x", name)
	}
}

// Wires are watched there too.
func TestAdoptedWatchesWires(t *testing.T) {
	for name, e := range runners() {
		a, b := pingPair(e, 100, 0)
		a.toSend = 20
		b.port.comp = nil
		require.ErrorContains(t, e.Run(), "4 messages from A.Port find no room in B.Port", name)
	}
}
