package collective

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/units"
)

// The blocks of RingBiOdd in whole messages. Reference: the artifact of the TTO paper
// rounds an 81st of 1 MB, 1.58 messages of 8 KiB, up to two, and 81/160 of these, 1.01,
// up to two again: a block is two messages where the data fill 0.8.
func TestBlocksOfWholeMessages(t *testing.T) {
	blocks := func(dims []int, bytes int64, message units.Bytes) map[int64]bool {
		spec := BiRingOddSpec{BiRingSpec: BiRingSpec{one.Pipeline, dims}, Message: message}
		s, err := New("ring_bi_odd", Request{Ranks: dims[0] * dims[1], Bytes: bytes}, spec)
		require.NoError(t, err)
		sizes := map[int64]bool{}
		for _, ops := range s.Ops {
			for _, op := range ops {
				if op.Kind == Send {
					sizes[op.Bytes] = true
				}
			}
		}
		return sizes
	}
	require.Equal(t, map[int64]bool{2 * 8192: true}, blocks([]int{9, 9}, 1<<20, 8192))
	require.Equal(t, map[int64]bool{25 * 8192: true}, blocks([]int{5, 5}, 9600000, 8192))
	require.Equal(t, map[int64]bool{200000: true}, blocks([]int{5, 5}, 9600000, 0), "as long as the data")
}

func TestMessageOfWholeElements(t *testing.T) {
	_, err := New("ring_bi_odd", Request{Ranks: 9, Bytes: 1 << 20}, BiRingOddSpec{BiRingSpec: BiRingSpec{one.Pipeline, []int{3, 3}}, Message: 6})
	require.ErrorContains(t, err, "message is 6 B (want 0, or whole elements of 4 B")
}

// messages are of so many elements; an element of 0 is the default's.
func messages(elements, element int64) units.Bytes {
	if element == 0 {
		element = 4
	}
	return units.Bytes(elements * element)
}
