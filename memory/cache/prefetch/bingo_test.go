package prefetch

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// visit is the reads of a region of 32 lines, and the eviction that ends it.
func visit(p *Prefetcher, stream, number uint64, offsets ...uint64) (out []uint64) {
	for _, o := range offsets {
		out = append(out, reads(p, stream, number<<5|o)...)
	}
	p.Evict(number<<5 | offsets[0])
	return out
}

// The footprint of a region is called for when the same stream comes to the same line, or else to the same
// place of another region.
func TestBingoFootprints(t *testing.T) {
	p := prefetcher(t, "bingo", nil)
	require.Empty(t, visit(p, 4, 9, 3, 8, 20))
	require.Equal(t, []uint64{9<<5 | 3, 9<<5 | 8, 9<<5 | 20}, visit(p, 4, 9, 3, 8, 20), "the long event")
	require.Equal(t, []uint64{5<<5 | 3, 5<<5 | 8, 5<<5 | 20}, visit(p, 4, 5, 3), "the short event")
	require.Empty(t, visit(p, 4, 6, 4), "another place")
	require.Empty(t, visit(p, 8, 9, 3), "another stream")
	require.Empty(t, lines(p, Access{Line: 9<<5 | 3, Stream: 4, Write: true}))
}

// A region of one line has no footprint, and one that goes from the table of those gathered has.
func TestBingoTables(t *testing.T) {
	p := prefetcher(t, "bingo", BingoSpec{Region: 2 << 10, History: 16, Filter: 2, Accumulation: 1, Threshold: 0.2})
	visit(p, 4, 9, 3)
	require.Empty(t, visit(p, 4, 9, 3))
	reads(p, 4, 9<<5|3, 9<<5|4)
	reads(p, 4, 10<<5|7, 10<<5|9) // takes the only place
	require.Equal(t, []uint64{11<<5 | 3, 11<<5 | 4}, reads(p, 4, 11<<5|3))
}

// The short event brings the lines that more than the threshold of its footprints have.
func TestBingoVotes(t *testing.T) {
	for n, want := range map[int]bool{4: true, 6: false} { // one in 4 is 25 %, one in 6 17 %
		p := prefetcher(t, "bingo", nil)
		visit(p, 4, 100, 0, 9)
		for i := range n - 1 {
			visit(p, 4, 101+uint64(i), 0, 5)
		}
		got := reads(p, 4, 1000<<5)
		require.Contains(t, got, uint64(1000<<5|5))
		require.Equal(t, want, len(got) == 3, "%d footprints", n)
	}
}

func TestBingoRefuses(t *testing.T) {
	for want, s := range map[string]BingoSpec{
		"region of 256 bytes has 1 lines": {256, 16, 1, 1, 0}, "region is 300": {300, 16, 1, 1, 0}, "history is 8": {2048, 8, 1, 1, 0},
		"filter is 0": {2048, 16, 0, 1, 0}, "accumulation is 0": {2048, 16, 1, 0, 0}, "threshold is 2": {2048, 16, 1, 1, 2},
	} {
		_, err := New(Named("bingo", s), Geometry{Line: 256})
		require.ErrorContains(t, err, want)
	}
}
