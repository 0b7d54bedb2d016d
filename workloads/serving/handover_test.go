package serving

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/memory/tiering/placement"
)

// Two engines, one of which computes prompts and the other the rest, end every request once,
// with blocks conserved on both and in each tier, whatever room there is and whenever transfers
// end or are lost. What a transfer reads and writes stays where it was when the transfer began,
// whatever policies move. An engine that has nothing under way and nothing to compute has nothing
// later either, unless something comes: no event would call it again (servers of one sequence,
// ahead: 0, stood still).
func TestHandOver(t *testing.T) {
	moved, waited := uint64(0), 0
	for seed := range uint64(600) {
		r := rand.New(rand.NewPCG(seed, 2))
		s := small()
		s.Sequences = 1 + r.IntN(4)
		s.Whole = r.IntN(2) == 0
		s.Blocks, s.Ahead, s.Prefix, s.Preempt, s.Host = []int{8 + r.IntN(9)}, r.IntN(2), r.IntN(2) == 0, anyPreemption(r), r.IntN(9)
		s.Admit = anyAdmission(r)
		s.Rules = anyRules(seed)
		var first, rest []Request
		for range 1 + r.IntN(8) {
			n, m := 1+r.IntN(20), 2+r.IntN(10)
			first = append(first, Request{Prompt: n, Output: 1, Keep: true})
			rest = append(rest, Request{Prompt: n + 1, Output: m - 1, Cached: n})
		}
		name := []string{"", "static", "lru", "hemem", "tpp"}[seed%5]
		if near := r.IntN(s.Blocks[0]); name != "" {
			s.Blocks, s.Every, s.Moves, s.Bytes = []int{near, s.Blocks[0] - near}, 1, 4, 100
		}
		a, err := New(choose(t, s, name), first)
		require.NoError(t, err)
		b, err := New(choose(t, s, name), rest)
		require.NoError(t, err)
		for i := range first {
			require.True(t, b.Fits(i))
			a.Arrive(i)
		}
		var held, accepted, under []int
		places := map[int][2][]Span{}
		steps := map[*Engine][]*Step{}
		got, ended := make([]int, len(first)), 0
		for now := units.Time(1); ended < len(first); now++ {
			require.Less(t, int(now), 5000, "seed %d never ends", seed)
			for _, e := range []*Engine{a, b} {
				for x, ok := e.Schedule(now); ok; x, ok = e.Schedule(now) {
					steps[e] = append(steps[e], x)
				}
				if len(steps[e]) == 0 {
					_, ok := e.Schedule(now)
					require.False(t, ok, "seed %d: no event would ask a second time", seed)
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
				accepted, held = append(accepted, held[0]), held[1:]
			}
			for len(accepted) > 0 {
				i := accepted[0]
				if !a.Settled(i) || !b.Settled(i) {
					waited++
					break
				}
				places[i] = placesOf(a, b, i)
				under, accepted = append(under, i), accepted[1:]
			}
			lost := r.IntN(40) == 0
			if lost {
				a.Fail()
				b.Fail()
				clear(steps)
				for _, i := range slices.Backward(slices.Concat(under, accepted, held)) {
					b.Decline(i)
					a.Again(i)
				}
				under, accepted, held = nil, nil, nil
			}
			for _, i := range under {
				require.Equal(t, places[i], placesOf(a, b, i), "seed %d", seed)
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
			for k := range s.Blocks {
				used, _, all := e.Tier(k)
				require.Zero(t, used)
				require.Equal(t, s.Blocks[k], all)
			}
			moved += e.Promoted + e.Demoted
		}
	}
	require.Positive(t, moved)
	require.Positive(t, waited, "no block of a request that was held was on its way")
}

// choose is a spec with a policy of its own; "": it has none.
func choose(t *testing.T, s Spec, policy string) Spec {
	if policy != "" {
		p, err := placement.Choice{Name: policy}.New()
		require.NoError(t, err)
		s.Policy = p
	}
	return s
}

// placesOf is where the prompt of a request lies on two engines.
func placesOf(a, b *Engine, i int) [2][]Span {
	n := a.Sequence(i).Prompt
	return [2][]Span{a.Places(nil, i, n), b.Places(nil, i, n)}
}
