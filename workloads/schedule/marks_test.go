package schedule

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/units"
)

// asked is a policy of which every executor is asked every time.
type asked struct{ Preemptor }

// unpreempted lets fcfs stand where a Preemptor is wanted.
type unpreempted struct{ Policy }

func (unpreempted) Yields(*State, *Request, *Request) bool { return false }

// marked is a policy of which the marked ones alone are asked.
type marked struct{ Preemptor }

func (marked) Steady() {}

// transcript plays random models under a policy: every issue and revocation in order.
func transcript(t *testing.T, seed uint64, p Policy) (out []string) {
	r := rand.New(rand.NewPCG(seed, 1))
	n := 2 + r.IntN(4)
	var names []string
	for e := range n {
		names = append(names, fmt.Sprint("E", e))
	}
	grain := []string{ByModel, ByOperator}[r.IntN(2)]
	var models []Model
	for m := range 1 + r.IntN(4) {
		x := Model{Name: fmt.Sprint("M", m), Priority: r.IntN(3), Deadline: units.Time(r.IntN(3) * 50)}
		if grain == ByOperator && r.IntN(2) == 0 { // on some executors, with costs of those alone
			x.Executors = []int{r.IntN(n - 1), n - 1}
		}
		if m > 0 && r.IntN(3) == 0 {
			x.After = []int{m - 1}
		}
		for i := range 1 + r.IntN(8) {
			op := Operator{Name: fmt.Sprint("O", i)}
			for k := range i {
				if r.IntN(3) == 0 {
					op.After = append(op.After, int32(k))
				}
			}
			costs := n
			if x.Executors != nil && len(x.Executors) < n {
				costs = len(x.Executors)
			}
			for k := range costs {
				op.Cost = append(op.Cost, Cost{Can: k == 0 || grain == ByModel || r.IntN(2) == 0, Time: units.Time(1 + r.IntN(9))})
			}
			x.Ops = append(x.Ops, op)
		}
		models = append(models, x)
	}
	s, err := New(models, names, p, Options{Grain: grain, Ahead: 1 + r.IntN(3)})
	require.NoError(t, err)
	for e := range s.Executors {
		s.Executors[e].Concurrent = grain == ByOperator && r.IntN(4) == 0
	}
	revoking := map[Ref]bool{}
	for now := units.Time(0); now < 400; now++ {
		for m := range models {
			if r.IntN(30) == 0 && now < 250 {
				s.Arrive(now, m)
			}
		}
		for e := range s.Executors {
			q := s.Executors[e].Queue
			if len(q) == 0 || r.IntN(3) > 0 {
				continue
			}
			if last := q[len(q)-1]; revoking[last] && len(q) > 1 {
				delete(revoking, last)
				require.NoError(t, s.Revoked(now, last))
				continue
			}
			at := 0
			if s.Executors[e].Concurrent { // they end in any order
				at = r.IntN(len(q))
			}
			_, err := s.Done(now, q[at], now, now)
			require.NoError(t, err)
			require.Equal(t, free(s, e, now), s.Executors[e].Free)
		}
		for _, x := range s.Revocations() {
			revoking[x.Ref] = true
			out = append(out, fmt.Sprint(now, " back ", x))
		}
		for x, ok := s.Next(now); ok; x, ok = s.Next(now) {
			out = append(out, fmt.Sprint(now, " ", x))
		}
	}
	return out
}

// free is when an executor will be free that ended an operator now, by its queue.
func free(s *State, e int, now units.Time) units.Time {
	for _, q := range s.Executors[e].Queue {
		now += s.costOf(q, e).Time
	}
	return now
}

// Executors that are asked only when something of theirs has changed get what they get when
// all are asked every time.
func TestMarkedExecutorsGetTheSame(t *testing.T) {
	issues := 0
	for _, name := range []string{"fcfs", "edf", "priority", "preempt"} {
		for seed := range uint64(30) {
			policy := func() Preemptor {
				if name == "preempt" {
					e, _ := Policies.Entry("edf")
					return e.New(Urgency{Preempt: true}).(Preemptor)
				}
				e, _ := Policies.Entry(name)
				return unpreempted{e.New(e.Spec)}
			}
			want := transcript(t, seed, asked{policy()})
			require.Equal(t, want, transcript(t, seed, marked{policy()}), "%s, seed %d", name, seed)
			issues += len(want)
		}
	}
	require.Greater(t, issues, 500)
}
