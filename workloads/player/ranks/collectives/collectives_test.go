package collectives

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/noc/collective"
	"github.com/causeway-sim/causeway/workloads/comm"
)

// ring makes schedules, and counts them.
func ring(made *int) Schedule {
	return func(_ comm.Coll, ranks int, bytes uint64, _ int) (*collective.Schedule, error) {
		*made++
		if bytes == 13 {
			return nil, errors.New("13 bytes")
		}
		return collective.New("ring", collective.Request{Operation: collective.AllReduce, Ranks: ranks, Bytes: int64(bytes), Element: 4}, nil)
	}
}

// of makes a program of n ranks with so many collectives each; one rank may have other bytes.
func of(t *testing.T, n, times int, bytes ...uint64) *comm.Program {
	p := comm.NewProgram(n)
	for i := range p.Ranks {
		for range times {
			p.Ranks[i].Add(comm.Op{Kind: comm.Collective, Coll: comm.AllReduce, Bytes: bytes[i%len(bytes)]})
		}
		require.NoError(t, p.Ranks[i].Seal())
	}
	return p
}

// drain does the parts of a member in any order, and reports whether it is through.
func drain(in *Instance, member int32) bool {
	ready := append([]int32(nil), in.First(member)...)
	for len(ready) > 0 {
		part := ready[0]
		ready = ready[1:]
		if in.Done(member, part, func(_, part int32) { ready = append(ready, part) }) {
			return true
		}
	}
	return false
}

// Members enter one by one, two collectives apart; instances and schedules are used again.
func TestInstances(t *testing.T) {
	made := 0
	s := New(of(t, 3, 4, 96), ring(&made))
	for op := range int32(4) {
		var last *Instance
		for rank := range int32(3) {
			in, m, err := s.Enter(rank, op)
			require.NoError(t, err)
			require.Equal(t, rank, m)
			require.Equal(t, op, in.Entry(m))
			for asked := range rank + 1 {
				_, lacks, ok := s.Blocked(asked)
				require.True(t, ok)
				require.Equal(t, []int32{1, 2, -1}[rank], lacks)
			}
			if rank > 0 {
				require.Same(t, last, in)
			} else if got, lacks, ok := s.Blocked(0); true {
				require.True(t, ok)
				require.Equal(t, op, got)
				require.EqualValues(t, 1, lacks)
			}
			last = in
		}
		require.EqualValues(t, 0, last.Number)
		for m := range int32(3) {
			require.False(t, last.Through(m))
			require.Equal(t, 1, s.Going())
			require.True(t, drain(last, m))
			s.Leave(last)
		}
		require.Zero(t, s.Going())
	}
	require.EqualValues(t, 4, s.Begun())
	require.Equal(t, 1, made)
}

// Ranks that enter different collectives as the same one get an error.
func TestDisagreement(t *testing.T) {
	made := 0
	s := New(of(t, 2, 1, 8, 12), ring(&made))
	_, _, err := s.Enter(0, 0)
	require.NoError(t, err)
	_, _, err = s.Enter(1, 0)
	var d *Disagreement
	require.ErrorAs(t, err, &d)
	require.EqualError(t, err, "ranks disagree about collective 0 of communicator 0: rank 1 has all_reduce of 12B, another has all_reduce of 8B")
}

// What an algorithm cannot do is known before the run, and said with the operation.
func TestPlan(t *testing.T) {
	made := 0
	p := of(t, 2, 1, 13)
	s := New(p, ring(&made))
	require.EqualError(t, s.Plan(p.Ranks[0].Op(0)), "13 bytes")
	_, _, err := s.Enter(1, 0)
	require.EqualError(t, err, "rank 1, operation 0 (all_reduce of 13B): 13 bytes")
	require.True(t, s.Empty(&comm.Op{Kind: comm.Collective, Coll: comm.AllReduce}))
	require.False(t, s.Empty(&comm.Op{Kind: comm.Collective, Coll: comm.Barrier}))
}

// A group has positions of its own.
func TestGroups(t *testing.T) {
	p := comm.NewProgram(6)
	g := p.Group([]int32{5, 3, 1})
	s := New(p, nil)
	require.EqualValues(t, 1, s.Member(g, 3))
	require.EqualValues(t, 5, s.Rank(g, 0))
	require.True(t, s.Has(g, 5))
	require.False(t, s.Has(g, 0))
	require.True(t, s.Has(0, 0))
}
