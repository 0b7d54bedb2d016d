package roofline_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/mapping"
	"github.com/causeway-sim/causeway/accelerators/roofline"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/comm"
	"github.com/causeway-sim/causeway/workloads/comm/motif"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/player/ranks"
	"github.com/causeway-sim/causeway/workloads/player/seat"
)

// nodes plays a program on nodes that one wire of 5 cycles joins.
func nodes(t testing.TB, p *comm.Program, s roofline.Spec) (*ranks.Comp, []*roofline.Comp) {
	e := engine.New()
	wire := engine.NewWire("Link", e)
	var seats []seat.Seat
	var all []*roofline.Comp
	for i := range p.Ranks {
		n := roofline.New(fmt.Sprintf("Rank[%d]", i), e, s)
		require.NoError(t, n.SetPeers("nic", []system.Peer{{Node: n}}))
		port, nic := n.Interface()
		wire.Attach(port, n.Clock(), engine.EndOptions{Latency: 5, Buffer: nic.Queue})
		seats, all = append(seats, n), append(all, n)
		require.NoError(t, n.Start())
	}
	c, err := ranks.Seated("Program", e, p, ranks.Seating{Seats: seats})
	require.NoError(t, err)
	require.Empty(t, c.PortSpecs())
	require.NoError(t, c.Start())
	require.NoError(t, e.Run())
	require.Empty(t, c.Stats().Verify())
	for _, n := range all {
		require.Empty(t, n.Stats().Verify())
	}
	return c, all
}

func metric(t testing.TB, g *stats.Group, name string) float64 {
	for _, m := range g.Metrics() {
		if m.Name == name {
			return m.Value
		}
	}
	require.Fail(t, "no metric "+name)
	return 0
}

// Nodes with an interface do exactly what the ranks of one player do that has the
// same interface and memory.
func TestNodesAreRanks(t *testing.T) {
	for _, c := range []struct {
		pattern string
		spec    any
	}{
		{"all_reduce", nil},
		{"all_to_all", nil},
		{"halo3d", motif.Halo{Steps: motif.Steps{Steps: 3, Compute: 2 * units.Microsecond}, Dims: []int{2, 3, 1}, Cells: []int{40, 16, 16}, Cell: 8}},
	} {
		p, err := motif.Make(c.pattern, 6, c.spec)
		require.NoError(t, err)
		nic := seat.DefaultNIC()
		nic.Bandwidth, nic.Overhead = 8*25e9, units.InTime(500*units.Nanosecond)
		s := roofline.DefaultSpec()
		s.Memory = 8 * 300e9
		got, all := nodes(t, p, s.WithNIC(nic))

		e := engine.New()
		twin := ranks.DefaultSpec()
		twin.NIC, twin.Memory = nic, s.Memory
		want := ranks.MakeBuilder().WithEngine(e).WithProgram(p).WithSpec(twin).Build("Ranks")
		wire := engine.NewWire("Link", e)
		for i := range p.Ranks {
			wire.Attach(want.GetPortByName(fmt.Sprintf("Nic[%d]", i)), clock.GHz, engine.EndOptions{Latency: 5, Buffer: nic.Queue})
		}
		require.NoError(t, want.Start())
		require.NoError(t, e.Run())
		for _, m := range want.Stats().Metrics() {
			require.Equal(t, m.Value, metric(t, got.Stats(), m.Name), "%s: %s", c.pattern, m.Name)
		}
		require.Greater(t, metric(t, got.Stats(), "message_bytes"), 1e5)
		last := 0.0
		for _, n := range all {
			last = max(last, metric(t, n.Stats(), "total_cycles"))
		}
		require.Equal(t, metric(t, want.Stats(), "total_cycles"), last)
	}
}

// Computations meet the roofs: by hand at 1 GHz, 1000 operations and 100 B a cycle.
func TestComputationsMeetTheRoofs(t *testing.T) {
	p := comm.NewProgram(1)
	r := &p.Ranks[0]
	a := r.Add(comm.Op{Kind: comm.Compute, Work: 5000, Bytes: 100})
	b := r.Add(comm.Op{Kind: comm.Compute, Work: 5000, Bytes: 900}, comm.After(a))
	c := r.Add(comm.Op{Kind: comm.Compute, Time: 4 * units.Nanosecond}, comm.After(b))
	d := r.Add(comm.Op{Kind: comm.Compute, Work: 1001, Time: units.Second}, comm.After(c))
	r.Add(comm.Op{Kind: comm.Compute, Unit: 1, Time: 50 * units.Nanosecond}, comm.After(d))
	require.NoError(t, r.Seal())
	s := roofline.DefaultSpec()
	s.Overhead = units.InCycles(3)
	_, all := nodes(t, p, s.WithNIC(seat.DefaultNIC()))
	n := all[0]
	var cycles []any
	for _, row := range n.Layers().All() {
		cycles = append(cycles, row[4])
	}
	require.Equal(t, []any{uint64(8), uint64(12), uint64(4), uint64(5)}, cycles)
	for name, want := range map[string]float64{
		"total_cycles": 8 + 12 + 4 + 5 + 50, "compute_cycles": 5 + 5 + 4 + 2, "stall_memory_cycles": 4,
		"stall_overhead_cycles": 9, "stall_network_cycles": 50, "vector_ops": 11001, "memory_bytes": 1000,
	} {
		require.Equal(t, want, metric(t, n.Stats(), name), name)
	}
}

// A node computes one thing at a time, whatever processors of the rank the program names: the
// next operator begins when the one before has ended. What the host computes goes on at the same time.
func TestComputationsTakeTurns(t *testing.T) {
	p := comm.NewProgram(1)
	r := &p.Ranks[0]
	a := r.Add(comm.Op{Kind: comm.Compute, Time: 5 * units.Microsecond})
	r.Add(comm.Op{Kind: comm.Compute, Unit: 2, Time: 3 * units.Microsecond})
	r.Add(comm.Op{Kind: comm.Compute, Unit: comm.Host, Time: 9 * units.Microsecond})
	r.Add(comm.Op{Kind: comm.Compute, Time: units.Microsecond}, comm.After(a))
	require.NoError(t, r.Seal())
	player, all := nodes(t, p, roofline.DefaultSpec().WithNIC(seat.DefaultNIC()))
	tb := all[0].Layers().Held()
	var rows [][2]any
	for _, row := range tb.Rows {
		rows = append(rows, [2]any{row[tb.Index("start")], row[tb.Index("cycles")]})
	}
	require.Equal(t, [][2]any{{uint64(0), uint64(5000)}, {uint64(5000), uint64(3000)}, {uint64(8000), uint64(1000)}}, rows)
	require.Equal(t, 9000.0, metric(t, all[0].Stats(), "total_cycles"))
	require.Equal(t, 9000.0, metric(t, player.Stats(), "total_cycles"))
}

// An operator that comes by call takes what it takes otherwise, after those before it, and
// its end is known at once.
func TestIssueByCall(t *testing.T) {
	n := roofline.New("Rank", engine.New(), roofline.DefaultSpec())
	b := graph.NewBuilder("net")
	b.Output(b.Linear("fc", b.Input("x", 4, 64), 64))
	g, err := b.Graph()
	require.NoError(t, err)
	require.NoError(t, n.Prepare(work.Share{ID: 4, Graph: g, Program: mapping.Whole(g)}))
	cycles := uint64(n.Plan(4, 0).Time / units.Nanosecond)
	require.Positive(t, cycles)
	job := &work.Issue{Share: 4, Request: 9}
	require.Equal(t, work.Done{Share: 4, Request: 9, Begin: 100, End: 100 + cycles}, n.Issue(job, 100))
	require.Equal(t, work.Done{Share: 4, Request: 9, Begin: 100 + cycles, End: 100 + 2*cycles}, n.Issue(job, 101))
	wait := work.Recorded{Name: "wait", Time: 7 * units.Nanosecond}
	d := n.Issue(&work.Issue{Recorded: &wait}, 102)
	require.Equal(t, [2]uint64{100 + 2*cycles, 107 + 2*cycles}, [2]uint64{d.Begin, d.End})
	wait.Beside = true
	d = n.Issue(&work.Issue{Recorded: &wait}, 103)
	require.Equal(t, [2]uint64{103, 110}, [2]uint64{d.Begin, d.End})
	require.Len(t, n.Rows(), 3)
	require.Zero(t, *n.Idle(), "who calls says what the node waited for")
}

func TestSeatsAreRefused(t *testing.T) {
	e := engine.New()
	p, err := motif.Make("barrier", 2, nil)
	require.NoError(t, err)
	s := roofline.DefaultSpec().WithNIC(seat.DefaultNIC())
	node := func(s roofline.Spec) *roofline.Comp {
		n := roofline.New("Rank", e, s)
		require.NoError(t, n.SetPeers("nic", []system.Peer{{Node: n}}))
		return n
	}
	slow := s
	slow.Clock.Clock = clock.Hz(5e8)
	part := s
	part.Efficiency = map[string]float64{"gemm": 0.5}
	unlinked := roofline.New("Rank", e, s)
	for want, seats := range map[string][]seat.Seat{
		"there are 2 ranks and 1 nodes with a nic":          {node(s)},
		"different clocks":                                  {node(s), node(slow)},
		"efficiency has no effect":                          {node(s), node(part)},
		"there are 2 ranks and 1 ports linked to terminals": {node(s), unlinked},
	} {
		_, err := ranks.Seated("Program", e, p, ranks.Seating{Seats: seats})
		require.ErrorContains(t, err, want)
	}
	require.ErrorContains(t, node(s).Unused(), "nic has no effect")
	specs := roofline.New("Rank", e, roofline.DefaultSpec()).PortSpecs()
	require.Len(t, specs, 1)
	require.Equal(t, "ops", specs[0].Name, "without a nic operators may be issued to it")
}
