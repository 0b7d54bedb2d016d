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
	k := &core{scaling: s}
	times, windows, parts := k.Estimate([]int{1, 2, 16, 64})
	require.Equal(t, 35, windows)
	require.Equal(t, 33, parts)
	for i, rounds := range []float64{33, 17, 3, 1} {
		require.InEpsilon(t, 3310/(100*rounds+10+20), times[i], 1e-9)
	}
	short := &core{scaling: &scaling{parts: s.parts, rest: s.rest[:10]}}
	times, _, _ = short.Estimate([]int{2})
	require.Empty(t, times, "too few windows to say")
}

// Measuring changes nothing, and sees every whole window but the first.
func TestScalingChangesNothing(t *testing.T) {
	run := func(scale bool) (uint64, int) {
		k, _ := driveUniform(t, 2, 4, 2, 300)
		if scale {
			k.Scale()
		}
		require.NoError(t, k.Run(0, 101*20, false, 1))
		require.NoError(t, k.n.Check())
		if !scale {
			return k.n.Ejected(), 0
		}
		return k.n.Ejected(), len(k.scaling.rest)
	}
	plain, _ := run(false)
	measured, windows := run(true)
	require.Equal(t, plain, measured)
	require.GreaterOrEqual(t, windows, 17)
}

// Parts of unequal cost, by hand: a core takes the next part when it is done with one, and the last to end counts. The median
// is of a copy, the upper one of an even number.
func TestLongestAndMiddle(t *testing.T) {
	parts := []time.Duration{5, 4, 3, 3}
	for cores, want := range map[int]time.Duration{1: 15, 2: 8, 3: 6, 4: 5, 9: 5} {
		require.Equal(t, want, longest(parts, cores), "%d cores", cores)
	}
	list := []time.Duration{50, 10, 40, 20, 30}
	require.EqualValues(t, 30, middle(list))
	require.Equal(t, []time.Duration{50, 10, 40, 20, 30}, list)
	require.EqualValues(t, 40, middle([]time.Duration{50, 10, 40, 20}))
	require.EqualValues(t, 7, middle([]time.Duration{7}))
}
