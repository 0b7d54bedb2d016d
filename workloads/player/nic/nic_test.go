package nic_test

import (
	"fmt"
	"testing"

	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/mapping"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/comm"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/player/nic"
	"github.com/causeway-sim/causeway/workloads/player/ranks"
	"github.com/causeway-sim/causeway/workloads/player/seat"
)

// A clerk issues transfers at given cycles and notes when each was done.
type clerk struct {
	*sim.ComponentBase
	port   *engine.Port
	ticker *engine.Ticker
	issue  map[uint64][]work.Issue
	to     map[int32]sim.Port // by request
	done   map[int32]*work.Done
}

func (c *clerk) NotifyRecv(now sim.VTimeInSec, _ sim.Port) { c.ticker.WakeAfter(now) }
func (c *clerk) NotifyPortFree(sim.VTimeInSec, sim.Port)   {}
func (c *clerk) Handle(e sim.Event) error {
	for m := c.port.Retrieve(e.Time()); m != nil; m = c.port.Retrieve(e.Time()) {
		d := m.(*work.Done)
		c.done[d.Request] = d
	}
	for _, m := range c.issue[c.ticker.Cycle(e.Time())] {
		m.Src, m.Dst, m.SendTime = c.port, c.to[m.Request], e.Time()
		c.port.Send(&m)
	}
	return nil
}

const bytes = 48 << 10

// reduce plays two all-reduces of n ranks, each asked for at another cycle of each rank.
func reduce(t *testing.T, e sim.Engine, n int) (done map[int32]*work.Done, last float64) {
	g := &graph.Graph{Name: "g"}
	x := g.Add(graph.Tensor{Name: "x", Shape: []int{bytes}})
	y := g.Add(graph.Tensor{Name: "y", Shape: []int{bytes}})
	g.Append(graph.Op{Name: "sum", In: []graph.TensorID{x}, Out: []graph.TensorID{y}, Kind: graph.Transfer{Func: "all_reduce", Bytes: bytes}})
	require.NoError(t, g.Validate())
	p := comm.NewProgram(n)
	spec := nic.DefaultSpec()
	spec.Bandwidth, spec.Overhead, spec.Memory = 8*10e9, units.InCycles(100), 8*50e9
	c := &clerk{ComponentBase: sim.NewComponentBase("Clerk"), issue: map[uint64][]work.Issue{}, to: map[int32]sim.Port{}, done: map[int32]*work.Done{}}
	c.ticker = engine.NewTicker(e, clock.GHz, c)
	c.port = engine.NewPort(c, "Clerk.Out", 64)
	control, net := engine.NewWire("Control", e), engine.NewWire("Link", e)
	control.Attach(c.port, clock.GHz, engine.EndOptions{Latency: 1, Buffer: 64})
	var seats []seat.Seat
	for i := range n {
		a := nic.MakeBuilder().WithEngine(e).WithSpec(spec).Build(fmt.Sprintf("Nic[%d]", i))
		require.NoError(t, a.Prepare(work.Share{ID: 3, Graph: g, Requests: 2, Program: mapping.Program{Jobs: []mapping.Job{{Op: 0}}}}))
		require.Equal(t, uint64(bytes), a.Plan(3, 0).Bytes)
		require.ErrorContains(t, work.IssueAll(a, work.Share{}), "not whole workloads")
		control.Attach(a.Ops().(*engine.Port), clock.GHz, engine.EndOptions{Latency: 1, Buffer: 64})
		require.NoError(t, a.SetPeers("net", []system.Peer{{Node: a}}))
		port, _ := a.Interface()
		net.Attach(port, clock.GHz, engine.EndOptions{Latency: 5, Buffer: 4})
		seats = append(seats, a)
		for nth := range int32(2) {
			p.Ranks[i].Add(comm.Op{Kind: comm.Collective, Coll: comm.AllReduce, Bytes: bytes})
			request := int32(i)*2 + nth
			at := 1000*uint64(nth) + 70*uint64(i)
			c.to[request] = a.Ops()
			c.issue[at] = append(c.issue[at], work.Issue{Share: 3, Request: request, Nth: nth})
			c.ticker.WakeAt(at)
		}
		require.NoError(t, p.Ranks[i].Seal())
	}
	player, err := ranks.Seated("Program", e, p, ranks.Seating{Seats: seats})
	require.NoError(t, err)
	require.NoError(t, player.Start())
	require.NoError(t, e.Run())
	require.Empty(t, player.Stats().Verify())
	for _, s := range seats {
		require.Empty(t, s.Stats().Verify())
		require.Len(t, s.(*nic.Comp).Layers().Held().Rows, 2)
		for _, m := range s.Stats().Metrics() {
			if m.Name == "total_cycles" {
				last = max(last, m.Value)
			}
		}
	}
	return c.done, last
}

// A collective begins at each rank when that rank is asked, ends at all after the last
// has been, and takes at least what its bytes take; with every order of ties the same.
func TestCollectivesAreOperators(t *testing.T) {
	for _, n := range []int{2, 5} {
		first, last := reduce(t, engine.New(), n)
		require.Len(t, first, 2*n)
		latest := uint64(0)
		for r, d := range first {
			require.Equal(t, uint64(1000*(r%2)+70*(r/2)+1), d.Begin, "a message takes a cycle")
			latest = max(latest, d.End)
			begun := uint64(1000*(r%2) + 70*(int32(n)-1))
			// A ring passes 2(n-1)/n of the bytes over each interface, 10 B a cycle.
			require.Greater(t, d.End, begun+uint64(2*(n-1))*bytes/uint64(n)/10)
		}
		require.Equal(t, last, float64(latest))
		for seed := range uint64(3) {
			again, _ := reduce(t, engine.New(engine.Shuffle(seed+1)), n)
			for r, d := range first {
				require.Equal(t, [2]uint64{d.Begin, d.End}, [2]uint64{again[r].Begin, again[r].End})
			}
		}
	}
}

// An interface is no executor of computations.
func TestComputationsAreRefused(t *testing.T) {
	e := engine.New()
	p := comm.NewProgram(1)
	p.Ranks[0].Add(comm.Op{Kind: comm.Compute, Time: units.Microsecond})
	require.NoError(t, p.Ranks[0].Seal())
	a := nic.MakeBuilder().WithEngine(e).WithSpec(nic.DefaultSpec()).Build("Nic")
	require.NoError(t, a.SetPeers("net", []system.Peer{{Node: a}}))
	_, err := ranks.Seated("Program", e, p, ranks.Seating{Seats: []seat.Seat{a}})
	require.ErrorContains(t, err, "Nic carries out no computations")
}
