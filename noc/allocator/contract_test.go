package allocator

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Every allocator grants requests that were made, each input and output once at most,
// and at least one of them.
func TestContract(t *testing.T) {
	require.NotEmpty(t, All.Names())
	for _, e := range All.Entries() {
		require.NotEmpty(t, e.Source, e.Name)
		rapid.Check(t, func(t *rapid.T) {
			n := rapid.IntRange(1, 6).Draw(t, "n")
			m := e.New.New(2, n, rapid.IntRange(1, 3).Draw(t, "iterations"))
			for range 8 {
				reqs, _ := draw(t, n)
				for k := range reqs {
					reqs[k].Lane = int16(k)
					reqs[k].Age = int64(reqs[k].In) % 3
				}
				granted := m.Match(rapid.IntRange(0, 1).Draw(t, "router"), reqs)
				require.Equal(t, len(reqs) == 0, len(granted) == 0, e.Name)
				ins, outs := map[int16]bool{}, map[int16]bool{}
				for _, q := range granted {
					require.True(t, slices.Contains(reqs, q), "%s granted %v", e.Name, q)
					require.False(t, ins[q.In] || outs[q.Out], "%s granted twice: %v", e.Name, granted)
					ins[q.In], outs[q.Out] = true, true
				}
			}
		})
	}
}

// Requests that share no input and no output are all granted, and Advance moves the pointers
// as Match does: two allocators, one asked and one only told, agree on what comes after.
func TestPassIsMatch(t *testing.T) {
	for _, e := range All.Entries() {
		if _, ok := e.New.New(1, 1, 1).(ArbiterBased); !ok {
			continue
		}
		rapid.Check(t, func(t *rapid.T) {
			const n = 5
			asked, told := e.New.New(2, n, 2), e.New.New(2, n, 2).(ArbiterBased)
			for range 8 {
				r := rapid.IntRange(0, 1).Draw(t, "router")
				ins, outs := rapid.Permutation([]int16{0, 1, 2, 3, 4}).Draw(t, "in"), rapid.Permutation([]int16{0, 1, 2, 3, 4}).Draw(t, "out")
				var reqs []Request
				for i := range rapid.IntRange(0, n).Draw(t, "requests") {
					reqs = append(reqs, Request{In: ins[i], Out: outs[i], Lane: int16(i)})
				}
				require.ElementsMatch(t, reqs, asked.Match(r, reqs), e.Name)
				for _, q := range reqs {
					told.Pointers().Advance(r, q.In, q.Out)
				}
				mixed, _ := draw(t, n)
				require.Equal(t, slices.Clone(asked.Match(r, mixed)), slices.Clone(told.Match(r, mixed)), e.Name)
			}
		})
	}
}

// Inputs that always ask for one output are granted in turn, and so are the outputs
// that one input asks for.
func TestAllocatorsAreFair(t *testing.T) {
	for _, e := range All.Entries() {
		for _, byInput := range []bool{false, true} {
			const n = 5
			m := e.New.New(1, n, 1)
			won := make([]int, n)
			for range 4 * n {
				var reqs []Request
				for i := range int16(n) {
					q := Request{In: i, Out: 2}
					if byInput {
						q = Request{In: 2, Out: i}
					}
					reqs = append(reqs, q)
				}
				got := m.Match(0, reqs)
				require.Len(t, got, 1)
				if byInput {
					won[got[0].Out]++
				} else {
					won[got[0].In]++
				}
			}
			require.Equal(t, []int{4, 4, 4, 4, 4}, won, "%s %v", e.Name, byInput)
		}
	}
}

// An allocator that asks for ages grants the oldest request.
func TestTheOldestIsGranted(t *testing.T) {
	for _, e := range All.Entries() {
		if !e.New.Ages {
			continue
		}
		m := e.New.New(1, 4, 1)
		for range 5 {
			got := m.Match(0, []Request{{Age: 9, In: 0, Out: 1}, {Age: 3, In: 2, Out: 1}, {Age: 7, In: 3, Out: 1}})
			require.Equal(t, []Request{{Age: 3, In: 2, Out: 1}}, got, e.Name)
		}
	}
}

// A call allocates nothing once its buffers have grown.
func TestNothingAllocates(t *testing.T) {
	const n = 8
	var reqs []Request
	for i := range int16(n * n) {
		reqs = append(reqs, Request{In: i / n, Out: i % n})
	}
	for _, e := range All.Entries() {
		m := e.New.New(1, n, 2)
		m.Match(0, reqs)
		require.Zero(t, testing.AllocsPerRun(20, func() { m.Match(0, reqs) }), e.Name)
	}
}
