package mshr

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// A line under way is found by its number, whatever others have the same hash, until it comes:
// against a map.
func TestLinesUnderWay(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	m, twin := New(2, 8), map[uint64]int32{}
	lines := []uint64{0, 1, 2, 3, 32, 64, 96, 1 << 16, 1<<16 | 1, 3 << 16, 1 << 40, 1<<40 | 32}
	collided := false
	for range 5000 {
		line := lines[rng.IntN(len(lines))]
		slice := int(line & 1)
		r, want := m.Of(line), twin[line]
		switch {
		case want > 0:
			require.NotNil(t, r, "line %d", line)
			require.Equal(t, want-1, r.Number)
			collided = collided || r.same > 0
			if rng.IntN(2) == 0 {
				m.Release(r)
				delete(twin, line)
			}
		default:
			require.Nil(t, r, "line %d", line)
			if !m.Full(slice) {
				twin[line] = m.Take(line, slice).Number + 1
			}
		}
		require.Equal(t, len(twin), m.Open())
	}
	require.True(t, collided)
}
