package ranks

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/noc/collective"
	"github.com/causeway-sim/causeway/workloads/comm"
	"github.com/causeway-sim/causeway/workloads/comm/motif"
)

// A collective of a trace takes as long as its schedule written out as messages,
// on every rank, for every algorithm that does an all_reduce on any number.
func TestCollectivesEqualTheirSchedules(t *testing.T) {
	for _, name := range []string{"ring", "ring_bi", "halving_doubling", "double_binary_tree", "direct", "multitree"} {
		for _, n := range []int{2, 4, 7, 8} {
			s, err := collective.New(name, collective.Request{Operation: collective.AllReduce, Ranks: n, Bytes: 64 << 10}, nil)
			if err != nil {
				continue
			}
			for _, change := range []func(s *Spec){
				func(s *Spec) {},
				func(s *Spec) { s.NIC.Overhead = units.InCycles(30) },
				func(s *Spec) { s.NIC.Overhead, s.NIC.Bandwidth, s.Memory = units.InCycles(30), 8*10e9, 8*50e9 },
			} {
				x := spec(change)
				x.NIC.Eager = 1 << 40
				x.Collectives.AllReduce = Algorithm{Name: name}
				p, err := motif.Make("all_reduce", n, motif.Single{Steps: motif.Steps{Steps: 1}, Bytes: 64 << 10})
				require.NoError(t, err)
				direct, err := play(t, p, x, 100)
				require.NoError(t, err)
				written, err := play(t, comm.FromSchedule(s), x, 100)
				require.NoError(t, err)
				require.Equal(t, finishes(direct), finishes(written), "%s of %d", name, n)
				messages, size := s.Messages()
				require.EqualValues(t, messages, direct.count.messages)
				require.EqualValues(t, size, direct.count.bytes)
			}
		}
	}
}

// A ring all-reduce of n ranks is 2(n-1) steps of a block each: overheads at
// both interfaces, the block through both at once, the wire, and in the first half the sum.
func TestRingIsItsFormula(t *testing.T) {
	for _, n := range []int{2, 3, 4, 8} {
		const bytes = 24 << 10
		x := spec(func(s *Spec) {
			s.NIC.Overhead, s.NIC.Bandwidth, s.Memory = units.InCycles(10), 8*8e9, 8*24e9
		})
		p, err := motif.Make("all_reduce", n, motif.Single{Steps: motif.Steps{Steps: 1}, Bytes: bytes})
		require.NoError(t, err)
		c, err := play(t, p, x, 100)
		require.NoError(t, err)
		require.Equal(t, ringTime(n, bytes), c.count.last)

		p, err = comm.Resize(p, comm.Resizing{Ranks: 2 * n}) // and of as many again
		require.NoError(t, err)
		c, err = play(t, p, x, 100)
		require.NoError(t, err)
		require.Equal(t, ringTime(2*n, bytes), c.count.last)
		require.EqualValues(t, 2*(2*n-1)*bytes, c.count.bytes)
	}
}

// ringTime is the formula, in ns: overheads of 10, wires of 100, 8 and 24 B/ns.
func ringTime(n int, bytes uint64) uint64 {
	block := bytes / uint64(n)
	step := 2*10 + block/8 + 100
	return uint64(2*(n-1))*step + uint64(n-1)*3*block/24
}

// Several collectives at a time, on several communicators and in different orders
// of arrival, keep apart.
func TestCollectivesOverlap(t *testing.T) {
	p := comm.NewProgram(6)
	even, odd := p.Group([]int32{0, 2, 4}), p.Group([]int32{5, 3, 1})
	for i := range p.Ranks {
		r := &p.Ranks[i]
		g := even
		if i%2 == 1 {
			g = odd
		}
		r.Add(comm.Op{Kind: comm.Compute, Time: units.Time(100*i) * units.Nanosecond})
		r.Add(comm.Op{Kind: comm.Collective, Coll: comm.AllReduce, Group: g, Bytes: 96}, comm.After(0))
		r.Add(comm.Op{Kind: comm.Collective, Coll: comm.AllToAll, Bytes: 96}) // all at once with the other
		r.Add(comm.Op{Kind: comm.Collective, Coll: comm.Broadcast, Group: g, Peer: p.Groups[g][1], Bytes: 96}, comm.After(1))
		r.Add(comm.Op{Kind: comm.Collective, Coll: comm.Gather, Peer: 3, Bytes: 96}, comm.After(3))
		r.Add(comm.Op{Kind: comm.Collective, Coll: comm.Barrier}, comm.After(4))
		require.NoError(t, r.Seal())
	}
	require.NoError(t, p.Check())
	c, err := play(t, p, DefaultSpec(), 7)
	require.NoError(t, err)
	require.EqualValues(t, 2+1+2+1+1, c.count.collectives)
	for i := range c.ranks { // no rank leaves the barrier before the last has come to it
		require.GreaterOrEqual(t, c.ranks[i].finish, uint64(500))
	}
	require.Zero(t, c.joint.Going())
}

// Any algorithm may carry out any collective that it does: it takes as long as its
// schedule written out.
func TestAlgorithmsOfEveryCollective(t *testing.T) {
	for coll, names := range map[comm.Coll][]string{
		comm.Gather: {"direct", "tree", "grid_tree"}, comm.Scatter: {"direct", "chain"},
		comm.Barrier: {"dissemination", "star", "grid_tree"}, comm.Broadcast: {"tree", "grid_tree"},
	} {
		seen := map[string]bool{} // the root of a gather may be busy for as long by several
		for _, name := range names {
			const n, root = 9, 2
			x := spec(func(s *Spec) { s.NIC.Overhead, s.NIC.Bandwidth = units.InCycles(30), 8*10e9 })
			x.NIC.Eager = 1 << 40
			o := comm.Op{Kind: comm.Collective, Coll: coll, Peer: root, Bytes: 4 << 10}
			if coll == comm.Barrier {
				o.Peer, o.Bytes = 0, 0
			}
			a, op := x.Collectives.Of(coll)
			a.Name = name
			p := comm.NewProgram(n)
			for i := range p.Ranks {
				p.Ranks[i].Add(o)
				require.NoError(t, p.Ranks[i].Seal())
			}
			direct, err := play(t, p, x, 100)
			require.NoError(t, err)
			s, err := collective.New(name, collective.Request{Operation: op, Ranks: n, Bytes: int64(o.Bytes), Root: int(o.Peer)}, nil)
			require.NoError(t, err)
			written, err := play(t, comm.FromSchedule(s), x, 100)
			require.NoError(t, err)
			require.Equal(t, finishes(direct), finishes(written), "%s %s", coll, name)
			ends := fmt.Sprint(finishes(direct))
			require.False(t, seen[ends], "%s %s is as long as another", coll, name)
			seen[ends] = true
		}
	}
}
