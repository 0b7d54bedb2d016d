package schedule

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/units"
)

// oneOp is a model of one operator on one executor.
func oneOp(name string, c Cost, n int) Model {
	m := Model{Name: name}
	for range n {
		m.Ops = append(m.Ops, Operator{Name: "op", Cost: []Cost{c}})
	}
	for i := 1; i < n; i++ {
		m.Ops[i].After = []int32{int32(i - 1)}
	}
	return m
}

// An executor with a fetch of 10 to do gets computation next, and a fetch after that: what
// leaves both queues as even as can be.
func TestBalanceByHand(t *testing.T) {
	models := []Model{
		oneOp("fetches", Cost{Can: true, Time: 10, Fetch: 10, Compute: 1}, 3),
		oneOp("computes", Cost{Can: true, Time: 10, Fetch: 1, Compute: 10}, 3),
	}
	s, err := New(models, []string{"A"}, balance{}, Options{Grain: ByModel, Ahead: 4})
	require.NoError(t, err)
	s.Arrive(0, 0)
	s.Arrive(0, 1)
	var got []int32
	var switches int
	for {
		x, ok := s.Next(0)
		if !ok {
			break
		}
		got = append(got, s.Request(x.Request).Model)
		if x.Switch {
			switches++
		}
	}
	require.Equal(t, []int32{0, 1, 0, 1}, got)
	require.Equal(t, 3, switches, "each leaves the other in the middle")
}

// A short request overtakes a long one once it has half as many tokens; with level 1 only
// the most tokens count.
func TestTokensByHand(t *testing.T) {
	for _, c := range []struct {
		level float64
		at    units.Time // of the look
		want  int32
	}{
		{0.5, 130, 0}, // 1.3 of the long one, 0.3 x 2 of the short one that came at 100
		{0.5, 145, 1}, // 1.45, 0.9
		{1, 145, 0},
		{1, 250, 1}, // 2.5, 3
	} {
		s, err := New([]Model{oneOp("long", Cost{Can: true, Time: 50}, 2), oneOp("short", Cost{Can: true, Time: 50}, 1)}, []string{"A"}, &tokens{Tokens{c.level}}, Options{Grain: ByModel, Ahead: 1})
		require.NoError(t, err)
		s.Arrive(0, 0)
		s.Arrive(100, 1)
		x, ok := s.Next(c.at)
		require.True(t, ok)
		require.Equal(t, c.want, s.Request(x.Request).Model, "level %g at %d", c.level, c.at)
	}
}
