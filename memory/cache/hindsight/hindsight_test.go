package hindsight

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/memory/cache/tagstore"
)

func of(t *testing.T, sets, ways int, lines ...uint64) *Log {
	index, err := tagstore.NewIndex(sets, 1, "linear")
	require.NoError(t, err)
	l := New(index, ways)
	for _, x := range lines {
		l.Note(x)
	}
	return l
}

// Three lines in turn over two ways: LRU misses all, OPT keeps two but for one that it keeps out.
func TestMissesByHand(t *testing.T) {
	lru, opt := of(t, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2).Misses()
	require.Equal(t, uint64(9), lru)
	// 0 and 1 stay, 2 passes by each time: 3 first misses and two of 2.
	require.Equal(t, uint64(5), opt)
	lru, opt = of(t, 2, 1, 0, 1, 0, 1).Misses()
	require.Equal(t, [2]uint64{2, 2}, [2]uint64{lru, opt}, "each line has a set of its own")
	l := of(t, 1, 1, 5)
	require.Equal(t, uint64(1), first(l.Misses()))
	l.Note(5)
	l.Note(6)
	require.Equal(t, uint64(2), first(l.Misses()), "accesses after the first question count")
}

func first(lru, _ uint64) uint64 { return lru }

// OPT misses no more than LRU, no less than there are lines, and as many as the best of all choices in a
// small set.
func TestOPTIsLeast(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		lines := make([]uint64, 3+rnd.IntN(8))
		for i := range lines {
			lines[i] = rnd.Uint64N(5)
		}
		ways := 1 + rnd.IntN(2)
		lru, opt := of(t, 1, ways, lines...).Misses()
		require.LessOrEqual(t, opt, lru)
		require.Equal(t, least(lines, ways, nil), int(opt), "%v in %d ways", lines, ways)
	}
}

// least is the fewest misses of all ways to keep and to drop lines.
func least(lines []uint64, ways int, held []uint64) int {
	if len(lines) == 0 {
		return 0
	}
	for _, h := range held {
		if h == lines[0] {
			return least(lines[1:], ways, held)
		}
	}
	best := least(lines[1:], ways, held) // it passes by
	if len(held) < ways {
		best = min(best, least(lines[1:], ways, append(held[:len(held):len(held)], lines[0])))
	}
	for i := range held {
		other := append([]uint64(nil), held...)
		other[i] = lines[0]
		best = min(best, least(lines[1:], ways, other))
	}
	return 1 + best
}
