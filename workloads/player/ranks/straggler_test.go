package ranks_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/comm/motif"
	"github.com/causeway-sim/causeway/workloads/player/ranks"
)

// A rank that is slow or late holds up those that wait for it, by as much.
func TestStragglers(t *testing.T) {
	run := func(list ...ranks.Straggler) float64 {
		return pair(t, "all_reduce", motif.Single{Steps: motif.Steps{Steps: 2, Compute: units.Microsecond}, Bytes: 64}, func(s *ranks.Spec) { s.Stragglers = list })
	}
	twice, none := 2., 1.
	free := run()
	require.Equal(t, free, run(ranks.Straggler{Rank: 1, Scale: &none}))
	require.Equal(t, free+1000, run(ranks.Straggler{Rank: 1, Scale: &twice}), "time of a step: each takes a microsecond more")
	require.Equal(t, free+150, run(ranks.Straggler{Rank: 0, Late: units.InTime(300 * units.Nanosecond)}), "of two steps the first begins later")
	never := units.InTime(units.Second)
	require.Equal(t, free, run(ranks.Straggler{Rank: 0, Fails: &never}))
}

// Who waits for a rank that has failed is said, and that it has.
func TestFailedRank(t *testing.T) {
	p, err := motif.Make("all_reduce", 2, motif.Single{Steps: motif.Steps{Steps: 2, Compute: units.Microsecond}, Bytes: 64})
	require.NoError(t, err)
	s := ranks.DefaultSpec()
	at := units.InTime(500 * units.Nanosecond)
	s.Stragglers = []ranks.Straggler{{Rank: 1, Fails: &at}}
	e := engine.New()
	c := ranks.MakeBuilder().WithEngine(e).WithProgram(p).WithSpec(s).Build("Ranks")
	w := engine.NewWire("Wire", e)
	for i := range 2 {
		w.Attach(c.PortSpecs()[0].Ports[i].(*engine.Port), clock.GHz, engine.EndOptions{Latency: 100, Buffer: 8})
	}
	require.NoError(t, c.Start())
	require.NoError(t, e.Run())
	waits := c.Waiting()
	require.Len(t, waits, 2)
	require.Equal(t, "Ranks rank 1", waits[0].For)
	require.Contains(t, waits[0].Why, "lacks it")
	require.Equal(t, "it has failed: it begins nothing from cycle 500 on", waits[1].Why)
}

// So is who waits for its part of a collective that it has begun.
func TestRankFailsInACollective(t *testing.T) {
	p, err := motif.Make("all_reduce", 3, motif.Single{Steps: motif.Steps{Steps: 1}, Bytes: 6000})
	require.NoError(t, err)
	s := ranks.DefaultSpec()
	at := units.InCycles(50)
	s.Stragglers = []ranks.Straggler{{Rank: 2, Fails: &at}}
	e := engine.New()
	c := ranks.MakeBuilder().WithEngine(e).WithProgram(p).WithSpec(s).Build("Ranks")
	w := engine.NewWire("Wire", e)
	for i := range 3 {
		w.Attach(c.PortSpecs()[0].Ports[i].(*engine.Port), clock.GHz, engine.EndOptions{Latency: 100, Buffer: 8})
	}
	require.NoError(t, c.Start())
	require.NoError(t, e.Run())
	for _, x := range c.Waiting()[:2] {
		require.Equal(t, "Ranks rank 2", x.For)
		require.Contains(t, x.Why, "all_reduce of 6000B")
		require.Contains(t, x.Why, "lacks its part")
	}
}

func TestWrongStragglers(t *testing.T) {
	p, err := motif.Make("all_reduce", 2, motif.Single{Steps: motif.Steps{Steps: 1}, Bytes: 64})
	require.NoError(t, err)
	zero := 0.
	for want, list := range map[string][]ranks.Straggler{
		"rank is 2 (want 0 to 1)":                {{Rank: 2, Scale: &zero}},
		"rank 1 is as the others":                {{Rank: 1}},
		"scale is 0 (want more than 0":           {{Rank: 1, Scale: &zero}},
		"stragglers[1]: rank 1 is there already": {{Rank: 1, Late: units.InCycles(5)}, {Rank: 1, Late: units.InCycles(6)}},
	} {
		s := ranks.DefaultSpec()
		s.Stragglers = list
		_, err := ranks.New("Ranks", engine.New(), s, p)
		require.ErrorContains(t, err, want)
	}
}
