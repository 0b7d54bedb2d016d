package issue

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/schedule"
)

// Executors 0, 2 and 3 are those of three chips, 1 is an interface.
func threeChips() *Following {
	f := NewFollowing([]int{0, -1, 1, 2})
	f.Begin()
	return f
}

func op(request, n int32) schedule.Ref { return schedule.Ref{Request: request, Op: n} }

// A chip that follows ends an operator as long after it could begin as the leader does: after its
// issue, or after the operator before it.
func TestFollowing(t *testing.T) {
	f := threeChips()
	issue := func(now units.Time, ref schedule.Ref, e int) bool {
		return f.Issue(now, schedule.Issue{Ref: ref, Executor: e})
	}
	require.False(t, issue(0, op(0, 9), 1), "an interface carries out its transfers")
	require.False(t, issue(100, op(0, 0), 0), "the leader")
	require.False(t, issue(100, op(0, 1), 0))
	require.False(t, issue(100, op(2, 0), 3), "the witness")
	require.True(t, issue(130, op(1, 0), 2))
	require.True(t, issue(140, op(1, 1), 2))
	_, known := f.Next()
	require.False(t, known, "the leader has not ended")
	f.Done(152, 0, op(0, 0), 110, 150) // 50 after its issue, of which 40 it computed; 2 until the report
	at, known := f.Next()
	require.True(t, known)
	require.EqualValues(t, 182, at)
	require.Empty(t, f.Due(181))
	require.Equal(t, []Ended{{op(1, 0), 140, 180}}, f.Due(182))
	f.Done(222, 0, op(0, 1), 150, 220) // 70 after the one before it
	at, _ = f.Next()
	require.EqualValues(t, 180+70+2, at)
	require.Equal(t, []Ended{{op(1, 1), 180, 250}}, f.Due(252))
	require.Zero(t, f.Sum.Late)
	require.EqualValues(t, 2, f.Sum.Taken)

	f.Done(162, 3, op(2, 0), 110, 160)
	f.Settle(1000, 10)
	require.InDelta(t, 10.0/50, f.Sum.Part, 1e-12)
	f.Settle(0, 0)
	time, bytes := f.Sum.Differ()
	require.InDelta(t, 10.0/50, time, 1e-12, "an operator counts once")
	require.InDelta(t, 0.01, bytes, 1e-12)
}

// What the leader gets later than a chip that follows ends late there, by as much.
func TestFollowingLate(t *testing.T) {
	f := threeChips()
	require.True(t, f.Issue(10, schedule.Issue{Ref: op(1, 0), Executor: 2}))
	require.False(t, f.Issue(40, schedule.Issue{Ref: op(0, 0), Executor: 0}))
	f.Done(91, 0, op(0, 0), 50, 90)
	require.Equal(t, []Ended{{op(1, 0), 50, 90}}, f.Due(91), "it would have ended at 60")
	require.EqualValues(t, 30, f.Sum.Late)
	f.Begin()
	require.True(t, f.Issue(100, schedule.Issue{Ref: op(1, 0), Executor: 2}))
	_, known := f.Next()
	require.False(t, known, "another step has other operators")
}
