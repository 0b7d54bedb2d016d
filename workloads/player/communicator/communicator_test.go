package communicator_test

import (
	"fmt"
	"testing"

	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/mapping"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/player/communicator"
)

// A clerk issues transfers at given cycles and notes when each was done.
type clerk struct {
	*sim.ComponentBase
	port   *engine.Port
	ticker *engine.Ticker
	issue  map[uint64][]work.Issue
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
		m.Src, m.SendTime = c.port, e.Time()
		c.port.Send(&m)
	}
	return nil
}

// A transfer of a node, issued at a cycle.
type transfer struct {
	node int
	at   uint64
	kind graph.Transfer
}

// play issues transfers and returns the cycles that each took, 0 for those that have not ended, and
// the nodes.
func play(t *testing.T, nodes int, s communicator.Spec, all ...transfer) ([]uint64, []*communicator.Comp) {
	e := engine.New()
	c := &clerk{ComponentBase: sim.NewComponentBase("Clerk"), issue: map[uint64][]work.Issue{}, done: map[int32]*work.Done{}}
	c.ticker = engine.NewTicker(e, clock.GHz, c)
	c.port = engine.NewPort(c, "Clerk.Out", 64)
	control := engine.NewWire("Control", e)
	control.Attach(c.port, clock.GHz, engine.EndOptions{Latency: 1, Buffer: 64})
	var comps []*communicator.Comp
	var meet []work.Communicator
	for i := range nodes {
		x := communicator.MakeBuilder().WithEngine(e).WithSpec(s).Build(fmt.Sprintf("Links[%d]", i))
		control.Attach(x.Ops().(*engine.Port), clock.GHz, engine.EndOptions{Latency: 1, Buffer: 64})
		x.Note()
		comps, meet = append(comps, x), append(meet, x)
	}
	require.ErrorContains(t, comps[0].Start(), "has nothing to transfer")
	require.NoError(t, comps[0].Meet(meet))
	for i, x := range all {
		g := &graph.Graph{Name: "g"}
		in, out := g.Add(graph.Tensor{Name: "x", Shape: []int{8}}), g.Add(graph.Tensor{Name: "y", Shape: []int{8}})
		g.Append(graph.Op{Name: x.kind.Func, In: []graph.TensorID{in}, Out: []graph.TensorID{out}, Kind: x.kind})
		require.NoError(t, comps[x.node].Prepare(work.Share{ID: int32(i), Graph: g, Requests: 1, Program: mapping.Program{Jobs: []mapping.Job{{Op: 0}}}}))
		m := work.Issue{Share: int32(i), Request: int32(i)}
		m.Dst = comps[x.node].Ops()
		c.issue[x.at] = append(c.issue[x.at], m)
		c.ticker.WakeAt(x.at)
	}
	require.NoError(t, e.Run())
	took := make([]uint64, len(all))
	for r, d := range c.done {
		took[r] = d.End - d.Begin
	}
	return took, comps
}

func spec() communicator.Spec {
	s := communicator.DefaultSpec()
	s.Interface = 8 * units.Bandwidth(50e9)
	return s
}

var (
	near  = graph.Ranks{Count: 8, Stride: 1}  // one domain
	far   = graph.Ranks{Count: 8, Stride: 8}  // a chip of each of eight domains
	other = graph.Ranks{Count: 4, Stride: 16} // likewise, another group
)

func gather(among graph.Ranks) graph.Transfer {
	return graph.Transfer{Func: "all_gather", Bytes: 64 << 20, Among: among}
}

// Collectives of one group follow each other, those of two share what both move over, and links
// and interfaces are not shared with each other.
func TestCollectivesShareWhatTheyMoveOver(t *testing.T) {
	alone := func(k graph.Transfer) uint64 {
		took, nodes := play(t, 1, spec(), transfer{0, 0, k})
		require.Empty(t, nodes[0].Stats().Verify())
		require.Empty(t, nodes[0].Waiting())
		return took[0]
	}
	in, out := alone(gather(near)), alone(gather(far))
	// Seven of eight parts of 512 MiB, over 450 GB/s and over 50 GB/s.
	require.Greater(t, float64(in), 7*float64(64<<20)/450)
	require.Less(t, float64(in), 1.5*7*float64(64<<20)/450)
	// Seven times 14 us of a ring's steps between domains, the launch besides.
	require.InEpsilon(t, 7*float64(64<<20)/(50*0.92)+7*14000, float64(out), 0.002)

	same, _ := play(t, 1, spec(), transfer{0, 0, gather(far)}, transfer{0, 0, gather(far)})
	require.InDelta(t, float64(out), float64(same[0]), 2, "the first is not slowed")
	require.InDelta(t, float64(2*out), float64(same[1]), 4)

	apart, _ := play(t, 1, spec(), transfer{0, 0, gather(far)}, transfer{0, 0, gather(near)})
	require.InDelta(t, float64(out), float64(apart[0]), 2)
	require.InDelta(t, float64(in), float64(apart[1]), 2)

	both, _ := play(t, 1, spec(), transfer{0, 0, gather(far)}, transfer{0, 0, gather(other)})
	less := alone(gather(other))
	require.InEpsilon(t, float64(2*less), float64(both[1]), 0.02, "half of the interface until it ends")
	require.InEpsilon(t, float64(out+less), float64(both[0]), 0.02, "then all of it")
}

// What a launch leaves of a part of a cycle holds no bytes up: a transfer takes as long whatever else
// goes on over other links, and so whenever its node looks.
func TestPartsOfCyclesHoldNothingUp(t *testing.T) {
	for bytes := int64(1 << 20); bytes < 1<<30; bytes = bytes*3 + 4097 {
		k := graph.Transfer{Func: "reduce_scatter", Bytes: bytes, Among: far}
		alone, _ := play(t, 1, spec(), transfer{0, 0, k})
		for at := alone[0] / 4; at < alone[0]; at += alone[0] / 4 {
			beside, _ := play(t, 1, spec(), transfer{0, 0, k}, transfer{0, at, graph.Transfer{Func: "all_gather", Bytes: 4096, Among: near}})
			require.InDelta(t, float64(alone[0]), float64(beside[0]), 2, "%d bytes, another transfer from cycle %d", bytes, at)
		}
	}
}

// A message ends at both sides when its bytes have moved and both have been issued; a message
// without its other side is what the run waits for.
func TestMessagesHaveTwoSides(t *testing.T) {
	pair := graph.Ranks{Count: 2, Stride: 8}
	send := graph.Transfer{Func: "send", Bytes: 1 << 20, Peer: 1, Tag: 3, Among: pair}
	receive := graph.Transfer{Func: "recv", Bytes: 1 << 20, Peer: 0, Tag: 3, Among: pair}
	early, _ := play(t, 2, spec(), transfer{0, 0, send}, transfer{1, 0, receive})
	require.Equal(t, early[0], early[1])
	late, _ := play(t, 2, spec(), transfer{0, 0, send}, transfer{1, 1 << 20, receive})
	require.InDelta(t, 1<<20, float64(late[0]), 2)
	require.LessOrEqual(t, late[1], uint64(2))

	none, nodes := play(t, 2, spec(), transfer{0, 0, send})
	require.Zero(t, none[0])
	require.Len(t, nodes[0].Waiting(), 1)
	require.Contains(t, nodes[0].Waiting()[0].Why, "has no receive")
	require.NotEmpty(t, nodes[0].Stats().Verify())
	_, nodes = play(t, 2, spec(), transfer{1, 0, receive})
	require.Len(t, nodes[1].Waiting(), 1)
	require.Contains(t, nodes[1].Waiting()[0].Why, "has not come")
}

// What has no price is refused before the run.
func TestTransfersWithoutPriceAreRefused(t *testing.T) {
	x := communicator.MakeBuilder().WithEngine(engine.New()).WithSpec(spec()).Build("Links")
	for want, k := range map[string]graph.Transfer{
		"which has no price (want one of: [send recv": {Func: "broadcast", Bytes: 8, Among: near},
		"is among all ranks (want a group)":           {Func: "all_reduce", Bytes: 8},
	} {
		g := &graph.Graph{Name: "g"}
		in := g.Add(graph.Tensor{Name: "x", Shape: []int{8}})
		g.Append(graph.Op{Name: "x", In: []graph.TensorID{in}, Kind: k})
		require.ErrorContains(t, x.Prepare(work.Share{Graph: g, Program: mapping.Program{Jobs: []mapping.Job{{Op: 0}}}}), want)
	}
	require.ErrorContains(t, x.Prepare(work.Share{Ahead: true}), "not whole workloads")
}

// The causes of a communicator divide its time: of several things at once the first counts.
func TestCausesDivideTheTime(t *testing.T) {
	took, nodes := play(t, 1, spec(), transfer{0, 0, gather(far)}, transfer{0, 0, gather(near)})
	tree := nodes[0].Causes()
	require.InDelta(t, float64(took[0]), tree.Used(), 2, "the longer transfer is under way all the time")
	require.InDelta(t, 7*float64(64<<20)/(50*0.92), tree.Part("interface").Time, 0.01*tree.Used())
	require.Nil(t, tree.Part("links"), "links move only while the interface does")
	_, nodes = play(t, 1, spec(), transfer{0, 0, gather(near)})
	require.NotNil(t, nodes[0].Causes().Part("links"))
	require.Nil(t, nodes[0].Causes().Part("interface"))

	send := graph.Transfer{Func: "send", Bytes: 1 << 20, Peer: 1, Tag: 3, Among: graph.Ranks{Count: 2, Stride: 8}}
	receive := send
	receive.Func, receive.Peer = "recv", 0
	_, nodes = play(t, 2, spec(), transfer{0, 0, send}, transfer{1, 1 << 20, receive})
	require.Greater(t, nodes[0].Causes().Part("other_side").Time, 0.9*(1<<20))
}

// A transfer has an SM for each of its blocks while it is under way; two groups have twice as many,
// and collectives of one group follow each other.
func TestKernelsOfTransfersTakeSMs(t *testing.T) {
	const second = units.Second
	seconds := func(cycles uint64) float64 { return float64(cycles) * 1e-9 }
	took, nodes := play(t, 1, spec(), transfer{0, 5000, gather(far)})
	require.InEpsilon(t, 16*seconds(took[0]), nodes[0].Taken(0, second).SMs, 1e-3)
	require.InEpsilon(t, seconds(took[0]), nodes[0].Taken(0, second).Time, 1e-3)
	require.Zero(t, nodes[0].Taken(second, 2*second).SMs, "nothing is under way")

	took, nodes = play(t, 1, spec(), transfer{0, 0, gather(far)})
	half := units.Time(took[0] / 2 * uint64(units.Nanosecond))
	require.InEpsilon(t, 8*seconds(took[0]), nodes[0].Taken(0, half).SMs, 1e-3)
	require.InEpsilon(t, 8*seconds(took[0]), nodes[0].Taken(half, second).SMs, 1e-3)

	took, nodes = play(t, 1, spec(), transfer{0, 0, gather(far)}, transfer{0, 0, gather(near)})
	require.InEpsilon(t, 16*(seconds(took[0])+seconds(took[1])), nodes[0].Taken(0, second).SMs, 1e-3)
	took, nodes = play(t, 1, spec(), transfer{0, 0, gather(far)}, transfer{0, 0, gather(far)})
	require.InEpsilon(t, 16*seconds(took[1]), nodes[0].Taken(0, second).SMs, 1e-3)

	two := gather(far)
	moved := 3 * float64(two.Bytes) * float64(two.Among.Count-1) // of a whole of as many parts as ranks
	took, nodes = play(t, 1, spec(), transfer{0, 0, two}, transfer{0, 0, two})
	require.InEpsilon(t, 2*moved, nodes[0].Taken(0, second).Bytes, 1e-3)
	_, nodes = play(t, 1, spec(), transfer{0, 0, two}, transfer{0, 0, two})
	require.InEpsilon(t, moved, nodes[0].Taken(0, units.Time(took[1]/2*uint64(units.Nanosecond))).Bytes, 1e-2)

	s := spec()
	s.Blocks = 0
	_, nodes = play(t, 1, s, transfer{0, 0, gather(far)})
	require.Zero(t, nodes[0].Taken(0, second).SMs)
}
