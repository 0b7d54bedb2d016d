package random

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func drawn(s Streams, i, n, k int) (out []int) {
	for range k {
		out = append(out, s.IntN(i, n))
	}
	return out
}

// A stream gives the same numbers whatever the others draw in between, and however
// many there are.
func TestStreamsAreIndependentOfOrder(t *testing.T) {
	alone := drawn(New(1, "x", 3), 2, 100, 20)
	s := New(1, "x", 9)
	var mixed []int
	for range 20 {
		s.IntN(1, 7)
		mixed = append(mixed, s.IntN(2, 100))
		s.IntN(8, 3)
	}
	require.Equal(t, alone, mixed)
}

// Another place, seed or purpose, another stream.
func TestStreamsDiffer(t *testing.T) {
	seen := map[[4]int]string{}
	for seed := range uint64(20) {
		for _, purpose := range []string{"routing", "channel"} {
			s := New(seed, purpose, 50)
			for i := range s {
				key := [4]int(drawn(s, i, 1<<60, 4))
				require.NotContains(t, seen, key)
				seen[key] = purpose
			}
		}
	}
}

// All values are equally likely, within one stream and across the first draws of
// neighbouring ones: chi-square over 30 bins stays below its 0.001 quantile, 58.3.
func TestUniform(t *testing.T) {
	const bins, draws = 30, 60000
	check := func(draw func(k int) int) {
		t.Helper()
		var count [bins]float64
		for k := range draws {
			count[draw(k)]++
		}
		sum := 0.
		for _, c := range count {
			sum += (c - draws/bins) * (c - draws/bins) / (draws / bins)
		}
		require.Less(t, sum, 58.3)
		require.Greater(t, sum, 9., "too even to be random")
	}
	one := New(7, "x", 1)
	check(func(int) int { return one.IntN(0, bins) })
	many := New(7, "x", draws)
	check(func(k int) int { return many.IntN(k, bins) })
}

// Neighbouring streams agree as often as chance has it.
func TestNeighboursDoNotCorrelate(t *testing.T) {
	const n = 20000
	s := New(3, "x", n+1)
	equal := 0
	for i := range n {
		a, b := s[i], s[i+1] // copies
		pair := Streams{a, b}
		if pair.IntN(0, 10) == pair.IntN(1, 10) {
			equal++
		}
	}
	require.InDelta(t, n/10, equal, 4*42) // four standard deviations
}

func TestBounds(t *testing.T) {
	s := New(1, "x", 1)
	for range 50 {
		require.Zero(t, s.IntN(0, 1))
	}
	require.Panics(t, func() { s.IntN(0, 0) })
	require.Zero(t, testing.AllocsPerRun(100, func() { s.IntN(0, 1<<62+1) }))
}

func BenchmarkIntN(b *testing.B) {
	s := New(1, "x", 1024)
	for i := 0; b.Loop(); i++ {
		s.IntN(i&1023, 33)
	}
}
