package chakra

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/noc/collective"
	"github.com/causeway-sim/causeway/workloads/comm"
	"github.com/causeway-sim/causeway/workloads/comm/commtest"
)

func TestWrite(t *testing.T) {
	p := comm.NewProgram(2)
	for i := range p.Ranks {
		r := &p.Ranks[i]
		r.Add(comm.Op{Kind: comm.Compute, Time: 1500 * units.Nanosecond})
		r.Add(comm.Op{Kind: comm.Recv, Peer: int32(1 - i), Tag: 4, Bytes: 9}, comm.After(0))
		r.Add(comm.Op{Kind: comm.Send, Peer: int32(1 - i), Tag: 4, Bytes: 9}, comm.With(1))
		r.Add(comm.Op{Kind: comm.Join}, comm.After(1), comm.After(2))
		r.Add(comm.Op{Kind: comm.Compute, Unit: 1, Work: 1e6, Bytes: 77}, comm.After(3))
		r.Add(comm.Op{Kind: comm.Collective, Coll: comm.Broadcast, Peer: 1, Bytes: 64}, comm.After(4))
		r.Add(comm.Op{Kind: comm.Store, Bytes: 12}, comm.After(5))
		require.NoError(t, r.Seal())
	}
	back := commtest.Rewrite(t, p, Write)
	want := commtest.Dump(&p.Ranks[0])
	require.Contains(t, want, "2 send of 9B to rank 1, tag 4, with 1\n")
	// What starts with a receive that waits for the computation waits for it, too.
	require.Equal(t, string(bytes.Replace([]byte(want), []byte("with 1\n"), []byte("after 0\n"), 1)), commtest.Dump(&back.Ranks[0]))
	require.InDelta(t, 1e6, back.Ranks[0].Op(4).Work, 0)
}

func TestWriteRefuses(t *testing.T) {
	for want, o := range map[string]comm.Op{
		"the format has no wildcards":                   {Kind: comm.Recv, Peer: comm.AnySource},
		"the format has no synchronous sends":           {Kind: comm.Send, Sync: true},
		"there is no group 1":                           {Kind: comm.Collective, Group: 1},
		"the format has two processors per rank, not 4": {Kind: comm.Compute, Unit: 3},
	} {
		p := comm.NewProgram(1)
		p.Ranks[0].Add(o)
		require.NoError(t, p.Ranks[0].Seal())
		require.ErrorContains(t, Write(&bytes.Buffer{}, p, 0), want)
	}
}

// Communicators come back, also two of the same members, which are not one.
func TestWriteGroups(t *testing.T) {
	p := comm.NewProgram(4)
	p.Groups = append(p.Groups, []int32{2, 0}, []int32{1, 3}, []int32{2, 0})
	for i := range p.Ranks {
		r := &p.Ranks[i]
		g := int32(1 + i%2)
		r.Add(comm.Op{Kind: comm.Collective, Coll: comm.AllToAll, Bytes: 64, Group: g})
		r.Add(comm.Op{Kind: comm.Send, Peer: p.Groups[g][0], Tag: 3, Bytes: 8, Group: g}, comm.After(0))
		if i%2 == 0 {
			r.Add(comm.Op{Kind: comm.Collective, Coll: comm.Broadcast, Peer: 2, Bytes: 32, Group: 3}, comm.After(1))
		}
		r.Add(comm.Op{Kind: comm.Collective, Coll: comm.Barrier}, comm.After(1))
		require.NoError(t, r.Seal())
	}
	back := commtest.Rewrite(t, p, Write)
	require.NoError(t, back.Check())
	require.Equal(t, [][]int32{{0, 1, 2, 3}, {2, 0}, {2, 0}, {1, 3}}, back.Groups) // as they come up
	number := []int32{0, 1, 3, 2}
	for i := range p.Ranks {
		for j := range p.Ranks[i].Len() {
			want := *p.Ranks[i].Op(j)
			want.Group = number[want.Group]
			require.Equal(t, want, *back.Ranks[i].Op(j), "rank %d, operation %d", i, j)
		}
	}
}

func TestChakraGroupRefuses(t *testing.T) {
	for members, want := range map[string]string{
		"0 x": `attribute pg_ranks has "x" (want ranks, 0 to`, "0 -1": `attribute pg_ranks has "-1"`,
		"0 99999999999": `attribute pg_ranks has "99999999999"`, "1 0 1": "attribute pg_ranks has rank 1 twice",
	} {
		_, err := new(groups).of(group{"1", members})
		require.ErrorContains(t, err, want)
	}
	p := comm.NewProgram(2)
	p.Groups = append(p.Groups, []int32{0, 7})
	require.EqualError(t, p.Check(), "group 1: there is no rank 7 (want 0 to 1)")
}

// A schedule that was written as a Chakra trace and read again has the same
// messages, with the same dependencies.
func TestSchedulesAsChakra(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom([]string{"ring", "ring_bi", "halving_doubling", "double_binary_tree", "direct", "tree"}).Draw(t, "name")
		op := collective.AllReduce
		if name == "tree" {
			op = collective.ReduceTo
		}
		n := rapid.IntRange(1, 12).Draw(t, "ranks")
		s, err := collective.New(name, collective.Request{Operation: op, Ranks: n, Bytes: rapid.Int64Range(1, 5000).Draw(t, "bytes")}, nil)
		if err != nil {
			t.Skip("not for so many")
		}
		p := comm.FromSchedule(s)
		back := commtest.Rewrite(t, p, Write)
		for i := range p.Ranks {
			if commtest.Dump(&p.Ranks[i]) != commtest.Dump(&back.Ranks[i]) {
				t.Fatalf("rank %d:\n%s\n%s", i, commtest.Dump(&p.Ranks[i]), commtest.Dump(&back.Ranks[i]))
			}
		}
		messages, size := s.Messages()
		sum := comm.Summarize(back)
		if int64(sum.Ops[comm.Send]) != messages || int64(sum.SentBytes) != size || sum.Ops[comm.Send] != sum.Ops[comm.Recv] {
			t.Fatalf("%+v, want %d messages of %d bytes", sum, messages, size)
		}
	})
}
