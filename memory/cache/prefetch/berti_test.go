package prefetch

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// stroll has a stream read lines at a distance, a read every gap cycles, each of which takes so long to come. It
// returns what the last of them call for.
func stroll(p *Prefetcher, n int, delta, gap, takes uint64) (out []uint64) {
	coming := map[uint64]uint64{} // cycle, line
	for c := uint64(0); c < uint64(n)*gap; c++ {
		if line, ok := coming[c]; ok {
			p.Fill(line, int(line%64), c, false)
		}
		if c%gap == 0 {
			line := 1000 + c/gap*delta
			coming[c+takes] = line
			out = lines(p, Access{Line: line, Stream: 0x40, Cycle: c, Slot: -1})
		}
	}
	return out
}

// The deltas are those to the reads that were early enough: as many reads back as a line takes, and more.
func TestBertiIsOnTime(t *testing.T) {
	last := uint64(1000 + 39*3)
	require.Equal(t, last+3, stroll(prefetcher(t, "berti", nil), 40, 3, 50, 40)[0])
	require.Equal(t, last+6, stroll(prefetcher(t, "berti", nil), 40, 3, 50, 90)[0])
	require.Equal(t, last+9, stroll(prefetcher(t, "berti", nil), 40, 3, 50, 140)[0])
	require.Len(t, stroll(prefetcher(t, "berti", BertiSpec{Degree: 2, Sets: 8, Ways: 16, Streams: 16, Deltas: 16, Flights: 32, High: 65, Medium: 50, Low: 35}), 40, 3, 50, 40), 2)
	require.Empty(t, stroll(prefetcher(t, "berti", nil), 40, 3, 50, 5000), "what takes more than 12 bits")
	require.Empty(t, stroll(prefetcher(t, "berti", nil), 40, 5000, 50, 40), "what is farther than 12 bits")
	require.Empty(t, stroll(prefetcher(t, "berti", nil), 6, 3, 50, 40), "too few to tell")
}

// The first hit of a prefetched line teaches as a miss does, with the time that its prefetch took.
func TestBertiLearnsFromHits(t *testing.T) {
	p := prefetcher(t, "berti", nil)
	for i := range uint64(16) {
		c, line := 1000+100*i, 500+2*i
		p.Issue(line, 0x40, c-90)
		p.Fill(line, int(line%64), c-20, true)
		lines(p, Access{Line: line, Stream: 0x40, Cycle: c, Slot: int(line % 64), Hit: true, First: true})
	}
	got := lines(p, Access{Line: 800, Stream: 0x40, Cycle: 4000, Slot: -1})
	require.Equal(t, uint64(802), got[0])
	require.Empty(t, lines(p, Access{Line: 800, Stream: 0x40, Cycle: 4000, Write: true}))
}

// The oldest stream goes from the table.
func TestBertiForgets(t *testing.T) {
	table := newBertiTable(BertiSpec{Streams: 2, Deltas: 4, High: 65, Medium: 50, Low: 35})
	for _, s := range []uint64{1, 2, 1, 3} {
		table.count(s, 5)
	}
	require.Nil(t, table.find(1))
	require.NotNil(t, table.find(2))
	for range 20 {
		table.read(3)
		table.count(3, 7)
	}
	require.Equal(t, bertiHigh, table.choose(3)[0].class)
	require.Equal(t, 7, table.choose(3)[0].delta)
}
