package serving

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/registry/named"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/memory/tiering/placement"
)

// anyRules are the rules of each engine in turn.
func anyRules(seed uint64) RulesName {
	r := rand.New(rand.NewPCG(seed, 2))
	c := []named.Choice{
		{Name: "vllm"},
		{Name: "sglang", Spec: Polling{Poll: 1 + r.IntN(4), BusyPoll: r.IntN(6), Busy: r.IntN(4), Mixed: r.IntN(2) == 0}},
		{Name: "trtllm", Spec: BatchWaiting{Wait: r.IntN(5), Share: r.Float64()}},
	}[seed%3]
	return RulesName{c}
}

// Random small servers by the rules of three engines, with tiers, policies, swapped and computed again sequences, failures and
// clients that go away: no request is lost or answered twice, blocks are conserved after every
// step, free at the end, and nothing hangs. Without chunks a sequence that is computed again may
// be longer than a step (servers hung then).
func TestRandomServers(t *testing.T) {
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 1))
		s := DefaultSpec()
		s.Tokens, s.Sequences, s.Block = 1+r.IntN(40), 1+r.IntN(5), 1+r.IntN(6)
		s.Chunked, s.Prefix, s.Whole, s.Ahead = r.IntN(3) > 0, r.IntN(2) > 0, r.IntN(2) > 0, r.IntN(2)
		s.Admit, s.Preempt, s.Host = anyAdmission(r), anyPreemption(r), r.IntN(12)
		s.Rules, s.Lag = anyRules(seed), int(seed%7)/2
		for range 1 + r.IntN(3) {
			s.Blocks = append(s.Blocks, r.IntN(12))
		}
		sum := 0
		for _, n := range s.Blocks {
			sum += n
		}
		if sum == 0 {
			continue
		}
		s.Bytes = 100
		if name := []string{"", "static", "lru", "colloid"}[r.IntN(4)]; name != "" && len(s.Blocks) > 1 {
			p, err := placement.Choice{Name: name}.New()
			require.NoError(t, err)
			s.Policy, s.Every, s.Moves = p, 1+r.IntN(3), r.IntN(5)
		}
		var reqs []Request
		for range 1 + r.IntN(7) {
			q := Request{Prompt: 1 + r.IntN(20), Output: 1 + r.IntN(12)}
			if r.IntN(3) == 0 {
				q.Shared = r.IntN(q.Prompt + 1)
			}
			reqs = append(reqs, q)
		}
		e, err := New(s, reqs)
		if err != nil {
			t.Fatal(seed, err)
		}
		next, now := 0, units.Time(0)
		var under []*Step
		idle := 0
		for i := 0; i < 5000; i++ {
			now++
			switch r.IntN(14) {
			case 0:
				if next < len(reqs) {
					e.Arrive(next)
					next++
				}
			case 1:
				if r.IntN(6) == 0 {
					e.Fail()
					under = nil
				}
			case 2:
				if r.IntN(6) == 0 && next > 0 {
					e.Kill(r.IntN(next))
				}
			case 3, 4, 5, 6:
				if len(under) > 0 {
					e.Complete(now, under[0])
					under = under[1:]
				}
			default:
				if x, ok := e.Schedule(now); ok {
					under = append(under, x)
					idle = 0
				} else if len(under) == 0 && next == len(reqs) {
					if _, ok := e.Schedule(now); ok {
						t.Fatalf("seed %d: there was something to compute, and no event would ask a second time: %+v", seed, s)
					}
					if idle++; e.Open() > 0 && idle > 5 {
						t.Fatalf("seed %d hangs: open %d running %d waiting %d %+v", seed, e.Open(), e.Running(), e.Waiting(), s)
					}
				}
			}
			if err := e.Check(); err != nil {
				t.Fatalf("seed %d step %d: %v %+v", seed, i, err, s)
			}
			if next == len(reqs) && e.Open() == 0 && len(under) == 0 {
				break
			}
		}
		for i := range reqs {
			switch q := e.Sequence(i); q.State {
			case Done:
				if q.Got != q.Output {
					t.Fatalf("seed %d request %d got %d of %d", seed, i, q.Got, q.Output)
				}
			case Refused, Killed:
			default:
				t.Fatalf("seed %d request %d is %s", seed, i, q.State)
			}
		}
		if used, _, _ := e.Blocks(); used != 0 {
			t.Fatalf("seed %d: %d blocks used", seed, used)
		}
	}
}
