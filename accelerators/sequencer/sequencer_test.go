package sequencer

import (
	"fmt"
	"testing"

	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/mapping"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/engine"
)

// A core that gives signals at given cycles and notes what it hears.
type core struct {
	*sim.ComponentBase
	port   *engine.Port
	ticker *engine.Ticker
	to     sim.Port
	gives  map[uint64]work.Signal
	heard  []string
}

func newCore(e sim.Engine, name string, to sim.Port) *core {
	c := &core{ComponentBase: sim.NewComponentBase(name), to: to, gives: map[uint64]work.Signal{}}
	c.port = engine.NewPort(c, name+".Sync", 4)
	c.ticker = engine.NewTicker(e, clock.GHz, c)
	return c
}

func (c *core) NotifyRecv(now sim.VTimeInSec, _ sim.Port) { c.ticker.WakeAfter(now) }
func (c *core) NotifyPortFree(sim.VTimeInSec, sim.Port)   {}
func (c *core) Handle(e sim.Event) error {
	cycle := c.ticker.Cycle(e.Time())
	for m := c.port.Retrieve(e.Time()); m != nil; m = c.port.Retrieve(e.Time()) {
		s := m.(*work.Signal)
		c.heard = append(c.heard, fmt.Sprintf("%d: share %d op %d core %d", cycle, s.Share, s.Token.Op, s.Token.Core))
	}
	if s, ok := c.gives[cycle]; ok {
		s.Src, s.Dst, s.SendTime = c.port, c.to, e.Time()
		c.port.Send(&s)
	}
	return nil
}

func waits(tokens ...mapping.Token) mapping.Program {
	return mapping.Program{Jobs: []mapping.Job{{Waits: tokens}, {Waits: tokens}}}
}

func TestSignalsReachThoseWhoWait(t *testing.T) {
	for _, e := range []sim.Engine{engine.New(), sim.NewSerialEngine(), engine.New(engine.Shuffle(3))} {
		s := New("Sequencer", e, clock.GHz)
		wire := engine.NewWire("Wire", e)
		wire.Attach(s.Port(), clock.GHz, engine.EndOptions{Buffer: 16})
		var cores []*core
		for i := range 3 {
			c := newCore(e, sim.BuildNameWithIndex("", "Core", i), s.Port())
			wire.Attach(c.port, clock.GHz, engine.EndOptions{Buffer: 16})
			cores = append(cores, c)
		}
		a, b := mapping.Token{Op: 4, Core: 0}, mapping.Token{Op: 5, Core: 1}
		s.Listen(cores[0].port, 1, waits(a)) // its own: known without
		s.Listen(cores[1].port, 1, waits(a))
		s.Listen(cores[2].port, 1, waits(a, b))
		s.Listen(cores[2].port, 2, waits(b)) // another workload
		cores[0].gives[10] = work.Signal{Share: 1, Token: a}
		cores[1].gives[10] = work.Signal{Share: 1, Token: b}
		cores[1].gives[20] = work.Signal{Share: 2, Token: a}
		for _, c := range cores {
			for at := range c.gives {
				c.ticker.WakeAt(at)
			}
		}
		require.NoError(t, e.Run())
		require.Empty(t, cores[0].heard)
		require.Equal(t, []string{"12: share 1 op 4 core 0"}, cores[1].heard)
		require.Equal(t, []string{"12: share 1 op 4 core 0", "12: share 1 op 5 core 1"}, cores[2].heard)
		require.Equal(t, uint64(3), s.heard)
		require.Equal(t, uint64(3), s.passed)
		require.Empty(t, s.Stats().Verify())
		require.Empty(t, s.Waiting())
	}
}

func TestStrangersAreRefused(t *testing.T) {
	e := engine.New()
	s := New("Sequencer", e, clock.GHz)
	c := newCore(e, "Core", s.Port())
	wire := engine.NewWire("Wire", e)
	wire.Attach(s.Port(), clock.GHz, engine.EndOptions{})
	wire.Attach(c.port, clock.GHz, engine.EndOptions{})
	m := &stranger{}
	m.Src, m.Dst = c.port, s.Port()
	require.Nil(t, c.port.Send(m))
	require.ErrorContains(t, e.Run(), "Sequencer got a *sequencer.stranger")
}

type stranger struct{ sim.MsgMeta }

func (s *stranger) Meta() *sim.MsgMeta { return &s.MsgMeta }
