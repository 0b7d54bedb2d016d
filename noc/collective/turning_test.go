package collective

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// sorted puts sends before the others, and names what an operation waits for by its place there.
func sorted(ops []Op) (out []Op) {
	place := make([]int32, len(ops))
	each(ops, func(i int) {
		place[i] = int32(len(out))
		out = append(out, ops[i])
	})
	for i := range out {
		out[i].Off = 0
		after := slices.Clone(out[i].After)
		for k := range after {
			after[k] = place[after[k]]
		}
		slices.Sort(after)
		out[i].After = after
	}
	return out
}

// The operations of one rank, turned, are those that New makes for each rank.
func TestTurningIsEveryRank(t *testing.T) {
	for _, o := range []Operation{AllReduce, ReduceScatter, AllGather} {
		for _, n := range []int{2, 3, 8, 13} {
			for _, spec := range []RingSpec{
				{Pipeline: Pipeline{Chunks: 1}}, {Pipeline: Pipeline{Chunks: 3}}, {Pipeline: Pipeline{Chunks: 4, Active: 2}},
				{Pipeline: Pipeline{Chunks: 1, Blocking: true}}, {Pipeline: Pipeline{Chunks: 2, Apart: o == AllReduce}},
			} {
				name := fmt.Sprint(o, n, spec)
				r := Request{Operation: o, Ranks: n, Bytes: int64(n) * 4 * 12}
				one, ok, err := Turning("ring", r, spec)
				require.NoError(t, err, name)
				require.True(t, ok, name)
				s, err := New("ring", r, spec)
				require.NoError(t, err, name)
				turnedEqual(t, one, s, name)
			}
		}
	}
	for _, n := range []int{2, 3, 8, 13} {
		for _, chunks := range []int{1, 3} {
			r, spec := Request{Operation: AllToAll, Ranks: n, Bytes: int64(n) * 4 * 12}, Spec{Pipeline{Chunks: chunks}}
			one, ok, err := Turning("direct", r, spec)
			require.NoError(t, err)
			require.True(t, ok)
			s, err := New("direct", r, spec)
			require.NoError(t, err)
			turnedEqual(t, one, s, fmt.Sprint("direct", n, chunks))
		}
	}
}

// turnedEqual holds the operations of one rank, turned, equal to those of each.
func turnedEqual(t *testing.T, one []Op, s *Schedule, name string) {
	t.Helper()
	require.True(t, s.Number(), name)
	n := len(s.Ops)
	for m := range n {
		turned, own := sorted(one), sorted(s.Ops[m])
		for i := range turned {
			if turned[i].Kind != Copy {
				turned[i].Peer = (turned[i].Peer + int32(m)) % int32(n)
			}
			turned[i].From, own[i].From = 0, 0
		}
		require.Equal(t, turned, own, "%s rank %d", name, m)
	}
}

// Ranks that differ are no Turning, and errors are those of New.
func TestNoTurning(t *testing.T) {
	for name, c := range map[string]struct {
		algorithm string
		r         Request
		spec      any
	}{
		"blocks of unequal bytes":        {"ring", Request{Operation: AllReduce, Ranks: 3, Bytes: 32}, nil},
		"blocks without bytes":           {"ring", Request{Operation: AllReduce, Ranks: 9, Bytes: 4}, nil},
		"the order of a grid":            {"ring", Request{Operation: AllReduce, Ranks: 4, Bytes: 64}, RingSpec{Pipeline: one.Pipeline, Dims: []int{2, 2}}},
		"a root":                         {"ring", Request{Operation: Broadcast, Ranks: 4, Bytes: 64}, nil},
		"blocks that are handed on":      {"ring", Request{Operation: AllToAll, Ranks: 4, Bytes: 64}, nil},
		"steps that sends keep to":       {"ring", Request{Operation: AllReduce, Ranks: 4, Bytes: 64}, RingSpec{Pipeline: Pipeline{Chunks: 1, Steps: StepsStrict}}},
		"sums that all send at once":     {"direct", Request{Operation: AllReduce, Ranks: 4, Bytes: 64}, nil},
		"blocks of a root":               {"direct", Request{Operation: Gather, Ranks: 4, Bytes: 64}, nil},
		"one rank":                       {"ring", Request{Operation: AllReduce, Ranks: 1, Bytes: 64}, nil},
		"an algorithm that has no turns": {"tree", Request{Operation: AllReduce, Ranks: 4, Bytes: 64}, nil},
	} {
		_, ok, err := Turning(c.algorithm, c.r, c.spec)
		require.NoError(t, err, name)
		require.False(t, ok, name)
	}
	_, _, err := Turning("ring", Request{Operation: AllReduce, Ranks: 4, Bytes: 64}, RingSpec{Pipeline: Pipeline{Chunks: 99}})
	require.ErrorContains(t, err, "chunks is 99")
}
