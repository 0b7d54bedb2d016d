package mshr

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
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

// Accesses leave each line in the order in which they came, whatever waits for other lines: against lists.
func TestWaitersLeaveInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m, twin := New(1, 3), [3][]Waiter{}
		for line := range twin {
			m.Take(uint64(line), 0)
		}
		one, next := rapid.IntRange(0, len(twin)-1), uint32(0)
		t.Repeat(map[string]func(*rapid.T){
			"wait": func(t *rapid.T) {
				l := one.Draw(t, "line")
				next++
				m.Wait(m.Of(uint64(l)), next, int(next%7))
				twin[l] = append(twin[l], Waiter{next, int32(next % 7)})
			},
			"shift": func(t *rapid.T) {
				l := one.Draw(t, "line")
				w, ok := m.Shift(m.Of(uint64(l)))
				require.Equal(t, len(twin[l]) > 0, ok)
				if ok {
					require.Equal(t, twin[l][0], w)
					twin[l] = twin[l][1:]
				}
			},
			"": func(t *rapid.T) {
				places := 0
				for l, w := range twin {
					require.EqualValues(t, len(w), m.Of(uint64(l)).Waiting)
					places += max(0, len(w)-1)
				}
				require.GreaterOrEqual(t, len(m.waiters), places)
				for i := m.spare; i >= 0; i = m.waiters[i].next {
					places++
				}
				require.Len(t, m.waiters, places, "places are used again")
			},
		})
	})
}
