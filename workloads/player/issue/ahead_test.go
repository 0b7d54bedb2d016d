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

// A core reports operators at given cycles and notes of which joins it gets a Ready.
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
		r := m.(*work.Ready)
		c.heard = append(c.heard, fmt.Sprintf("%d: share %d op %d, last core %d", cycle, r.Share, r.Join.Op(), r.Last.Core))
	}
	if d, ok := c.gives[cycle]; ok {
		d.Src, d.Dst, d.SendTime, d.End = c.port, c.to, e.Time(), cycle
		c.port.Send(&d)
	}
	return nil
}

func join(op int32, cores ...int32) *mapping.Join {
	j := &mapping.Join{}
	for _, c := range cores {
		j.Members = append(j.Members, mapping.Token{Op: op, Core: c})
	}
	return j
}

func done(share, op, core int32) work.Done {
	return work.Done{Share: share, Of: mapping.Token{Op: op, Core: core}}
}

// A core that waits for a join gets one message, when all jobs but its own are done: a cycle of
// the link each way.
func TestJoinIsReadyWhenItsLastJobIsDone(t *testing.T) {
	for _, e := range []sim.Engine{engine.New(), sim.NewSerialEngine(), engine.New(engine.Shuffle(3))} {
		s := issue.NewAhead("Issuer", e, clock.GHz)
		wire := engine.NewWire("Wire", e)
		wire.Attach(s.Port(), clock.GHz, engine.EndOptions{Buffer: 16})
		var cores []*core
		for i := range 4 {
			c := newCore(e, sim.BuildNameWithIndex("", "Core", i), s.Port())
			wire.Attach(c.port, clock.GHz, engine.EndOptions{Buffer: 16})
			cores = append(cores, c)
		}
		a, b := join(4, 0, 1, 2), join(5, 1)
		for _, x := range []struct {
			core  int
			share int32
			after []*mapping.Join
		}{{0, 1, []*mapping.Join{a}}, {1, 1, []*mapping.Join{a}}, {2, 1, []*mapping.Join{a, b}}, {3, 1, []*mapping.Join{a}}, {0, 2, []*mapping.Join{b}}} {
			require.NoError(t, s.Issued(cores[x.core], x.share, &mapping.Program{Core: x.core, Jobs: []mapping.Job{{After: x.after}, {After: x.after}}}))
		}
		cores[0].gives[10] = done(1, 4, 0)
		cores[2].gives[20] = done(1, 4, 2) // core 1 is the last: it knows of its own
		cores[1].gives[30] = done(1, 4, 1)
		cores[1].gives[40] = done(1, 5, 1)
		cores[1].gives[50] = done(2, 5, 1) // another workload
		for _, c := range cores {
			for at := range c.gives {
				c.ticker.WakeAt(at)
			}
		}
		require.NoError(t, e.Run())
		require.Equal(t, []string{"32: share 1 op 4, last core 1", "52: share 2 op 5, last core 1"}, cores[0].heard)
		require.Equal(t, []string{"22: share 1 op 4, last core 2"}, cores[1].heard)
		require.Equal(t, []string{"32: share 1 op 4, last core 1", "42: share 1 op 5, last core 1"}, cores[2].heard)
		require.Equal(t, []string{"32: share 1 op 4, last core 1"}, cores[3].heard)
		for _, m := range s.Stats().Metrics() {
			require.Equal(t, map[string]float64{"done_heard": 5, "done_passed": 6}[m.Name], m.Value, m.Name)
		}
		require.Empty(t, s.Stats().Verify())
		require.Empty(t, s.Waiting())
	}
}

// Jobs that are done in one cycle release all cores in the next, each by the job of another core.
func TestJobsDoneTogetherReleaseEachOther(t *testing.T) {
	e := engine.New()
	s := issue.NewAhead("Issuer", e, clock.GHz)
	wire := engine.NewWire("Wire", e)
	wire.Attach(s.Port(), clock.GHz, engine.EndOptions{Buffer: 16})
	j := join(4, 0, 1, 2)
	var cores []*core
	for i := range 3 {
		c := newCore(e, sim.BuildNameWithIndex("", "Core", i), s.Port())
		wire.Attach(c.port, clock.GHz, engine.EndOptions{Buffer: 16})
		require.NoError(t, s.Issued(c, 1, &mapping.Program{Core: i, Jobs: []mapping.Job{{After: []*mapping.Join{j}}}}))
		c.gives[10] = done(1, 4, int32(i))
		c.ticker.WakeAt(10)
		cores = append(cores, c)
	}
	require.NoError(t, e.Run())
	for i, c := range cores {
		require.Equal(t, []string{fmt.Sprintf("12: share 1 op 4, last core %d", map[bool]int{true: 1, false: 0}[i == 0])}, c.heard)
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
