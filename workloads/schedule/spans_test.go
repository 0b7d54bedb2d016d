package schedule

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/components/units"
)

// In whatever order they come, spans are as long as the instants that lie in one of them are many.
func TestSpansCountAnInstantOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s spans
		var sum units.Time
		var in [60]bool
		for range rapid.IntRange(1, 12).Draw(t, "spans") {
			begin := rapid.IntRange(0, 49).Draw(t, "begin")
			end := rapid.IntRange(begin, begin+10).Draw(t, "end")
			sum += s.add(units.Time(begin), units.Time(end))
			for i := begin; i < end; i++ {
				in[i] = true
			}
		}
		n := 0
		for _, x := range in {
			if x {
				n++
			}
		}
		require.Equal(t, units.Time(n), sum)
	})
}

// A team begins with an operator at one member while another still has the one before: for
// that time it is busy once.
func TestTeamIsBusyOnce(t *testing.T) {
	can := []Cost{{Can: true, Time: 1}}
	m := Model{Name: "m", Ops: []Operator{{Cost: can}, {Cost: can}, {Cost: can}}}
	s, err := New([]Model{m}, []string{"Core"}, fcfs{}, DefaultOptions())
	require.NoError(t, err)
	s.Executors[0].Team = true
	s.Arrive(0, 0)
	at := [][2]units.Time{{0, 10}, {7, 20}, {25, 30}}
	for range at {
		if x, ok := s.Next(0); ok {
			require.Zero(t, x.Executor)
		}
	}
	for i, b := range at {
		if i == 2 {
			_, ok := s.Next(20)
			require.False(t, ok, "it was issued when the first was done")
		}
		_, err := s.Done(b[1], Ref{0, int32(i)}, b[0], b[1])
		require.NoError(t, err)
		if i == 0 {
			_, ok := s.Next(10)
			require.True(t, ok)
		}
	}
	require.Equal(t, units.Time(25), s.Executors[0].Busy) // the sum is 28
}
