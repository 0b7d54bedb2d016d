package booksim

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// play runs samples of one latency and load each, and returns which of them cleared.
func play(s *Series, latency func(i int) float64) (cleared []bool) {
	for i, more := 0, true; more; i++ {
		cleared = append(cleared, s.Begin())
		more = s.End(latency(i), .1, true)
	}
	return cleared
}

// A steady network: three samples of warm-up, one that compares with it, and the third
// in a row that changes nothing ends it.
func TestThreeInARow(t *testing.T) {
	s := &Series{Rules: Defaults()}
	require.Equal(t, []bool{true, false, true, true, false, false}, play(s, func(int) float64 { return 20 }))
	require.True(t, s.Measuring)
}

// A sample that changes by more begins the row anew; at most ten are taken.
func TestChangeBeginsAnew(t *testing.T) {
	at := func(jump int, by float64) int {
		s := &Series{Rules: Defaults()}
		return len(play(s, func(i int) float64 {
			if i >= jump {
				return 20 * by
			}
			return 20
		}))
	}
	require.Equal(t, 6, at(5, 1.05), "5% is no change")
	require.Equal(t, 9, at(5, 1.06))
	require.Equal(t, 10, len(play(&Series{Rules: Defaults()}, func(i int) float64 { return float64(int(1) << i) })))
}

// Where latency does not count, the load alone decides.
func TestLoadAlone(t *testing.T) {
	s := &Series{Rules: Defaults()}
	n := 1
	for s.Begin(); s.End(float64(n*n*100), .1, false); n++ {
		s.Begin()
	}
	require.Equal(t, 6, n)
}

// The measurement ends when no packet is left. It compares the latency with the limit every
// thousand cycles, and never without a limit.
func TestDrain(t *testing.T) {
	wait := func(rules Rules, packets int, latency float64) (cycles int, saturated bool) {
		d := Drain{Rules: rules}
		for over := false; !over; {
			cycles++
			over, saturated = d.Cycle(cycles < packets, func() float64 { return latency })
		}
		return cycles, saturated
	}
	for _, c := range []struct {
		limit, latency  float64
		packets, cycles int
		saturated       bool
	}{{500, 20, 1, 1, false}, {500, 20, 3456, 3456, false}, {500, 501, 3456, 1000, true}, {500, 501, 999, 999, false}, {0, 501, 3456, 3456, false}} {
		cycles, saturated := wait(Rules{Limit: c.limit}, c.packets, c.latency)
		require.Equal(t, c.cycles, cycles)
		require.Equal(t, c.saturated, saturated)
	}
	require.True(t, Behind([]int64{9, 4, 8}, 5))
	require.False(t, Behind([]int64{9, 5, 8}, 5))
}
