package issue_test

import (
	"fmt"
	"testing"

	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/mapping"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/workloads/player/issue"
)

// A core reports operators at given cycles and notes of which others it is told.
type core struct {
	work.Executor // but for the port
	*sim.ComponentBase
	port   *engine.Port
	ticker *engine.Ticker
	to     sim.Port
	gives  map[uint64]work.Done
	heard  []string
}

func newCore(e sim.Engine, name string, to sim.Port) *core {
	c := &core{ComponentBase: sim.NewComponentBase(name), to: to, gives: map[uint64]work.Done{}}
	c.port = engine.NewPort(c, name+".Ops", 4)
	c.ticker = engine.NewTicker(e, clock.GHz, c)
	return c
}

func (c *core) Name() string                                  { return c.ComponentBase.Name() }
func (c *core) Ops() sim.Port                                 { return c.port }
func (c *core) NotifyRecv(now sim.VTimeInSec, _ sim.Port)     { c.ticker.WakeAfter(now) }
func (c *core) NotifyPortFree(now sim.VTimeInSec, _ sim.Port) {}
func (c *core) Handle(e sim.Event) error {
	cycle := c.ticker.Cycle(e.Time())
	for m := c.port.Retrieve(e.Time()); m != nil; m = c.port.Retrieve(e.Time()) {
		d := m.(*work.Done)
		c.heard = append(c.heard, fmt.Sprintf("%d: share %d op %d core %d, %d to %d", cycle, d.Share, d.Of.Op, d.Of.Core, d.Begin, d.End))
	}
	if d, ok := c.gives[cycle]; ok {
		d.Src, d.Dst, d.SendTime, d.End = c.port, c.to, e.Time(), cycle
		c.port.Send(&d)
	}
	return nil
}

func after(tokens ...mapping.Token) *mapping.Program {
	return &mapping.Program{Jobs: []mapping.Job{{After: tokens}, {After: tokens}}}
}

// Who has jobs that come after one is told once that it is done, a cycle of the link each
// way; who did it knows.
func TestDoneReachesThoseWhoComeAfter(t *testing.T) {
	for _, e := range []sim.Engine{engine.New(), sim.NewSerialEngine(), engine.New(engine.Shuffle(3))} {
		s := issue.NewAhead("Issuer", e, clock.GHz)
		wire := engine.NewWire("Wire", e)
		wire.Attach(s.Port(), clock.GHz, engine.EndOptions{Buffer: 16})
		var cores []*core
		for i := range 3 {
			c := newCore(e, sim.BuildNameWithIndex("", "Core", i), s.Port())
			wire.Attach(c.port, clock.GHz, engine.EndOptions{Buffer: 16})
			cores = append(cores, c)
		}
		a, b := mapping.Token{Op: 4, Core: 0}, mapping.Token{Op: 5, Core: 1}
		require.NoError(t, s.Issued(cores[0], 1, after(a))) // its own: known without
		require.NoError(t, s.Issued(cores[1], 1, after(a)))
		require.NoError(t, s.Issued(cores[2], 1, after(a, b)))
		require.NoError(t, s.Issued(cores[2], 2, after(b))) // another workload
		cores[0].gives[10] = work.Done{Share: 1, Begin: 3, Of: a}
		cores[1].gives[10] = work.Done{Share: 1, Begin: 4, Of: b}
		cores[1].gives[20] = work.Done{Share: 2, Of: a}
		for _, c := range cores {
			for at := range c.gives {
				c.ticker.WakeAt(at)
			}
		}
		require.NoError(t, e.Run())
		require.Empty(t, cores[0].heard)
		require.Equal(t, []string{"12: share 1 op 4 core 0, 3 to 10"}, cores[1].heard)
		require.Equal(t, []string{"12: share 1 op 4 core 0, 3 to 10", "12: share 1 op 5 core 1, 4 to 10"}, cores[2].heard)
		for _, m := range s.Stats().Metrics() {
			require.Equal(t, 3.0, m.Value, m.Name)
		}
		require.Empty(t, s.Stats().Verify())
		require.Empty(t, s.Waiting())
	}
}

func TestStrangersAreRefused(t *testing.T) {
	e := engine.New()
	s := issue.NewAhead("Issuer", e, clock.GHz)
	c := newCore(e, "Core", s.Port())
	wire := engine.NewWire("Wire", e)
	wire.Attach(s.Port(), clock.GHz, engine.EndOptions{})
	wire.Attach(c.port, clock.GHz, engine.EndOptions{})
	m := &work.Revoke{}
	m.Src, m.Dst = c.port, s.Port()
	require.Nil(t, c.port.Send(m))
	require.ErrorContains(t, e.Run(), "Issuer got a *work.Revoke")
}
