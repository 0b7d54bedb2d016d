package calendar_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/components/calendar"
)

// Lanes is Of, whatever the delays.
func TestLanes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var c calendar.Lanes[int]
		var twin calendar.Of[int]
		delays := rapid.SliceOfN(rapid.Uint64Range(0, 50), 1, 20).Draw(t, "delays")
		now := uint64(0)
		for n := range uint64(rapid.IntRange(0, 400).Draw(t, "steps")) {
			if twin.Len() > 0 && rapid.Bool().Draw(t, "pop") {
				require.Equal(t, *twin.First(), *c.First())
				now = twin.First().At
				require.True(t, c.Due(now))
				require.False(t, now > 0 && c.Due(now-1))
				require.Equal(t, now, c.Next())
				require.Equal(t, twin.Pop(), c.Pop())
			} else {
				e := calendar.Entry[int]{At: now + rapid.SampledFrom(delays).Draw(t, "delay"), Order: n, What: int(n)}
				c.Push(e)
				twin.Push(e)
			}
			require.Equal(t, twin.Len(), c.Len())
		}
		for twin.Len() > 0 {
			require.Equal(t, twin.Pop(), c.Pop())
		}
		require.Zero(t, c.Len())
		require.False(t, c.Due(^uint64(0)))
		require.Equal(t, ^uint64(0), c.Next())
	})
}
