package systolic

import (
	"testing"

	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/mapping"
	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/zoo"
)

// A clerk issues all jobs of a program in turn, a few times, and notes what is reported.
type clerk struct {
	*sim.ComponentBase
	port   *engine.Port
	ticker *engine.Ticker
	to     sim.Port
	jobs   int32
	times  int32
	next   int32
	done   []work.Done
}

func (c *clerk) NotifyRecv(now sim.VTimeInSec, _ sim.Port)     { c.ticker.WakeAfter(now) }
func (c *clerk) NotifyPortFree(now sim.VTimeInSec, _ sim.Port) { c.ticker.WakeAfter(now) }
func (c *clerk) Handle(e sim.Event) error {
	for m := c.port.Retrieve(e.Time()); m != nil; m = c.port.Retrieve(e.Time()) {
		c.done = append(c.done, *m.(*work.Done))
	}
	for ; c.next < c.jobs*c.times; c.next++ {
		m := &work.Issue{Share: 5, Job: c.next % c.jobs, Request: c.next / c.jobs, Nth: c.next / c.jobs}
		m.Src, m.Dst, m.SendTime = c.port, c.to, e.Time()
		if c.port.Send(m) != nil {
			break
		}
	}
	return nil
}

// Jobs that are issued one by one are carried out as a program is that was issued ahead: the same requests with the same hints, each time anew, and each job is
// reported once, in order, without a gap.
func TestIssuedIsIssuedAhead(t *testing.T) {
	g, err := zoo.Build("deit_t", zoo.Params{Image: 32})
	require.NoError(t, err)
	type request struct {
		addr, size uint64
		write      bool
		reuse      uint32
	}
	const times = 2
	for _, fidelity := range []string{"tile", "analytic"} {
		run := func(issue bool) (seen []request, k *core, c *clerk) {
			b := defaultBench()
			b.spec.OnChip = "none"
			e, w := b.build(t, fidelity)
			k = w.inside()
			k.mem.AcceptHook(spy{func(addr, size uint64, write bool, h memory.Hint) {
				seen = append(seen, request{addr, size, write, h.Reuse})
			}})
			p, err := mapping.Split(g, []machine.Core{k.spec.Core(graph.Uniform(graph.Int8))}, mapping.DefaultSpec())
			require.NoError(t, err)
			s := work.Share{ID: 5, Graph: g, Program: p[0], Base: func(id graph.TensorID) uint64 { return uint64(id+3) << 28 }}
			c = &clerk{ComponentBase: sim.NewComponentBase("Clerk"), to: w.Ops(), jobs: int32(len(p[0].Jobs)), times: times}
			c.ticker = engine.NewTicker(e, clock.GHz, c)
			c.port = engine.NewPort(c, "Clerk.Out", 8)
			if issue {
				wire := engine.NewWire("Control", e)
				wire.Attach(c.port, clock.GHz, engine.EndOptions{Buffer: 8})
				wire.Attach(w.Ops(), clock.GHz, engine.EndOptions{Buffer: 8})
				require.NoError(t, w.Prepare(s))
				c.ticker.WakeAt(0)
			} else {
				require.NoError(t, work.IssueAll(w, s))
			}
			require.NoError(t, w.Start())
			require.NoError(t, e.Run())
			require.Empty(t, w.Stats().Verify())
			return seen, k, c
		}
		ahead, one, _ := run(false)
		issued, k, c := run(true)
		require.Len(t, issued, times*len(ahead))
		for n := range times {
			require.Equal(t, ahead, issued[n*len(ahead):(n+1)*len(ahead)], "%s, time %d", fidelity, n)
		}
		require.Len(t, c.done, int(c.jobs)*times)
		end := c.done[0].Begin
		for i, d := range c.done {
			require.Equal(t, []int32{int32(i) % c.jobs, int32(i) / c.jobs}, []int32{d.Job, d.Request})
			require.Equal(t, end, d.Begin, "no gap")
			end = d.End
		}
		require.Equal(t, k.free, end)
		require.Equal(t, one.free, c.done[c.jobs-1].End-c.done[0].Begin)
	}
}
