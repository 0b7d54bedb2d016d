package explain

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// A run through stages in series takes as long as the slowest: two equal ones hide each other, and
// the third is of no use. What binds together is found among all of them, in few runs.
func TestLimitsInSeries(t *testing.T) {
	for _, c := range []struct {
		name  string
		times []float64 // of each stage
		want  string    // "": nothing
		most  int       // runs
	}{
		{"two equal stages", []float64{10, 2, 10, 3}, "0 x2 + 2 x2", 4},
		{"the second binds after the first", []float64{10, 3, 8}, "0 x2 + 2 x2", 3},
		{"two nearly equal stages", []float64{10, 9.5, 9.5, 1}, "0 x2 + 1 x2 + 2 x2", 8},
		{"one stage", []float64{10, 2, 3}, "", 1},
		{"three equal stages", []float64{10, 10, 10, 1}, "0 x2 + 1 x2 + 2 x2", 8},
		{"nothing to pair", []float64{10}, "", 0},
	} {
		run := func(l lever) float64 {
			base, now := 0.0, 0.0
			for i, t := range c.times {
				base = max(base, t)
				if name := fmt.Sprint(i); l.text == name || hasPart(l, name) {
					t /= 2
				}
				now = max(now, t)
			}
			return base / now
		}
		var e Explanation
		for i := range c.times {
			l := lever{text: fmt.Sprint(i), work: 1}
			e.Levers = append(e.Levers, LeverResult{Ratio: run(l), of: l})
		}
		bestFirst(e.Levers)
		runs := 0
		got, ok := inSeries(e.Levers, func(l lever) float64 { runs++; return run(l) })
		require.Equal(t, c.want != "", ok, c.name)
		if ok {
			require.Equal(t, c.want, got.name(), c.name)
		}
		require.LessOrEqual(t, runs, c.most, c.name)
	}
	// A change that the configuration refuses with others says nothing.
	l := LeverResult{Ratio: 1, of: lever{work: 1}}
	_, ok := inSeries([]LeverResult{l, l}, func(lever) float64 { return 0 })
	require.False(t, ok)
	_, ok = inSeries([]LeverResult{l, l}, func(lever) float64 { return math.NaN() })
	require.False(t, ok)
}

// Two changes that each help much may do more together: of these the best pair is found.
func TestStrongChangesTogether(t *testing.T) {
	alone := func(name string, ratio float64) LeverResult {
		return LeverResult{Ratio: ratio, of: lever{text: name, work: 1}}
	}
	levers := []LeverResult{alone("memory", 1.6), alone("units", 1.33), alone("clock", 1.2), alone("latency", 1)}
	runs := 0
	got, ok := inSeries(levers, func(l lever) float64 {
		runs++
		switch {
		case hasPart(l, "units"):
			return 2.77
		case hasPart(l, "clock"):
			return 1.92 // their product
		}
		return 1.6
	})
	require.True(t, ok)
	require.Equal(t, "memory x2 + units x2", got.name())
	require.Equal(t, 3, runs)
	_, ok = inSeries(levers, func(lever) float64 { return 1.6 })
	require.False(t, ok)
}

func hasPart(l lever, name string) bool {
	for _, p := range l.parts {
		if p.text == name {
			return true
		}
	}
	return false
}

func TestJoinedInWords(t *testing.T) {
	of := func(ls ...lever) (out []LeverResult) {
		for _, l := range ls {
			out = append(out, LeverResult{of: l})
		}
		return out
	}
	l := joined(of(lever{node: "Nic", text: "bandwidth", sets: []string{"a"}}, lever{node: "Net", text: "latency", half: true, sets: []string{"b", "c"}}))
	require.Equal(t, "Nic bandwidth x2 + Net latency /2", l.name())
	require.Equal(t, "Twice the bandwidth of Nic together with half the latency of Net", l.change())
	require.Equal(t, []string{"a", "b", "c"}, l.sets)
	l = joined(of(lever{text: "a"}, lever{text: "b"}, lever{text: "c"}))
	require.Equal(t, "Twice the a together with twice the b and twice the c", l.change())
}
