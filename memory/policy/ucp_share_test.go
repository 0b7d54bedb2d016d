package policy

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Ways are shared out by lookahead, by hand: each time the core gets them that gains most hits per way, by as few ways as
// that takes; of equal cores the first. What no core gains goes to the one with the fewest ways. Old hits count half.
func TestWaysAreSharedByGain(t *testing.T) {
	for _, c := range []struct {
		ways int
		hits [][]uint64 // of each core, by the position that a way more would have
		want []int
	}{
		{4, [][]uint64{{9, 8, 0, 0}, {9, 8, 0, 0}}, []int{2, 2}},
		{3, [][]uint64{{9, 8, 0}, {9, 8, 0}}, []int{2, 1}},        // equal: the first
		{4, [][]uint64{{9, 0, 12, 0}, {9, 5, 0, 0}}, []int{3, 1}}, // 6 a way, for two of them
		{4, [][]uint64{{9, 4, 4, 0}, {9, 4, 0, 0}}, []int{3, 1}},  // equal, twice
		{4, [][]uint64{{9, 0, 0, 0}, {9, 0, 0, 0}, {9, 3, 0, 0}}, []int{1, 1, 2}},
		{5, [][]uint64{{9, 7, 0, 0, 0}, {9, 0, 0, 0, 0}}, []int{3, 2}}, // nothing to gain: the fewest ways, of equals the first
	} {
		p := newUCP(Geometry{Sets: 1, Ways: c.ways}, UCP{Cores: len(c.hits), Period: 1000})
		for i, h := range c.hits {
			copy(p.monitor[i].hits, h)
		}
		p.divide()
		require.Equal(t, c.want, p.share, "%v", c.hits)
		require.EqualValues(t, 4, p.monitor[0].hits[0])
	}
}

// A way fits into 16 bits, so a set has 65,535 ways at most.
func TestMostWays(t *testing.T) {
	for name, e := range map[string]int{"lru": 1<<16 - 1, "srrip": 1<<16 - 1} {
		_, err := New(name, Geometry{Sets: 1, Ways: e}, nil)
		require.NoError(t, err, name)
		_, err = New(name, Geometry{Sets: 1, Ways: e + 1}, nil)
		require.ErrorContains(t, err, "1 sets of 65536 ways", name)
	}
}
