package memory

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Of memories that take turns, each has its pieces one after the other and keeps the places
// within a piece; what it holds alone follows.
func TestTurnsAreDense(t *testing.T) {
	const base = 3 << 12
	for home := range uint64(6) {
		turns := NewTurns([]Turn{
			{Base: base, Size: 6 << 12, Of: 6, Every: 256, At: []uint64{home}},
			{Base: 1 << 40, Size: 1 << 12, Of: 1, Every: 256, At: []uint64{0}},
		})
		for want := range uint64(4096) {
			addr := base + (want/256*6+home)*256 + want%256
			require.Equal(t, want, turns.Dense(addr), "memory %d", home)
		}
		for off := range uint64(4096) {
			require.Equal(t, 4096+off, turns.Dense(1<<40+off))
		}
		require.Equal(t, uint64(base-1), turns.Dense(base-1), "outside")
		require.Equal(t, uint64(base+6<<12), turns.Dense(base+6<<12), "outside")
	}
}

// A memory with two turns of three has no piece twice, and no gap.
func TestTurnsOfWeights(t *testing.T) {
	turns := NewTurns([]Turn{{Size: 3 << 12, Of: 3, Every: 1 << 10, At: []uint64{0, 2}}})
	seen := map[uint64]bool{}
	for addr := uint64(0); addr < 3<<12; addr += 64 {
		if addr>>10%3 == 1 {
			continue // another memory's
		}
		at := turns.Dense(addr)
		require.Less(t, at, uint64(2<<12))
		require.False(t, seen[at], "%#x", addr)
		seen[at] = true
	}
	require.Len(t, seen, 2<<12/64)
}

// The only home of its ranges sees addresses as they are.
func TestTurnsOfOne(t *testing.T) {
	for _, turns := range []Turns{{}, NewTurns(nil), NewTurns([]Turn{{Base: 4096, Size: 4096, Of: 1, Every: 256, At: []uint64{0}}})} {
		require.Equal(t, uint64(5000), turns.Dense(5000))
		require.Equal(t, uint64(1<<40), turns.Dense(1<<40))
	}
}
