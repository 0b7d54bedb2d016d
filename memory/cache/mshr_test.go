package cache

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// A line under way is found by its number, whatever others have the same hash, until it comes:
// against a map.
func TestLinesUnderWay(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	m, twin := newMSHRs(2, 8), map[uint64]int32{}
	lines := []uint64{0, 1, 2, 3, 32, 64, 96, 1 << 16, 1<<16 | 1, 3 << 16, 1 << 40, 1<<40 | 32}
	collided := false
	for range 5000 {
		line := lines[rng.IntN(len(lines))]
		slice := int(line & 1)
		r, want := m.of(line), twin[line]
		switch {
		case want > 0:
			require.NotNil(t, r, "line %d", line)
			require.Equal(t, want-1, r.number)
			collided = collided || r.same > 0
			if rng.IntN(2) == 0 {
				m.release(r)
				delete(twin, line)
			}
		default:
			require.Nil(t, r, "line %d", line)
			if !m.full(slice) {
				twin[line] = m.take(line, slice).number + 1
			}
		}
		require.Equal(t, len(twin), m.open())
	}
	require.True(t, collided)
}
