package prefetch

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// through is what reads of lines of a tensor call for; all of it is taken.
func through(p *Prefetcher, x Tensor, list ...uint64) (out []uint64) {
	for _, line := range list {
		out = append(out, lines(p, Access{Line: line, Stream: 7, Tensor: x, Lines: 1})...)
	}
	return out
}

// from lists n lines from one on.
func from(line uint64, n int) (out []uint64) {
	for i := range uint64(n) {
		out = append(out, line+i)
	}
	return out
}

// A walk goes line by line to the end of the tensor, and on from its beginning if it will be read again.
func TestNextTileEndsWithTheTensor(t *testing.T) {
	p := prefetcher(t, "next_tile", NextTileSpec{Degree: 6, Streams: 4})
	x := Tensor{First: 100, End: 110}
	require.Equal(t, from(101, 4), through(p, x, 100))
	require.Equal(t, from(105, 3), through(p, x, 101), "6 ahead")
	require.Equal(t, from(108, 2), through(p, x, from(102, 8)...), "to the end")
	x.Again = true
	require.Equal(t, []uint64{100, 101, 102, 103}, through(prefetcher(t, "next_tile", nil), x, 109))
	require.Empty(t, through(p, Tensor{}, 5, 6, 7), "what is not described has no walk")
	require.Empty(t, lines(p, Access{Line: 100, Tensor: x, Write: true}))
}

// Tiles that are described are walked in the order in which they are read; the next one is known before its
// first line is.
func TestNextTileKnowsTiles(t *testing.T) {
	x := Tensor{First: 0, End: 1000, Tile: 4}
	p := prefetcher(t, "next_tile", NextTileSpec{Degree: 4, Streams: 4})
	require.Equal(t, from(1, 7), through(p, x, from(0, 4)...), "the tile after it")
	p = prefetcher(t, "next_tile", NextTileSpec{Degree: 4, Streams: 4})
	through(p, x, append(from(0, 4), from(40, 4)...)...)
	got := through(p, x, from(80, 4)...)
	require.Equal(t, from(120, 4), got[len(got)-4:], "at the distance of the last two")
}

// Runs that are not described are learned from two that were alike.
func TestNextTileLearnsRuns(t *testing.T) {
	x := Tensor{First: 0, End: 10000}
	p := prefetcher(t, "next_tile", NextTileSpec{Degree: 8, Streams: 4})
	for i := range uint64(3) {
		through(p, x, from(100*i, 8)...)
	}
	got := through(p, x, from(300, 8)...)
	require.Equal(t, from(400, 8), got[len(got)-8:])
	require.Subset(t, append(from(300, 8), from(400, 8)...), got, "no line that is not read")
}

// What finds no room is called for again.
func TestNextTileAsksAgain(t *testing.T) {
	p := prefetcher(t, "next_tile", NextTileSpec{Degree: 4, Streams: 1})
	require.True(t, p.AsksAgain())
	x := Tensor{First: 0, End: 100}
	at := func(line uint64, takes int) (out []uint64) {
		n := p.Due(Access{Line: line, Tensor: x})
		for d := range n {
			out = append(out, p.Line(d))
		}
		p.Took(min(n, takes))
		return out
	}
	require.Equal(t, from(1, 4), at(0, 1))
	require.Equal(t, from(2, 4), at(1, 4))
	require.Equal(t, from(6, 1), at(2, 4))
	require.Equal(t, from(51, 4), at(50, 4), "a jump begins anew")
	lines(p, Access{Line: 7, Stream: 9, Tensor: x}) // takes the only place
	require.Equal(t, from(53, 4), at(52, 4))
}
