package schedule

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// pair is two models of one operator each on one executor; the second comes after the
// first.
func pair(t *testing.T, policy string) *State {
	e, ok := Policies.Entry(policy)
	require.True(t, ok)
	s, err := New([]Model{
		{Name: "first", Deadline: 10, Ops: []Operator{{Name: "a", Cost: []Cost{{Can: true, Time: 4, Energy: 3}}}}},
		{Name: "second", Deadline: 10, After: []int{0}, Ops: []Operator{{Name: "b", Cost: []Cost{{Can: true, Time: 4, Energy: 5}}}}},
	}, []string{"E"}, e.New(e.Spec), Options{Grain: ByModel, Ahead: 1})
	require.NoError(t, err)
	return s
}

func TestARequestWaitsForTheOneItComesAfter(t *testing.T) {
	for _, policy := range Policies.Names() {
		s := pair(t, policy)
		second, first := s.Arrive(0, 1), s.Arrive(0, 0)
		i, ok := s.Next(0)
		require.True(t, ok, policy)
		require.Equal(t, first.ID, i.Request, policy)
		_, ok = s.Next(0)
		require.False(t, ok, policy)
		_, err := s.Done(4, i.Ref, 0, 4)
		require.NoError(t, err)
		i, ok = s.Next(4)
		require.True(t, ok, policy)
		require.Equal(t, second.ID, i.Request, policy)
		_, err = s.Done(8, i.Ref, 4, 8)
		require.NoError(t, err)
		require.Equal(t, 5.0, second.Energy)
		require.Zero(t, s.Live())
	}
}

// What is late before it begins is given up with what comes after it; what has begun is
// not.
func TestLateRequestsAreGivenUp(t *testing.T) {
	s := pair(t, "fcfs")
	a, b := s.Arrive(0, 0), s.Arrive(0, 1)
	c := s.Arrive(8, 0)
	require.Empty(t, s.DropLate(10))
	require.Equal(t, []*Request{a, b}, s.DropLate(11))
	require.True(t, a.Dropped && b.Dropped && a.Missed() && !a.Finished())
	require.EqualValues(t, 11, a.End)
	i, ok := s.Next(11)
	require.True(t, ok)
	require.Equal(t, c.ID, i.Request)
	require.Empty(t, s.DropLate(50))
	require.Equal(t, 1, s.Live())
	_, err := s.Done(50, i.Ref, 11, 50)
	require.NoError(t, err)
	require.True(t, c.Missed() && !c.Dropped)
	require.Zero(t, s.Live())
}

// dream gives up requests that cannot be done in time, and its Ended is called for each.
func TestHopelessRequestsAreGivenUp(t *testing.T) {
	s := pair(t, "dream")
	a := s.Arrive(0, 0)
	require.Empty(t, s.DropHopeless(6))
	require.Equal(t, []*Request{a}, s.DropHopeless(7))
	require.Equal(t, 1, s.policy.(*dream).tune.requests)
	require.Empty(t, pair(t, "fcfs").DropHopeless(7))
}

// The search finds weights that cost less: misses that fall with the first weight.
func TestTheSearchGoesDownhill(t *testing.T) {
	u := tuner{at: [2]float64{0.5, 0.5}, best: [2]float64{0.5, 0.5}, step: 0.5}
	for range 40 * 20 {
		x := u.at[0]
		u.see(float64(u.requests)/20 < (x-2)*(x-2)/4, 1+u.at[1], 4, 20)
	}
	require.InDelta(t, 2, u.best[0], 0.5)
	require.InDelta(t, 0, u.best[1], 0.26)
}
