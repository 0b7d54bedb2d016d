package fabric

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// twin is a matcher in obvious lines over a matrix of wishes.
type twin struct{ in, out []int }

func pick(n, pointer int, ok func(int) bool) int {
	for k := range n {
		if i := (pointer + k) % n; ok(i) {
			return i
		}
	}
	return -1
}

func (w *twin) inputFirst(n int, want [][]bool) [][2]int {
	choice := make([]int, n)
	for i := range n {
		choice[i] = pick(n, w.in[i], func(o int) bool { return want[i][o] })
	}
	var pairs [][2]int
	for o := range n {
		if i := pick(n, w.out[o], func(i int) bool { return choice[i] == o }); i >= 0 {
			pairs = append(pairs, [2]int{i, o})
		}
	}
	w.move(n, pairs)
	return pairs
}

func (w *twin) islip(n, rounds int, want [][]bool) [][2]int {
	var pairs [][2]int
	busyIn, busyOut := make([]bool, n), make([]bool, n)
	for round := range rounds {
		grant := make([]int, n)
		for o := range n {
			grant[o] = -1
			if !busyOut[o] {
				grant[o] = pick(n, w.out[o], func(i int) bool { return want[i][o] && !busyIn[i] })
			}
		}
		var found [][2]int
		for i := range n {
			if o := pick(n, w.in[i], func(o int) bool { return grant[o] == i }); o >= 0 {
				found = append(found, [2]int{i, o})
				busyIn[i], busyOut[o] = true, true
			}
		}
		if round == 0 {
			w.move(n, found)
		}
		pairs = append(pairs, found...)
	}
	return pairs
}

func (w *twin) move(n int, pairs [][2]int) {
	for _, p := range pairs {
		w.in[p[0]], w.out[p[1]] = (p[1]+1)%n, (p[0]+1)%n
	}
}

func TestMatcherEqualsTwin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 6).Draw(t, "n")
		rounds := rapid.IntRange(1, 3).Draw(t, "rounds")
		alloc := rapid.SampledFrom([]Allocator{InputFirst, ISLIP}).Draw(t, "allocator")
		const router = 1 // of two: pointers of the other must stay
		m := newMatcher(2, n, alloc, rounds)
		w := &twin{make([]int, n), make([]int, n)}
		for range 8 {
			want := make([][]bool, n)
			var reqs []request
			for i := range n {
				want[i] = rapid.SliceOfN(rapid.Bool(), n, n).Draw(t, "wishes")
				for o, yes := range want[i] {
					if yes {
						reqs = append(reqs, request{in: int16(i), out: int16(o)})
					}
				}
			}
			var got, expect [][2]int
			for _, q := range m.match(router, reqs) {
				got = append(got, [2]int{int(q.in), int(q.out)})
			}
			if alloc == InputFirst {
				expect = w.inputFirst(n, want)
			} else {
				expect = w.islip(n, rounds, want)
			}
			slices.SortFunc(got, func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
			slices.SortFunc(expect, func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
			require.Equal(t, expect, got)
		}
		require.Equal(t, make([]int16, n), m.inPtr[:n])
	})
}
