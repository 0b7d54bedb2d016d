package streamed

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A stream that moves a part of an operand stops early; one that moves it several times
// goes over each panel as often before the next, and reaches all of it.
func TestStreamsGoPanelByPanel(t *testing.T) {
	walk := func(size, total uint64) (seen map[uint64]uint64) {
		s, seen := stream{base: 1000, size: size, left: total, total: total}, map[uint64]uint64{}
		for s.left > 0 {
			addr, run := s.at()
			require.LessOrEqual(t, addr+run, 1000+size)
			n := min(run, 64<<10)
			seen[(addr-1000)/panel] += n
			s.left -= n
		}
		return seen
	}
	require.Equal(t, map[uint64]uint64{0: panel, 1: panel / 2}, walk(4*panel, 3*panel/2))
	require.Equal(t, map[uint64]uint64{0: 3 * panel, 1: 3 * panel}, walk(2*panel, 6*panel))
	require.Equal(t, map[uint64]uint64{0: 5 * panel / 2, 1: 5 * panel / 4}, walk(3*panel/2, 15*panel/4))
	s := stream{size: 2 * panel, left: 6 * panel, total: 6 * panel}
	s.left -= 2*panel + 100
	addr, run := s.at()
	require.EqualValues(t, []uint64{100, panel - 100}, []uint64{addr, run}, "the first panel for the third time")
}

// Parts of a total add up to it, in whole bytes, and are the sizes where nothing is left out.
func TestPartsLoseNoByte(t *testing.T) {
	for _, c := range []struct {
		total float64
		sizes []uint64
		want  []uint64
	}{
		{721420288, []uint64{33554432, 67108864}, []uint64{240473429, 480946859}},
		{100, []uint64{1, 1, 1}, []uint64{33, 33, 34}},
		{100663296, []uint64{33554432, 67108864}, []uint64{33554432, 67108864}},
		{21, []uint64{7, 3, 11}, []uint64{7, 3, 11}},
		{99.7, []uint64{50, 50}, []uint64{49, 50}}, // a byte that is not whole does not go
	} {
		p, sum := parts{total: c.total}, uint64(0)
		for _, n := range c.sizes {
			p.of += float64(n)
		}
		for i, n := range c.sizes {
			got := p.next(n)
			require.Equal(t, c.want[i], got, "%+v", c)
			sum += got
		}
		require.EqualValues(t, uint64(c.total), sum)
	}
}
