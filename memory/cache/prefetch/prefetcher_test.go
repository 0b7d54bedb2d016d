package prefetch

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// lines is what an access calls for.
func lines(p *Prefetcher, a Access) (out []uint64) {
	n := p.Due(a)
	for d := range n {
		out = append(out, p.Line(d))
	}
	p.Took(n)
	return out
}

func prefetcher(t *testing.T, name string, spec any) *Prefetcher {
	p, err := New(Named(name, spec), Geometry{Line: 64, Slots: 64})
	require.NoError(t, err)
	return &p
}

// Misses and first hits of prefetched lines call for the next lines, or for those as far ahead as the request is long.
func TestRules(t *testing.T) {
	miss := Access{Line: 10, Lines: 3}
	hit, first := miss, miss
	hit.Hit, first.Hit, first.First = true, true, true
	for _, name := range []string{"", "none"} {
		none, err := New(Named(name, nil), Geometry{Line: 64})
		require.NoError(t, err)
		require.False(t, none.On())
	}
	next := prefetcher(t, "next_line", Ahead{2})
	require.Equal(t, []uint64{11, 12}, lines(next, miss))
	require.Equal(t, []uint64{11, 12}, lines(next, first))
	require.Empty(t, lines(next, hit))
	require.False(t, next.AsksAgain())
	tile := prefetcher(t, "tile", Ahead{2})
	require.Equal(t, []uint64{13, 16}, lines(tile, miss))
	require.Empty(t, lines(tile, hit))
}

// A stream is told of every read, hits included, and of no write.
func TestStreamRule(t *testing.T) {
	p := prefetcher(t, "stream", Ahead{4})
	require.True(t, p.AsksAgain())
	var got []uint64
	for line := range uint64(5) {
		got = append(got, lines(p, Access{Line: line, Hit: true})...)
		require.Empty(t, lines(p, Access{Line: 40 - 9*line, Write: true}))
	}
	require.Equal(t, []uint64{3, 4, 5, 6, 7, 8}, got)
}

// No rule allocates for an access once its tables are full.
func TestRulesAllocateNothing(t *testing.T) {
	for _, name := range All.Names() {
		p := prefetcher(t, name, nil)
		if !p.On() {
			continue
		}
		line := uint64(0)
		read := func() {
			line += 1 + line%3
			n := p.Due(Access{Line: line, Stream: line % 5, Cycle: 10 * line, Slot: int(line % 64), Tensor: Tensor{First: 0, End: 1 << 20, Tile: 16}})
			p.Took(n)
			if n > 0 {
				p.Issue(p.Line(0), line%5, 10*line)
			}
			if p.Timed() {
				p.Fill(line, int(line%64), 10*line+5, n > 0)
			}
			p.Evict(line / 2)
		}
		for range 5000 {
			read()
		}
		require.Zero(t, testing.AllocsPerRun(1000, read), name)
	}
}
