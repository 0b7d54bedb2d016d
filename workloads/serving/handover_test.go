package serving

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/units"
)

// Two engines, one of which computes prompts and the other the rest, end every request once,
// with blocks conserved on both, whatever room there is and whenever transfers end or are lost.
func TestHandOver(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 2))
		s := small()
		s.Whole = r.IntN(2) == 0
		s.Blocks, s.Ahead, s.Prefix, s.Preempt, s.Host = []int{8 + r.IntN(9)}, r.IntN(2), r.IntN(2) == 0, []string{Recompute, Swap}[r.IntN(2)], r.IntN(9)
		var first, rest []Request
		for range 1 + r.IntN(8) {
			n, m := 1+r.IntN(20), 2+r.IntN(10)
			first = append(first, Request{Prompt: n, Output: 1, Keep: true})
			rest = append(rest, Request{Prompt: n + 1, Output: m - 1, Cached: n})
		}
		a, err := New(s, first)
		require.NoError(t, err)
		b, err := New(s, rest)
		require.NoError(t, err)
		for i := range first {
			require.True(t, b.Fits(i))
			a.Arrive(i)
		}
		var held, under []int
		steps := map[*Engine][]*Step{}
		got, ended := make([]int, len(first)), 0
		for now := units.Time(1); ended < len(first); now++ {
			require.Less(t, int(now), 5000, "seed %d never ends", seed)
			for _, e := range []*Engine{a, b} {
				for x, ok := e.Schedule(now); ok; x, ok = e.Schedule(now) {
					steps[e] = append(steps[e], x)
				}
				if len(steps[e]) > 0 && r.IntN(2) == 0 {
					for _, q := range e.Complete(now, steps[e][0]) {
						if got[q.Index()]++; q.State == Done {
							ended++
						}
					}
					for _, p := range steps[e][0].Parts {
						if q := p.Sequence; q.State == Held {
							held = append(held, q.Index())
						}
					}
					steps[e] = steps[e][1:]
				}
			}
			if len(held) > 0 && b.Accept(held[0]) {
				under, held = append(under, held[0]), held[1:]
			}
			lost := r.IntN(40) == 0
			if lost {
				a.Fail()
				b.Fail()
				clear(steps)
				for _, i := range slices.Backward(append(under, held...)) {
					b.Decline(i)
					a.Again(i)
				}
				under, held = nil, nil
			}
			for len(under) > 0 && r.IntN(3) == 0 {
				a.Release(under[0])
				b.Ready(under[0])
				under = under[1:]
			}
			require.NoError(t, a.Check(), "seed %d", seed)
			require.NoError(t, b.Check(), "seed %d", seed)
		}
		for i := range rest {
			require.Equal(t, 1+rest[i].Output, got[i], "seed %d", seed)
		}
		for _, e := range []*Engine{a, b} {
			used, _, _ := e.Blocks()
			require.Zero(t, used)
		}
	}
}
