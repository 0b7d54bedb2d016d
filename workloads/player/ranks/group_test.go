package ranks

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/noc/collective"
	"github.com/causeway-sim/causeway/workloads/comm"
	"github.com/causeway-sim/causeway/workloads/player/seat"
)

// two is an all_reduce of four ranks, and one of four others at the same time.
func two(t *testing.T) *comm.Program {
	p := comm.NewProgram(8)
	for _, members := range [][]int32{{0, 2, 4, 6}, {7, 5, 3, 1}} {
		g := p.Group(members)
		for _, r := range members {
			p.Ranks[r].Add(comm.Op{Kind: comm.Collective, Coll: comm.AllReduce, Group: g, Bytes: 96 << 10})
		}
	}
	for i := range p.Ranks {
		require.NoError(t, p.Ranks[i].Seal())
	}
	return p
}

// A rank that is late, or that fails, holds up the collective of its own communicator, and
// no other, whatever the algorithm, the steps and the interfaces.
func TestStragglerOfACommunicator(t *testing.T) {
	strict := collective.Pipeline{Chunks: 3, Steps: collective.StepsStrict}
	for _, a := range []seat.Algorithm{
		{Name: "ring", Spec: collective.RingSpec{Pipeline: strict}},
		{Name: "double_binary_tree", Spec: collective.Spec{Pipeline: strict}},
		{Name: "multitree", Spec: collective.MultiTreeSpec{Pipeline: strict, Search: collective.SearchLast}},
		{Name: "hierarchical", Spec: collective.HierarchicalSpec{Pipeline: collective.Pipeline{Chunks: 2}, Group: 2}},
	} {
		with := func(s ...Straggler) Spec {
			return spec(func(x *Spec) {
				x.Collectives.AllReduce, x.Stragglers = a, s
				x.NIC.Interfaces, x.NIC.Window, x.NIC.Buffer, x.NIC.Bandwidth = 2, 8<<10, 4<<10, 64*8e9
			})
		}
		c, err := play(t, two(t), with(), 50)
		require.NoError(t, err, a.Name)
		alone := finishes(c)
		c, err = play(t, two(t), with(Straggler{Rank: 5, Late: units.InCycles(7000)}), 50)
		require.NoError(t, err, a.Name)
		for r, at := range finishes(c) {
			if r%2 == 0 {
				require.Equal(t, alone[r], at, "%s: rank %d", a.Name, r)
			} else {
				require.Greater(t, at, max(7000, alone[r]), "%s: rank %d", a.Name, r)
			}
		}
		at := units.InCycles(1000)
		c, err = play(t, two(t), with(Straggler{Rank: 5, Fails: &at}), 50)
		require.ErrorContains(t, err, "rank 7 waits for Ranks rank 5", a.Name)
		require.NotContains(t, err.Error(), "rank 0 waits", a.Name)
		require.Equal(t, alone[0], c.ranks[0].finish, a.Name)
	}
}

// Interfaces of collectives are refused where no collective has messages of ranks.
func TestInterfacesWithoutMessages(t *testing.T) {
	s := spec(func(s *Spec) { s.NIC.Interfaces = 2 })
	_, err := New("Ranks", nil, s, parse(t, "num_ranks 2\nrank 0 {\nsend 8b to 1\n}\nrank 1 {\nrecv 8b from 0\n}"))
	require.ErrorContains(t, err, "nic.interfaces has no effect: no collective of the program sends messages")
	s.Collectives.AllReduce = seat.Algorithm{Name: "in_network"}
	_, err = New("Ranks", nil, s, two(t))
	require.ErrorContains(t, err, "nic.interfaces has no effect")
	s.NIC.Interfaces = 0
	_, err = New("Ranks", nil, s, two(t))
	require.NoError(t, err)
}
