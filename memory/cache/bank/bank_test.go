package bank_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/memory/cache/bank"
)

// twin is a Set in obvious lines.
type twin struct {
	lines [][]bank.Lookup
	awake []bool
}

func (w *twin) busy() (n int) {
	for _, l := range w.lines {
		if len(l) > 0 {
			n++
		}
	}
	return n
}

// A Set of any size does what lists do.
func TestSetIsLists(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.SampledFrom([]int{1, 3, 64, 65, 130, 200}).Draw(t, "banks")
		s, w := bank.NewSet(n), twin{make([][]bank.Lookup, n), make([]bool, n)}
		one := rapid.IntRange(0, n-1)
		next := uint32(0)
		t.Repeat(map[string]func(*rapid.T){
			"push": func(t *rapid.T) {
				i := one.Draw(t, "bank")
				l := bank.Lookup{Request: next, K: int32(i)}
				next++
				s.Push(i, l)
				if w.lines[i] = append(w.lines[i], l); len(w.lines[i]) == 1 {
					w.awake[i] = true
				}
			},
			"drop": func(t *rapid.T) {
				i := one.Draw(t, "bank")
				if len(w.lines[i]) == 0 {
					return
				}
				w.lines[i] = w.lines[i][1:]
				require.Equal(t, len(w.lines[i]) > 0, s.Drop(i))
				w.awake[i] = w.awake[i] && len(w.lines[i]) > 0
			},
			"sleep": func(t *rapid.T) {
				i := one.Draw(t, "bank")
				s.Sleep(i)
				w.awake[i] = false
			},
			"wake": func(t *rapid.T) {
				from := one.Draw(t, "first")
				k := rapid.IntRange(0, n-from).Draw(t, "banks")
				s.Wake(from, k)
				for i := from; i < from+k; i++ {
					w.awake[i] = len(w.lines[i]) > 0
				}
			},
			"wake all": func(t *rapid.T) {
				s.WakeAll()
				for i := range w.awake {
					w.awake[i] = len(w.lines[i]) > 0
				}
			},
			"": func(t *rapid.T) {
				require.Equal(t, w.busy(), s.Busy)
				var ready []int32
				for i := range n {
					require.Equal(t, w.awake[i], s.Awake()[i/64]>>(i%64)&1 == 1, "bank %d is awake", i)
					require.Equal(t, len(w.lines[i]), s.Banks[i].Lines.Len())
					if len(w.lines[i]) > 0 {
						require.Equal(t, w.lines[i][0], *s.Banks[i].Lines.At(0))
						ready = append(ready, int32(i))
					}
				}
				require.ElementsMatch(t, ready, s.Ready(0, arrival))
				for _, free := range []int{0, len(ready), len(ready) + 1} { // by number
					require.Equal(t, ready, append([]int32(nil), s.Ready(free, arrival)...))
				}
				if len(ready) > 1 { // by arrival
					order := s.Ready(len(ready)-1, arrival)
					require.ElementsMatch(t, ready, order)
					for i := range order[1:] {
						require.Less(t, s.Banks[order[i]].Lines.At(0).Request, s.Banks[order[i+1]].Lines.At(0).Request)
					}
				}
			},
		})
	})
}

func arrival(request uint32) uint64 { return uint64(request) }
