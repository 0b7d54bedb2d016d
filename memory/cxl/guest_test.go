package cxl_test

import (
	"context"
	"strings"
	"testing"

	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/clock/instant"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
)

// Drivers that are alone at a root take no events, whatever number of them; with another
// beside one of them all is as with messages.
func TestGuestsTakeNoEvents(t *testing.T) {
	const n = 500
	two := strings.NewReplacer(
		"  - {name: Root,", "  - {name: Other, kind: driver, trace: TRACE, mode: \"closed:2\"}\n  - {name: Root,",
		"  - Driver -> Root.host\n", "  - Driver -> Root.host\n  - Other -> Root.host\n").Replace(simple)
	for _, c := range []struct {
		text string
		most uint64 // events
	}{{simple, n / 10}, {two, 1 << 40}} {
		fast, slow := engine.New(), engine.New(engine.MessagesOnly())
		got := run(t, fast, c.text, lines("R", n, 64), "Driver.mode=closed:7")
		require.Equal(t, run(t, slow, c.text, lines("R", n, 64), "Driver.mode=closed:7"), got)
		require.Equal(t, slow.CurrentTime(), fast.CurrentTime())
		require.Less(t, fast.Events(), min(c.most, slow.Events()))
	}
}

// A look reads a counter of a node again and again, as those do who record series.
type look struct {
	engine sim.Engine
	at     uint64 // ps
	every  uint64
	group  *stats.Group
	name   string
	seen   []uint64
}

func (x *look) Time() sim.VTimeInSec { return instant.Of(clock.Period(1, 1e12), x.at) }
func (x *look) Handler() sim.Handler { return x }
func (x *look) IsSecondary() bool    { return true }
func (x *look) Handle(sim.Event) error {
	x.group.Settle(float64(x.Time()))
	for _, c := range x.group.Counters() {
		if c.Name == x.name {
			x.seen = append(x.seen, *c.N)
		}
	}
	if x.at += x.every; x.at < 6e6 {
		x.engine.Schedule(x)
	}
	return nil
}

// Who reads counters in the middle of a run sees the answers that have come, though a driver
// acts for them a little later.
func TestAnswersOfGuestsAreCountedWhenTheyCome(t *testing.T) {
	every := uint64(7)
	if testing.Short() {
		every = 101
	}
	series := func(e *engine.Engine) []uint64 {
		s, err := build(t, e, simple, lines("R", 100, 64), "Driver.mode=closed:7")
		require.NoError(t, err)
		var x look
		for _, n := range s.Nodes() {
			if n.Name() == "Driver" {
				x = look{engine: e, at: 7, every: every, group: n.Stats(), name: "requests_done"}
			}
			if n, ok := n.(system.Starter); ok {
				require.NoError(t, n.Start())
			}
		}
		e.Schedule(&x)
		require.NoError(t, e.Run())
		require.EqualValues(t, 100, x.seen[len(x.seen)-1])
		return x.seen
	}
	fast := engine.New()
	require.Equal(t, series(engine.New(engine.MessagesOnly())), series(fast))
	require.True(t, fast.Carried())
}

// So does who has a table of samples written, of all counters.
func TestSamplesEqualThoseOfMessages(t *testing.T) {
	series := func(messages bool) [][]any {
		x, err := experiment.Load("../../configs/examples/cxl-pool.yaml", experiment.Options{Messages: messages, Set: []string{"until=3us", "simulation.sample=3ns"}})
		require.NoError(t, err)
		res, _, err := x.Run(context.Background(), nil)
		require.NoError(t, err)
		return res.Series.Rows
	}
	require.Equal(t, series(true), series(false))
}
