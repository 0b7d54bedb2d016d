package prefetch

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// brought is what streams ask for, all of which is taken.
func brought(t *testing.T, degree int, reads ...uint64) (lines []uint64) {
	s := newStreams(64, degree)
	for _, line := range reads {
		next := s.Access(&Access{Line: line}, nil)
		require.LessOrEqual(t, len(next), streamAtOnce)
		lines = append(lines, next...)
		s.Took(len(next))
	}
	return lines
}

// A stream is found with the third read, brings two lines for a read, keeps so far ahead,
// and ends with its page; both ways.
func TestStreams(t *testing.T) {
	require.Empty(t, brought(t, 4, 0, 1))
	require.Equal(t, []uint64{3, 4}, brought(t, 4, 0, 1, 2))
	require.Equal(t, []uint64{3, 4, 5, 6, 7, 8}, brought(t, 4, 0, 1, 2, 3, 4), "no further ahead than 4")
	require.Equal(t, []uint64{7, 8}, brought(t, 4, 0, 3, 6), "strides too")
	require.Equal(t, []uint64{63}, brought(t, 4, 60, 61, 62), "the page ends")
	require.Equal(t, []uint64{122, 121}, brought(t, 4, 125, 124, 123), "downwards")
	require.Empty(t, brought(t, 4, 66, 65, 64), "the page begins")
	require.Empty(t, brought(t, 4, 5, 9, 7, 8, 2, 40, 3), "back and forth")
	require.Empty(t, brought(t, 4, 5, 5, 5, 5))
	// two streams in turn, and one that 32 other pages have made forgotten
	require.Equal(t, []uint64{3, 4, 103, 104}, brought(t, 4, 0, 100, 1, 101, 2, 102))
	reads := []uint64{0, 1}
	for i := range uint64(streamCount) {
		reads = append(reads, 64*(i+1))
	}
	require.Empty(t, brought(t, 4, append(reads, 2)...))
}

// What is not taken is asked for again.
func TestStreamsTakeWhatThereIsRoomFor(t *testing.T) {
	s := newStreams(64, 4)
	for line := range uint64(2) {
		s.Access(&Access{Line: line}, nil)
	}
	require.Equal(t, []uint64{3, 4}, s.Access(&Access{Line: 2}, nil))
	s.Took(1)
	require.Equal(t, []uint64{4, 5}, s.Access(&Access{Line: 3}, nil))
}
