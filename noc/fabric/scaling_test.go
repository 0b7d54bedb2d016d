package fabric

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The estimate of 16 cores for 33 equal parts is that of three rounds, with the time that no part
// shares; windows at the beginning do not count, nor does one that stands out.
func TestScalingEstimate(t *testing.T) {
	s := &scaling{parts: make([][]time.Duration, 33)}
	for w := range 40 {
		cost, rest := 100*time.Microsecond, 10*time.Microsecond
		if w < firstWindows || w == 20 {
			cost, rest = time.Second, time.Second
		}
		s.rest = append(s.rest, rest)
		for i := range s.parts {
			s.parts[i] = append(s.parts[i], cost)
		}
	}
	n := &Network{scaling: s}
	times, windows, parts := n.Estimate([]int{1, 2, 16, 64})
	require.Equal(t, 35, windows)
	require.Equal(t, 33, parts)
	for i, rounds := range []float64{33, 17, 3, 1} {
		require.InEpsilon(t, 3310/(100*rounds+10+20), times[i], 1e-9)
	}
	short := &Network{scaling: &scaling{parts: s.parts, rest: s.rest[:10]}}
	times, _, _ = short.Estimate([]int{2})
	require.Empty(t, times, "too few windows to say")
}

// Measuring changes nothing, and sees every whole window but the first.
func TestScalingChangesNothing(t *testing.T) {
	run := func(scale bool) (uint64, int) {
		n, _ := driveUniform(t, 2, 4, 2, 300)
		if scale {
			n.Scale()
		}
		for from := int64(0); from < 101*20; {
			from = n.Window(from, 101*20, false, 1)
		}
		n.TakeTally()
		require.NoError(t, n.Check())
		if !scale {
			return n.Ejected(), 0
		}
		return n.Ejected(), len(n.scaling.rest)
	}
	plain, _ := run(false)
	measured, windows := run(true)
	require.Equal(t, plain, measured)
	require.GreaterOrEqual(t, windows, 17)
}

// The median is of a copy, the upper one of an even number.
func TestMiddle(t *testing.T) {
	list := []time.Duration{50, 10, 40, 20, 30}
	require.EqualValues(t, 30, middle(list))
	require.Equal(t, []time.Duration{50, 10, 40, 20, 30}, list)
	require.EqualValues(t, 40, middle([]time.Duration{50, 10, 40, 20}))
	require.EqualValues(t, 7, middle([]time.Duration{7}))
}
