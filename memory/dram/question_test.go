package dram

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Whoever asks for twice the ranks starts from those of the grade where the key names none, and from the key where it does.
// A grade that is unknown has no ranks to start from. Queues are doubled with their watermarks.
func TestLevers(t *testing.T) {
	s := DefaultSpec()
	from := func() any { return levers(s)[2].From }
	require.Equal(t, 1, from())
	s.Ranks = 2
	require.Nil(t, from())
	s.Ranks, s.Grade = 0, "ddr9"
	require.Nil(t, from())
	var keys [][]string
	halved := 0
	for _, l := range levers(DefaultSpec()) {
		keys = append(keys, l.Keys)
		if l.Half {
			halved++
			require.Equal(t, []string{"latency"}, l.Keys)
		}
	}
	require.Equal(t, 1, halved)
	require.Equal(t, [][]string{{"channels"}, {"latency"}, {"ranks"}, {"read_queue"}, {"write_queue", "write_high", "write_low"}}, keys)
}
