package dram

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Of memories that take turns, each sees its pieces one after the other, and keeps the
// places within a piece; alone it sees addresses as they are.
func TestTurns(t *testing.T) {
	turns := Turns{Of: 6, Every: 256}
	for memory := range uint64(6) {
		for want := range uint64(4096) {
			addr := (want/256*6+memory)*256 + want%256
			require.Equal(t, want, turns.dense(addr), "memory %d", memory)
		}
	}
	require.Equal(t, uint64(12345), Turns{Of: 1}.dense(12345))

	s := DefaultSpec()
	s.Turns = Turns{Of: 3, Every: 100}
	_, _, err := s.config()
	require.ErrorContains(t, err, "turns")
	require.ErrorContains(t, err, "want a power of two")
}
