package symmetry

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/noc/collective"
	"github.com/causeway-sim/causeway/workloads/comm"
)

// Elements move every rank to another place, and back; of the ranks that move to each other one
// stands for all.
func TestGroupMovesEveryRank(t *testing.T) {
	for _, digits := range [][]Digit{{{1, 24}}, {{4, 6}}, {{2, 3}, {6, 4}}, {{12, 2}, {1, 3}}} {
		g := Group{digits}
		seen := map[int32]int{}
		for r := range int32(24) {
			seen[g.Rep(r)]++
			require.Equal(t, r, g.Move(g.Of(r), g.Rep(r)))
			for e := range g.Order() {
				to := g.Move(e, r)
				require.Equal(t, g.Rep(r), g.Rep(to))
				require.Equal(t, r, g.Back(e, to))
				require.Equal(t, e == 0, to == r)
			}
		}
		require.Len(t, seen, 24/int(g.Order()))
	}
}

func TestDigitsThatOverlap(t *testing.T) {
	require.True(t, Digit{1, 4}.apart(Digit{4, 6}))
	require.True(t, Digit{8, 3}.apart(Digit{2, 2}))
	require.False(t, Digit{1, 4}.apart(Digit{2, 2}))
	require.False(t, Digit{1, 6}.apart(Digit{4, 6}))
}

// ring is n ranks that send to the next one, over a channel of each rank and one to each.
func ring(t *testing.T, n int) *System {
	p := comm.NewProgram(n)
	s := &System{Program: p, Channels: 2 * n, Plan: func(*comm.Op) (*Plan, error) { return nil, nil }, Alike: func(_, _ int32) bool { return true }}
	for r := range int32(n) {
		p.Ranks[r].Add(comm.Op{Kind: comm.Send, Peer: (r + 1) % int32(n), Bytes: 8})
		p.Ranks[r].Add(comm.Op{Kind: comm.Recv, Peer: (r + int32(n) - 1) % int32(n), Bytes: 8})
		require.NoError(t, p.Ranks[r].Seal())
		s.Terminals = append(s.Terminals, r)
	}
	s.Route = func(src, dst int32, out []int32) ([]int32, error) { return append(out, src, int32(n)+dst), nil }
	return s
}

// A channel that all share, a rank with other bytes, a channel that is unlike the others: each is
// found, and said.
func TestFind(t *testing.T) {
	f, why := Find(ring(t, 12))
	require.Empty(t, why)
	require.EqualValues(t, 12, f.Group.Order())
	require.True(t, f.Ordered)

	s := ring(t, 12)
	s.Program.Ranks[5].Op(0).Bytes = 9
	f, why = Find(s)
	require.Nil(t, f)
	require.Equal(t, "ranks 4 and 5 differ in operation 0", why)

	s = ring(t, 12)
	s.Alike = func(a, b int32) bool { return a%4 == b%4 }
	f, _ = Find(s)
	require.EqualValues(t, 3, f.Group.Order())

	s = ring(t, 12)
	s.Terminals[0], s.Terminals[1] = 1, 0
	f, _ = Find(s)
	require.False(t, f.Ordered)

	s = ring(t, 12)
	s.Route = func(src, dst int32, out []int32) ([]int32, error) { return append(out, src, 12), nil }
	_, why = Find(s)
	require.Equal(t, "ranks that are equal share a channel (12 of the network)", why)

	s = ring(t, 12)
	s.Route = func(_, _ int32, _ []int32) ([]int32, error) { return nil, errors.New("draws") }
	_, why = Find(s)
	require.Equal(t, "draws", why)

	s = ring(t, 12)
	s.Program.Ranks[3].Op(1).Peer = comm.AnySource
	_, why = Find(s)
	require.NotEmpty(t, why)
}

// A schedule that a permutation keeps has the same messages after it.
func TestKeptSchedules(t *testing.T) {
	kept := 0
	for seed := range uint64(400) {
		rng := rand.New(rand.NewPCG(seed, 1))
		n := []int{4, 6, 8}[rng.IntN(3)]
		name := []string{"ring", "direct", "halving_doubling", "recursive_doubling", "tree", "dissemination"}[rng.IntN(6)]
		r := collective.Request{Operation: collective.AllReduce, Ranks: n, Bytes: int64(n) * 4 * int64(1+rng.IntN(2))}
		if name == "dissemination" {
			r = collective.Request{Operation: collective.Barrier, Ranks: n}
		}
		s, err := collective.New(name, r, nil)
		if err != nil {
			continue
		}
		all := digits(int32(n))
		d := all[rng.IntN(len(all))]
		to := make([]int32, n)
		for m := range to {
			to[m] = d.Turn(int32(m))
		}
		p := &Plan{Members: n, Schedule: s}
		if p.keeps(to) {
			kept++
			require.Equal(t, messages(s, nil), messages(s, to), "%s of %d, %v", name, n, d)
		}
	}
	require.Greater(t, kept, 50)
}

// messages counts the messages of a schedule by who sends them to whom and how many bytes, with
// ranks moved.
func messages(s *collective.Schedule, to []int32) map[[3]int64]int {
	out := map[[3]int64]int{}
	at := func(r int32) int64 {
		if to != nil {
			r = to[r]
		}
		return int64(r)
	}
	for r, ops := range s.Ops {
		for i := range ops {
			if o := &ops[i]; o.Kind == collective.Send {
				out[[3]int64{at(int32(r)), at(o.Peer), o.Bytes}]++
			}
		}
	}
	return out
}
