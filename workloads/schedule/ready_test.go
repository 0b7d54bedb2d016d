package schedule

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/units"
)

// scanned is a policy by the rule that the lists replace: it asks all candidates.
type scanned struct {
	compare func(s *State, e int) func(a, b *Request) int
	yields  func(s *State, q, r *Request) bool
}

func (p scanned) Next(s *State, e int) (Ref, bool)    { return firstOfAll(s, e, p.compare(s, e)) }
func (p scanned) Yields(s *State, q, r *Request) bool { return p.yields != nil && p.yields(s, q, r) }

// The lists give each executor what it gets when all candidates are asked, under every policy
// that uses them.
func TestListsGiveWhatAScanGives(t *testing.T) {
	issues := 0
	arrival := func(*State, int) func(a, b *Request) int { return byArrival }
	urgent := func(name string) func(s *State, e int) func(a, b *Request) int {
		entry, _ := Policies.Entry(name)
		u := entry.New(entry.Spec).(urgency)
		return func(s *State, _ int) func(a, b *Request) int {
			return func(a, b *Request) int { return u.compare(s, a, b) }
		}
	}
	turns := func(s *State, e int) func(a, b *Request) int {
		n := int32(len(s.Models))
		turn := func(r *Request) int32 { return (r.Model - s.Executors[e].Last - 1 + n) % n }
		return func(a, b *Request) int { return int(turn(a) - turn(b)) }
	}
	for name, compare := range map[string]func(s *State, e int) func(a, b *Request) int{
		"fcfs": arrival, "edf": urgent("edf"), "priority": urgent("priority"), "preempt": urgent("edf"), "round_robin": turns,
	} {
		for seed := range uint64(60) {
			entry, _ := Policies.Entry(name)
			twin := scanned{compare: compare}
			var p Preemptor
			if name == "preempt" {
				edf, _ := Policies.Entry("edf")
				p = edf.New(Urgency{Preempt: true}).(Preemptor)
				twin.yields = p.Yields
			} else {
				p = unpreempted{entry.New(entry.Spec)}
			}
			want := transcript(t, seed, twin)
			require.Equal(t, want, transcript(t, seed, asked{p}), "%s, seed %d", name, seed)
			issues += len(want)
		}
	}
	require.Greater(t, issues, 5000)
}

// A stage whose operands are all on their way looks at requests as often as their number says,
// not at all of them for each.
func TestLooksGrowWithRequests(t *testing.T) {
	looks := func(n int) (scans uint64) {
		op := func(e int, after ...int32) Operator {
			o := Operator{Name: "op", After: after, Cost: make([]Cost, 2)}
			o.Cost[e] = Cost{Can: true, Time: 5}
			return o
		}
		m := Model{Name: "stage", Ops: []Operator{op(0), op(1, 0), op(1, 1), op(0, 2)}}
		s, err := New([]Model{m}, []string{"Nic", "Chip"}, fcfs{}, Options{Grain: ByOperator, Ahead: 2})
		require.NoError(t, err)
		s.Executors[0].Concurrent = true
		for range n {
			s.Arrive(0, 0)
		}
		now, done := units.Time(0), 0
		for issued := true; issued || s.Live() > 0; now += 5 {
			issued = false
			for _, ok := s.Next(now); ok; _, ok = s.Next(now) {
				issued = true
			}
			for e := range s.Executors {
				if q := s.Executors[e].Queue; len(q) > 0 {
					_, err := s.Done(now, q[0], now, now+5)
					require.NoError(t, err)
					done++
				}
			}
		}
		require.Equal(t, 4*n, done)
		return s.lists.scans
	}
	few, many := looks(100), looks(1000)
	require.InDelta(t, 10, float64(many)/float64(few), 0.2, fmt.Sprint(few, " and ", many))
}
