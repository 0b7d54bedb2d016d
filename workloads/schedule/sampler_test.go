package schedule

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/units"
)

// Layers are simulated until two in a row take and move the same; then all but the last are
// skipped, and that one tells the error. A later run that begins alike is known.
func TestSampler(t *testing.T) {
	s := NewSampler(0.01)
	s.Begin()
	require.Zero(t, s.Ended(7, 1200, 0, 9), "the first is cold")
	require.Zero(t, s.Ended(7, 1000, 0, 8), "another time")
	require.Zero(t, s.Ended(7, 1000, 0.2, 7), "another traffic")
	require.Equal(t, 5, s.Ended(7, 1005, 0.001, 6))
	require.Equal(t, units.Time(1005), s.Took())
	require.Zero(t, s.Ended(7, 1025, 0, 0), "the last one")
	require.InDelta(t, 20.0/1005, s.Count.Error, 1e-9)
	s.Begin()
	require.Equal(t, 9, s.Ended(7, 1203, 0, 9), "begins as the run before")
	require.Equal(t, units.Time(1005), s.Took())
	s.Begin()
	require.Zero(t, s.Ended(7, 1100, 0, 9), "begins otherwise")

	s.Note(3, 100)
	_, ok := s.Known(3)
	require.False(t, ok)
	s.Note(3, 100)
	took, ok := s.Known(3)
	require.True(t, ok)
	require.Equal(t, units.Time(100), took)
}
