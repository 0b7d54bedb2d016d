package serving

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/memory/tiering/placement"
)

// everything is a policy that moves what it may, anywhere.
type everything struct{ seed uint64 }

func (p everything) First(v *placement.View, page int) int { return page % len(v.Tiers) }

func (p everything) Plan(v *placement.View, out []placement.Move) []placement.Move {
	r := rand.New(rand.NewPCG(p.seed, uint64(v.Interval)))
	budget, free, named := v.Budget, make([]int, len(v.Tiers)), map[int]bool{}
	for t := range free {
		free[t] = v.Tiers[t].Frames - v.Tiers[t].Used
	}
	can := func(i int) bool { return v.Pages[i].Tier != placement.Nowhere && !v.Pages[i].Moving && !named[i] }
	for i := range v.Pages {
		if !can(i) {
			continue
		}
		m := placement.Move{Page: int32(i), With: placement.None, To: int8(r.IntN(len(v.Tiers)))}
		if m.To == v.Pages[i].Tier {
			continue
		}
		if free[m.To] == 0 {
			for k := range v.Pages {
				if k != i && can(k) && v.Pages[k].Tier == m.To {
					m.With = int32(k)
				}
			}
			if m.With == placement.None {
				continue
			}
		}
		if budget -= m.Cost(); budget < 0 {
			return out
		}
		if named[i] = true; m.With != placement.None {
			named[int(m.With)] = true
		} else {
			free[m.To]--
		}
		out = append(out, m)
	}
	return out
}

// apart looks that what a step writes, what its moves read and what they write are different
// entries, and that each part has its entries in one place each.
func apart(t *testing.T, e *Engine, s *Step) {
	t.Helper()
	written := map[[2]int]string{}
	mark := func(who string, spans []Span, from, n int) {
		at := 0
		for _, x := range spans {
			for k := range x.N {
				if at >= from && at < from+n {
					key := [2]int{x.Tier, x.At + k}
					require.Empty(t, written[key], "%s writes where another does", who)
					written[key] = who
				}
				at++
			}
		}
		require.GreaterOrEqual(t, at, from+n)
	}
	for i := range s.Parts {
		p := &s.Parts[i]
		spans := e.Read(e.Written(nil, p), p)
		n := 0
		for _, x := range spans {
			n += x.N
		}
		require.Equal(t, p.Entries+p.Tokens, n)
		mark("a part", spans, 0, p.Tokens)
	}
	for i := range s.Moves {
		from, to := e.Paths(nil, nil, &s.Moves[i])
		require.Equal(t, len(from), len(to))
		for _, x := range from {
			for k := range x.N {
				require.NotEqual(t, "a part", written[[2]int{x.Tier, x.At + k}], "a block that is written moves")
			}
		}
		mark("a move", to, 0, len(to)*e.spec.Block)
	}
	require.LessOrEqual(t, len(s.Moves), e.spec.Moves)
}

// serveAll serves requests in two tiers by a policy whose view of latencies is fixed, and
// counts entries that were read by tier.
func serveAll(t *testing.T, policy string, near, far int, latency [2]float64, requests []Request) (e *Engine, read [2]int) {
	t.Helper()
	s := small()
	s.Blocks, s.Every, s.Moves, s.Bytes = []int{near, far}, 1, 8, 64
	var err error
	s.Policy, err = placement.New(policy, nil)
	require.NoError(t, err)
	e, err = New(s, requests)
	require.NoError(t, err)
	for i := range requests {
		e.Arrive(i)
	}
	for now := units.Time(0); ; now++ {
		if e.Asks() {
			e.Observe(1000, []Load{{Reads: 10, Bytes: 640, Latency: latency[0], Idle: latency[0]}, {Reads: 10, Bytes: 640, Latency: latency[1], Idle: latency[1]}})
		}
		step, ok := e.Schedule(now)
		if !ok {
			return e, read
		}
		apart(t, e, step)
		for i := range step.Parts {
			for _, x := range e.Read(e.Written(nil, &step.Parts[i]), &step.Parts[i]) {
				read[x.Tier] += x.N
			}
		}
		e.Complete(now+1, step)
		require.NoError(t, e.Check())
	}
}

// Static leaves blocks where they are: the first ones near, the others far. Every entry is
// read once for each token, wherever it is.
func TestStaticTiers(t *testing.T) {
	ask := []Request{{Prompt: 8, Output: 21}}
	e, read := serveAll(t, "static", 3, 9, [2]float64{1, 5}, ask)
	require.Zero(t, e.Promoted+e.Demoted)
	sum, near := 8, 8
	for k := 9; k < 8+21; k++ {
		sum, near = sum+k, near+min(k, 12)
	}
	require.Equal(t, [2]int{near, sum - near}, read)
	for tier, want := range [][3]int{{0, 3, 3}, {0, 4, 9}} {
		used, peak, all := e.Tier(tier)
		require.Equal(t, want, [3]int{used, peak, all})
	}
	_, far := serveAll(t, "static", 0, 12, [2]float64{1, 5}, ask)
	require.Equal(t, [2]int{0, sum}, far, "all far: the bytes of a server with that tier alone")
	_, all := serveAll(t, "static", 12, 0, [2]float64{1, 5}, ask)
	require.Equal(t, [2]int{sum, 0}, all)
}

// Colloid moves blocks away from a default tier that answers more slowly, and leaves them
// where it is faster.
func TestColloidTiers(t *testing.T) {
	ask := []Request{{Prompt: 40, Output: 60}}
	e, read := serveAll(t, "colloid", 30, 30, [2]float64{9, 2}, ask)
	require.Positive(t, e.Demoted)
	require.Positive(t, read[1])
	e, read = serveAll(t, "colloid", 30, 30, [2]float64{2, 9}, ask)
	require.Zero(t, e.Demoted)
	require.Zero(t, read[1])
}

// By LRU the blocks of a sequence that goes on take the frames of one that has ended.
func TestLRUTiers(t *testing.T) {
	s := small()
	s.Blocks, s.Every, s.Moves, s.Tokens = []int{4, 8}, 1, 8, 16
	s.Policy, _ = placement.New("lru", nil)
	e, err := New(s, []Request{{Prompt: 16, Output: 2}, {Prompt: 2, Output: 30}})
	require.NoError(t, err)
	e.Arrive(0)
	e.Arrive(1)
	for now := units.Time(0); ; now++ {
		step, ok := e.Schedule(now)
		if !ok {
			break
		}
		e.Complete(now+1, step)
		require.NoError(t, e.Check())
	}
	require.Positive(t, e.Promoted)
	require.Equal(t, Done, e.Sequence(1).State)
}

// A sequence that needs every block goes on, though moves keep frames for a step.
func TestMovesLeaveRoom(t *testing.T) {
	s := small()
	s.Blocks, s.Every, s.Moves, s.Ahead, s.Policy = []int{3, 3}, 1, 4, 1, everything{seed: 3}
	e, err := New(s, []Request{{Prompt: 10, Output: 15}})
	require.NoError(t, err)
	require.Equal(t, Waiting, e.Arrive(0))
	var under []*Step
	for now := units.Time(0); e.Open() > 0; now++ {
		require.Less(t, int(now), 200, "it never ends")
		for step, ok := e.Schedule(now); ok; step, ok = e.Schedule(now) {
			under = append(under, step)
		}
		if len(under) > 0 {
			e.Complete(now+1, under[0])
			under = under[1:]
		}
		require.NoError(t, e.Check())
	}
	require.Zero(t, e.Preemptions)
	require.Positive(t, e.Promoted+e.Demoted)
}
