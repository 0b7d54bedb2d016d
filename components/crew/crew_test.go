package crew

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Every task is done once in each round, whatever the numbers of tasks and workers, and a panic of one
// is raised again.
func TestEveryTaskIsDoneOnce(t *testing.T) {
	var c Crew
	rapid.Check(t, func(t *rapid.T) {
		done := make([]atomic.Int32, rapid.IntRange(0, 40).Draw(t, "tasks"))
		rounds := rapid.IntRange(1, 3).Draw(t, "rounds")
		workers := rapid.IntRange(1, 8).Draw(t, "workers")
		for range rounds {
			c.Run(len(done), workers, func(i int) { done[i].Add(1) })
		}
		for i := range done {
			require.EqualValues(t, rounds, done[i].Load(), "task %d", i)
		}
	})
	require.PanicsWithValue(t, "seven", func() {
		new(Crew).Run(20, 3, func(i int) {
			if i == 7 {
				panic("seven")
			}
		})
	})
}

// Tasks of unequal cost, by hand: a core takes the next task when it is done with one, and the last to
// end counts.
func TestLongest(t *testing.T) {
	times := []time.Duration{5, 4, 3, 3}
	for cores, want := range map[int]time.Duration{1: 15, 2: 8, 3: 6, 4: 5, 9: 5} {
		require.Equal(t, want, Longest(times, cores), "%d cores", cores)
	}
}
