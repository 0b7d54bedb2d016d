package bitset

import (
	"math/bits"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// all takes every member, in order.
func all(s *Set) (out []int) {
	for w, b := s.Take(0); b != 0; w, b = s.Take(w + 1) {
		for ; b != 0; b &= b - 1 {
			out = append(out, w<<6+bits.TrailingZeros64(b))
		}
	}
	return out
}

// Against a sorted list: what was added comes once, in order, and then no more.
func TestTakesWhatWasAdded(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		n := 1 + rng.IntN(20_000)
		s := New(n)
		var want []int
		for range rng.IntN(60) {
			i := rng.IntN(n)
			s.Add(i)
			want = append(want, i)
		}
		slices.Sort(want)
		require.Equal(t, slices.Compact(want), all(&s))
		require.Empty(t, all(&s))
	}
	var none Set
	require.Empty(t, all(&none))
}

// What is put back into a word that was taken waits for the next round; what is added to a later
// word comes in the same one.
func TestAddsWhileTaking(t *testing.T) {
	s := New(10_000)
	s.Add(5)
	s.Add(9_000)
	w, b := s.Take(0)
	require.Equal(t, 0, w)
	require.EqualValues(t, 1<<5, b)
	s.Add(5)
	s.Add(4_100)
	for _, want := range []int{4_100 / 64, 9_000 / 64} {
		w, b = s.Take(w + 1)
		require.Equal(t, want, w)
		require.Equal(t, 1, bits.OnesCount64(b))
	}
	_, b = s.Take(w + 1)
	require.Zero(t, b)
	require.Equal(t, []int{5}, all(&s))
}

// Nothing is lost of what several goroutines add while one takes.
func TestAddsAtOnce(t *testing.T) {
	const n = 8192
	s := New(n)
	var adding sync.WaitGroup
	for g := range 4 {
		adding.Go(func() {
			for i := g; i < n; i += 4 {
				s.Add(i)
			}
		})
	}
	var got []int
	for len(got) < n/2 {
		got = append(got, all(&s)...)
	}
	adding.Wait()
	got = append(got, all(&s)...)
	slices.Sort(got)
	require.Len(t, slices.Compact(got), n)
}
