package serving

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/memory/tiering/placement"
)

// run serves requests that all arrive at 0, a step per unit of time, and tells what each
// step holds.
func run(t *testing.T, s Spec, requests []Request) (e *Engine, lines []string) {
	e, err := New(s, requests)
	require.NoError(t, err)
	for i := range requests {
		e.Arrive(i)
	}
	var under []*Step
	for now := units.Time(0); ; now++ {
		for {
			step, ok := e.Schedule(now)
			if !ok {
				break
			}
			lines = append(lines, transcript(step))
			under = append(under, step)
		}
		require.NoError(t, e.Check())
		if len(under) == 0 {
			return e, lines
		}
		e.Complete(now+1, under[0])
		under = under[1:]
		require.NoError(t, e.Check())
		require.Less(t, int(now), 100000, "it never ends")
	}
}

// transcript is a step as a line: request/tokens@entries, * where it yields a token.
func transcript(step *Step) string {
	line := fmt.Sprintf("%d:", step.Number)
	for _, p := range step.Parts {
		line += fmt.Sprintf(" %d/%d@%d", p.Sequence.Index(), p.Tokens, p.Entries)
		if p.Sample {
			line += "*"
		}
	}
	if step.In+step.Out > 0 {
		line += fmt.Sprintf(" in %d out %d", step.In, step.Out)
	}
	return line
}

func small() Spec {
	s := DefaultSpec()
	s.Tokens, s.Sequences, s.Block, s.Ahead = 8, 4, 4, 0
	return s
}

// A long prompt is computed in chunks in the same steps as sequences that get a token each.
func TestChunks(t *testing.T) {
	_, lines := run(t, small(), []Request{{Prompt: 5, Output: 4}, {Prompt: 11, Output: 2}})
	require.Equal(t, []string{
		"0: 0/5@0* 1/3@0",
		"1: 0/1@5* 1/7@3",
		"2: 0/1@6* 1/1@10*",
		"3: 0/1@7* 1/1@11*",
	}, lines)
}

// Without chunks a prompt waits until all of it fits into the budget.
func TestNoChunks(t *testing.T) {
	s := small()
	s.Chunked = false
	_, lines := run(t, s, []Request{{Prompt: 5, Output: 2}, {Prompt: 7, Output: 1}})
	require.Equal(t, []string{"0: 0/5@0*", "1: 0/1@5* 1/7@0*"}, lines)
}

// The sequence that began last is preempted. It goes first when there is room, and computes
// its entries again, except those in blocks that no other sequence has taken.
func TestRecompute(t *testing.T) {
	s := small()
	s.Blocks = []int{4}
	e, lines := run(t, s, []Request{{Prompt: 6, Output: 6}, {Prompt: 7, Output: 3}})
	require.Equal(t, []string{
		"0: 0/6@0* 1/2@0",
		"1: 0/1@6* 1/5@2*",
		"2: 0/1@7* 1/1@7*",
		"3: 0/1@8*", // needs a third block; request 1 gives way with two tokens got
		"4: 0/1@9*",
		"5: 0/1@10*",
		"6: 1/5@4*", // its first block is there
	}, lines)
	require.Equal(t, 1, e.Sequence(1).Preempted)
	require.Equal(t, 4, e.Sequence(1).Hits)
	require.EqualValues(t, 4, e.Recomputed, "eight were lost, four of them are found")
}

// With swap the entries come back, and nothing is computed twice.
func TestSwap(t *testing.T) {
	s := small()
	s.Blocks, s.Preempt, s.Host, s.Prefix = []int{4}, preemption("swap"), 8, false
	e, lines := run(t, s, []Request{{Prompt: 6, Output: 6}, {Prompt: 7, Output: 3}})
	require.Equal(t, []string{
		"0: 0/6@0* 1/2@0", "1: 0/1@6* 1/5@2*", "2: 0/1@7* 1/1@7*", "3: 0/1@8* in 0 out 2", "4: 0/1@9*", "5: 0/1@10*", "6: 1/1@8* in 2 out 0",
	}, lines)
	require.Zero(t, e.Recomputed)
	require.Zero(t, e.host)
}

// A sequence is swapped out while the last token of another is under way, so that no step comes of
// it: the next step counts its blocks. (Nobody counted them.)
func TestSwapWithoutAStep(t *testing.T) {
	s := small()
	s.Blocks, s.Preempt, s.Host, s.Prefix, s.Ahead = []int{4}, preemption("swap"), 8, false, 1
	e, lines := run(t, s, []Request{{Prompt: 4, Output: 2}, {Prompt: 8, Output: 3}})
	require.Equal(t, []string{"0: 0/4@0* 1/4@0", "1: 0/1@4* 1/4@4*", "2: 1/1@8* in 2 out 2", "3: 1/1@9*"}, lines)
	require.EqualValues(t, 2, e.Out)
}

// A server that fails while a sequence waits in host memory, and the step with its last entries
// is under way, computes those again: the sequence gets all its tokens. (Its token was counted in
// a step without tokens, and never came.)
func TestSwapLosesTheStepUnderWay(t *testing.T) {
	s := small()
	s.Blocks, s.Preempt, s.Host, s.Prefix, s.Ahead = []int{4}, preemption("swap"), 8, false, 1
	e, err := New(s, []Request{{Prompt: 7, Output: 6}, {Prompt: 6, Output: 4}})
	require.NoError(t, err)
	e.Arrive(0)
	e.Arrive(1)
	var under []*Step
	for now := units.Time(1); e.Sequence(1).swapped == 0; now++ {
		require.Less(t, int(now), 20, "nothing is swapped")
		for x, ok := e.Schedule(now); ok; x, ok = e.Schedule(now) {
			under = append(under, x)
		}
		if e.Sequence(1).swapped == 0 {
			e.Complete(now, under[0])
			under = under[1:]
		}
	}
	require.Equal(t, 6, e.Sequence(1).Computed)
	e.Fail()
	require.NoError(t, e.Check())
	require.Equal(t, 1, e.Sequence(1).Computed, "the five entries of the lost step are not there")
	under = nil
	for now := units.Time(100); e.Open() > 0; now++ {
		require.Less(t, int(now), 200, "a token never comes")
		for x, ok := e.Schedule(now); ok; x, ok = e.Schedule(now) {
			under = append(under, x)
		}
		e.Complete(now, under[0])
		under = under[1:]
		require.NoError(t, e.Check())
	}
	require.Equal(t, []int{6, 4}, []int{e.Sequence(0).Got, e.Sequence(1).Got})
	require.Zero(t, e.host)
}

// Requests whose prompts begin alike share blocks; at least one token is computed.
func TestPrefix(t *testing.T) {
	tokens := []int32{1, 2, 3, 4, 5, 6, 7, 8}
	e, lines := run(t, small(), []Request{
		{Prompt: 8, Output: 1, Tokens: tokens}, {Prompt: 8, Output: 1, Tokens: tokens}, {Prompt: 6, Output: 1, Tokens: []int32{1, 2, 3, 4, 9, 9}},
	})
	require.Equal(t, []string{"0: 0/8@0*", "1: 1/4@4* 2/2@4*"}, lines)
	require.EqualValues(t, 8, e.Hits)
}

// Entries that are there already are not computed, unless they are lost.
func TestCached(t *testing.T) {
	_, lines := run(t, small(), []Request{{Prompt: 7, Output: 2, Cached: 6}})
	require.Equal(t, []string{"0: 0/1@6*", "1: 0/1@7*"}, lines)
}

// One step ahead: the step after is made while the values of tokens are still unknown, and
// a request gets no step too many.
func TestAhead(t *testing.T) {
	s := small()
	s.Ahead = 1
	e, err := New(s, []Request{{Prompt: 4, Output: 3}, {Prompt: 4, Output: 1}})
	require.NoError(t, err)
	e.Arrive(0)
	first, _ := e.Schedule(0)
	second, ok := e.Schedule(0)
	require.True(t, ok)
	require.Equal(t, 1, second.Tokens)
	e.Arrive(1)
	_, ok = e.Schedule(0)
	require.False(t, ok, "two steps are under way")
	require.Len(t, e.Complete(5, first), 1)
	third, ok := e.Schedule(5)
	require.True(t, ok)
	require.Equal(t, 5, third.Tokens, "the new request joins the step after the next")
	e.Complete(6, second)
	_, ok = e.Schedule(6)
	require.False(t, ok)
	require.Len(t, e.Complete(7, third), 2)
	require.Equal(t, Done, e.Sequence(0).State)
	require.Equal(t, Done, e.Sequence(1).State)
	require.Zero(t, e.Open())
}

// What never fits is refused, and the rest goes on.
func TestOvercommit(t *testing.T) {
	s := small()
	s.Blocks = []int{3}
	e, _ := run(t, s, []Request{{Prompt: 10, Output: 4}, {Prompt: 10, Output: 3}})
	require.Equal(t, Refused, e.Sequence(0).State)
	require.Equal(t, Done, e.Sequence(1).State)
}

// Whatever happens, every request ends once, with all of its tokens unless it was killed
// or refused; blocks are conserved; and the same seed does the same.
func TestNothingIsLost(t *testing.T) {
	for seed := range uint64(300) {
		one, two := chaos(t, seed), chaos(t, seed)
		require.Equal(t, one, two, "seed %d", seed)
	}
}

func chaos(t *testing.T, seed uint64) (log []string) {
	r := rand.New(rand.NewPCG(seed, 1))
	s := DefaultSpec()
	s.Tokens, s.Sequences, s.Block, s.Blocks, s.Chunked = 1+r.IntN(40), 1+r.IntN(6), 1+r.IntN(8), []int{1 + r.IntN(30)}, r.IntN(4) > 0
	s.Prefix, s.Whole, s.Preempt, s.Host, s.Ahead = r.IntN(2) == 0, r.IntN(2) == 0, anyPreemption(r), r.IntN(10), r.IntN(2)
	s.Admit = anyAdmission(r)
	if r.IntN(2) == 0 {
		s.Blocks = append(s.Blocks, r.IntN(10))
		if k := r.IntN(4); k > 0 {
			s.Policy, s.Every, s.Moves = everything{seed: seed}, 1+r.IntN(2), r.IntN(12)
			if k > 1 {
				p, err := placement.New([]string{"", "", "lru", "colloid"}[k], nil)
				require.NoError(t, err)
				s.Policy = p
			}
		}
	}
	var requests []Request
	for range 1 + r.IntN(12) {
		q := Request{Prompt: 1 + r.IntN(30), Output: 1 + r.IntN(12)}
		if r.IntN(2) == 0 {
			q.Tokens = make([]int32, q.Prompt+r.IntN(q.Output))
			for i := range q.Tokens {
				q.Tokens[i] = int32(i / (1 + r.IntN(20)))
			}
		}
		requests = append(requests, q)
	}
	e, err := New(s, requests)
	require.NoError(t, err)
	next, got, gone := 0, make([]int, len(requests)), make([]bool, len(requests))
	var under []*Step
	for now := units.Time(1); next < len(requests) || e.Open() > 0; now++ {
		require.Less(t, int(now), 20000, "seed %d never ends: %+v", seed, s)
		for next < len(requests) && r.IntN(3) == 0 {
			e.Arrive(next)
			next++
		}
		switch r.IntN(60) {
		case 0:
			e.Fail()
			under = nil
		case 1:
			if i := r.IntN(len(requests)); i < next && e.Sequence(i).State != Done {
				e.Kill(i)
				gone[i] = true
			}
		}
		for {
			if e.Asks() {
				e.Observe(100, []Load{{Reads: 10, Bytes: 640, Latency: float64(r.IntN(9)), Idle: 2}, {Reads: 9, Bytes: 640, Latency: float64(r.IntN(9)), Idle: 5}})
			}
			step, ok := e.Schedule(now)
			if !ok {
				break
			}
			require.LessOrEqual(t, step.Tokens, s.Tokens)
			require.LessOrEqual(t, len(step.Parts), s.Sequences)
			apart(t, e, step)
			under = append(under, step)
			log = append(log, fmt.Sprint(step.Number, step.Tokens, step.In, step.Out, len(step.Moves)))
		}
		if len(under) > 0 && r.IntN(2) == 0 {
			for _, q := range e.Complete(now, under[0]) {
				require.False(t, gone[q.Index()], "a token for a client that has gone")
				got[q.Index()]++
			}
			under = under[1:]
		}
		require.NoError(t, e.Check(), "seed %d", seed)
	}
	need, all := 0, true // entries, of requests that were not killed
	for i := range requests {
		q := e.Sequence(i)
		if q.State == Done {
			need += requests[i].entries()
		}
		all = all && q.State != Killed
	}
	if all && !s.Prefix { // what was computed is what was wanted, and what was lost and computed again
		require.EqualValues(t, need, int(e.Tokens)-int(e.Recomputed), "seed %d: computed %d, again %d", seed, e.Tokens, e.Recomputed)
	}
	for i := range requests {
		q := e.Sequence(i)
		require.Equal(t, q.Got, got[i])
		switch q.State {
		case Done:
			require.Equal(t, q.Output, got[i])
		case Killed:
			require.True(t, gone[i])
		case Refused:
			require.Zero(t, got[i])
		default:
			t.Fatalf("seed %d: request %d is %s", seed, i, q.State)
		}
	}
	used, peak, blocks := e.Blocks()
	require.Zero(t, used)
	require.LessOrEqual(t, peak, blocks)
	return log
}
