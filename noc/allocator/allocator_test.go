package allocator

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// twin are round-robin pointers, and allocation in obvious lines over a matrix of
// requests.
type twin struct{ in, out []int }

// twins are the obvious allocators, by name. An allocator without one keeps the
// contract of TestContract alone.
var twins = map[string]func(w *twin, n, rounds int, want [][]bool) [][2]int{
	"separable_input_first": (*twin).inputFirst,
	"age":                   (*twin).inputFirst, // of packets of one age
	"islip":                 (*twin).islip,
}

func pick(n, pointer int, ok func(int) bool) int {
	for k := range n {
		if i := (pointer + k) % n; ok(i) {
			return i
		}
	}
	return -1
}

func (w *twin) inputFirst(n, _ int, want [][]bool) [][2]int {
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

func TestAllocatorEqualsTwin(t *testing.T) {
	for name, obvious := range twins {
		e, ok := All.Entry(name)
		require.True(t, ok, name)
		rapid.Check(t, func(t *rapid.T) {
			n := rapid.IntRange(1, 6).Draw(t, "n")
			rounds := rapid.IntRange(1, 3).Draw(t, "rounds")
			const router = 1 // of two: pointers of the other must stay
			m := e.New.New(2, n, rounds)
			w := &twin{make([]int, n), make([]int, n)}
			for range 8 {
				reqs, want := draw(t, n)
				got := pairs(m.Match(router, reqs))
				expect := obvious(w, n, rounds, want)
				slices.SortFunc(expect, func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
				require.Equal(t, expect, got)
			}
			reqs, want := draw(t, n)
			fresh := &twin{make([]int, n), make([]int, n)}
			expect := obvious(fresh, n, rounds, want)
			slices.SortFunc(expect, func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
			require.Equal(t, expect, pairs(m.Match(0, reqs)), "the other router begins anew")
		})
	}
}

// draw is some requests among n inputs and n outputs, as a list and as a matrix.
func draw(t *rapid.T, n int) ([]Request, [][]bool) {
	want := make([][]bool, n)
	var reqs []Request
	for i := range n {
		want[i] = rapid.SliceOfN(rapid.Bool(), n, n).Draw(t, "requests")
		for o, yes := range want[i] {
			if yes {
				reqs = append(reqs, Request{In: int16(i), Out: int16(o)})
			}
		}
	}
	return reqs, want
}

// pairs are the input and output of each grant, sorted.
func pairs(granted []Request) (out [][2]int) {
	for _, q := range granted {
		out = append(out, [2]int{int(q.In), int(q.Out)})
	}
	slices.SortFunc(out, func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
	return out
}
