package prefetch

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/memory/cache/tagstore"
	"github.com/causeway-sim/causeway/memory/policy"
)

// lines is what an access calls for, of a request of three lines.
func lines(p *Prefetcher, t tagstore.Touch, res tagstore.Result) (out []uint64) {
	n := p.Due(&t, &res)
	for d := range n {
		out = append(out, p.Line(t.Line, 3, d))
	}
	p.Took(n)
	return out
}

// Misses and first hits of prefetched lines call for the next lines, or for those as far ahead as the request is long.
func TestRules(t *testing.T) {
	hit, miss, first := tagstore.Result{Hit: true}, tagstore.Result{}, tagstore.Result{Hit: true, First: true}
	at := tagstore.Touch{Access: policy.Access{Line: 10}}
	for _, name := range []string{"", "none"} {
		none := New(Spec{Name: name, Degree: 2}, 64)
		require.Empty(t, lines(&none, at, miss))
	}
	next := New(Spec{Name: "next_line", Degree: 2}, 64)
	require.Equal(t, []uint64{11, 12}, lines(&next, at, miss))
	require.Equal(t, []uint64{11, 12}, lines(&next, at, first))
	require.Empty(t, lines(&next, at, hit))
	require.False(t, next.AsksAgain())
	tile := New(Spec{Name: "tile", Degree: 2}, 64)
	require.Equal(t, []uint64{13, 16}, lines(&tile, at, miss))
	require.Empty(t, lines(&tile, at, hit))
}

// A stream is told of every read, hits included, and of no write.
func TestStreamRule(t *testing.T) {
	p := New(Spec{Name: "stream", Degree: 4}, 64)
	require.True(t, p.AsksAgain())
	var got []uint64
	for line := range uint64(5) {
		got = append(got, lines(&p, tagstore.Touch{Access: policy.Access{Line: line}}, tagstore.Result{Hit: true})...)
		require.Empty(t, lines(&p, tagstore.Touch{Access: policy.Access{Line: 40 - 9*line, Write: true}}, tagstore.Result{}))
	}
	require.Equal(t, []uint64{3, 4, 5, 6, 7, 8}, got)
}
